"""Histories of a game that begins with an exchange: the exchange, the calls, and the tricks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from hoyle_conformance.checks.preludes.follow import PreludeTarget, before_the_deal, deal_act
from hoyle_reference import Game, Phase, Refusal, Table
from hoyle_reference.acts import ANSWERS, BLANK, CLASSES, Act, Announce, Answer, Choose, Declare, Discard, Play, Prove
from hoyle_reference.cards import Card, rank_of
from hoyle_reference.seats import Seat, ring
from hoyle_reference.table import BlankState
from preludes.drawing_games import deck
from preludes.tricks import Budget, Frame, Left, Trick, tricks

_STEPS: Final = 300
_EACH: Final = 6
_CALLS: Final = 400
#: So many ways to call are tried with the same tricks.
_WAYS: Final = 40


@dataclass(frozen=True, slots=True)
class Script:
    """A history: the deck, the acts after the deal, and the number of complete tricks."""

    deck: tuple[Card, ...]
    script: tuple[Act, ...]
    tricks: int

    def acts(self, _game: Game) -> Iterator[Act]:
        """Return the acts in their order."""
        return iter(self.script)


def histories(sought: PreludeTarget) -> Iterator[Script]:
    """Yield ways in which the position could have come about."""
    frame, left = _frame(sought), _left(sought)
    for played in islice(tricks(frame, left, Budget(_STEPS)), _EACH):
        away = _put_away(sought, played)
        exchange, pack = _exchanged(sought, frame, played, away)
        game = Game(before_the_deal(sought.table, [0] * len(sought.rules.sides)))
        if _all_done(game, (deal_act(game.table, pack, sought.table.packets), *exchange)):
            for acts in islice(_calls(_Sought(sought, played), game, [_CALLS]), _WAYS):
                yield Script(pack, (*exchange, *acts), len(played))


def _all_done(game: Game, acts: Sequence[Act]) -> bool:
    return not any(isinstance(game.attempt(act), Refusal) for act in acts)


def _frame(sought: PreludeTarget) -> Frame:
    table = sought.table
    return Frame(
        sought.rules,
        sought.tricks,
        drawn=0,
        declare_until=0,
        first=table.elder,
        last=table.leader,
        trumps=None,
        hands=tuple(_held(table, seat) for seat in sought.seats),
        owners={},
    )


def _held(table: Table, seat: Seat) -> tuple[Card, ...]:
    """Return the hand of a player, with the card that is played to the trick."""
    at = ring(table.leader, table.players).index(seat)
    return (*table.hands[seat], *table.trick[at : at + 1])


def _left(sought: PreludeTarget) -> Left:
    table = sought.table
    loose = {card for pile in (*table.won, *table.discards) for card in pile} - sought.placed
    return Left(
        won=tuple(frozenset(pile) & sought.placed for pile in table.won),
        tricks=tuple(
            None if sought.is_open("won", seat) else len(table.won[seat]) // table.players for seat in sought.seats
        ),
        declared=((),) * len(sought.rules.sides),
        first=(0,) * len(sought.rules.sides),
        free=tuple(sorted(loose)),
        later=((),) * table.players,
        trumps=None,
    )


def _put_away(sought: PreludeTarget, played: Sequence[Trick]) -> tuple[list[Card], ...]:
    """Return the cards that each player has put away: those given, and as many others as completed the pile."""
    table = sought.table
    gone = {card for trick in played for card in trick.cards}
    piles = (*table.discards, *table.won)
    loose = [card for pile in piles for card in pile if card not in sought.placed and card not in gone]
    away = []
    for pile in table.discards:
        placed = [card for card in pile if card in sought.placed]
        missing = len(pile) - len(placed)
        away.append(placed + loose[:missing])
        loose = loose[missing:]
    return tuple(away)


def _exchanged(
    sought: PreludeTarget, frame: Frame, played: Sequence[Trick], away: Sequence[list[Card]]
) -> tuple[tuple[Act, ...], tuple[Card, ...]]:
    """Return the acts of the exchange, and the pack that is dealt."""
    table, rules = sought.table, sought.rules
    courts = rules.blank.without.value
    hands: list[tuple[Card, ...]] = [()] * table.players
    drawn: list[Card] = []
    acts: list[Act] = []
    elder, younger = ring(table.elder, table.players)
    for seat in (elder, younger):
        held = [*frame.hands[seat], *(trick.cards[seat] for trick in played)]
        blank = table.blanks[seat] is BlankState.SCORED
        held.sort(key=lambda card: (blank and rank_of(card) in courts, card))
        kept = len(held) - len(away[seat])
        hands[seat] = (*held[:kept], *away[seat])
        drawn += held[kept:]
    elder_waits, younger_waits = (rules.blank.waits(elder=each).value for each in (True, False))
    acts += [Announce(seat, BLANK) for seat in (elder, younger) if table.blanks[seat] is BlankState.SCORED]
    begun, talon = table.phase is not Phase.EXCHANGE, rules.talon
    asked = rules.blank.asks_for_the_discard and table.blanks[elder] is BlankState.SCORED
    if asked:
        early = away[younger][: talon.size - talon.elder_most.value]
        acts += [Discard(younger, tuple(early)), Prove(elder)]
    if begun or table.turn == younger:
        acts.append(Discard(elder, tuple(away[elder])))
    if younger_waits and table.blanks[younger] is BlankState.SCORED:
        acts.append(Prove(younger))
    if begun:
        if not asked or len(away[elder]) < talon.elder_most.value:
            acts.append(Discard(younger, tuple(away[younger])))
        if table.stock and rules.talon.with_the_rest:
            acts.append(Choose(younger, "leaves-the-rest"))
        if elder_waits and not asked and table.blanks[elder] is BlankState.SCORED:
            acts.append(Prove(elder))
    return tuple(acts), deck(sought, tuple(hands), [*drawn, *reversed(table.stock)])


@dataclass(frozen=True, slots=True)
class _Sought:
    """The position that the calls and the play must lead to."""

    sought: PreludeTarget
    played: Sequence[Trick]

    @property
    def cards(self) -> list[tuple[Seat, Card]]:
        """All cards played, in order, with their players."""
        table = self.sought.table
        whole = [(seat, trick.cards[seat]) for trick in self.played for seat in ring(trick.leader, table.players)]
        return [*whole, *zip(ring(table.leader, table.players), table.trick, strict=False)]

    def whose(self, at: int) -> tuple[bool, Seat | None]:
        """Return whether it is given whose a class is, and whose."""
        called = self.sought.given.get("called", {})
        return CLASSES[at] in called, self.sought.table.called.decided[at]

    def fits(self, table: Table) -> bool:
        """Whether the calls so far agree with what is given, and no player has made too many points."""
        given, then = self.sought.given, self.sought.table
        for at, seat in enumerate(table.called.decided):
            if at >= len(then.called.decided):
                return False
            told, whose = self.whose(at)
            if told and seat != whose:
                return False
            if CLASSES[at] in given.get("announced", {}) and table.called.announced[at] != then.called.announced[at]:
                return False
        if "made_of" not in given:
            return True
        each = zip(table.made_of, then.made_of, strict=True)
        return all(made[cause] <= most[cause] for made, most in each for cause in most)

    def is_there(self, table: Table, played: int) -> bool:
        """Whether the position is reached."""
        then = self.sought.table
        if (table.phase, table.turn) != (then.phase, then.turn) or played < len(self.cards):
            return False
        return len(table.called.decided) == len(then.called.decided) and (
            "made_of" not in self.sought.given or table.made_of == then.made_of
        )


def _calls(goal: _Sought, game: Game, budget: list[int], played: int = 0) -> Iterator[tuple[Act, ...]]:
    """Yield every way that is found to call and to play to the position."""
    if goal.is_there(game.table, played):
        yield ()
    for act in _next(goal, game.table, played):
        budget[0] -= 1
        if budget[0] < 0:
            return
        after = Game(game.table.copy())
        if isinstance(after.attempt(act), Refusal) or not goal.fits(after.table):
            continue
        for acts in _calls(goal, after, budget, played + isinstance(act, Play)):
            yield (act, *acts)


def _next(goal: _Sought, table: Table, played: int) -> Iterator[Act]:
    """Yield what may be done next, the most natural first: to declare what is good, and to call the best."""
    if table.phase is Phase.ANNOUNCE and table.turn != table.leader:
        yield from (Answer(table.turn, says) for says in ANSWERS)
        return
    if table.phase in {Phase.ANNOUNCE, Phase.PLAY} and not table.a_trick_is_won:
        yield from (act for act in Game(table).legal_actions if isinstance(act, Declare))
    if table.phase is Phase.ANNOUNCE and len(table.called.decided) < len(goal.sought.table.called.decided):
        best_first = [act for act in Game(table).legal_actions if isinstance(act, Announce)]
        none = [act for act in best_first if isinstance(act, Announce) and act.count == 0]
        some = [act for act in best_first if act not in none]
        told, whose = goal.whose(len(table.called.decided))
        yield from (*some, *none) if whose == table.leader or not told else (*none, *some)
    if table.phase is Phase.PLAY and played < len(goal.cards):
        seat, card = goal.cards[played]
        yield Play(seat, card)
