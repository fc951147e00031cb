"""Odd engines that are right: none fails a check, and each would if it were judged as others are."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faulty_adapters"))

import odd_but_right
from faults import ADAPTERS
from in_topics import run_in_topics

from hoyle_conformance.runner import checker, consensus, readings
from hoyle_conformance.runner.results import Exit, Run
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow

#: The topics in which each engine is odd, or every check of the rulesets that come after them.
ODD: Mapping[str, tuple[str, ...]] = {
    "draws-in-every-declaration": ("seven", "declare", "to-score", "partners", "carte-blanche"),
    "evaluates-hands": ("point", "sequence", "set", "calling", "nought"),
    "knows-which-cards-of-a-hand-may-be-played": ("last-tricks", "tricks", "calling", "deal", "cut", "three-hands"),
    "has-no-phase-for-choosing-or-answering": ("cut", "piquet-deal", "blank", "tricks", "seven", "partie", "next-deal"),
    "has-empty-piles-before-the-deal": ("cut", "deal", "brisques", "piquet-deal", "point", "settlement"),
    "calls-every-marriage-common": ("declare", "trumps", "melds", "to-score"),
    "lays-marriages-of-one-name-by-itself": ("declare", "trumps", "game"),
    "finds-one-of-each-combination": ("melds", "declare", "reuse", "partners", "three-hands"),
    "raises-what-it-refuses": ("melds", "last-tricks", "seven", "trumps"),
    "reads-every-disputed-rule-otherwise": ("seven", "carte-blanche", "to-score", "settlement", "game", "blank"),
}


def held(suite: Suite, name: str, every: int = 1, **otherwise: Any) -> Run:
    """An engine held against the checks in which it is odd, when it says this of itself."""
    right: Any = ADAPTERS[name]()

    def respond(message: Mapping[str, Any]) -> Any:
        answer = right(message)
        return {**answer, **otherwise} if message["type"] == "hello" else answer

    return run_in_topics(suite, respond, ODD[name], every)


def test_every_odd_engine_is_here() -> None:
    made = (each for each in vars(odd_but_right).values() if each in ADAPTERS.values())
    names = {make.__name__.replace("_", "-") for make in made if make.__module__ == odd_but_right.__name__}
    assert names == ODD.keys()


@pytest.mark.parametrize("name", ODD)
def test_an_odd_engine_fails_nothing_and_the_run_is_as_expected(suite: Suite, name: str) -> None:
    done = held(suite, name, every=3)
    assert [(each.check.id, each.status, each.mismatch, each.reason) for each in done.failures] == []
    assert done.exit is Exit.AS_EXPECTED
    assert sum(each.ran for each in done.results) > 15


#: What an engine would have to say of itself to be judged as others are.
AS_OTHERS: Mapping[str, Mapping[str, Any]] = {
    "draws-in-every-declaration": {"draws": "together"},
    "evaluates-hands": {"claims": ["piquet-declarations", "class-winner-by-calls"]},
    "knows-which-cards-of-a-hand-may-be-played": {"position": "any"},
    "finds-one-of-each-combination": {"lists": "every-choice"},
    "raises-what-it-refuses": {"refuses": "as-not-accepted"},
    "has-no-phase-for-choosing-or-answering": {
        "claims": ["dealing", "calling", "drawing", "talon", "play", "declare", "dealer", "turn", "trick_won_by"]
    },
}


@pytest.mark.parametrize("name", AS_OTHERS)
def test_an_odd_engine_that_does_not_say_so_is_not_as_expected(suite: Suite, name: str) -> None:
    assert held(suite, name, **AS_OTHERS[name]).exit is not Exit.AS_EXPECTED


#: What each reports in place of an observation when it has a fault: it loses the last combination of a list, or raises
#: an exception for what scores as a marriage does.
FAULTS: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "finds-one-of-each-combination": lambda seen: {
        key: each[:-1] if isinstance(each, list) else each for key, each in seen.items()
    },
    "raises-what-it-refuses": lambda seen: (
        seen if {20, 40}.isdisjoint(seen.get("score", {}).values()) else {"error": "IllegalMove"}
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_an_odd_engine_says_of_itself_hides_no_failure(suite: Suite, name: str) -> None:
    right: Any = ADAPTERS[name]()

    def respond(message: Mapping[str, Any]) -> Any:
        answer = right(message)
        return {**answer, "steps": list(map(FAULTS[name], answer["steps"]))} if "steps" in answer else answer

    assert run_in_topics(suite, respond, ODD[name], every=5).failures


@pytest.mark.parametrize("name", [name for name in ODD if "marriage" in name])
def test_two_names_for_one_combination_would_fail_an_engine(
    suite: Suite, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "judged_by_cards", lambda *_: None)
    assert held(suite, name).failures


def test_rules_read_one_at_a_time_would_fail_an_engine(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consensus.JointReadings, "ways", lambda *_: iter(()))
    monkeypatch.setattr(readings, "_known_ways", lambda _: {})  # the suite keeps what it returns
    assert held(suite, "reads-every-disputed-rule-otherwise").failures


def test_piles_compared_by_their_names_would_fail_an_engine(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consensus, "_no_cards", lambda value: value is None)
    assert held(suite, "has-empty-piles-before-the-deal").failures
