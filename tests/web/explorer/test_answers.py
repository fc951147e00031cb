"""What is said at a table of a step and of a position: each thing once, and what nobody has laid as such."""

from typing import Any

import pytest
import yaml

from hoyle_conformance.web.explorer.engine import Engine


def answered(engine: Engine, scenario: str, steps: int) -> Any:
    """What the table answers to a position of the suite after so many of its steps."""
    layout = engine.ask({"ask": "position", "id": scenario})["layout"]
    return engine.ask({"ask": "answer", "layout": layout, "at": steps})


@pytest.mark.parametrize(
    ("step", "asked", "wanted"), [(2, "making?", "what the point makes"), (7, "how high?", "how high the sequence is")]
)
def test_what_younger_asks_is_said_once(engine: Engine, step: int, asked: str, wanted: str) -> None:
    answer = answered(engine, "nought.called", step)
    for group in answer["answers"]:
        assert group["steps"][-1]["said"] == f"B says: {asked}"
        assert group["steps"][-1]["follows"] == []
    assert wanted in answer["table"]["says"]


DECLARES = {"by": "A", "do": "declare", "meld": "bezique", "cards": ["QS", "JD"]}


def open_layout(**given: Any) -> Any:
    hands = {"A": ["QS", "JD", "..."]}
    rulesets = ["bezique-hoyle", "rubicon-hoyle"]
    return {"v": 1, "rulesets": rulesets, "given": {"has_won": "A", "hands": hands, **given}, "steps": [DECLARES]}


def test_trumps_that_nobody_has_named_are_taken_to_be_some_and_this_is_said(engine: Engine) -> None:
    answer = engine.ask({"ask": "answer", "layout": open_layout()})
    (told,) = answer["left_open"]
    assert told["key"] == "trumps"
    said = engine.ask({"ask": "answer", "layout": open_layout(trumps=told["value"])})
    assert "left_open" in said
    assert said["left_open"] == []
    assert {**answer, "left_open": [], "link": said["link"]} == said
    file = yaml.safe_load(engine.ask({"ask": "file", "layout": open_layout()})["text"])
    assert file["given"]["trumps"] == told["value"]


@pytest.mark.parametrize("given", [{"turn_up": "9D"}, {"trumps": "none"}])
def test_trumps_that_are_said_are_as_they_are_said(engine: Engine, given: Any) -> None:
    assert engine.ask({"ask": "answer", "layout": open_layout(**given)})["left_open"] == []


@pytest.mark.parametrize(
    ("ruleset", "given"), [("piquet-hoyle", {"exchanges": "A"}), ("bezique-h2g2", {"before": "cut"})]
)
def test_where_there_are_no_trumps_none_are_taken(engine: Engine, ruleset: str, given: Any) -> None:
    answer = engine.ask({"ask": "answer", "layout": {"v": 1, "rulesets": [ruleset], "given": given, "steps": []}})
    assert answer["problems"] == []
    assert answer["left_open"] == []
