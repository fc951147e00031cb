"""Positions to which no legal history leads, where that can be proved."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from hoyle_conformance.model import Check
from hoyle_conformance.preludes.checking import check_history
from hoyle_conformance.preludes.finding import proved_impossible
from hoyle_conformance.preludes.kept import kept
from hoyle_conformance.preludes.value import NoPrelude
from hoyle_conformance.preludes.written import History
from hoyle_conformance.report.preludes import without
from hoyle_conformance.suite.value import Suite
from hoyle_reference.table.cards import names

BEZIQUE: dict[str, Any] = {"meld": "bezique", "cards": ["QS", "JD"]}
KINGS: dict[str, Any] = {"meld": "four-kings", "cards": ["KS", "KH", "KD", "KC"]}
OPEN = {"A": ["..."], "B": ["..."]}


def with_given(suite: Suite, **given: Any) -> Check:
    """A check of declaring at Bezique for two, in another position."""
    check = suite.checks["declare.bezique@bezique-hoyle"]
    told = {"trumps": "H", "has_won": "A", "hands": OPEN, **given}
    expect = {1: {"answer": 40}}
    steps = ({"ask": "worth", **BEZIQUE},)
    outcome = replace(check.scenario.outcomes[0], rulesets=(check.ruleset,), expect=expect)
    scenario = replace(check.scenario, given=told, steps=steps, outcomes=(outcome,), readings=(), followed_by=())
    return replace(check, scenario=scenario, branches={"": expect})


def stock_without(suite: Suite, left_out: int, *elsewhere: str) -> list[str]:
    """All but so many cards of the pack and those elsewhere, no trump first."""
    rest = [card for card in names(suite.rules("bezique-hoyle").pack) if card not in elsewhere]
    return rest[left_out:]


def test_no_position_that_has_a_history_is_proved_to_have_none(suite: Suite) -> None:
    """The proofs are held against all histories that were found, in some of the positions of every ruleset."""
    looked_at = 0
    for check in list(suite.checks.values())[::7]:
        there = kept(suite, check)
        if there is not None and isinstance(there.found, History):
            looked_at += 1
            assert proved_impossible(suite, check) is None, check.id
    assert looked_at > 700


@pytest.mark.parametrize(
    ("given", "possible", "why"),
    [
        (
            {"scored": {"A": [BEZIQUE]}, "score": {"A": 30, "B": 0}},
            {"scored": {"A": [BEZIQUE]}, "score": {"A": 40, "B": 0}},
            "A has scored combinations of 40 points, and stands at 30",
        ),
        (
            {"scored": {"A": [BEZIQUE]}, "hands": {"A": ["JD", "..."], "B": ["QS", "..."]}},
            {"scored": {"A": [BEZIQUE]}, "hands": {"A": ["JD", "QS", "..."], "B": ["..."]}},
            "QS has been declared by A, and lies neither there nor among what was played",
        ),
        (
            {"scored": {"A": [BEZIQUE, KINGS]}, "won": {"A": ["7C", "8C"], "B": ["..."]}},
            {"scored": {"A": [BEZIQUE, KINGS]}, "won": {"A": ["7C", "8C", "7D", "8D"], "B": ["..."]}},
            "A has won 1 trick, and needs 2 for what it has declared",
        ),
    ],
)
def test_what_the_rules_keep_proves_it(
    suite: Suite, given: Mapping[str, Any], possible: Mapping[str, Any], why: str
) -> None:
    none = proved_impossible(suite, with_given(suite, **given))
    assert isinstance(none, NoPrelude)
    assert none.reason == f"impossible: {why}"
    assert proved_impossible(suite, with_given(suite, **possible)) is None


@pytest.mark.parametrize(
    ("scored", "won", "most", "why"),
    [
        ({"A": [BEZIQUE], "B": [KINGS]}, {}, 1, "1 trick can have been played, and 2 are needed for what was declared"),
        (
            {"A": [BEZIQUE]},
            {"B": ["QS", "JD", "..."], "A": ["..."]},
            2,
            "2 tricks can have been played, and 1 trick and 2 cards that A has declared have been played after these",
        ),
    ],
)
def test_the_cards_that_lie_elsewhere_prove_it(suite: Suite, scored: Any, won: Any, most: int, why: str) -> None:
    """With a trick more it is possible."""
    named = ["QS", "JD", "KS", "KH", "KD", "KC", "9H"]
    for more, proved in ((0, True), (1, False)):
        lying = 2 * (most + more) + 2 * 8 + 1 - len(named)
        given = {"scored": scored, "turn_up": "9H", "stock": stock_without(suite, lying, *named)}
        none = proved_impossible(suite, with_given(suite, **given, **({"won": won} if won else {})))
        assert (none is not None) == proved
        assert none is None or why in none.reason


def test_a_scenario_is_at_fault_only_if_no_ruleset_has_a_history(suite: Suite) -> None:
    check = with_given(suite, scored={"A": [BEZIQUE]}, score={"A": 30, "B": 0})
    (fault,) = check_history(suite, check.scenario)
    assert fault.code == "impossible-position"
    assert "stands at 30" in fault.message
    three = suite.scenarios["three-hands.a-couple-married-before-and-a-double-one"]
    assert list(check_history(suite, three)) == []


def test_it_is_listed(suite: Suite) -> None:
    """With three tricks to be won first, two declarations come after the fourth at the earliest."""
    shown = "\n".join(without(suite, ["three-handed-h2g2+three-tricks-first"]))
    assert "impossible: A has won 3 tricks, and needs 4 for what it has declared (1 position)\n" in shown
