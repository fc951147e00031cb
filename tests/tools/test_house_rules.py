"""House rules: a ruleset with a few rules changed has the checks of its base, and those that are computed."""

import io
import json
import pickle
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from conftest import ROOT, Done, need
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.cli.new.rules import house_rules_template
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.runner.consensus import comparable
from hoyle_conformance.runner.jobs import _Carried
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Run, Status
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import house_rules_from

pytestmark = pytest.mark.slow

Hoyle = Callable[..., Done]

MINE = """\
id: my-bezique
title: Bézique as we play it
extends: bezique-hoyle
rules:
  settle.target: 1500
  declare.melds.bezique.points: {is: 50, because: We like it.}
"""
NINE_CARDS = "id: mine\nextends: bezique-hoyle\nrules: {'deal.packets': [[3, 3, 3]]}\n"


#: Suites with house rules, by the digest of the suite and the file: what they make of it is computed once.
_JOINED: dict[tuple[str, str], Suite] = {}


def joined(suite: Suite, text: str) -> Suite:
    """The suite with these house rules."""
    if (suite.digest, text) not in _JOINED:
        document = load(text, "mine.yaml")
        faults = suite.schemas.check("house", document)
        if faults:
            raise Invalid(faults)
        _JOINED[suite.digest, text] = house_rules_from(suite, document).joined(suite)
    return _JOINED[suite.digest, text]


@pytest.fixture(scope="module")
def few(suite: Suite) -> Suite:
    """The suite with every tenth scenario."""
    return replace(suite, scenarios=dict(list(suite.scenarios.items())[::10]))


@pytest.fixture(scope="module")
def mine(suite: Suite) -> Suite:
    return joined(suite, MINE)


def own(suite: Suite) -> list[Check]:
    """The checks of the house rules."""
    assert suite.house
    return [check for check in suite.index.checks.values() if check.ruleset == suite.house.ruleset.id]


def as_run(suite: Suite, player: Suite, seed: str = "") -> Run:
    """The checks of the house rules, put to a reference that plays by the rules of another suite."""
    put = Relabeller(suite, seed)
    plays = InProcess(Wire(suite.schemas, suite.version), Reference(player), trusted=True)
    return run(suite, plays, list(map(put, own(suite))))


def failed(done: Run) -> set[str]:
    return {result.check.id for result in done.results if result.status is not Status.PASS}


# ---- laws


@pytest.mark.parametrize("base", ["three-handed-h2g2+three-tricks-first", "piquet-rubicon-parlett+nought"])
def test_rules_that_change_nothing_have_exactly_the_checks_of_their_base(suite: Suite, base: str) -> None:
    """In other scenarios, in which no source has the option decide, they have those of the ruleset without it."""
    name, option = base.split("+")
    house = joined(suite, f"id: mine\nextends: {name}\noptions: [{option}]\n")
    checks = [check for check in suite.index.checks.values() if check.ruleset == base]
    found = {each.scenario.id: each for each in own(house)}
    ours = [found[each.scenario.id] for each in checks]
    assert [(each.scenario.id, each.branches, each.follows, each.cites) for each in ours] == [
        (each.scenario.id, each.branches, each.follows, each.cites) for each in checks
    ]
    assert not any(check.computed for check in ours)
    assert len(house.index.checks) == len(suite.index.checks) + len(found)
    assert found.keys() >= {each.scenario.id for each in suite.index.checks.values() if each.ruleset == name}


def as_changes(suite: Suite, base: str, other: str) -> str:
    """Another ruleset as changes of this one."""
    below, above = suite.rules.cells(base), suite.rules.cells(other)
    defaults = {"cards_by_trumps": {}, "unused": 0, "makes_trumps": False, "own_score": False}

    def value(path: str) -> Any:
        row = above[path].value
        if not isinstance(row, Mapping) or path not in below:
            return row
        return {**{key: each for key, each in defaults.items() if key in below[path].value}, **row}

    changed = [cell.path for cell in above if cell.path not in below or below[cell.path].value != cell.value]
    without = [cell.path for cell in below if cell.path not in above]
    return json.dumps(
        {
            "id": "mine",
            "extends": base,
            "rules": {path: value(path) for path in changed},
            **({"without": without} if without else {}),
        }
    )


