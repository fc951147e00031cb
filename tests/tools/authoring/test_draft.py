"""A scenario to begin with: what is said of it is understood, and written as the suite has it; what it shows is not
filled in."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT, Done, the_suite
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.dispute import Dispute
from hoyle_conformance.tools.authoring.draft import Draft, draft_data, inspect_draft
from hoyle_conformance.tools.authoring.layout import TO_WRITE, flow, scenario_text
from hoyle_conformance.tools.authoring.parse import LONGEST_INPUT, ParseError, ScenarioParser, card
from hoyle_conformance.wording import words
from hoyle_conformance.wording.cards import card as printed
from transcripts import Clone

#: What is said of a scenario that is sound.
KING = {
    "--title": "Does the king win?",
    "--ruleset": "bezique-hoyle",
    "--leads": "A",
    "--trumps": "H",
    "--step": "A trick KS 9S",
    "--expect": "1: trick_won_by A",
    "--cites": "hoyle/bezique/higher-card-wins",
}
HANDS = ["--hand", "A", "KS ...", "--hand", "B", "9S ..."]

Said = Callable[..., Done]


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone.in_folder(tmp_path)


@pytest.fixture
def new(hoyle: Callable[..., Done], clone: Clone) -> Said:
    """`hoyle new scenario` of the king, in a checkout, with some options otherwise, and more words."""

    def run(name: str, *more: str, **otherwise: str) -> Done:
        said = {**KING, **{f"--{key}": value for key, value in otherwise.items()}}
        options = [word for pair in said.items() if pair[1] for word in pair]
        return hoyle("new", "scenario", name, *options, *HANDS, *more, cwd=clone.folder, installed=clone.suite)

    return run


@pytest.fixture(scope="module")
def some(suite: Suite) -> list[Scenario]:
    """Some scenarios of every topic, for laws that hold for all of them."""
    return sorted(suite.scenarios.values(), key=lambda each: each.id)[::7]


@cache
def saying(ruleset: str = "") -> ScenarioParser:
    suite = the_suite()
    return ScenarioParser(suite.schemas, suite.rules.meld_names(ruleset) if ruleset else {})


def spoken(step: Mapping[str, Any]) -> str:
    """A step as it is said, with the names of keys where they are needed."""
    said = [step["by"]] if "by" in step else []
    said.append(step.get("do") or step.get("ask"))
    for key, value in step.items():
        if key in {"cards", "deck"} and all(isinstance(each, str) for each in value):
            said += value or ["nothing"]
        elif key in {"card", "meld", "choice", "class", "says", "irregularity"}:
            said.append(value)
        elif key not in {"by", "do", "ask"}:
            said.append(f"{key}={flow(value)}")
    return " ".join(said)


def shown(key: str, value: Any) -> str:
    """An expectation, or a part of a position, as it is said."""
    if value in ({}, [], None):
        return f"{key} nothing"
    if key in {"scored", "kept"}:
        return f"{key} {' '.join(f'{seat} {combinations(some)}' for seat, some in value.items())}"
    if isinstance(value, list) and isinstance(value[0], dict) and value[0].keys() == {"meld", "cards"}:
        return f"{key} {combinations(value)}"
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return f"{key} {' '.join(value)}"
    if isinstance(value, dict) and key in {"scores", "total", "hands", "shown", "score", "won"}:
        of_each = [f"{seat} {' '.join(some) if isinstance(some, list) else some}" for seat, some in value.items()]
        return f"{key} {' '.join(of_each)}"
    return f"{key} {flow(value)}"


def combinations(some: list[dict[str, Any]]) -> str:
    return ", ".join(f"{each['meld']} {' '.join(each['cards'])}" for each in some)


def expectations(scenario: Scenario) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for each in (*scenario.outcomes, *scenario.readings):
        for number, expected in each.expect.items():
            yield scenario.steps[number - 1], expected


def test_every_step_can_be_said(some: list[Scenario]) -> None:
    for step in (step for scenario in some for step in scenario.steps):
        assert saying().step(spoken(step)) == step, spoken(step)


def test_every_step_can_be_said_as_it_stands_in_a_file(some: list[Scenario]) -> None:
    for step in (step for scenario in some for step in scenario.steps):
        assert saying().step(flow(step)) == step


def test_a_step_as_it_is_explained_is_understood_as_that_or_not_at_all(some: list[Scenario]) -> None:
    understood = set()
    for scenario in some:
        ruleset = scenario.rulesets[0]
        for step in scenario.steps:
            if "ask" in step:
                continue
            try:
                said = saying(ruleset).step(words.step(step, the_suite().rules.meld_names(ruleset)))
            except ParseError:
                continue
            assert in_any_order(said) == in_any_order(step)
            understood.add(step["do"])
    assert understood >= {"play", "trick", "declare", "hold", "draw", "draw-all", "exchange", "discard", "show"}


def in_any_order(step: Mapping[str, Any]) -> Mapping[str, Any]:
    """A step whose cards are put away together, so that their order says nothing."""
    return {**step, "cards": sorted(step["cards"])} if step.get("do") == "discard" else step


def test_all_that_steps_show_can_be_said(some: list[Scenario]) -> None:
    for step, expected in (pair for scenario in some for pair in expectations(scenario)):
        text = "; ".join(shown(key, value) for key, value in expected.items())
        assert saying().expectation(text, step) == expected, text


def test_all_that_positions_hold_can_be_said(some: list[Scenario]) -> None:
    for key, value in (pair for scenario in some for pair in scenario.given.items()):
        text = shown(key, value)
        assert saying().value("given", key, text.partition(" ")[2]) == value, text


def test_what_is_laid_out_is_what_was_said(some: list[Scenario]) -> None:
    for scenario in some[::2]:
        said = scenario.document.data
        assert load(scenario_text(said), "it").data == said


def test_a_scenario_of_the_suite_is_laid_out_as_it_is_there() -> None:
    scenario = the_suite().scenarios["to-score.lost-when-its-king-is-played"]
    text = (ROOT / scenario.file).read_text("utf-8")
    steps, laid_out = (
        [re.sub(" +#.*", "", line) for line in lines.splitlines() if line.startswith("  - {")]
        for lines in (text, scenario_text(scenario.document.data))
    )
    assert steps == laid_out != []


@pytest.mark.parametrize("face", ["7C", "TH", "TH#2", "AS#4", "...", "x"])
def test_a_card_may_be_said_as_it_is_printed(face: str) -> None:
    assert card(printed(face)) == face


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("A deklare bezique QS JD", "'deklare' is neither an act nor a question. Did you mean 'declare'?"),
        ("A", "a step is a player, an act or a question, and its cards. For example: A play KS"),
        ("play KS", "'by' is missing in the step. Add it. Usage: A play CARD [irregular=…]"),
        ("A play KS QS", "'play' takes one card, not two. Usage: A play CARD [irregular=…]"),
        ("AB play KS", "'AB' is not part of 'play'. Usage: A play CARD [irregular=…]"),
        ("A play 10X", "'10X' is not part of 'play'."),
        ("A play KS revoke", "'revoke' is not part of 'play'."),
        ("A declare QS JD", "'meld' is missing in the step."),
        ("B answer goood", "Did you mean 'good'? Usage: A answer SAYS [irregular=…]"),
        ("A announce point value", "something is missing after 'value'."),
        ("A announces a value of 50", "'class' is missing in the step."),
        ("A announce point value high", "'high' is not a value for 'value'."),
        ("{by: A, do: play", "the structure is broken here"),
        ("{by: A, do: plya, card: KS}", "'plya' is not a value for do. Did you mean 'play'?"),
        ("A play " + LONGEST_INPUT * "x", f"this is too long ({LONGEST_INPUT + 7:,} characters)."),
    ],
)
def test_a_step_that_is_not_understood_says_why(said: str, why: str) -> None:
    with pytest.raises(ParseError) as unclear:
        saying("bezique-hoyle").step(said)
    assert why in str(unclear.value)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("score A 40", "'score' is not a key that can be written here. Did you mean 'scores'?"),
        ("scores A lots", "A must be a whole number, not the text 'lots'"),
        ("refused must-folow-suit", "Did you mean 'must-follow-suit'?"),
        ("accepted", "an act is expected to be accepted by default. Leave it out."),
        ("{scores: 40}", "scores must be a mapping"),
    ],
)
def test_an_expectation_that_is_not_understood_says_why(said: str, why: str) -> None:
    with pytest.raises(ParseError) as unclear:
        saying().expectation(said, {"by": "A", "do": "play", "card": "KS"})
    assert why in str(unclear.value)


def test_what_is_shown_may_be_said_in_either_order() -> None:
    step = {"by": "A", "do": "play", "card": "KS"}
    assert saying().expectation("A scores 40; B scores 20", step) == saying().expectation(
        "scores A 40; scores B 20", step
    )
    assert saying().expectation("A scores 40", step) == {"scores": {"A": 40}}


def test_an_answer_needs_no_word_before_it() -> None:
    assert saying().expectation("KS QS", {"ask": "playable", "by": "A"}) == {"answer": ["KS", "QS"]}
    assert saying().expectation("nobody", {"ask": "class-winner", "by": "A", "class": "point"}) == {"answer": None}
    settled = {"winner": "A", "points": 250}
    assert saying().expectation(flow(settled), {"ask": "settlement", "score": {}}) == {"answer": settled}


@pytest.mark.whole
def test_what_is_said_is_written_in_its_place_and_is_sound(new: Said, clone: Clone, hoyle: Said) -> None:
    done = new("tricks.my-question")
    assert done == Done(
        0,
        "Wrote spec/scenarios/tricks/my-question.scenario.yaml.\n"
        "The scenario is valid, and the reference interpreter agrees with it.\n"
        "Next: hoyle explain tricks.my-question\n",
        "",
    )
    file = clone.folder / "spec/scenarios/tricks/my-question.scenario.yaml"
    assert file.read_text("utf-8") == (
        "# yaml-language-server: $schema=../../schemas/scenario.schema.json\n"
        "id: tricks.my-question\n"
        "title: Does the king win?\n"
        "given:\n"
        "  leads: A\n"
        "  trumps: H\n"
        "  hands: {A: [KS, ...], B: [9S, ...]}\n"
        "steps:\n"
        "  - {by: A, do: trick, cards: [KS, 9S]}\n"
        "outcomes:\n"
        "  - rulesets: [bezique-hoyle]\n"
        "    cites: [hoyle/bezique/higher-card-wins]\n"
        "    expect:\n"
        "      1: {trick_won_by: A}\n"
    )
    again = new("tricks.my-question")
    assert again.returncode == 4
    assert "there is a scenario 'tricks.my-question' already" in again.stderr
    run = partial(hoyle, cwd=clone.folder, installed=clone.suite)
    assert run("validate", "--lock", str(file)).stdout.endswith("1 file checked and valid. spec/ids.lock has its id.\n")
    assert "\nscenario tricks.my-question\n" in (clone.folder / "spec/ids.lock").read_text("utf-8")
    file.unlink()
    assert "'tricks.my-question' was once the id of another scenario" in new("tricks.my-question").stderr


def test_what_it_shows_is_never_filled_in(new: Said, clone: Clone, hoyle: Said) -> None:
    done = new("tricks.my-question", expect="", cites="", why="Because.")
    assert done.returncode == 0
    assert "You still have to write, from the source (lines 13 and 14), what the steps show and which" in done.stdout
    assert "wins" not in done.stdout
    text = (clone.folder / "spec/scenarios/tricks/my-question.scenario.yaml").read_text("utf-8")
    assert load(text, "it").data["outcomes"] == [{"rulesets": ["bezique-hoyle"], "cites": [], "expect": {}}]
    assert "    expect: {}  # to be written" in text
    done = hoyle("validate", "spec", cwd=clone.folder, installed=clone.suite)
    assert done.returncode == 5
    assert re.findall(r"^  ([A-Z].*)$", done.stderr, re.MULTILINE) == [
        "Name clauses, each once, such as hoyle/bezique/identical-cards; 'hoyle ask' finds them by words.",
        "Write the outcome of the steps after the source, by step number, such as 1: {scores: {A: 40}}.",
    ]


def test_a_question_may_be_left_without_its_answer(new: Said) -> None:
    done = new("tricks.my-question", "--step", "A winner KS AS")
    assert done.returncode == 5
    assert "the answer to step 2 is missing" in done.stderr
    assert done.stdout == "Wrote spec/scenarios/tricks/my-question.scenario.yaml.\n"
    assert new("tricks.my-other-question", step="A winner KS AS", expect="", cites="").returncode == 0
    assert new("tricks.my-third-question", step="A winner KS AS", expect="1: B").returncode == 0


def test_expectation_that_the_reference_contradicts_is_kept(new: Said, clone: Clone) -> None:
    done = new("tricks.my-question", expect="1: trick_won_by B")
    assert done.returncode == 5
    assert "the scenario expects: B wins the trick; the reference interpreter gives: A wins the trick" in done.stderr
    text = (clone.folder / "spec/scenarios/tricks/my-question.scenario.yaml").read_text("utf-8")
    assert load(text, "it").data["outcomes"][0]["expect"] == {"1": {"trick_won_by": "B"}}


def test_one_may_begin_with_another_position(new: Said) -> None:
    options = {"leads": "", "trumps": "", "step": "", "expect": "", "cites": "", "ruleset": ""}
    done = new("tricks.my-question", "--like", "to-score.the-example", "-o", "-", **options)
    like, said = the_suite().scenarios["to-score.the-example"], load(done.stdout, "it").data
    assert said["steps"] == list(like.steps)
    assert said["given"] == {**like.given, "hands": {"A": ["KS", "..."], "B": ["9S", "..."]}}
    assert [each["expect"] for each in said["outcomes"]] == [{}]
    assert said["outcomes"][0]["rulesets"] == list(like.named)


def test_rulesets_that_differ_have_outcomes_of_their_own(new: Said) -> None:
    more = ["-r", "bezique-britannica", "-r", "bezique-bicycle", "--expect", "bezique-bicycle 1: scores A 10"]
    cites = ["--cites", "bicycle/tricks/higher-card-wins", "--cites", "britannica/tricks/higher-card-wins"]
    said = load(new("tricks.my-question", *more, *cites, "-o", "-").stdout, "it").data
    assert said["outcomes"] == [
        {
            "rulesets": ["bezique-hoyle", "bezique-britannica"],
            "cites": ["hoyle/bezique/higher-card-wins", "britannica/tricks/higher-card-wins"],
            "expect": {"1": {"trick_won_by": "A"}},
        },
        {
            "rulesets": ["bezique-bicycle"],
            "cites": ["bicycle/tricks/higher-card-wins"],
            "expect": {"1": {"scores": {"A": 10}}},
        },
    ]


def disputed(hoyle: Said, clone: Clone, *more: str, cell: str = "seven.with_a_declaration") -> Done:
    """`hoyle new scenario` of a position that Hoyle's book leaves open, with more words."""
    said = ["--title", "Does the seven score beside a marriage?", "--has-won", "A", "--trumps", "H"]
    steps = ["--step", "A declare common-marriage KS QS", "--step", "A show 7H"]
    words = [*said, "--hand", "A", "7H KS QS ...", *steps, "--cites", "hoyle/bezique/seven-exchanged"]
    of_cell = ["--disputed", cell, "--no-edit", *more]
    return hoyle("new", "scenario", "seven.my-question", *words, *of_cell, cwd=clone.folder, installed=clone.suite)


