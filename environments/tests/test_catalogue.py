"""The action catalogue: names and numbers of the actions of a game."""

import pickle
from random import Random

import pytest

import hoyle
from hoyle_environments import Catalogue


def test_names_are_those_of_the_game(bezique: hoyle.Rules, piquet: hoyle.Rules) -> None:
    names = Catalogue(bezique).names
    assert {"play QS#2", "declare royal-marriage C", "declare bezique", "hold four-kings", "draw"} <= set(names)
    assert sum(name.startswith("play ") for name in names) == 64
    assert not any(name.startswith(("announce", "put-away")) for name in names)
    called = Catalogue(piquet).names
    assert sum(name.startswith("put-away ") for name in called) == 32
    assert {"put-no-more", "announce point count:5", "answer not-good", "declare point H"} <= set(called)
    assert not any(name.startswith(("exchange", "draw", "hold")) for name in called)


@pytest.mark.parametrize("ruleset", hoyle.rulesets())
def test_each_number_has_one_name(ruleset: str) -> None:
    catalogue = Catalogue(hoyle.rules(ruleset))
    assert len(set(catalogue.names)) == len(catalogue) == len(catalogue.names)
    assert [catalogue.number(name) for name in catalogue.names] == list(range(len(catalogue)))


@pytest.mark.parametrize("ruleset", hoyle.rulesets())
def test_every_legal_action_has_a_number(ruleset: str) -> None:
    rules, rng = hoyle.rules(ruleset), Random(11)
    catalogue, game = Catalogue(rules), hoyle.Game(rules)
    while not game.is_terminal() and len(game.actions) < 160:
        if game.is_chance_node():
            game.apply_action(game.sample_chance(rng))
            continue
        legal = game.legal_actions()
        for action in (action for action in legal if action.kind != "discard"):
            assert catalogue.names[catalogue.number(action)].startswith(action.kind)
        game.apply_action(rng.choice(legal))


def test_copies_of_a_card_are_told_apart_in_the_play_and_not_in_a_declaration(bezique: hoyle.Rules) -> None:
    catalogue, game = Catalogue(bezique), hoyle.Game(bezique)
    plays = [catalogue.number(game.action(f"A play {card}")) for card in ("QS", "QS#2")]
    assert plays[0] != plays[1]
    declarations = ("A declare bezique QS JD", "A declare bezique QS#2 JD#2")
    assert len({catalogue.number(game.action(each)) for each in declarations}) == 1
    suits = ("A declare common-marriage KS QS", "A declare common-marriage KH QH")
    assert len({catalogue.number(game.action(each)) for each in suits}) == 2


def test_a_chance_outcome_has_no_number(bezique: hoyle.Rules) -> None:
    game = hoyle.Game(bezique)
    with pytest.raises(hoyle.UnknownNameError, match="no number for 'cut'"):
        Catalogue(bezique).number(game.sample_chance(Random(1)))


def test_catalogues_of_the_same_rules_are_equal(bezique: hoyle.Rules, piquet: hoyle.Rules) -> None:
    catalogue = Catalogue(bezique)
    assert catalogue == Catalogue(bezique)
    assert catalogue != Catalogue(piquet)
    assert catalogue != "bezique-hoyle"
    assert len({catalogue, Catalogue(bezique)}) == 1
    assert pickle.loads(pickle.dumps(catalogue)).names == catalogue.names  # noqa: S301 -- made here