@pytest.mark.parametrize(
    ("base", "other"), [("bezique-h2g2", "bezique-hoyle"), ("piquet-saunt-parlett", "piquet-rubicon-parlett")]
)
def test_rules_that_make_another_ruleset_expect_what_its_source_says(suite: Suite, base: str, other: str) -> None:
    """What is computed here was derived there by reading."""
    house, compared = joined(suite, as_changes(suite, base, other)), 0
    for check in own(house):
        name = f"{check.scenario.id}@{other}"
        if name in suite.index.checks:
            assert list(differences(suite.index.checks[name], check)) == [], name
            compared += check.computed
    assert compared > 5


def differences(one: Check, other: Check) -> Iterator[tuple[int, str]]:
    """Where two checks of one scenario expect other things of what both name."""
    for step in one.expect.keys() & other.expect.keys():
        first, second = one.expect[step], other.expect[step]
        if ("refused" in first) != ("refused" in second):
            yield step, "refused"
        for key in first.keys() & second.keys():
            if not (first[key] == second[key] if key == "scores" else alike(first[key], second[key])):
                yield step, key


def alike(one: Any, other: Any) -> bool:
    """Whether two values are the same as they are compared in a run, as far as both name the same players."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(alike(one[key], other[key]) for key in one.keys() & other.keys())
    return bool(comparable(one) == comparable(other))


@pytest.mark.parametrize("text", [MINE, NINE_CARDS], ids=["mine", "nine-cards"])
def test_engine_of_the_house_rules_passes_however_checks_are_relabelled(suite: Suite, text: str) -> None:
    house = joined(suite, text)
    for seed in ("", "monday"):
        assert failed(as_run(house, house, seed)) == set()


def test_engine_of_the_base_fails_the_computed_checks_alone(suite: Suite, mine: Suite) -> None:
    computed = {check.id for check in own(mine) if check.computed}
    told = failed(as_run(mine, suite))
    assert told <= computed
    # Readings that come to the same by these rules are computed as one outcome, which may be that of the base.
    assert mine.house is not None
    base = mine.house.base
    assert all(suite.index.checks[f"{name.partition('@')[0]}@{base}"].follows for name in computed - told)
    assert 10 < len(told) < len(own(mine)) / 2


def test_each_reading_of_a_computed_check_gives_what_it_says(suite: Suite) -> None:
    house = joined(suite, "id: mine\nextends: rubicon-hoyle\nrules: {settle.rubicon: 2000, carte_blanche.points: 60}\n")
    undecided = [check for check in own(house) if check.computed and check.follows]
    assert undecided
    for check in undecided:
        prepared = planner_of(house).request(check)
        for reading in check.readings:
            only = replace(check, branches={"": reading.expect}, follows="")
            observed = observations(house.rules.of("mine", reading.cells), prepared.message)
            assert judge(only, prepared, observed, trusted=True).mismatch is None, (check.id, reading.name)


def test_a_rule_that_decides_what_was_disputed_leaves_its_reading_alone(suite: Suite) -> None:
    house = joined(suite, "id: mine\nextends: bezique-hoyle\nrules: {seven.with_a_declaration: instead}\n")
    base = suite.index.checks["seven.after-a-declaration@bezique-hoyle"]
    check = house.index.checks["seven.after-a-declaration@mine"]
    assert (set(base.branches), base.follows) == ({"beside", "instead"}, "beside")
    assert (check.branches, check.follows, check.computed) == ({"": base.branches["instead"]}, "", False)
    assert check.cites == base.cites


def test_positions_that_cannot_be_are_left_out(suite: Suite) -> None:
    house = joined(suite, "id: mine\nextends: bezique-hoyle\nwithout: [seven]\n")
    assert any(check.scenario.topic == "tricks" for check in own(house))
    assert not any(step.get("do") == "exchange" for check in own(house) for step in check.scenario.steps)
    assert not any(check.id.startswith("deal.packets@") for check in own(joined(suite, NINE_CARDS)))


# ---- what is asked


def asked_by(suite: Suite, claims: list[str]) -> tuple[set[tuple[str, tuple[str, ...]]], set[Status]]:
    """Under which names one who claims these rulesets is asked a few checks, and what becomes of them."""
    reference, names = Reference(suite), set[tuple[str, tuple[str, ...]]]()

    def respond(message: dict[str, Any]) -> dict[str, Any]:
        if message["type"] == "hello":
            return {**reference(message), "rulesets": claims}
        names.add((message["ruleset"], tuple(message["options"])))
        return reference(message)

    engine = InProcess(Wire(suite.schemas, suite.version), respond)
    return names, {result.status for result in run(suite, engine, own(suite)[:3]).results}


@pytest.mark.parametrize(
    ("claims", "name"),
    [(["bezique-hoyle"], ("bezique-hoyle", ("brisques-at-end",))), (["bezique-hoyle", "mine"], ("mine", ()))],
)
def test_an_engine_is_asked_under_the_name_that_it_claims(
    few: Suite, claims: list[str], name: tuple[str, tuple[str, ...]]
) -> None:
    house = joined(few, "id: mine\nextends: bezique-hoyle\noptions: [brisques-at-end]\n")
    assert asked_by(house, claims) == ({name}, {Status.PASS})
    assert asked_by(house, ["bezique-bicycle"]) == (set(), {Status.UNSUPPORTED})


def test_a_freedom_that_they_give_is_asked_of_an_engine_that_only_knows_the_playable_cards(suite: Suite) -> None:
    one = replace(suite, scenarios={name: suite.scenarios[name] for name in ("last-tricks.need-not-win",)})
    house = joined(one, "id: mine\nextends: bezique-britannica\nrules: {tricks.without_drawing.win: free}\n")
    right = Reference(house)

    def respond(message: dict[str, Any]) -> dict[str, Any]:
        return {**right(message), **({"claims": ["playable"]} if message["type"] == "hello" else {})}

    assert not failed(run(house, InProcess(Wire(suite.schemas, suite.version), respond), own(house)))


def test_what_is_computed_is_recorded(suite: Suite, mine: Suite) -> None:
    stream = io.BytesIO()
    engine = InProcess(Wire(mine.schemas, mine.version), Reference(mine), trusted=True)
    run(mine, engine, own(mine), recorder=Recorder(mine, stream.write))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [suite.schemas.complaint("record", line) for line in lines] == [""] * len(lines)
    assert lines[0]["rules"]["id"] == "my-bezique"
    assert {line["check"] for line in lines if line.get("computed")} == {
        check.id for check in own(mine) if check.computed
    }


def test_a_process_of_its_own_has_the_house_rules_too(mine: Suite) -> None:
    put = Relabeller(mine)(own(mine)[0])
    carried: _Carried = pickle.loads(pickle.dumps(_Carried(mine, [(7, put)])))  # noqa: S301 -- pickled here
    assert [*carried.numbered] == [(7, put)]
    assert carried.suite.house is not None
    assert carried.suite.rules.cells("my-bezique")["settle.target"].value == 1500


def test_a_suite_with_house_rules_is_not_kept_and_is_the_same_suite(suite: Suite, mine: Suite) -> None:
    assert (planner_of(mine).cache_key, mine.digest) == ("", suite.digest)
    assert "my-bezique" not in suite.rulesets
    assert suite.house is None


# ---- the file


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("id: bezique-hoyle\nextends: bezique-hoyle+units\n", "2:10", "Name one ruleset; list its options under"),
        ("id: bezique-h2g2\nextends: bezique-hoyle\n", "1:5", "'bezique-h2g2' belongs to a ruleset of the suite"),
        ("id: a\nextends: bezique-hoyle\nrules: [", "3:9", "Look for an unclosed bracket"),
        ("id: a\nextends: bezique-hoyle\nrules: {settle.target: {is: 0}}\n", "3:24", "settle.target is 0, less than 1"),
        (
            "id: a\nextends: bezique-hoyle\nrules: {settle.target: {is: 1, cites: [hoyle/x]}}\n",
            "3:40",
            "no clause 'hoyle/x' in any ledger",
        ),
        ("id: a\nextends: bezique-hoyle\nrules: {declare.melds.bezique: 1}\n", "3:32", "bezique has fields"),
        (
            "id: a\nextends: bezique-hoyle\nrules: {declare.melds.all-red: {points: 1}}\n",
            "3:32",
            "Describe it with name, kind, cards, points.",
        ),
        ("id: a\nextends: bezique-hoyle\nwithout: [deal.packets]\n", "3:11", "Every game needs this rule"),
    ],
)
def test_a_mistake_is_shown_with_its_place_and_remedy(suite: Suite, text: str, place: str, said: str) -> None:
    with pytest.raises(Invalid) as invalid:
        joined(suite, text)
    (diagnostic,) = invalid.value.diagnostics
    assert f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}" == f"mine.yaml:{place}"
    assert said in str(diagnostic)


def test_rules_that_do_not_go_together_are_shown_at_the_rule(suite: Suite) -> None:
    with pytest.raises(Invalid, match=r"mine\.yaml:3:8: these values are not valid together: settle\.deals") as invalid:
        joined(suite, "id: a\nextends: bezique-hoyle\nrules: {settle.game: so-many-deals}\n")
    assert "Also give 'settle.deals' a value" in str(invalid.value)


def test_a_rule_that_the_base_lacks_and_a_new_combination_can_be_added(suite: Suite) -> None:
    house = joined(
        suite,
        "id: a\nextends: bezique-hoyle\nrules:\n  declare.melds.plain-sequence.points: 120\n"
        "  declare.melds.three-aces: {name: three aces, kind: three-aces, cards: [A, A, A], suits: any, points: 50}\n",
    )
    cells = house.rules.cells("a")
    assert cells["declare.melds.plain-sequence"].value["points"] == 120
    assert house.rules.meld_names("a")["three-aces"] == "three aces"
    assert "declare.melds.three-aces" not in suite.rules.cells("bezique-hoyle")


def test_a_field_of_a_combination_can_be_left_out(suite: Suite) -> None:
    rules = "rules: {declare.melds.sequence.points: 200}\nwithout: [declare.melds.sequence.over]\n"
    house = joined(suite, f"id: a\nextends: bezique-hoyle\n{rules}")
    before = suite.rules.cells("bezique-hoyle")["declare.melds.sequence"].value
    after = house.rules.cells("a")["declare.melds.sequence"].value
    assert before == {**after, "points": before["points"], "over": before["over"]} != after


# ---- the skeleton


@pytest.mark.parametrize("ruleset", ["four-handed-h2g2", "piquet-rubicon-parlett"])
def test_a_skeleton_changes_nothing_and_each_of_its_lines_can_be_taken(suite: Suite, ruleset: str) -> None:
    text = "\n".join(house_rules_template(suite, ruleset, "mine.yaml"))
    assert max(map(len, text.splitlines())) <= 120
    assert joined(suite, text).house.changed == ()  # type: ignore[union-attr]  # they are joined
    taken = re.sub(r"^  #(?=[a-z])", "  ", text, flags=re.MULTILINE)
    house = joined(suite, taken)
    assert house.house
    assert len(house.house.changed) > 5
    base = suite.rules.cells(ruleset)
    for path in house.house.changed:
        assert house.rules.cells(house.house.ruleset.id)[path].value == base[path].value


# ---- the commands


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "mine.yaml"
    path.write_text(MINE, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rules", "my-bezique"], "The game is won with 1,500 points.\n      [house rule:"),
        (
            ["suite", "list", "-r", "my-bezique", "checks", "declare"],
            "may the knave be of hearts?\n    my-bezique [computed]",
        ),
        (["explain", "declare.bezique@my-bezique"], "Computed from your rules"),
        (["ask", "settle.target", "-r", "my-bezique"], "The game is won with 1,500 points. [house rule]"),
        (["check", "-s", "declare.bezique"], "1 passed, 0 failed, 0 skipped"),
        (
            ["suite", "what-if", "my-bezique", "settle.target=1000"],
            "settle.target\n  was       The game is won with 1,500 points.",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_the_commands_take_house_rules(hoyle: Hoyle, file: str, words: list[str], said: str) -> None:
    at = 1 + (words[0] == "suite")
    done = hoyle(*words[:at], "--rules", file, *words[at:])
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_house_rules_with_a_name_are_taken_by_it(hoyle: Hoyle) -> None:
    listed = [each["name"] for each in json.loads(hoyle("suite", "list", "house-rules", "--json").stdout)["found"]]
    assert hoyle("suite", "list", "house-rules", "--ids").stdout.split() == listed
    for name in listed:
        assert f"({name})\nHouse rules: " in hoyle("rules", name, "--rules", name).stdout


def test_a_faulty_file_ends_the_command(hoyle: Hoyle, file: str) -> None:
    Path(file).write_text("id: a\nextends: b\n", encoding="utf-8")
    done = hoyle("check", "--rules", file)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.endswith("1 mistake found.\n")


def test_what_the_page_on_house_rules_shows_is_what_is_printed(hoyle: Hoyle, tmp_path: Path) -> None:
    need(which("node"), "node")
    page = (ROOT / "docs/house-rules.md").read_text("utf-8")
    (text,) = re.findall(r"```yaml\n(id: my-bezique.*?)```", page, re.DOTALL)
    (command, shown) = re.findall(r"\$ (hoyle check --rules mine.*?)\n(.*?)```", page, re.DOTALL)[0]
    file = tmp_path / "mine.yaml"
    file.write_text(text, encoding="utf-8")
    done = hoyle(*command.replace("mine.yaml", str(file)).split()[1:])
    assert done.returncode == 1
    for part in filter(None, map(str.strip, shown.split("…\n"))):
        assert part in done.stdout


@pytest.mark.parametrize(("points", "code"), [(20, 0), (30, 1)])
def test_random_games_are_played_by_house_rules(hoyle: Hoyle, tmp_path: Path, points: int, code: int) -> None:
    """The engine claims the ruleset that they extend, and scores 20 points for the last trick."""
    file = tmp_path / "mine.yaml"
    file.write_text(f"id: mine\nextends: bezique-hoyle\nrules: {{score.last_trick.points: {points}}}\n", "utf-8")
    engine = [sys.executable, str(ROOT / "tests/faulty_adapters/main.py"), "--cell", "score.last_trick.points=20"]
    done = hoyle("fuzz", "--rules", str(file), "--games", "10", "--jobs", "1", "--", *engine)
    assert done.returncode == code, done.stdout


# ---- the ruling in words

DRAWN = "referee.irregularities.drew-out-of-turn"


@pytest.mark.parametrize(
    "rules", [f"{{{DRAWN}.until: end-of-the-deal}}", f"{{{DRAWN}: {{is: {{until: end-of-the-deal}}, because: Mine.}}}}"]
)
def test_a_changed_penalty_needs_a_ruling_in_words(suite: Suite, rules: str) -> None:
    """Otherwise the rule book would print the ruling of the book, which is another."""
    with pytest.raises(Invalid) as invalid:
        joined(suite, f"id: mine\nextends: bezique-britannica\nrules: {rules}\n")
    (diagnostic,) = invalid.value.diagnostics
    assert (diagnostic.code, diagnostic.line) == ("stale-ruling", 3)
    assert f"Also give '{DRAWN}.ruling', in whole sentences" in str(diagnostic)


def test_a_changed_penalty_has_the_ruling_that_is_given(suite: Suite) -> None:
    rules = f"{{{DRAWN}.until: end-of-the-deal, {DRAWN}: {{is: {{ruling: Our ruling.}}}}}}"
    mine = joined(suite, f"id: mine\nextends: bezique-britannica\nrules: {rules}\n")
    row = mine.rules.cells("mine")[DRAWN].value
    assert (row["ruling"], row["until"]) == ("Our ruling.", "end-of-the-deal")
