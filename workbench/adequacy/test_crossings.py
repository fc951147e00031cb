"""Crossings: the states of other chapters in which a ruling takes effect."""

from collections import Counter

import pytest

from adequacy import crossings
from adequacy.crossings import (
    Crossing,
    CrossingRow,
    crossing_rows,
    in_checks,
    in_games,
    recording,
    states,
    unused_crossing_waivers,
)
from adequacy.waivers import Waiver, WaiverScope
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Phase, Rules, new_game
from hoyle_reference.acts import Claim, Irregular, Play
from hoyle_reference.cards import Suit
from hoyle_reference.chapters.referee import chapter as referee
from hoyle_reference.seats import Seat


def game_in_play(rules: Rules) -> Game:
    """Return a game in which A leads, with hearts for trumps."""
    table = new_game(rules).table
    pack = list(rules.pack)
    table.hands, table.stock = [pack[:9], pack[9:18]], pack[18:]
    table.phase, table.dealer, table.trumps = Phase.PLAY, Seat(1), Suit(2)
    return Game(table)


def test_states_are_those_of_the_other_chapters(suite: Suite) -> None:
    rules = suite.rules.of("rubicon-hoyle")
    game = game_in_play(rules)
    assert set(states(game.table)) == {"trumps are known"}
    game.table.trumps = None
    game.table.shown[0].add(game.table.hands[0][0])
    game.table.stock, game.table.won[0] = [], game.table.stock
    now = {"no suit is trumps yet", "declared cards lie on the table", "brisques have been played", "the last tricks"}
    assert set(states(game.table)) == now


def test_only_effects_that_are_carried_out_are_counted(suite: Suite) -> None:
    rules = suite.rules.of("rubicon-hoyle")
    game, met = game_in_play(rules), Counter[Crossing]()
    before, card = vars(referee)["EFFECTS"], game.table.hands[1][0]
    with recording(met):
        game.apply(Irregular(Seat(1), Play(Seat(1), card), "led-out-of-turn"))
        assert not met
        game.apply(Claim(Seat(0), "led-out-of-turn"))
    assert met == {("take-back", "trumps are known"): 1}
    assert vars(referee)["EFFECTS"] is before


def test_a_crossing_needs_a_scenario_if_games_meet_it_and_no_check_does() -> None:
    rows = crossing_rows({("put-back", "x"): 3, ("put-back", "y"): 1}, {("put-back", "y"): 2, ("put-back", "z"): 1})
    assert [(row.state, row.is_missing) for row in rows] == [("x", True), ("y", False), ("z", False)]
    assert not CrossingRow("put-back", "x", 3, 0, "nothing can follow from it").is_missing


def test_a_crossing_counts_once_for_each_check(suite: Suite) -> None:
    met = in_checks(suite, "rubicon-hoyle")
    checks = suite.index.checks_by_ruleset["rubicon-hoyle"]
    assert 0 < met["put-back", "trumps are known"] < checks
    assert {effect for effect, _ in met} <= set(vars(referee)["EFFECTS"])


@pytest.mark.whole
def test_games_of_the_same_seeds_meet_the_same_crossings(suite: Suite) -> None:
    met = in_games(suite, "rubicon-hoyle", range(6))
    assert met
    assert max(met.values()) <= 6
    assert in_games(suite, "rubicon-hoyle", range(6)) == met


def test_a_waiver_of_a_crossing_that_checks_meet_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    tested, untested, no_state = (
        WaiverScope("crossings", "*", f"put-back where {state}")
        for state in ("the deal is over", "the last tricks", "x")
    )
    monkeypatch.setattr(crossings, "waivers", lambda: [Waiver((tested, untested, no_state), "")])
    fitting = lambda *place: [(each, "") for each in (tested, untested, no_state) if each.fits(*place)]  # noqa: E731
    monkeypatch.setattr(crossings, "fitting_waivers", fitting)
    assert unused_crossing_waivers([CrossingRow("put-back", "the deal is over", 1, 1)]) == [tested, no_state]
