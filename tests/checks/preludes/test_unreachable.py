"""Positions to which no legal history leads, where that can be proved."""

from dataclasses import replace
from typing import Any

import pytest

from hoyle_conformance.checks.preludes.follow import proved_impossible
from hoyle_conformance.checks.preludes.store import History, check_history, kept
from hoyle_conformance.checks.request import CannotSetUp, NoPrelude, Why
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.cards import names

BEZIQUE: dict[str, Any] = {"meld": "bezique", "cards": ["QS", "JD"]}
KINGS: dict[str, Any] = {"meld": "four-kings", "cards": ["KS", "KH", "KD", "KC"]}
THREE_FIRST = "bezique-h2g2+three-tricks-first"
OPEN = {"A": ["..."], "B": ["..."]}


def with_given(suite: Suite, ruleset: str = "bezique-hoyle", **given: Any) -> Check:
    """A check of declaring at Bezique for two, in another position."""
    check = suite.index.checks[f"declare.bezique@{ruleset}"]
    told = {"trumps": "H", **({} if "leads" in given else {"has_won": "A"}), "hands": OPEN, **given}
    expect = {1: {"answer": 40}}
    steps = ({"ask": "worth", **BEZIQUE},)
    outcome = replace(check.scenario.outcomes[0], rulesets=(check.ruleset,), expect=expect)
    scenario = replace(check.scenario, given=told, steps=steps, outcomes=(outcome,), readings=(), followed_by=())
    return replace(check, scenario=scenario, branches={"": expect})


def stock_without(suite: Suite, left_out: int, *elsewhere: str) -> list[str]:
    """All but so many cards of the pack, and those that are elsewhere."""
    rest = [card for card in names(suite.rules.of("bezique-hoyle").pack) if card not in elsewhere]
    return rest[left_out:]


@pytest.mark.slow
def test_no_position_that_has_a_history_is_proved_to_have_none(suite: Suite) -> None:
    """The proofs are held against all histories that were found, in some of the positions of every ruleset."""
    looked_at = 0
    for check in list(suite.index.checks.values())[::35]:
        there = kept(suite, check)
        if there is not None and isinstance(there.found, History):
            looked_at += 1
            assert proved_impossible(suite, check) is None, check.id
    assert looked_at > 70


def test_points_are_not_lost(suite: Suite) -> None:
    scored = {"A": [BEZIQUE, KINGS]}
    none = proved_impossible(suite, with_given(suite, scored=scored, score={"A": 110, "B": 0}))
    assert isinstance(none, NoPrelude)
    assert none.reason == "impossible: A has scored combinations of 120 points, but has a score of 110"
    for possible in ({"score": {"A": 120, "B": 0}}, {}):  # a score that is not given proves nothing
        assert proved_impossible(suite, with_given(suite, scored=scored, **possible)) is None


def test_tricks_are_won_before_what_is_declared(suite: Suite) -> None:
    """Where three must be won first, a declaration needs three, and two need four."""
    won, proved = ["7C", "8C", "7D", "8D", "7S", "8S", "9C", "9D"], 0
    for scored, needed in (([BEZIQUE], 3), ([BEZIQUE, KINGS], 4)):
        for tricks in range(needed - 1, 5):
            given = {"scored": {"A": scored}, "won": {"A": won[: 2 * tricks], "B": ["..."]}, "leads": "A"}
            try:
                none = proved_impossible(suite, with_given(suite, THREE_FIRST, **given))
            except CannotSetUp:  # fewer cannot even be laid out
                continue
            assert (none is not None) == (tricks < needed)
            why = f"A has won {tricks} tricks, but needs {needed} for what it has declared"
            proved += none == NoPrelude(Why.IMPOSSIBLE, f"impossible: {why}")
    assert proved == 2
    given = {"scored": {"A": [BEZIQUE]}, "won": {"A": [*won[:4], "..."], "B": ["..."]}}
    assert proved_impossible(suite, with_given(suite, THREE_FIRST, **given)) is None


@pytest.mark.parametrize(
    ("scored", "won", "most", "why"),
    [
        (
            {"A": [BEZIQUE], "B": [KINGS]},
            {},
            5,
            "5 tricks can have been played, but 6 are needed for what was declared",
        ),
        (
            {"A": [BEZIQUE]},
            {"A": ["..."], "B": ["QS", "JD", "..."]},
            4,
            "4 tricks can have been played, but A has played 2 declared cards, all after at least 3 tricks",
        ),
    ],
)
def test_the_cards_that_lie_elsewhere_prove_it(suite: Suite, scored: Any, won: Any, most: int, why: str) -> None:
    """With a trick more it is possible."""
    named = ["QS", "JD", "KS", "KH", "KD", "KC", "9H"]
    for more in (0, 1):
        lying = 2 * (most + more) + 2 * 8 + 1 - len(named)
        given = {"scored": scored, "turn_up": "9H", "stock": stock_without(suite, lying, *named), "leads": "A"}
        none = proved_impossible(suite, with_given(suite, THREE_FIRST, **given, **({"won": won} if won else {})))
        assert (none is None) == bool(more)
        assert none is None or why in none.reason


def test_a_scenario_is_at_fault_only_if_no_ruleset_has_a_history(suite: Suite) -> None:
    check = with_given(suite, scored={"A": [BEZIQUE]}, score={"A": 30, "B": 0})
    (fault,) = check_history(suite, check.scenario)
    assert fault.code == "impossible-position"
    assert "has a score of 30" in fault.message
    assert list(check_history(suite, with_three_tricks(suite))) == []


def test_where_three_tricks_must_be_won_first_two_declarations_take_five(suite: Suite) -> None:
    checks = {check.ruleset: check for check in suite.index.checks_of(with_three_tricks(suite))}
    assert proved_impossible(suite, checks["three-handed-h2g2"]) is None
    none = proved_impossible(suite, checks["three-handed-h2g2+three-tricks-first"])
    assert none is not None
    assert none.reason == "impossible: A has won 3 tricks, but needs 5 for what it has declared"


def with_three_tricks(suite: Suite) -> Scenario:
    """A position in which A has declared twice, and nothing after the last of three tricks won."""
    scenario = suite.scenarios["three-hands.a-couple-married-before-and-a-double-one"]
    won = {"A": scenario.given["won"]["A"][:9]}
    return replace(scenario, given={**scenario.given, "won": won})
