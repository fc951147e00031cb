"""Engines that play no printed ruleset are found out: which they are near to, and where they depart from it."""

import random
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from conftest import HANGS, ROOT, Done, golden
from faulty_adapters.slow_start import SlowStart
from hoyle_conformance.cli import identify as identify_command
from hoyle_conformance.protocol import process
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import ProtocolError, Wire
from hoyle_conformance.runner import explain
from hoyle_conformance.runner.answers import Answers, Candidate
from hoyle_conformance.runner.explain import HANDFUL
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.rule_changes import Form, RuleChange, change_rules, fit_position, form_of, sourced_changes
from hoyle_conformance.runner.run import GIVE_UP_AFTER
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import read_house_rules
from hoyle_conformance.tools.identify.identify import Identification
from hoyle_conformance.tools.identify.positions import (
    DistinctPosition,
    PositionResponses,
    ask_positions,
    distinct_positions,
)
from hoyle_conformance.tools.identify.report import identification_lines
from hoyle_reference import Rules

pytestmark = pytest.mark.slow

OUTPUT = ROOT / "tests/output"
FAULTY_ADAPTERS = ROOT / "tests/faulty_adapters/main.py"
#: Every so manieth position is asked in the laws; of the mixture below, all are.
EVERY = 8
#: The run in which an engine is interrupted, or from which on it breaks.
BROKEN_OFF = 100


class Named(Reference):
    """The reference that plays by these rules, whatever it is called, and claims one ruleset."""

    def __init__(self, suite: Suite, name: str, rules: Rules) -> None:
        super().__init__(suite)
        self.name, self.own = name, rules

    def rules(self, _ruleset: str) -> Rules:
        return self.own

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        if message["type"] == "hello":
            return {**super().__call__(message), "rulesets": [self.name]}
        return super().__call__(
            {**message, "position": fit_position(message["position"], self.own) or message["position"]}
        )


def asked(suite: Suite, name: str, rules: Rules, every: int = EVERY) -> PositionResponses:
    form = form_of(suite, name)
    engine = InProcess(Wire(suite.schemas, suite.version), Named(suite, name, rules))
    return responses_of(suite, engine, form, name, distinct_positions(suite, form, name, [name])[::every])


def responses_of(
    suite: Suite, engine: InProcess, form: Form, name: str, every: Sequence[DistinctPosition]
) -> PositionResponses:
    """All responses of an engine to these positions."""
    ready = engine.introduce()
    responses = PositionResponses(deals="deal" in ready.claims)
    ask_positions(suite, engine, ready, form, name, every, responses)
    return responses


def identify(suite: Suite, name: str, responses: PositionResponses) -> Identification:
    """What is found about an engine that has answered."""
    found = Identification(suite, form_of(suite, name), name, responses)
    for _ in found.explain():
        pass
    return found


@pytest.mark.parametrize("ruleset", ["four-handed-h2g2", "piquet-saunt-parlett+nought"])
def test_engine_that_plays_a_ruleset_is_identified(suite: Suite, ruleset: str) -> None:
    found = identify(suite, ruleset, asked(suite, ruleset, suite.rules.of(ruleset)))
    assert found.explanation.base.ruleset == ruleset
    assert not found.explanation.departures
    assert not found.groups


@pytest.mark.parametrize("name", sorted(path.stem for path in ROOT.glob("spec/house/*.yaml")))
def test_an_engine_of_named_house_rules_is_identified(suite: Suite, name: str) -> None:
    house = read_house_rules(suite, ROOT / f"spec/house/{name}.yaml")
    base = house.written["extends"]
    found = identify(suite, base, asked(suite, base, house.joined(suite).rules.of(name), every=1))
    assert f": these are the house rules {name}." in "\n".join(identification_lines(suite, found))


@pytest.mark.parametrize("base", ["rubicon-hoyle", "piquet-rubicon-parlett"])
def test_a_mixture_is_named_exactly(suite: Suite, base: str) -> None:
    """A ruleset with up to three rules of other tables or readings: each that shows anywhere is named, and no other."""
    chosen, mixture = mixed(suite, base)
    answers = asked(suite, base, mixture.rules)
    found = identify(suite, base, answers)
    assert found.explanation.base.ruleset == base
    assert not found.explanation.unexplained
    true = {change.key for change in chosen}
    for each in found.explanation.departures:
        assert true & {change.key for change in (each.change, *each.alternatives)}, each
    for change in chosen:
        assert named(found, change) or shows_nowhere(suite, base, chosen, change, answers), change


