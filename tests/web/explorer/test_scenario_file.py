"""What is taken away from the table: a file that proposes and proves nothing."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conftest import ROOT, Done
from hoyle_conformance.checks.load import lint_position, load_suite
from hoyle_conformance.files.diagnostics import UNSEEN, Invalid
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.runner.consensus import comparable
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.ids import as_if_confirmed
from hoyle_conformance.suite.lint.scenarios import lint_scenario
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring import draft as writing
from hoyle_conformance.tools.validate.check_file import differing_proposals
from hoyle_conformance.web.explorer.engine import Engine

#: Text of the kind that breaks what writes YAML.
#: Every so manieth position is taken away.
EVERY = 12
AWKWARD = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.text("aA0159.,:;#-?!&*[]{}|>'\"%@`~=_ \t\n+eExXoOTZ/\\é😀\u2028\u3164\ufeff\x85\x00", max_size=10),
    st.from_regex(r"[0-9]{1,4}([-:., ][0-9A-Za-z]{1,3}){0,4}", fullmatch=True),
    st.sampled_from(["null", "True", "~", "no", "...", "---", "1e5", "0x1F", "12:30", "7S", "<<", "=", "a: b", "a #b"]),
).filter(lambda text: not re.search(UNSEEN, text))  # which no file may hold


@given(AWKWARD)
@example("- a")
@example("a:")
def test_text_is_read_as_it_was_written(text: str) -> None:
    assert load(f"x: {writing.flow({'a': text, 'b': [text, text]})}", "").data == {"x": {"a": text, "b": [text, text]}}
    alone = load("\n".join(writing.entry_lines("x", text)), "").data
    assert alone == {"x": text} or alone == {"x": " ".join(text.split())}


def laid(engine: Engine, name: str) -> dict[str, Any]:
    layout: dict[str, Any] = engine.ask({"ask": "position", "id": name})["layout"]
    return layout


def taken_away(engine: Engine, layout: dict[str, Any], **more: str) -> dict[str, Any]:
    answer = engine.ask({"ask": "file", "layout": layout, **more})
    assert "error" not in answer, answer
    return answer


def proposed(suite: Suite, answer: dict[str, Any]) -> Scenario:
    document = load(answer["text"], answer["name"])
    assert [str(each) for each in suite.schemas.check("scenario", document)] == []
    return scenario_from(document)


@pytest.mark.slow
def test_positions_are_taken_away_as_sound_files_that_propose_what_the_suite_expects(
    suite: Suite, engine: Engine
) -> None:
    for known in list(suite.scenarios.values())[::EVERY]:
        answer = taken_away(engine, laid(engine, known.id), id="table.my-position")
        assert answer["problems"] == []
        scenario = proposed(suite, answer)
        assert suite.index.checks_of(scenario) == ()
        assert [str(each) for each in faults_of(suite, scenario)] == [], answer["text"]
        assert dict(scenario.given) == dict(known.given)
        if scenario.steps == known.steps:
            agrees(known, scenario)


def agrees(known: Scenario, scenario: Scenario) -> None:
    """Where the suite and the proposals both speak of something, they say the same."""
    assert {name for each in scenario.proposals for name in each.rulesets} == set(known.rulesets)
    follows = {name: each.reading for each in known.followed_by for name in each.rulesets}
    for proposal in scenario.proposals:
        for ruleset in proposal.rulesets:
            expected = known.branches(ruleset)[follows.get(ruleset, "")]
            for number, expectation in expected.items():
                said = proposal.expect.get(number, {})
                both = {key: (expectation[key], said[key]) for key in expectation.keys() & said.keys()}
                assert {key: pair for key, pair in both.items() if comparable(pair[0]) != comparable(pair[1])} == {}
                assert ("refused" in said) == ("refused" in expectation)
                assert ("answer" in said) == ("answer" in expectation)
                if expectation.get("scores"):
                    assert said["scores"] == expectation["scores"]


def faults_of(suite: Suite, scenario: Scenario) -> list[Any]:
    return [*lint_scenario(suite, scenario), *lint_position(suite, as_if_confirmed(scenario))]


# --- Files.


def test_what_is_left_out_is_told(engine: Engine) -> None:
    layout = laid(engine, "to-score.the-example")
    layout["house"] = {"extends": "bezique-hoyle", "rules": {"settle.target": 500}}
    answer = taken_away(engine, layout, id="to-score.the-example")
    assert [each["says"] for each in answer["problems"]] == [
        "Your changes to the rules are left out: a scenario of the suite covers books only.",
        "There is a scenario 'to-score.the-example' already.",
    ]
    assert "house" not in answer["text"]


def test_layout_without_steps_proposes_nothing(engine: Engine) -> None:
    layout = {"v": 1, "rulesets": ["bezique-hoyle"], "given": {"trumps": "H", "leads": "A"}, "steps": []}
    answer = taken_away(engine, layout)
    assert answer["text"] == ""
    assert answer["problems"][0]["says"] == "The scenario has no step yet."


def test_a_title_of_any_characters_makes_a_file(suite: Suite, engine: Engine) -> None:
    answer = taken_away(engine, laid(engine, "to-score.the-example"), title='- a: "b" #\u202e\n\x00 é😀 {')
    assert proposed(suite, answer).title == '- a: "b" # é😀 {'


def test_a_cell_that_is_read_otherwise_is_named(suite: Suite, engine: Engine) -> None:
    layout = laid(engine, "seven.after-a-bezique")
    layout["readings"] = {"bezique-hoyle": {"seven.with_a_declaration": "instead"}}
    scenario = proposed(suite, taken_away(engine, layout))
    read = [each for each in scenario.proposals if each.cells]
    assert [(each.rulesets, dict(each.cells)) for each in read] == [
        (("bezique-hoyle",), {"seven.with_a_declaration": "instead"})
    ]
    assert read[0].expect[3] == {"refused": "one-score-a-trick"}
    assert list(differing_proposals(suite, scenario)) == []
    assert [str(each) for each in faults_of(suite, scenario)] == []


def test_acts_of_which_one_is_refused_are_steps_of_their_own(suite: Suite, engine: Engine) -> None:
    layout = laid(engine, "tricks.a-trick-scores-nothing")
    layout["steps"] = [{"by": "A", "do": "trick", "cards": ["QS", "KS"]}]
    scenario = proposed(suite, taken_away(engine, layout))
    assert [step["do"] for step in scenario.steps] == ["play", "play"]
    assert [each.expect[1] for each in scenario.proposals] == [{"refused": "card-not-held"}] * len(scenario.proposals)
    assert [str(each) for each in faults_of(suite, scenario)] == []


# --- What becomes of them.


@pytest.fixture
def file(engine: Engine, tmp_path: Path) -> Path:
    answer = taken_away(engine, laid(engine, "to-score.the-example"), id="to-score.my-position")
    path = tmp_path / "my-position (1).scenario.yaml"
    path.write_text(answer["text"], "utf-8")
    return path


def test_a_file_that_proposes_is_accepted_and_said_to_prove_nothing(hoyle: Callable[..., Done], file: Path) -> None:
    done = hoyle("validate", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert "nobody has confirmed them, and they make no checks" in done.stdout
    assert "Derive each outcome from its source, by reading" in done.stdout
    assert "The reference interpreter agrees with the proposals. That proves nothing." in done.stdout


def test_it_is_said_where_the_reference_gives_something_else(hoyle: Callable[..., Done], file: Path) -> None:
    file.write_text(file.read_text("utf-8").replace("{scores: {A: 40}}", "{scores: {A: 45}}"), "utf-8")
    done = hoyle("validate", str(file))
    assert done.returncode == 0
    assert "now gives a different result under bezique-hoyle, at step 1" in done.stdout


def test_id_of_a_proposal_is_not_locked(hoyle: Callable[..., Done], file: Path) -> None:
    done = hoyle("validate", "--lock", str(file))
    assert done.returncode == 4
    assert "only proposes" in done.stderr


def test_it_is_not_explained_as_if_it_were_confirmed(hoyle: Callable[..., Done], file: Path) -> None:
    done = hoyle("explain", str(file))
    assert done.returncode == 4
    assert "nobody has confirmed, so it is not a scenario yet" in done.stderr


@pytest.mark.slow
def test_none_is_part_of_a_suite(file: Path, tmp_path: Path) -> None:
    spec = tmp_path / "spec"

    def left_out(folder: str, names: list[str]) -> list[str]:
        return names if Path(folder).parent.name == "scenarios" else []

    shutil.copytree(ROOT / "spec", spec, ignore=left_out)
    at = spec / "scenarios/to-score/my-position.scenario.yaml"
    at.parent.mkdir(exist_ok=True)
    shutil.copy(file, at)
    with pytest.raises(Invalid) as invalid:
        load_suite(spec)
    assert [each.code for each in invalid.value.diagnostics] == ["unconfirmed"]
    assert str(invalid.value.diagnostics[0].remedy).startswith("Derive each outcome from its source")
    assert load_suite(spec, drafts=True).scenarios == {}
