"""Rubicon and its kin where no scenario looks: what others see, positions that cannot be, tables without sense."""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from games import acts
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import (
    Game,
    Malformed,
    Rules,
    compile_cells,
    new_game,
    read_position,
    read_question,
    write_position,
)
from hoyle_reference.acts import CarteBlanche, Choose, Cut, Deal, Draw, Play
from hoyle_reference.cards import Card, names, read_card
from hoyle_reference.chapters.settle import settlement
from hoyle_reference.events import Scored, TrickWon
from hoyle_reference.events.combinations import CarteBlancheShown
from hoyle_reference.seats import Seat
from hoyle_reference.table.states import BlankState

pytestmark = pytest.mark.interpreter

A, B = Seat(0), Seat(1)


def card(text: str) -> Card:
    found = read_card(text)
    assert found is not None
    return found


@pytest.fixture
def rubicon(suite: Suite) -> Rules:
    return suite.rules.of("rubicon-hoyle")


def changed(rules: Rules, **values: Any) -> Rules:
    """The same rules with some cells changed."""
    cells = [replace(rules.cells[path.replace("__", ".")], value=value) for path, value in values.items()]
    return compile_cells("changed", rules.cells.with_cells(cells))


def dealt(rules: Rules, drawn: str) -> Game:
    """A has shown a carte blanche, the first trick has been played, and its winner is to draw this card."""
    low = [each for each in rules.pack if names([each])[0][0] in "789T"]
    top, next_ = low[:18], [card(drawn), *low[18:22]]
    rest = [each for each in rules.pack if each not in {*top, *next_}]
    game = new_game(rules)
    game.apply(Cut((card("AS"), card("7C"))))
    game.apply(Choose(A, "deals"))
    game.apply(Deal(A, (*top, *next_, *rest), 3))
    game.apply(CarteBlanche(A))
    game.apply(Play(B, min(game.table.hands[B])))
    game.apply(Play(A, max(each for each in game.table.hands[A] if each & 24 == game.table.trick[0] & 24)))
    return game


@pytest.mark.parametrize("drawn", ["9S#3", "KS#3"])
def test_a_card_drawn_to_a_carte_blanche_is_hidden_from_the_others(rubicon: Rules, drawn: str) -> None:
    game = dealt(rubicon, drawn)
    game.apply(Draw(game.table.turn))
    drawer = game.table.leader
    assert game.observation(Seat(1 - drawer))["blanks"]["AB"[drawer]] in {BlankState.SCORED, BlankState.UNSPOKEN}
    if drawer == A:
        assert game.observation(A)["blanks"]["A"] == (BlankState.OVER if drawn[0] == "K" else BlankState.DRAWN)


def test_the_card_that_was_drawn_is_shown_also_after_the_position_was_written(rubicon: Rules) -> None:
    game = dealt(rubicon, "9S#3")
    first = game.table.turn
    game.apply(Draw(first))
    game.apply(Draw(game.table.turn))
    drawn = game.table.drawn[A]
    assert drawn is not None
    again = Game(read_position(rubicon, write_position(game.table)))
    for each in (game, again):
        shown = next(event for event in each.apply(CarteBlanche(A)) if isinstance(event, CarteBlancheShown))
        assert shown.cards == (drawn,)


def test_carte_blanche_that_scores_once_scores_once(rubicon: Rules) -> None:
    for drawn in ("9S#3", "KS#3"):
        game = dealt(changed(rubicon, carte_blanche__again="never"), drawn)
        game.apply(Draw(game.table.turn))
        game.apply(Draw(game.table.turn))
        assert CarteBlanche(A) not in game.legal_actions
        spelt = write_position(game.table)
        assert write_position(read_position(game.rules, spelt)) == spelt


def test_both_partners_score_no_less_than_one(suite: Suite) -> None:
    with pytest.raises(Malformed, match="both partners score less than one"):
        changed(suite.rules.of("four-handed-h2g2"), carte_blanche__both_partners=20)


def test_a_game_without_a_rule_for_equal_scores_says_nothing_of_them(suite: Suite) -> None:
    for name in ("bezique-h2g2", "three-handed-h2g2"):
        rules = suite.rules.of(name)
        ended = settlement(rules.settle, (500,) * rules.players, (0,) * rules.players)
        assert (ended.winner, ended.points, ended.grounds) == (None, None, ())


POSITION: Mapping[str, Any] = {
    "phase": "play",
    "turn": "A",
    "dealer": "B",
    "score": {"A": 0, "B": 0},
    "leader": "A",
    "trumps": None,
    "turn_up": None,
}


