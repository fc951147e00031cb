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


def offered(engine: Engine, scenario: str, steps: int, does: str) -> set[str]:
    """What is said to be given up by acts of a kind that are offered after some steps of a position."""
    legal = answered(engine, scenario, steps)["acts"]["legal"]
    return {each.get("gives_up", "") for each in legal if each["step"]["do"] == does}


@pytest.mark.parametrize(
    ("scenario", "steps", "does", "says"),
    [
        ("calling.elder-too-late", 2, "announce", "Gives up point A♠ K♠ Q♠ J♠ 9♠"),
        ("calling.elder-too-late", 8, "play", "Gives up quatorze K♣ K♦ K♥ K♠"),
        ("sinking.lesser-sequences", 3, "announce", "Gives up tierce 9♠ 8♠ 7♠ and tierce 10♥ 9♥ 8♥"),
        ("to-score.the-example", 0, "draw", ""),
    ],
)
def test_what_is_given_up_by_an_act_is_told_beside_it(
    engine: Engine, scenario: str, steps: int, does: str, says: str
) -> None:
    """By the suite what is not scored when the next class is called, or a card is played, is refused afterwards."""
    assert offered(engine, scenario, steps, does) == {says}
