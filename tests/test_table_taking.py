"""What is taken away from the table: a file that proposes and proves nothing, and a link that opens for ever."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hoyle_conformance.drafts import layout as writing
from hoyle_conformance.files.characters import UNSEEN
from hoyle_conformance.files.yaml_text import load
from hoyle_conformance.lint.links import lint_scenario
from hoyle_conformance.lint.positions import lint_position
from hoyle_conformance.lint.proposed import as_if_confirmed
from hoyle_conformance.model import Scenario
from hoyle_conformance.run.compare import comparable
from hoyle_conformance.suite.making import scenario_from
from hoyle_conformance.suite.value import Suite
from hoyle_conformance.table.engine import Engine

#: Text of the kind that breaks what writes YAML.
AWKWARD = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.text("aA0159.,:;#-?!&*[]{}|>'\"%@`~=_ \t\n+eExXoOTZ/\\é😀\u2028\u3164\ufeff\x85\x00", max_size=10),
    st.from_regex(r"[0-9]{1,4}([-:., ][0-9A-Za-z]{1,3}){0,4}", fullmatch=True),
    st.sampled_from(["null", "True", "~", "no", "...", "---", "1e5", "0x1F", "12:30", "7S", "<<", "=", "a: b", "a #b"]),
).filter(lambda text: not UNSEEN.search(text))  # which no file may hold


@given(AWKWARD)
@example("- a")
@example("a:")
def test_text_is_read_as_it_was_written(text: str) -> None:
    assert load(f"x: {writing.flow({'a': text, 'b': [text, text]})}", "").data == {"x": {"a": text, "b": [text, text]}}
    alone = load("\n".join(writing._text("x", text)), "").data
    assert alone == {"x": text} or alone == {"x": " ".join(text.split())}


@pytest.fixture(scope="module")
def engine(suite: Suite) -> Engine:
    return Engine(suite)


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


def test_every_position_is_taken_away_as_a_sound_file_that_proposes_what_the_suite_expects(
    suite: Suite, engine: Engine
) -> None:
    for known in suite.scenarios.values():
        answer = taken_away(engine, laid(engine, known.id), id="table.my-position")
        assert answer["problems"] == []
        scenario = proposed(suite, answer)
        assert suite.checks_of(scenario) == ()
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