#: The outcomes of the steps under each reading.
EXPECTED = ["--expect", "1: scores A 20", "--expect", "beside 2: scores A 10"]
INSTEAD = ["--expect", "instead 2: refused one-score-a-trick"]
HOYLE = ["-r", "bezique-hoyle"]


@pytest.mark.whole
def test_disputed_position_has_an_outcome_for_each_reading(hoyle: Said, clone: Clone) -> None:
    done = disputed(hoyle, clone, *HOYLE, *EXPECTED, *INSTEAD, "--why", "The book counts combinations.")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The scenario is valid, and the reference interpreter agrees with it.\n" in done.stdout
    file = clone.folder / "spec/scenarios/seven/my-question.scenario.yaml"
    assert file.read_text("utf-8").partition("readings:\n")[2] == (
        "  beside:\n"
        "    cells: {seven.with_a_declaration: beside}\n"
        "    expect:\n"
        "      1: {scores: {A: 20}}\n"
        "      2: {scores: {A: 10}}\n"
        "  instead:\n"
        "    cells: {seven.with_a_declaration: instead}\n"
        "    expect:\n"
        "      1: {scores: {A: 20}}\n"
        "      2: {refused: one-score-a-trick}\n"
        "followed_by:\n"
        "  - rulesets: [bezique-hoyle]\n"
        "    reading: beside\n"
        "    cites: [hoyle/bezique/seven-exchanged]\n"
        "    because: The book counts combinations.\n"
    )
    run = partial(hoyle, cwd=clone.folder, installed=clone.suite)
    assert run("validate", "--lock", str(file)).stdout.endswith("1 file checked and valid. spec/ids.lock has its id.\n")


