"""An implementation is asked for what it claims, in its own way, and for nothing else."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faulty_adapters"))

import kinds  # noqa: F401 -- each of these adds its adapters
import odd_but_right  # noqa: F401
import wrong_referees  # noqa: F401
from faults import ADAPTERS
from hypothesis import given, settings
from hypothesis import strategies as st
from ways import InItsWay, Message

from conftest import ROOT
from hoyle_conformance.checks import rewrites
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import Adapted, Claims, Unsupported
from hoyle_conformance.checks.rewrites import REWRITES, SENT_AS, Rewrite, adapt, as_sent
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import AdapterInfo, Wire
from hoyle_conformance.runner.results import Run, Status
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.capabilities import refusal_of
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Phase, read_act, read_position
from hoyle_reference.acts import Declare

pytestmark = pytest.mark.slow

#: Every word that may be claimed.
WORDS: list[str] = Schemas(ROOT / "spec/schemas").documents["common"]["$defs"]["claimed"]["enum"]
TABLES = ["bezique-hoyle", "rubicon-hoyle", "three-handed-h2g2", "piquet-saunt-parlett"]
#: Some of all checks: from every table, and of every topic.
EVERY = 109


def some(suite: Suite, *topics: str, ruleset: str = "") -> list[Check]:
    headings = [
        each
        for each in suite.index.headings.values()
        if (not topics or each.topic in topics) and (not ruleset or each.ruleset == ruleset)
    ]
    return list(
        map(Relabeller(suite), (suite.index.checks[each.id] for each in headings[:: 1 if ruleset or topics else EVERY]))
    )


def held(suite: Suite, engine: InItsWay, checks: Sequence[Check]) -> Run:
    return run(suite, InProcess(Wire(suite.schemas, suite.version), engine), checks)


def test_the_test_of_every_rewrite_is_there() -> None:
    assert all((ROOT / "tests" / each.test).is_file() for each in (*REWRITES, *SENT_AS))


@pytest.mark.parametrize("each", [each for each in (*REWRITES, *SENT_AS) if each.engine], ids=lambda each: each.name)
def test_every_rewrite_changes_what_the_engine_is_sent_that_needs_it(
    suite: Suite, each: Rewrite, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = ADAPTERS[each.engine]()
    ready = Wire(suite.schemas, suite.version).ready(engine({"type": "hello", "protocol": 1, "suite": ""}))
    claims = Claims(suite, ready)
    headings = [each for each in suite.index.headings.values() if each.ruleset in ready.rulesets]
    checks = [suite.index.checks[each.id] for each in headings[::7]]

    def sent(check: Check) -> Adapted | Unsupported:
        return as_sent(claims, adapt(claims, check), None)

    def sent_without(check: Check) -> Adapted | Unsupported:
        with monkeypatch.context() as patch:
            for name in ("REWRITES", "SENT_AS"):
                patch.setattr(rewrites, name, tuple(one for one in getattr(rewrites, name) if one is not each))
            return sent(check)

    assert any(sent(check) != sent_without(check) for check in checks)


class Lenient(InItsWay):
    """It counts what it refuses, by act."""

    def __init__(self, suite: Suite, **says: Any) -> None:
        super().__init__(suite, **says)
        self.refused: Counter[str] = Counter()

    def __call__(self, message: Message) -> dict[str, Any]:
        answer = super().__call__(message)
        for step, seen in zip(message.get("steps", ()), answer.get("steps", ()), strict=True):
            self.refused[step.get("do", "")] += seen.get("accepted") is False
        return answer


def _refuses(check: Check, act: str) -> bool:
    """Whether a check holds more than refusals, and among them one of this act."""
    steps, expected = check.scenario.steps, check.expect
    refused = [number for number, each in expected.items() if "refused" in each]
    more = any(each.keys() - {"refused"} for each in expected.values())
    return not check.follows and more and any(refusal_of(steps[number - 1]) == f"refuse-{act}" for number in refused)


def wrong(done: Run) -> list[Any]:
    return [(each.check.id, each.mismatch, each.reason) for each in done.results if each.ran and each.status != "pass"]


def test_an_engine_that_is_right_in_its_own_ways_passes(suite: Suite) -> None:
    """In all of them at once; each of them alone is a kind of engine in whole/test_engine_kinds.py."""
    ways: dict[str, Any] = {"score": "later", "draws": "with-the-declaration"}
    ways |= {"declarations": "as-a-set", "declares": "by-itself"}
    engine = InItsWay(suite, **ways)
    done = held(suite, engine, some(suite))
    assert wrong(done) == []
    assert done.totals[Status.PASS] > 0.6 * len(done.results)
    for message in engine.asked:
        assert suite.schemas.complaint("message-run", message) == ""


@given(cannot=st.sets(st.sampled_from(WORDS), min_size=1, max_size=12), name=st.sampled_from(TABLES))
@settings(max_examples=6, deadline=None)
def test_nothing_is_asked_that_is_not_claimed(suite: Suite, cannot: set[str], name: str) -> None:
    engine = InItsWay(suite, cannot=sorted(cannot))
    done = held(suite, engine, some(suite, ruleset=name)[::9])
    assert wrong(done) == []
    words = suite.capabilities
    for message in engine.asked:
        assert cannot.isdisjoint(message["observe"])
        assert cannot.isdisjoint(words.word(step) for step in message["steps"])


@pytest.mark.parametrize("act", ["declare", "answer"])
def test_what_must_be_refused_is_not_sent_to_those_who_do_not_refuse(suite: Suite, act: str) -> None:
    """An engine that accepts whatever it is sent passes what is left, and is asked most of it."""
    engine = Lenient(suite, cannot=[f"refuse-{act}"])
    ruleset = "piquet-rubicon-parlett" if act == "answer" else "bezique-britannica"
    checks = [each for each in some(suite, ruleset=ruleset) if _refuses(each, act)]
    assert checks
    done = held(suite, engine, checks)
    assert wrong(done) == []
    assert engine.refused[act] == 0
    assert all(each.partly == (f"refuse-{act}",) for each in done.results if each.ran)
    asked_for_all = held(suite, Lenient(suite), checks)
    assert all(each.status is Status.PASS for each in asked_for_all.results)


#: One that can do everything, and declares all that is good of a class at once.
AS_A_SET = AdapterInfo("sets", "1", "Python", frozenset(), frozenset(WORDS), declarations="as-a-set")


def as_sets(suite: Suite, check: Check) -> Adapted | Unsupported:
    return adapt(Claims(suite, replace(AS_A_SET, rulesets=frozenset({check.ruleset}))), check)


def test_a_run_of_sets_does_not_end_before_everything_good_is_declared(suite: Suite) -> None:
    """By the reference nothing good is open then, and no lead is waited for; what the check itself says stays."""
    name, later = "piquet-rubicon-parlett", 0
    for check in some(suite, ruleset=name):
        asked = as_sets(suite, check)
        if isinstance(asked, Unsupported) or all("ask" in step for step in asked.plan.message["steps"]):
            continue
        later += bool(asked.plan.afterwards)
        assert {number for each in asked.check.branches.values() for number in each} <= set(
            range(1, len(asked.plan.ends) + 1)
        )
        message = asked.plan.course.message if asked.plan.course else asked.plan.message
        if any("irregular" in step or step.get("do") in {"claim", "mishap"} for step in message["steps"]):
            continue
        game = Game(read_position(suite.rules.of(name), message["position"]))
        for step in message["steps"]:
            if "do" in step:
                game.attempt(read_act(suite.rules.of(name), step))
        if game.table.phase in {Phase.ANNOUNCE, Phase.PLAY}:
            assert not any(isinstance(act, Declare) for act in game.legal_actions), check.id
            led = bool(game.table.trick) or game.table.a_trick_is_won
            assert led or game.table.dealer not in game.table.called.decided, check.id
    assert later >= 12


def test_a_run_of_sets_ends_where_the_check_does_for_who_cannot_go_on(suite: Suite) -> None:
    check = suite.index.checks["calling.each-class-has-its-question@piquet-rubicon-parlett"]
    asked = as_sets(suite, check)
    assert isinstance(asked, Adapted)
    assert asked.plan.afterwards
    assert [step["do"] for step in asked.plan.message["steps"][asked.plan.ends[-1] :]] == ["declare", "play", "declare"]
    unable = replace(AS_A_SET, rulesets=frozenset({check.ruleset}), claims=AS_A_SET.claims - {"play", "refuse-play"})
    stopped = adapt(Claims(suite, unable), check)
    assert isinstance(stopped, Adapted)
    assert not stopped.plan.afterwards
    assert stopped.check.branches == asked.check.branches