def mixed(suite: Suite, base: str) -> tuple[Sequence[RuleChange], Candidate]:
    chance = random.Random(f"three rules of {base}")
    single = [each for each in sourced_changes(suite, base) if len(each.cell_values) == 1]
    # A rule that an option changes or takes away may be nearer to that option, and told as a departure from it.
    forms = [suite.rules.cells(name) for name in suite.rules.names if name.partition("+")[0] == base]
    own = suite.rules.cells(base)
    single = [
        each
        for each in single
        if all(each.path in form and form[each.path].value == own[each.path].value for form in forms)
    ]
    while True:
        chosen = chance.sample(single, 3)
        mixture = Answers(suite, (), deals=True).candidate(base, chosen)
        if mixture and len({each.path for each in chosen}) == len(chosen):
            return chosen, mixture


def named(found: Identification, change: RuleChange) -> bool:
    return any(change.key in {each.key for each in (d.change, *d.alternatives)} for d in found.explanation.departures)


def shows_nowhere(
    suite: Suite, base: str, chosen: Sequence[RuleChange], change: RuleChange, answers: PositionResponses
) -> bool:
    evidence = Answers(suite, answers.answered, answers.deals)
    without = evidence.candidate(base, [each for each in chosen if each is not change])
    assert without is not None
    return len(evidence.agreeing(without)) == len(answers.answered)


@pytest.fixture(scope="module")
def ten_at_whist_rank(suite: Suite) -> PositionResponses:
    """The responses of an engine that plays Hoyle with an option that few of these positions show."""
    return asked(suite, "bezique-hoyle", suite.rules.of("bezique-hoyle+ten-at-whist-rank"))


def test_an_option_is_claimed_only_if_a_handful_of_positions_show_it(
    suite: Suite, ten_at_whist_rank: PositionResponses
) -> None:
    found = identify(suite, "bezique-hoyle", ten_at_whist_rank)
    assert found.explanation.base.ruleset == "bezique-hoyle"
    assert not found.explanation.unexplained
    assert found.explanation.departures
    assert all(len(each.shows) < HANDFUL for each in found.explanation.departures)
    assert "(not enough to tell)" in "\n".join(identification_lines(suite, found))


def test_when_the_processor_time_is_used_up_the_best_answer_so_far_is_reported(
    suite: Suite, ten_at_whist_rank: PositionResponses
) -> None:
    name = "bezique-hoyle"
    found = Identification(suite, form_of(suite, name), name, ten_at_whist_rank, most_time=0)
    for _ in found.explain():
        pass
    told = list(identification_lines(suite, found))
    assert "Nearest: bezique-hoyle (Bézique for two, after Hoyle)." in told
    assert "No short list of differences explains the answers: the search for one was cut short." in told
    assert any(line.startswith("There was no time to examine") for line in told)