def test_reading_is_followed_for_the_reason_of_the_table(hoyle: Said, clone: Clone) -> None:
    done = disputed(hoyle, clone, *HOYLE, *EXPECTED, *INSTEAD, "-o", "-")
    (followed,) = load(done.stdout, "it").data["followed_by"]
    readings = the_suite().rules.cells("bezique-hoyle")["seven.with_a_declaration"].readings
    assert followed["because"] == next(each.argument for each in readings if each.name == "beside")


def test_ruleset_that_decides_has_an_outcome_beside_the_readings(hoyle: Said, clone: Clone) -> None:
    more = ["-r", "bezique-bicycle", "--expect", "bezique-bicycle 2: scores A 10"]
    said = load(disputed(hoyle, clone, *HOYLE, *more, *EXPECTED, *INSTEAD, "-o", "-").stdout, "it").data
    (outcome,) = said["outcomes"]
    assert outcome["rulesets"] == ["bezique-bicycle"]
    assert outcome["expect"] == {"1": {"scores": {"A": 20}}, "2": {"scores": {"A": 10}}}
    assert [each["rulesets"] for each in said["followed_by"]] == [["bezique-hoyle"]]


def test_readings_that_one_source_leaves_open_are_named_between() -> None:
    """Of two tables one has a reading more."""
    cells = the_suite().rules.cells("bezique-hoyle")
    two = cells["seven.with_a_declaration"]
    three = replace(two, readings=(*two.readings, replace(two.readings[0], name="later")))
    dispute = Dispute({"bezique-hoyle": [two], "rubicon-hoyle": [three]})
    data = draft_data(the_suite(), Draft(rulesets=tuple(dispute.cells), dispute=dispute))
    assert list(data["readings"]) == ["beside", "instead", "later"]
    assert [each.get("between") for each in data["followed_by"]] == [["beside", "instead"], None]