def spelt(rules: Rules, **more: Any) -> dict[str, Any]:
    """A position before the first lead in which both hold low cards alone."""
    low = [each for each in rules.pack if names([each])[0][0] in "789T"]
    hands = {"A": names(low[:9]), "B": names(low[9:18])}
    held = {*low[:18]}
    return {**POSITION, "hands": hands, "stock": names(each for each in rules.pack if each not in held), **more}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"blanks": {"A": "announced"}}, "a blank is unspoken, scored, drawn, over, not 'announced'"),
        ({"blanks": {"A": "drawn"}}, "the card that A has drawn to a carte blanche is given where it may be shown"),
        ({"blanks": {"A": "drawn"}, "drawn": {"A": "KS"}}, "KS is drawn by A, who does not hold it"),
        ({"combinations_since_trick": -3}, "-3 combinations cannot have scored since the last trick"),
        ({"combinations_since_trick": 7}, "7 combinations cannot have scored since the last trick"),
        ({"sevens_since_trick": 0}, "there is no 'sevens_since_trick' in a position of this game"),
    ],
)
def test_a_position_that_cannot_be_is_refused(rubicon: Rules, wrong: dict[str, Any], message: str) -> None:
    read_position(rubicon, spelt(rubicon))
    with pytest.raises(Malformed, match=message):
        read_position(rubicon, spelt(rubicon, **wrong))


def test_a_carte_blanche_with_a_king_is_none(rubicon: Rules) -> None:
    position = spelt(rubicon, blanks={"A": "scored"})
    king, low = "KS", position["hands"]["A"][0]
    position["stock"][position["stock"].index(king)] = low
    position["hands"]["A"][0] = king
    with pytest.raises(Malformed, match="KS is not in a carte blanche, which A has scored"):
        read_position(rubicon, position)


def test_player_to_declare_has_won_a_trick(rubicon: Rules) -> None:
    position = spelt(rubicon, phase="declare")
    for seat in "AB":
        position["stock"].append(position["hands"][seat].pop())
    with pytest.raises(Malformed, match="A is to declare or draw first, and has won no trick"):
        read_position(rubicon, position)


def test_questions_that_make_no_sense_are_told_so(suite: Suite) -> None:
    hands = {"A": [], "B": []}
    with pytest.raises(Malformed, match="'blanks' is a list of players, not 3"):
        read_question(
            suite.rules.of("piquet-rubicon-parlett"), {"ask": "reckoning", "by": "A", "hands": hands, "blanks": 3}
        )
    question = {"ask": "settlement", "score": {"A": 1000, "B": 900}, "brisques": {"C": 10}}
    with pytest.raises(Malformed, match="'brisques' must be given for A, B, and nobody else"):
        read_question(suite.rules.of("four-handed-h2g2"), question)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A spec folder of its own, without scenarios."""
    left_out = shutil.ignore_patterns("scenarios", "preludes", "census")
    shutil.copytree(ROOT / "spec", tmp_path / "spec", ignore=left_out)
    return tmp_path / "spec"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("rubicon-h2g2", "extends: bezique-h2g2", "extends: six-deck-h2g2", "no ruleset 'six-deck-h2g2' to extend"),
        ("rubicon-h2g2", "[two-thousand, ", "[", "the option 'two-thousand', inherited from 'bezique-h2g2'"),
        (
            "four-handed-h2g2",
            "          points: 900\n",
            "",
            "the combination 'four-tens' is new in this table, and has no 'points'",
        ),
    ],
)
def test_a_table_that_does_not_fit_the_one_it_extends_is_told_so(
    copied: Path, name: str, old: str, new: str, message: str
) -> None:
    path = copied / f"rulesets/{name}.ruleset.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(Invalid) as raised:
        load_suite(copied)
    assert any(message in each.message for each in raised.value.diagnostics)


def test_a_side_without_brisques_scores_nothing_for_them(rubicon: Rules) -> None:
    game = new_game(rubicon)
    for act in acts(game, 1, b"\0", most_deals=1):
        if [len(hand) for hand in game.table.hands] == [1, 1]:
            break
        game.apply(act)
    other = game.clone()
    plays = [Play(seat, game.table.hands[seat][0]) for seat in (game.table.turn, Seat(1 - game.table.turn))]
    (winner,) = (event.seat for act in plays for event in other.apply(act) if isinstance(event, TrickWon))
    game.table.won[winner] += game.table.won[1 - winner]
    game.table.won[1 - winner] = []
    game.table.score = [1050, 1050]
    game.table.score[winner] -= 50  # the last trick makes the scores equal: brisques decide
    events = [event for act in plays for event in game.apply(act)]
    brisques = [event for event in events if isinstance(event, Scored) and event.what == "brisques"]
    assert [(event.seat, event.points) for event in brisques] == [(winner, 320)]
