"""After an irregularity, everything is compared that the sources do not leave open."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from altered_values import alterations
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.rewrites import observe_all_claimed
from hoyle_conformance.checks.setup.trace import TracedAct
from hoyle_conformance.runner.consensus import Consensus, open_from
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.acts import Seat
from hoyle_reference.events import LastTrickWon

#: An act of a check, and which observables are open after it, and which are not.
ACTS = {
    "a revoke is taken back": (
        ("irregular.rubicon-revoke-found-two-tricks-later@rubicon-hoyle", 5),
        ("seen", "shown"),
        ("turn", "hands", "score", "trumps", "stock_left", "position"),
    ),
    "before the ruling that was supplied, the card is drawn": (
        ("irregular.drew-out-of-turn-adds@bezique-britannica", 0),
        ("seen",),
        ("turn", "hands", "score", "stock_left", "dealer", "trumps"),
    ),
    "a ruling that was supplied changes the score": (
        ("irregular.drew-out-of-turn-adds@bezique-britannica", 3),
        ("score",),
        ("hands", "dealer", "trumps", "stock_left"),
    ),
    "a card before anything irregular": (
        ("irregular.rubicon-revoke-found-two-tricks-later@rubicon-hoyle", 0),
        (),
        ("seen", "shown", "turn", "hands"),
    ),
    "a card is exposed": (
        ("irregular.exposed-from-the-hand@bezique-britannica", 0),
        ("seen", "shown"),
        ("turn", "hands", "score"),
    ),
    "hands of a wrong size in the last tricks": (
        ("irregular.revoke-claimed-of-a-player-with-cards-left@bezique-britannica", 0),
        ("turn", "hands"),
        ("dealer", "trumps"),
    ),
    "one hand is completed": (
        ("irregular.rubicon-seven-cards-get-two@rubicon-hoyle", 2),
        ("seen", "turn"),
        ("hands", "position", "stock_left"),
    ),
    "two hands are completed": (
        ("irregular.rubicon-eight-cards-each-are-both-made-up@rubicon-hoyle", 2),
        ("hands", "position", "seen"),
        ("stock_left", "dealer", "trumps"),
    ),
    "tricks are forfeited": (
        ("irregular.revoke-and-all-its-tricks@bezique-britannica", 2),
        ("hands", "position", "turn", "trumps", "score"),
        (),
    ),
    "the cards are dealt again": (
        ("irregular.rubicon-a-deal-given-up-is-taken-up@rubicon-hoyle", 1),
        ("hands", "position", "stock_left", "trumps"),
        ("turn", "dealer", "score"),
    ),
    "a false first marriage": (
        ("irregular.rubicon-a-false-first-marriage-makes-no-trumps@rubicon-hoyle", 0),
        ("trumps",),
        ("score", "turn", "hands"),
    ),
    "a hand with a card too many draws": (
        ("irregular.rubicon-ten-cards-and-then-a-missed-draw@rubicon-hoyle", 1),
        ("hands", "stock_left"),
        ("dealer",),
    ),
}


@pytest.mark.parametrize(("act", "opens", "compared"), ACTS.values(), ids=ACTS)
def test_what_a_ruling_leaves_open_is_not_compared(
    suite: Suite, act: tuple[str, int], opens: tuple[str, ...], compared: tuple[str, ...]
) -> None:
    name, at = act
    check = suite.index.checks[name]
    plan = observe_all_claimed(suite, check, planner_of(suite).request(check), suite.capabilities.observables)
    agreed = Consensus(suite, check, plan, deals=True)
    other = dict.fromkeys((*opens, *compared), "?") | {"position": None}
    differ = {key: agreed.against(at, key, other[key]) is not None for key in (*opens, *compared)}
    assert differ == {**dict.fromkeys(opens, False), **dict.fromkeys(compared, True)}


def test_a_claim_that_may_mean_two_errors_leaves_everything_open() -> None:
    error = {"by": "A", "irregularity": "revoke"}
    now = {"dealer": "A", "score": {"A": 0, "B": 0}, "stock_left": 0}
    claim = {"by": "B", "do": "claim", "irregularity": "revoke"}
    taken = TracedAct(now, [LastTrickWon(Seat(0))])
    for errors, keys in (([error], {"seen"}), ([error, error], {"seen", "errors", *now})):
        before = {**now, "errors": errors}
        assert open_from({}, before, [claim], [taken._replace(observation=before)]) == dict.fromkeys(keys, 0)


@pytest.mark.slow
def test_wrong_values_are_noticed_after_an_irregularity_too(suite: Suite) -> None:
    """Only what a player has seen is open, and what lies on the table once a card is taken back."""
    checks = [each for each in suite.index.checks.values() if each.id.startswith("irregular.rubicon-lead-out-of-turn")]
    after = [each for each in alterations(suite, checks) if each.irregular and each.observable not in {"seen", "shown"}]
    assert len({each.observable for each in after}) > 7
    unnoticed = [each for each in after if not each.noticed]
    assert len(unnoticed) < len(after) / 10, unnoticed