def test_several_disputed_cells_are_read_together(hoyle: Said, clone: Clone) -> None:
    more = ["--disputed", "deal.cut_winner", *EXPECTED, *INSTEAD, "--expect", "instead-and-deals 2: scores A 10"]
    said = load(disputed(hoyle, clone, *HOYLE, *more, "-o", "-").stdout, "it").data
    cells, readings = the_suite().rules.cells("bezique-hoyle"), said["readings"]
    paths = ("seven.with_a_declaration", "deal.cut_winner")
    assert [tuple(each["cells"].values()) for each in readings.values()] == list(
        product(*([each.name for each in cells[path].readings] for path in paths))
    )
    assert {tuple(each["cells"]) for each in readings.values()} == {paths}
    assert all(name == "-and-".join(each["cells"].values()) for name, each in readings.items())
    ten, refused = {"scores": {"A": 10}}, {"refused": "one-score-a-trick"}
    for name, each in readings.items():
        assert each["expect"]["2"] == (refused if name.startswith("instead") and name != "instead-and-deals" else ten)
    (followed,) = said["followed_by"]
    assert followed["reading"] == "-and-".join(cells[path].follows for path in paths)


def test_ruleset_that_leaves_one_of_two_cells_open_needs_its_own_scenario(hoyle: Said, clone: Clone) -> None:
    more = ["-r", "rubicon-hoyle", "--disputed", "declare.to_score", *EXPECTED, *INSTEAD]
    done = disputed(hoyle, clone, *HOYLE, *more)
    assert done.returncode == 4
    assert "rubicon-hoyle leaves 'declare.to_score' open, and not 'seven.with_a_declaration'" in done.stderr
    assert "Write a scenario of its own for it." in done.stderr