def test_the_mixture_is_found_out(hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It departs from Hoyle in three rules that others have, in one that nobody has, and has a bug."""
    monkeypatch.setattr(process, "Process", SlowStart)
    table = tmp_path / "mine.yaml"
    adapter = [sys.executable, str(FAULTY_ADAPTERS.relative_to(ROOT)), "plays-a-mixture"]
    done = hoyle("identify", "--timeout", str(HANGS), "--write", str(table), "--", *adapter)
    report = done.stdout.replace(" ".join(adapter), "python my_adapter.py").replace(str(table), "mine.yaml")
    golden(OUTPUT / "identify.txt", report)
    golden(OUTPUT / "identify.yaml", table.read_text("utf-8"))
    assert done.returncode == 0


@pytest.mark.parametrize("file", ["identify.txt", "identify.yaml"])
def test_the_page_shows_what_is_printed(file: str) -> None:
    assert (OUTPUT / file).read_text("utf-8") in (ROOT / "docs/identify.md").read_text("utf-8")


Patched = Callable[..., Done]


@pytest.fixture
def identified(suite: Suite, hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch) -> Patched:
    """The command, with a function in this process for an adapter."""

    def run(respond: Callable[[Mapping[str, Any]], Any], *words: str) -> Done:
        speaking = InProcess(Wire(suite.schemas, suite.version), respond)
        monkeypatch.setattr(identify_command, "start_or_exit", lambda *_how, **_options: lambda _suite, _log: speaking)
        return hoyle("identify", *words, "--", "adapter")

    return run


def test_when_the_adapter_breaks_it_prints_what_the_answers_before_show(suite: Suite, identified: Patched) -> None:
    engine = Named(suite, "bezique-hoyle", suite.rules.of("bezique-hoyle"))

    def breaking(message: Mapping[str, Any]) -> dict[str, Any]:
        if message.get("seq", 0) >= BROKEN_OFF:
            raise ProtocolError("crashed")
        return engine(message)

    done = identified(breaking)
    assert f"{BROKEN_OFF - 1} positions answered, each sent once" in done.stdout
    assert f"Hoyle gave up after {GIVE_UP_AFTER} broken conversations in a row: " in done.stdout
    assert "The engine plays bezique-hoyle (Bézique for two, after Hoyle): none of its answers differs." in done.stdout
    assert "the conversation broke too often" in done.stderr
    assert done.returncode == 2


@pytest.fixture
def too_late(suite: Suite, identified: Patched) -> Callable[[int], Done]:
    """The command, where its deadline passes with the run of this number, or, with 0, with hello."""
    engine = Named(suite, "bezique-hoyle", suite.rules.of("bezique-hoyle"))

    def run(at: int) -> Done:
        def slow(message: Mapping[str, Any]) -> dict[str, Any]:
            if message.get("seq", 0) == at:
                signal.raise_signal(signal.SIGALRM)
            return engine(message)

        return identified(slow, "--deadline", str(HANGS))

    return run


@pytest.mark.posix
def test_when_its_deadline_has_passed_it_says_of_what_nothing_is_known(too_late: Callable[[int], Done]) -> None:
    done = too_late(1)
    assert f"The deadline of {HANGS} s has passed.\nNot identified:" in done.stdout
    assert "  Bézique for two, with 2 packs, sent as bezique-hoyle\nGive it more time" in done.stdout
    assert done.returncode == 3
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.posix
def test_when_its_deadline_has_passed_it_says_what_is_known(too_late: Callable[[int], Done]) -> None:
    done = too_late(100)
    assert "Nearest so far: bezique-hoyle (" in done.stdout
    assert "Not finished: known from the first 99 of" in done.stdout
    assert "Not identified" not in done.stdout
    assert done.returncode == 3


@pytest.mark.posix
def test_what_is_found_before_it_is_broken_off_is_printed_and_written(
    suite: Suite, identified: Patched, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is interrupted as soon as the first rule is found in which the engine departs."""
    rules = change_rules(suite.rules.of("bezique-hoyle"), {"declare.tricks_won_first": 3, "seven.points": 20})
    choose = explain.Search.choose

    def interrupted(self: Any, changes: Any, least: int) -> bool:
        if self.chosen:
            signal.raise_signal(signal.SIGALRM)
        return choose(self, changes, least)

    monkeypatch.setattr(explain.Search, "choose", interrupted)
    file = tmp_path / "mine.yaml"
    done = identified(Named(suite, "bezique-hoyle", rules), "--deadline", str(HANGS), "--write", str(file))
    assert "The engine plays bezique-hoyle (" in done.stdout
    assert "Before declaring anything a player must have won three tricks, not one as in bezique-hoyle." in done.stdout
    assert "Not finished: more rules may differ; the search for them was not finished." in done.stdout
    assert "declare.tricks_won_first: 3" in file.read_text("utf-8")
    assert done.returncode == 3


def test_engine_of_another_game_is_not_identified(hoyle: Callable[..., Done]) -> None:
    done = hoyle("identify", "--timeout", str(HANGS), "--", sys.executable, str(FAULTY_ADAPTERS), "claims-another-game")
    assert "The engine claims no ruleset of this suite" in done.stdout
    assert done.returncode == 3
