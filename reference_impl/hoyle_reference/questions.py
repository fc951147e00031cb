"""Questions: what may be asked of a position without changing it, answered by the same functions that play uses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from . import brisques, classes, declare, reckoning, reuse, settle, talon, tricks
from .acts import (
    ClassWinner,
    Counted,
    Declarable,
    Declare,
    Play,
    Playable,
    Question,
    Reckoning,
    Settlement,
    TrickPoints,
    Visible,
    Winner,
    Worth,
)
from .cards import Card
from .observation import observe
from .refusals import Grounds, Malformed
from .seats import Seat
from .table import Phase, Table

PARTNERS_SEE: Final[Grounds] = ("players.partners_see",)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules answer (a seat, points, cards or declarations; the points of every seat; the winner of a game and
    the points that it settles for), and the cells that decide it."""

    value: Seat | int | tuple[Card, ...] | tuple[Declare, ...] | tuple[int, ...] | tuple[Seat | None, int | None] | None
    grounds: Grounds


def answer(table: Table, question: Question) -> Answer:
    """The answer to a question about this position; raises Malformed for what makes no sense."""
    if type(question) not in _ANSWERS or not table.rules.chapters.issuperset(_NEEDS.get(type(question), ())):
        raise Malformed(f"there is no such question in this game: {type(question).__name__}")
    for field in ("cards", "hands"):
        _all_different(getattr(question, field, ()))
    return _ANSWERS[type(question)](table, question)


def _winner(table: Table, question: Winner) -> Answer:
    if len(question.cards) != table.players:
        raise Malformed(f"a trick has {table.players} cards")
    index, why = tricks.winner(table, question.cards)
    return Answer(Seat((question.by + index) % table.players), why)


def _counted(table: Table, question: Counted) -> Answer:
    return Answer(brisques.counted(table, question.cards), table.rules.score.counted_by)


def _visible(table: Table, question: Visible) -> Answer:
    """What a player sees: the hand, what lies open, and what has been put away or seen before."""
    seen = observe(table, question.by)
    open_ = {card for cards in seen.shown for card in cards} | {card for card in (seen.turn_up,) if card is not None}
    cards = {*seen.hand, *seen.trick, *seen.discarded, *seen.seen, *open_}
    return Answer(
        tuple(sorted(cards)), talon.DISCARDS if "talon" in table.rules.chapters else declare.LAID + _partners(table)
    )


def _partners(table: Table) -> Grounds:
    """Why partners see no more of each other's cards than anybody does, where there are partners."""
    return PARTNERS_SEE if PARTNERS_SEE[0] in table.rules.cells else ()


def _class_winner(table: Table, question: ClassWinner) -> Answer:
    if question.class_ not in classes.CLASSES:
        raise Malformed(f"no class '{question.class_}' of combinations")
    return Answer(*reckoning.class_winner(table, question.by, question.class_, question.hands))


def _reckoning(table: Table, question: Reckoning) -> Answer:
    return Answer(*reckoning.before_the_play(table, question.by, question.hands, question.blanks))


def _settlement(table: Table, question: Settlement) -> Answer:
    in_tricks = question.brisques or (0,) * len(question.score)
    ended = settle.settlement(table.rules.settle, question.score, in_tricks)
    return Answer((ended.winner, ended.points), (*settle.GAME, *ended.grounds))


def _all_different(cards: Sequence[Card] | Sequence[Sequence[Card]]) -> None:
    """Raise Malformed where a card is named twice, in one row of cards or in several."""
    flat = [card for each in cards for card in (each if isinstance(each, tuple) else (each,))]
    if len(set(flat)) != len(flat):
        raise Malformed("a card is named twice")


def _worth(table: Table, question: Worth) -> Answer:
    meld, cards = question.meld, question.cards
    if "classes" in table.rules.chapters:
        kind = table.rules.classes.by_id[meld]
        return Answer(classes.worth(table.rules.classes, meld, cards), (kind.path, *classes.makeup(kind.class_, ())))
    row = table.rules.declare.melds.by_id[meld]
    return Answer(
        row.points if row.pattern.fits(cards, table.trumps) else 0, (row.path, *table.rules.declare.multiplied)
    )


def _trick_points(table: Table, question: TrickPoints) -> Answer:
    """The points of a whole deal's tricks, by playing them."""
    players, rules, leader, cards = table.players, table.rules, question.by, question.cards
    if len(cards) != players * rules.deal.hand_size:
        raise Malformed(f"the tricks of a deal have {players * rules.deal.hand_size} cards")
    played = _table_of(table, leader, cards)
    grounds: list[str] = []
    for card in cards:
        act = Play(played.turn, card)
        if (refused := tricks.may_play(played, act)) is not None:
            raise Malformed(f"a card of these cannot be played: {refused.message}")
        for event in tricks.play(played, act):
            event.change(played)
            grounds += event.grounds
    return Answer(tuple(played.made), tuple(grounds))


def _table_of(table: Table, leader: Seat, cards: tuple[Card, ...]) -> Table:
    """A table at which these cards are to be played: each player holds those that will come from the seat."""
    fresh = Table(table.rules)
    fresh.phase, fresh.leader, fresh.turn = Phase.PLAY, leader, leader
    fresh.dealer = Seat((leader + 1) % table.players)
    for at in range(0, len(cards), table.players):
        trick = cards[at : at + table.players]
        for index, card in enumerate(trick):
            fresh.hands[(leader + index) % table.players].append(card)
        leader = Seat((leader + tricks.winner(fresh, trick)[0]) % table.players)
    return fresh


def _playable(table: Table, question: Playable) -> Answer:
    seat = question.by
    if table.phase is not Phase.PLAY:
        return Answer((), tricks.not_in_the_play(table).grounds)
    if seat != table.turn:
        return Answer((), tricks.IN_TURN)
    allowed, refusal = tricks.playable(table, seat)
    return Answer(tuple(sorted(allowed)), refusal.grounds if refusal else tricks.liberties_of(table, seat))


def _declarable(table: Table, question: Declarable) -> Answer:
    seat = question.by
    acts = tuple(declare.choices_of(table, seat))
    rows = tuple(table.rules.declare.melds.by_id[act.meld].path for act in acts)
    used = tuple(path for act in acts for path in reuse.liberties(table, act))
    closed = declare.not_the_moment(table, seat)
    why = closed.grounds if closed else (*declare.WHEN, *(declare.PER_TRICK if table.scored_now else ()))
    return Answer(acts, (*rows, *used, *why, *(declare.IN_HAND if acts else ())))


_ANSWERS: Final[Mapping[type, Callable[[Table, Any], Answer]]] = MappingProxyType(
    {
        Winner: _winner,
        Playable: _playable,
        Worth: _worth,
        Declarable: _declarable,
        Counted: _counted,
        Visible: _visible,
        ClassWinner: _class_winner,
        Reckoning: _reckoning,
        TrickPoints: _trick_points,
        Settlement: _settlement,
    }
)
#: The chapters without which a question makes no sense in a game.
_NEEDS: Final[Mapping[type, tuple[str, ...]]] = MappingProxyType(
    {
        Declarable: ("declare",),
        Counted: ("draw",),
        ClassWinner: ("classes",),
        Reckoning: ("reckoning",),
        TrickPoints: ("talon",),
    }
)
