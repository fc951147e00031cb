"""The opponents of the table."""

from collections.abc import Mapping
from random import Random

import pytest

import hoyle
from hoyle._opponents import Greedy, Opponent, Searcher
from hoyle._recall import Sampler, knowledge


def dealt(rules: hoyle.Rules, chance: Random) -> hoyle.Game:
    """A game after the first deal, and what is chosen before it."""
    game = hoyle.Game(rules)
    while "deal" not in {action.kind for action in game.actions}:
        game.apply_action(game.sample_chance(chance) if game.is_chance_node() else game.legal_actions()[0])
    return game


def lead(game: hoyle.Game, opponents: Mapping[str, Opponent], rng: Random) -> int:
    """The points by which A is ahead after a deal; who is no opponent chooses at random."""
    while not (game.is_terminal() or game.is_chance_node()):
        seat = str(game.current_player())
        if seat in opponents:
            deals = (
                Sampler(game.rules, seat, knowledge(game, seat), rng) if isinstance(opponents[seat], Searcher) else None
            )
            game.apply_action(opponents[seat].choose(game, seat, deals.next if deals else game.clone))
        else:
            game.apply_action(rng.choice(game.legal_actions()))
    return game.scores()["A"] - game.scores()["B"]


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", ["bezique-hoyle", "rubicon-hoyle", "piquet-hoyle"])
def test_greedy_beats_random(ruleset: str) -> None:
    """In the same deals from both seats."""
    points = 0
    for seed in range(3):
        game = dealt(hoyle.rules(ruleset), Random(seed))
        points += lead(game.clone(), {"A": Greedy()}, Random(seed)) - lead(game, {"B": Greedy()}, Random(seed))
    assert points > 0


@pytest.mark.slow
def test_searcher_beats_greedy(piquet: hoyle.Rules) -> None:
    points = 0
    for seed in range(4):
        game, searcher = dealt(piquet, Random(seed)), Searcher(deals=8)
        points += lead(game.clone(), {"A": searcher, "B": Greedy()}, Random(seed))
        points -= lead(game, {"A": Greedy(), "B": searcher}, Random(seed))
    assert points > 0


@pytest.mark.whole
@pytest.mark.parametrize("ruleset", ["piquet-hoyle", "four-handed-h2g2"])
def test_choices_are_legal_and_leave_the_game_as_it_is(ruleset: str) -> None:
    game, rng = dealt(hoyle.rules(ruleset), Random(3)), Random(3)
    for _ in range(4):
        seat, before = str(game.current_player()), game.clone()
        deals = Sampler(game.rules, seat, knowledge(game, seat), rng)
        choices = [each.choose(game, seat, deals.next) for each in (Greedy(), Searcher(deals=1))]
        assert all(game.is_legal(choice) for choice in choices)
        assert game == before
        game.apply_action(rng.choice(game.legal_actions()))


def test_searcher_takes_the_time_it_is_given(bezique: hoyle.Rules) -> None:
    """It tries one deal at least, however little time it has."""
    game = dealt(bezique, Random(1))
    assert game.is_legal(Searcher(seconds=0).choose(game, str(game.current_player()), game.clone))


def test_who_can_put_away_nothing_puts_nothing_away() -> None:
    """Under house rules, elder may take the whole talon."""
    house = {"id": "all", "extends": "piquet-hoyle", "rules": {"talon.elder.most": 8, "talon.younger.least": 0}}
    game = dealt(hoyle.rules(house=house), Random(1))
    for count in (8, 0):
        seat = str(game.current_player())
        game.apply_action(Greedy().choose(game, seat, game.clone))
        assert len(game.actions[-1].cards) == count