@pytest.mark.parametrize("argument", [(*HOYLE, *EXPECTED[2:]), HOYLE])
def test_outcome_of_a_reading_is_never_filled_in(hoyle: Said, clone: Clone, argument: Sequence[str]) -> None:
    done = disputed(hoyle, clone, *argument)
    assert done.returncode == 0
    assert "You still have to write, from the source" in done.stdout
    text = (clone.folder / "spec/scenarios/seven/my-question.scenario.yaml").read_text("utf-8")
    assert load(text, "it").data["readings"]["instead"]["expect"] == {}
    assert f"    expect: {{}}  {TO_WRITE['expect']}\n" in text


def test_false_outcome_of_a_reading_is_reported(hoyle: Said, clone: Clone) -> None:
    done = disputed(hoyle, clone, *HOYLE, *EXPECTED, "--expect", "instead 2: scores A 10")
    assert done.returncode == 5
    assert "instead" in done.stderr


@pytest.mark.parametrize(
    ("cell", "more", "says"),
    [
        ("seven.with_a_declaratio", HOYLE, "Did you mean 'seven.with_a_declaration'?"),
        ("no.cell", HOYLE, "no cell 'no.cell' in bezique-hoyle. Disputed are deal.cut_winner, seven.when, "),
        ("tricks.cards", HOYLE, "'tricks.cards' is not disputed in bezique-hoyle. Disputed are "),
        ("tricks.cards", (), "--disputed: it needs the rulesets that leave the cell open. Name them with --ruleset."),
        (
            "seven.with_a_declaration",
            (*HOYLE, "--expect", "besides 2: scores A 10"),
            "is no reading, and not one of the rulesets of --ruleset. The readings of seven.with_a_declaration are",
        ),
        (
            "seven.with_a_declaration",
            (*HOYLE, "--expect", "bezique-hoyle 2: scores A 10"),
            "bezique-hoyle leaves the question open: name a reading instead.",
        ),
    ],
)
def test_unknown_cell_or_reading_is_one_message_with_those_that_exist(
    hoyle: Said, clone: Clone, cell: str, more: Sequence[str], says: str
) -> None:
    done = disputed(hoyle, clone, *more, cell=cell)
    assert (done.returncode, done.stdout) == (4, "")
    assert says in done.stderr
    assert done.stderr.count("Error: ") == 1
    assert not list((clone.folder / "spec/scenarios").rglob("*.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "more", "otherwise", "why"),
    [
        ("tricks.ace-over-ten", [], {}, "ID: there is a scenario 'tricks.ace-over-ten' already."),
        ("brisques.counted-first-three", [], {}, "was once the id of another scenario (retired 2026: asked by"),
        ("Tricks", [], {}, "ID: 'Tricks' does not fit id. A scenario id is its topic, a dot and its name"),
        ("../../x.y", [], {}, "does not fit id."),
        (
            "trick.mine",
            [],
            {},
            "there is no topic 'trick' yet. Did you mean 'tricks' or 'last-trick'? For a new topic add --new-topic.",
        ),
        (
            "tricks.mine",
            [],
            {"ruleset": "piquet"},
            "Choose one of: piquet-hoyle, piquet-rubicon-hoyle, piquet-rubicon-parlett,",
        ),
        ("tricks.mine", [], {"ruleset": "bezique-hoile"}, "no ruleset 'bezique-hoile'. Did you mean 'bezique-hoyle'?"),
        ("tricks.mine", [], {"ruleset": "bezique-hoyle+x"}, "no option 'x' (it has: brisques-at-end"),
        (
            "tricks.mine",
            [],
            {"title": "", "step": "", "expect": ""},
            "Missing: --title, --step. On a terminal Hoyle",
        ),
        ("tricks.mine", [], {"leads": "E"}, "--leads: 'E' is not a value for leads. Valid here: A, B, C, D."),
        ("tricks.mine", ["--like", "zzz"], {}, "--like: no scenario 'zzz'. 'hoyle suite list' shows them all."),
        ("tricks.mine", ["--has-won", "A"], {}, "give the point of the game, once"),
        ("tricks.mine", ["--hand", "A", "10X"], {}, "--hand: '10X' does not fit A[0]. A card is a rank"),
        (
            "tricks.mine",
            ["--given", "stok 7H"],
            {},
            "--given: 'stok' is not a key that can be written here. Did you mean",
        ),
        (
            "tricks.mine",
            [],
            {"step": "A plai KS"},
            "--step 1: 'plai' is neither an act nor a question. Did you mean 'play'?",
        ),
        ("tricks.mine", ["--step", "A declare bezik QS JD"], {}, "no combination 'bezik' in bezique-hoyle"),
        ("tricks.mine", [], {"expect": "2: scores A 40"}, "it begins with a step from 1 to 1, and a colon"),
        ("tricks.mine", [], {"expect": "x 1: scores A 40"}, "'x' is not one of the rulesets of --ruleset."),
        (
            "tricks.mine",
            [],
            {"expect": "1: scored A 40"},
            "--expect 1: 'scored' is not a key that can be written here.",
        ),
        (
            "tricks.mine",
            [],
            {"cites": "hoyle/bezique/higher-card-win"},
            "Did you mean 'hoyle/bezique/higher-card-wins'?",
        ),
        ("tricks.mine", ["--cites", "britannica/tricks/higher-card-wins"], {}, "no cell of bezique-hoyle cites"),
        ("tricks.mine", ["--like", "tricks.ace-over-tin"], {}, "Did you mean 'tricks.ace-over-ten'?"),
        ("tricks.mine", [], {"step": "A \x1b[31mplay KS"}, "--step 1: '�[31mplay' is neither an act nor a question."),
        ("tricks.mine", [], {"expect": "\x1b 1: x"}, "'�' is not one of the rulesets of --ruleset."),
        ("tricks.mine", ["--given", "\x1b 1"], {}, "--given: '�' is not a key that can be written here."),
        ("tricks.mine", ["--like", "\x1b"], {}, "--like: no scenario '�'."),
        ("tricks.\x1b", [], {}, "does not fit id."),
        ("tricks.mine", [], {"ruleset": "\x1b"}, "--ruleset: no ruleset '�'."),
        ("tricks.mine", ["-o", "yours.yaml"], {}, "must be named tricks/mine.scenario.yaml, in any folder."),
        ("tricks.mine", [], {"title": "a\x1b[31m"}, "Nothing was written. Correct the mistakes"),
        ("tricks.mine", ["--new-topic"], {"step": "A play " + "K" * 5000}, "this is too long (5,007 characters)."),
    ],
)
def test_what_cannot_be_written_is_not_and_says_why(
    new: Said, clone: Clone, name: str, more: list[str], otherwise: dict[str, str], why: str
) -> None:
    done = new(name, *more, **otherwise)
    assert (done.returncode, done.stdout) == (4, "")
    assert why in " ".join(done.stderr.split())
    assert "\x1b" not in done.stderr
    assert list((clone.folder / "spec/scenarios").iterdir()) == []


def test_a_new_topic_is_begun_where_it_is_asked_for(new: Said, clone: Clone) -> None:
    assert new("kings.my-question", "--new-topic").returncode == 0
    assert (clone.folder / "spec/scenarios/kings/my-question.scenario.yaml").is_file()


def test_an_id_that_no_file_can_be_named_after_is_told(new: Said) -> None:
    done = new(f"tricks.{'a' * 300}")
    assert done.returncode == 4
    assert "--output: cannot write" in done.stderr


def test_nothing_is_overwritten(new: Said, clone: Clone) -> None:
    path = clone.folder / "spec/scenarios/tricks/my-question.scenario.yaml"
    path.parent.mkdir()
    path.write_text("half a scenario", encoding="utf-8")
    done = new("tricks.my-question")
    assert done.returncode == 4
    assert "a file of the suite" in " ".join(done.stderr.split())
    assert path.read_text("utf-8") == "half a scenario"


def test_without_a_checkout_it_says_what_to_do(new: Said, clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle_conformance.suite.paths._HERE", clone.folder)
    done = new("tricks.my-question")
    assert done.returncode == 4
    assert "installed without the repository" in " ".join(done.stderr.split())
    assert "(--spec spec)" in " ".join(done.stderr.split())
    assert new("tricks.my-question", "-o", "-").returncode == 0


#: An editor that saves, each time it is called, the next of the texts in its folder, with what it was given beside it.
EDITOR = """
import shutil, sys
from pathlib import Path

folder, file = map(Path, sys.argv[1:])
number = len(list(folder.glob("given-*")))
shutil.copyfile(file, folder / f"given-{number}")
if (folder / f"save-{number}").exists():
    shutil.copyfile(folder / f"save-{number}", file)
sys.exit((folder / "fail").exists())
"""
SOUND = """\
# yaml-language-server: $schema=../../schemas/scenario.schema.json
id: tricks.my-question
title: Does the king win?
given: {leads: A, trumps: H, hands: {A: [KS, ...], B: [9S, ...]}}
steps:
  - {by: A, do: trick, cards: [KS, 9S]}  # the nine is lower
outcomes:
  - rulesets: [bezique-hoyle]
    cites: [hoyle/bezique/higher-card-wins]
    expect:
      1: {trick_won_by: A}
"""


@dataclass
class Edited:
    """`hoyle new scenario` on a terminal, with an editor that saves these texts one after another."""

    hoyle: Said
    clone: Clone
    folder: Path

    def __call__(self, *saved: str, options: Sequence[str] = ()) -> Done:
        for number, text in enumerate(saved):
            (self.folder / f"save-{number}").write_text(text, "utf-8")
        return self.hoyle("new", "scenario", *options, cwd=self.clone.folder, installed=self.clone.suite)

    def given(self, number: int) -> str:
        """What the editor was given the first time, or one of the next."""
        return (self.folder / f"given-{number}").read_text("utf-8")

    def times(self) -> int:
        """How often the editor was opened."""
        return len(list(self.folder.glob("given-*")))

    def file(self, name: str = "tricks/my-question") -> Path:
        return self.clone.folder / f"spec/scenarios/{name}.scenario.yaml"


@pytest.fixture
def edited(hoyle: Said, clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Edited:
    folder = tmp_path / "editor"
    folder.mkdir()
    (folder / "editor.py").write_text(EDITOR, "utf-8")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", " ".join(f"'{each}'" for each in (sys.executable, folder / "editor.py", folder)))
    monkeypatch.setattr("hoyle_conformance.cli.new.scenario.is_interactive", lambda: True)
    return Edited(hoyle, clone, folder)


def test_file_from_the_editor_is_written_without_explanations(edited: Edited) -> None:
    explained = SOUND.replace("    expect:\n", "## explained\n    expect:  # to be written: x\n")
    done = edited(f"## on top\n{explained}")
    assert done.stdout == (
        "Wrote spec/scenarios/tricks/my-question.scenario.yaml.\n"
        "The scenario is valid, and the reference interpreter agrees with it.\n"
        "Next: hoyle explain tricks.my-question\n"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert edited.file().read_text("utf-8") == SOUND.replace("expect:\n", "expect:  # to be written: x\n")


def test_file_in_the_editor_explains_all_that_can_be_written(edited: Edited) -> None:
    edited()
    given = edited.given(0)
    says = saying()
    for each in (*says.keys("given"), *says.keys("expectation"), *map(says.entry, says.kinds)):
        assert f"##   {each}: " in given
    for each in (*the_suite().rulesets, "to-score", "QS#2", 'id: ""', 'title: ""', "\nsteps:\n", "\ngiven:\n"):
        assert each in given
    assert says.entry("declare") == "{by: A, do: declare, meld: …, cards: …, irregular: …?}"


def test_marks_of_what_is_left_are_removed_from_the_file(edited: Edited) -> None:
    marked = SOUND.replace("wins]\n", f"wins]  {TO_WRITE['cites']}\n").replace(
        "expect:\n", f"expect:  {TO_WRITE['expect']}\n"
    )
    assert edited(marked).returncode == 0
    assert edited.file().read_text("utf-8") == SOUND


def test_file_with_mistakes_opens_again_with_them_on_top(edited: Edited) -> None:
    done = edited(SOUND.replace("trumps: H", "trumps: X"), SOUND.replace("my-question", "ace-over-ten"), SOUND)
    assert done.returncode == 0
    assert edited.times() == 3
    second = edited.given(1).splitlines()
    assert second[0].startswith("## 1 mistake. ")
    number = next(number for number, line in enumerate(second, start=1) if line.startswith("given:"))
    assert second[1].startswith(f"## Line {number}: 'X' does not fit given.trumps")
    assert second[2] == f"##   {number} | {second[number - 1]}"
    assert "already" in edited.given(2).splitlines()[1]
    assert "'X'" not in edited.given(2)


def test_mistakes_are_those_of_validate(edited: Edited) -> None:
    done = edited(
        "id: [",
        "- a list",
        SOUND.replace("{trick_won_by: A}", "{trick_won_by: B}"),
        SOUND.replace("    cites: [hoyle/bezique/higher-card-wins]\n", "    cites: [hoyle/bezique/no]\n"),
        SOUND.replace("expect:\n      1: {trick_won_by: A}", "expect: {}"),
        SOUND,
    )
    assert done.returncode == 0
    for number, why in enumerate(("the structure is broken", "mapping", "the reference interpreter gives: A wins"), 1):
        assert why in edited.given(number), number
    assert "no clause 'hoyle/bezique/no'" in edited.given(4)
    assert "Write the outcome of the steps after the source" in edited.given(5)
    assert "wins the trick" not in edited.given(5)


def test_ruleset_that_inherits_another_outcome_is_a_mistake(edited: Edited) -> None:
    aces = """\
id: reuse.mine
title: Do four aces score again?
given: {has_won: A, trumps: H, hands: {A: [AS, AC, AD, AH, "AS#2", ...], B: [9S, ...]}}
steps:
  - {by: A, do: declare, meld: four-aces, cards: [AS, AC, AD, AH]}
  - {by: A, do: draw-all}
  - {by: A, do: trick, cards: [AS, 9S]}
  - {by: A, do: declare, meld: four-aces, cards: [AC, AD, AH, "AS#2"]}
outcomes:
  - rulesets: [bezique-hoyle]
    cites: [hoyle/bezique/same-kind-once]
    expect: {1: {scores: {A: 100}}, 3: {scores: {A: 10}}, 4: {refused: used-in-this-kind}}
"""
    done = edited(aces, aces)
    assert done.returncode == 5
    assert "bezique-hoyle+brisques-at-end" in edited.given(1)
    assert "bezique-hoyle+brisques-at-end" in done.stderr
    assert edited.file("reuse/mine").read_text("utf-8") == aces


def test_only_some_of_many_mistakes_are_shown(edited: Edited) -> None:
    edited(SOUND.replace("    cites:", "".join(f"    x{number}: 1\n" for number in range(20)) + "    cites:"))
    assert edited.given(1).startswith("## 20 mistakes, of which these are the first. ")
    assert edited.given(1).count("## Line") == 10


def test_editor_opens_only_for_what_is_missing_or_wrong(edited: Edited) -> None:
    complete = [word for pair in KING.items() for word in pair]
    assert edited(options=["tricks.my-question", *complete, *HANDS]).returncode == 0
    assert edited.times() == 0
    wrong = ["tricks.other", *complete, *HANDS, "--step", "A declare bezik QS JD"]
    assert edited(options=wrong).returncode == 4
    assert "no combination 'bezik'" not in edited.given(0)
    assert "meld: bezik" in edited.given(0)


def test_file_in_the_editor_holds_what_the_options_say(edited: Edited) -> None:
    words = [word for key, value in KING.items() if key != "--title" for word in (key, value)]
    done = edited(options=["tricks.my-question", *words, *HANDS])
    assert (done.returncode, done.stderr) == (4, "Nothing was written: you left the file unchanged or empty.\n")
    given = load(edited.given(0), "it").data
    assert given == {**load(SOUND, "it").data, "title": ""}


def test_file_in_the_editor_explains_readings(edited: Edited) -> None:
    cell = ["--disputed", "seven.with_a_declaration", "-r", "bezique-hoyle"]
    edited(options=["seven.my-question", "--has-won", "A", "--step", "A show 7H", *cell])
    given = edited.given(0)
    assert "## The readings of the disputed cell" in given
    assert load(given, "it").data["followed_by"][0]["reading"] == "beside"


@pytest.mark.parametrize("saved", ["", "\n \n# only comments\n"])
def test_empty_file_writes_nothing(edited: Edited, saved: str) -> None:
    done = edited(SOUND.replace("trumps: H", "trumps: X"), saved)
    assert (done.returncode, done.stdout) == (4, "")
    assert list((edited.clone.folder / "spec/scenarios").iterdir()) == []


def test_file_left_with_mistakes_is_written_as_it_is(edited: Edited) -> None:
    contradicted = SOUND.replace("{trick_won_by: A}", "{trick_won_by: B}")
    done = edited(contradicted, contradicted)
    assert done.returncode == 5
    assert "The file is as you wrote it. Next: hoyle validate spec/scenarios/tricks/" in done.stderr
    assert edited.file().read_text("utf-8") == contradicted


def test_file_that_no_name_fits_is_printed_and_not_written(edited: Edited) -> None:
    broken = SOUND.replace("id: tricks.my-question\n", "")
    done = edited(broken, broken)
    assert (done.returncode, done.stdout) == (4, broken)
    assert "has no id that names it" in done.stderr


def test_new_topic_is_begun_if_the_file_is_left_so(edited: Edited) -> None:
    new_topic = SOUND.replace("tricks.my", "trick.my")
    assert edited(new_topic, new_topic).returncode == 0
    assert "there is no topic 'trick' yet" in edited.given(1)
    assert "To begin this topic, leave the file as it is." in edited.given(1)
    assert edited.file("trick/my-question").is_file()


def test_new_topic_that_is_named_is_no_mistake(edited: Edited) -> None:
    assert edited(SOUND.replace("tricks.my", "trick.my"), options=["--new-topic"]).returncode == 0
    assert edited.times() == 1


def test_file_from_the_editor_may_be_printed(edited: Edited) -> None:
    assert edited(SOUND, options=["-o", "-"]) == Done(0, SOUND, "")


def test_file_that_cannot_be_written_is_printed(edited: Edited) -> None:
    done = edited(SOUND, options=["-o", "yours.yaml"])
    assert (done.returncode, done.stdout) == (4, SOUND)
    assert "must be named tricks/my-question.scenario.yaml" in " ".join(done.stderr.split())


def test_editor_that_fails_writes_nothing(edited: Edited, monkeypatch: pytest.MonkeyPatch) -> None:
    (edited.folder / "fail").touch()
    assert "Editing failed. Nothing was written." in edited(SOUND).stderr
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    done = edited(SOUND)
    assert done.returncode == 4
    assert "--no-edit needs none" in " ".join(done.stderr.split())


def test_no_editor_opens_without_a_terminal_or_if_told_so(edited: Edited, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Missing: ID, --title" in edited(SOUND, options=["--no-edit"]).stderr
    monkeypatch.undo()
    assert "Missing: ID, --title" in edited(SOUND).stderr
    assert edited.times() == 0


def test_a_draft_of_nothing_is_looked_at_without_a_fault_of_ours() -> None:
    looked = inspect_draft(the_suite(), Draft())
    assert looked.faults
    assert json.dumps(draft_data(the_suite(), Draft()))
