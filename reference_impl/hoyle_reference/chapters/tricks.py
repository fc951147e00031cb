"""The play of tricks: the lead, the cards that may be played, and the winner.

There are two sets of duties: one for tricks after which the players draw, and one for the other tricks.

Implements SEMANTICS.md, trick-1 to trick-12 and card-4.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

from ..acts import Play, Playable, Winner
from ..cards import Card, names, suit_of
from ..cells import Cells, Rule, cell, equals, number, word
from ..events import Event, HeapTakenUp, Played, TrickWon, awaits
from ..frozen import frozen
from ..refusals import Grounds, Malformed, Refusal
from ..seats import Seat, after, ring, seat_name
from ..table.states import Phase
from ..table.table import Table
from . import score
from .chapter import Ask, Chapter, Move, Procedure, Ruling, during, table_of_question
from .deal import DealRules, read_strengths
from .declare.declarations import DeclareRules
from .draw import DrawRules
from .talon import TalonRules, is_bound

#: The ways in which won tricks may lie: all of them open, or the last one in sight.
_ALWAYS_OPEN: Final = "open"
_OPEN_UNTIL_A_BRISQUE: Final = "open-until-a-brisque"
_LAST: Final = "last-one-in-sight"
_LAST_UNTIL_A_BRISQUE: Final = "last-one-in-sight-until-a-brisque"
_LAST_ALONE: Final = frozenset({_LAST, _LAST_UNTIL_A_BRISQUE})
_ALL_OPEN: Final = frozenset({_ALWAYS_OPEN, _OPEN_UNTIL_A_BRISQUE})
_OPEN: Final = _LAST_ALONE | _ALL_OPEN
#: A global, since Python is slow to look up a member of an enumeration.
_PLAY: Final = Phase.PLAY
_DECLARE: Final = Phase.DECLARE
_BEFORE_THE_PLAY: Final = frozenset({Phase.EXCHANGE, Phase.ANNOUNCE})


@frozen
class Duties:
    """The duties of a player who is not leading; `free` if there are none. `strength` is one number for each rank."""

    strength: Rule[tuple[int, ...]]
    follow: Rule[bool]
    win: Rule[bool]
    trump: Rule[bool]
    free: bool


@frozen
class TrickRules:
    """The rules for playing and winning tricks, with and without drawing after them."""

    while_drawing: Duties
    without_drawing: Duties
    #: The way in which won tricks lie: one of the words above, or turned.
    lying: Rule[str]
    #: Whether some or all won tricks are in sight; and whether only the last is.
    lie_open: bool
    last_alone: bool
    next_lead: Rule[str] = cell("tricks.next_lead", word)
    in_turn: Rule[str] = cell("tricks.cards", word)
    won_by: Rule[str] = cell("tricks.won_by", word)
    first_of_identical_wins: Rule[bool] = cell("tricks.identical_cards_won_by", equals("first-played"), otherwise=False)
    trumps_win: Rule[bool] = cell("tricks.trumps", equals("beat-other-suits"), otherwise=False)
    #: The number of cards in the stock from which players may look through their own tricks; -1: never.
    own_seen_from: Rule[int] = cell("tricks.own_looked_at_from", number, otherwise=-1)

    @property
    def all_open(self) -> bool:
        """Whether all won tricks are in sight, always or until a brisque is won."""
        return self.lying.value in _ALL_OPEN


def read(cells: Cells) -> TrickRules:
    """Compile the cells of this chapter."""
    without_drawing = _duties(cells, "without_drawing")
    drawing = "cards.rank_while_drawing" in cells
    lying = cells.rule_if_any("tricks.heap", word, otherwise="")
    return cells.compiled(
        TrickRules,
        while_drawing=_duties(cells, "while_drawing") if drawing else without_drawing,
        without_drawing=without_drawing,
        lying=lying,
        lie_open=lying.value in _OPEN,
        last_alone=lying.value in _LAST_ALONE,
    )


def _duties(cells: Cells, when: str) -> Duties:
    def must(duty: str) -> Rule[bool]:
        return cells.rule_if_any(f"tricks.{when}.{duty}", equals("must"), otherwise=False)

    follow, win, trump = must("follow_suit"), must("win"), must("trump")
    free = not (follow.value or win.value or trump.value)
    return Duties(cells.rule(f"cards.rank_{when}", read_strengths), follow, win, trump, free)


def duties(table: Table) -> Duties:
    """Return the duties of the trick in progress."""
    rules = table.rules.of(TrickRules)
    return rules.while_drawing if table.drawing else rules.without_drawing


def trick_winner(table: Table, cards: Sequence[Card]) -> tuple[int, Grounds]:
    """Return which of the cards, in the order played, wins the trick (an index), and why.

    A trump beats the other suits; otherwise the highest card of the suit led wins. The table decides between identical
    cards (cells `tricks.*`, `cards.rank_*`).
    """
    rules, strength, trumps = table.rules.of(TrickRules), duties(table).strength, table.trumps
    best, why = 0, rules.won_by.grounds
    for index in range(1, len(cards)):
        new, old = cards[index], cards[best]
        if suit_of(new) == suit_of(old):
            higher = strength.value[new & 7] - strength.value[old & 7]
            if higher == 0:
                why = rules.first_of_identical_wins.grounds
                best = best if rules.first_of_identical_wins.value else index
            else:
                why = rules.won_by.grounds + strength.grounds
                best = index if higher > 0 else best
        elif suit_of(new) == trumps and rules.trumps_win.value:
            best, why = index, rules.trumps_win.grounds
        elif trumps is None:
            turned_up = table.rules.of(DealRules).a_card_is_turned_up
            why += () if turned_up.value else turned_up.grounds
    return best, why


def refuse_play(table: Table, act: Play) -> Refusal | None:
    """Return why a card is refused, or None: the player to act plays it, from the hand, as the duties of the trick
    allow."""
    if table.phase is not _PLAY:
        return not_in_the_play(table)
    if act.by != table.turn:
        in_turn = table.rules.of(TrickRules).in_turn.grounds if table.trick else _lead_grounds(table)
        return Refusal("not-your-turn", in_turn)
    if act.card not in table.hands[act.by]:
        return Refusal("card-not-held", table.rules.of(TrickRules).in_turn.grounds)
    return _refuse_card(table, act)


def _refuse_card(table: Table, act: Play) -> Refusal | None:
    """Return why a card of the hand may not be played to this trick, or None."""
    if is_bound(table):
        named = suit_of(act.card) == table.named_suit
        return None if named else Refusal("suit-was-named", table.rules.of(TalonRules).named_suit.grounds)
    if not table.trick or (suit_of(act.card) == suit_of(table.trick[0]) and not duties(table).win.value):
        return None  # always allowed, and the most frequent case
    allowed, refusal = playable(table, act.by)
    if act.card in allowed:
        return None
    held = map(suit_of, table.hands[act.by])
    if suit_of(act.card) != suit_of(table.trick[0]) and suit_of(table.trick[0]) in held:
        return Refusal("must-follow-suit", duties(table).follow.grounds)
    return refusal


def not_in_the_play(table: Table) -> Refusal:
    """Return why no card can be played now, or None."""
    if table.phase in {Phase.DECLARE, Phase.DRAW}:
        return Refusal("draw-first", table.rules.of(DrawRules).when.grounds)
    before = table.phase in _BEFORE_THE_PLAY
    return Refusal("not-now", table.rules.of(DealRules).dealer_leads.grounds if before else ())


def playable(table: Table, seat: Seat) -> tuple[list[Card], Refusal | None]:
    """Return the cards of the hand that may be played to the trick, and why the others may not."""
    hand, rules = table.hands[seat], duties(table)
    if not table.trick and is_bound(table):
        named = [card for card in hand if suit_of(card) == table.named_suit]
        return named, Refusal("suit-was-named", table.rules.of(TalonRules).named_suit.grounds)
    if not table.trick or rules.free:
        return hand, None
    suit = suit_of(table.trick[0])
    of_suit = [card for card in hand if suit_of(card) == suit]
    winning = [card for card in of_suit if _beats(table, card)] if rules.win.value else []
    if winning:
        return winning, Refusal("must-win", rules.follow.grounds + rules.win.grounds)
    if of_suit:
        return (of_suit, Refusal("must-follow-suit", rules.follow.grounds)) if rules.follow.value else (hand, None)
    trumps = [card for card in hand if suit_of(card) == table.trumps] if rules.trump.value else []
    is_trumped = any(suit_of(card) == table.trumps for card in table.trick[1:])  # only with more than two players
    higher = [card for card in trumps if _beats(table, card)] if rules.win.value and is_trumped else []
    if higher:
        return higher, Refusal("must-overtrump", rules.trump.grounds + rules.win.grounds)
    return (trumps, Refusal("must-trump", rules.trump.grounds)) if trumps else (hand, None)


def _beats(table: Table, card: Card) -> bool:
    return trick_winner(table, (*table.trick, card))[0] == len(table.trick)


def open_plays(table: Table) -> list[Play]:
    """Return every card that may be played, as an act."""
    plays = table.rules.of(Procedure).plays[table.turn]
    return list(map(plays.__getitem__, playable(table, table.turn)[0]))


def play(table: Table, act: Play) -> Iterator[Event]:
    """Yield the card as played to the trick. The last card decides the winner of the trick, and the scores for its
    cards and for the last trick."""
    yield Played(act.by, act.card, _why(table, act))
    for follows in table.rules.of(Procedure).on_play:
        yield from follows(table, act.by, act.card)
    if len(table.trick) < table.players:
        yield awaits(_PLAY, after(act.by, table.players))
    else:
        yield from _ends_the_trick(table)


def _ends_the_trick(table: Table) -> Iterator[Event]:
    """Yield the winner of the trick, its place, its score, and the next turn."""
    rules, leader = table.rules.of(TrickRules), table.leader
    best, why = trick_winner(table, table.trick)
    taker, lying = ring(leader, table.players)[best], rules.lying
    stays = rules.lie_open
    if stays and lying.value not in {_ALWAYS_OPEN, _LAST} and score.brisque_points(table, table.trick):
        stays = False
        if lying.value == _OPEN_UNTIL_A_BRISQUE and score.brisque_points(table, table.referee.heap):
            yield HeapTakenUp(taker, lying.grounds)
    yield TrickWon(taker, tuple(table.trick), why + lying.grounds, stays, rules.last_alone)
    yield from score.after_trick(table, taker, leader)
    if all(table.hands):
        yield awaits(_DECLARE if table.drawing else _PLAY, taker)


def _why(table: Table, act: Play) -> Grounds:
    """Return the cells that allow this card to be played now."""
    in_turn = table.rules.of(TrickRules).in_turn.grounds
    why = in_turn + _liberties(table, act.card) if table.trick else _lead_grounds(table)
    declared = table.rules.get(DeclareRules) if act.card in table.shown[act.by] else None
    return why + declared.declared_cards.grounds if declared else why


def _lead_grounds(table: Table) -> Grounds:
    rules, first = table.rules.of(TrickRules), table.rules.of(DealRules).dealer_leads
    return (rules.next_lead if table.a_trick_is_won else first).grounds


def liberties_of(table: Table, seat: Seat) -> Grounds:
    """Return the freedoms that give the player the present choice; for a lead, those of leading."""
    if not table.trick:
        return _lead_grounds(table)
    taken = {path for card in playable(table, seat)[0] for path in _liberties(table, card)}
    return tuple(sorted(taken)) or table.rules.of(TrickRules).in_turn.grounds


def _liberties(table: Table, card: Card) -> Grounds:
    """Return the freedoms that the player of this card uses: the cells without which it would be refused, or forced."""
    rules, led, suits = duties(table), suit_of(table.trick[0]), list(map(suit_of, table.hands[table.turn]))
    if suit_of(card) != led:
        if led in suits:
            return rules.follow.grounds + (rules.trump.grounds if suit_of(card) == table.trumps else ())
        trump_or_follow = rules.follow.grounds if rules.follow.value else ()
        return rules.trump.grounds if table.trumps in suits else trump_or_follow
    if suits.count(led) < 2 or _beats(table, card):  # noqa: PLR2004 -- there is no choice
        return ()
    could_win = any(suit_of(held) == led and _beats(table, held) for held in table.hands[table.turn])
    return rules.win.grounds if could_win else ()


def who_wins(table: Table, question: Winner) -> Ruling:
    """Return the seat that wins a trick."""
    if len(question.cards) != table.players:
        raise Malformed(f"a trick has {table.players} cards")
    index, why = trick_winner(table_of_question(table, question.trumps, question.drawing), question.cards)
    return Ruling(ring(question.by, table.players)[index], why)


def what_may_be_played(table: Table, question: Playable) -> Ruling:
    """Return the cards that a player may play, in their order: now, or from the hand that the question gives."""
    seat = question.by
    if question.hand is not None:
        table = _holding(table, question, question.hand)
    elif question != Playable(seat):
        raise Malformed("what was led, the trumps and whether cards are drawn are told beside a hand")
    if table.phase is not Phase.PLAY:
        return Ruling((), not_in_the_play(table).grounds)
    if seat != table.turn:
        return Ruling((), table.rules.of(TrickRules).in_turn.grounds)
    allowed, refusal = playable(table, seat)
    return Ruling(tuple(sorted(allowed)), refusal.grounds if refusal else liberties_of(table, seat))


def _holding(table: Table, question: Playable, hand: tuple[Card, ...]) -> Table:
    """Return a table at which the player is to play from this hand to the cards that were led."""
    told, led = table_of_question(table, question.trumps, question.drawing), question.led or ()
    if len(led) >= table.players:
        raise Malformed(f"a trick with {len(led)} cards is complete")
    told.phase, told.turn, told.trick = Phase.PLAY, question.by, list(led)
    told.hands[question.by] = list(hand)
    return told


def sees_own_tricks(table: Table, seat: Seat, won: dict[str, Any]) -> dict[str, Any]:
    """Return the number of cards that each player has won, and the player's own cards once they may be looked through
    (cell `tricks.own_looked_at_from`)."""
    if len(table.stock) > table.rules.of(TrickRules).own_seen_from.value:
        return won
    return {**won, seat_name(seat): names(table.won[seat])}


def sense(table: Table) -> None:
    """Raise Malformed if a hand, a trick or the cards won have an impossible number of cards."""
    if not table.is_dealt:
        return
    players, full = table.players, table.rules.of(DealRules).hand_size
    if len(table.trick) >= players:
        raise Malformed("the trick is complete: its cards belong to the player who has won it")
    played, owed = table.have_played, table.still_to_draw
    surplus, claim = table.referee.surplus, table.referee.claim
    whole = [
        len(hand) + (seat in played) + (seat in owed) + table.put_away(Seat(seat)) - surplus[seat]
        for seat, hand in enumerate(table.hands)
    ]
    all_held = table.drawing or table.phase in _BEFORE_THE_PLAY
    over = claim is not None and claim.phase is Phase.DEAL  # ruled on after the end of the deal
    if len(set(whole)) > 1 or (whole[0] != full if all_held and not over else whole[0] > full):
        raise Malformed(f"the hands do not have the right number of cards: {_counts(table.hands)}")
    if any(len(pile) % players for pile in table.won):
        raise Malformed(f"tricks have {players} cards each: {_counts(table.won)}")
    if table.referee.heap and not set(table.referee.heap).issubset(chain.from_iterable(table.won)):
        raise Malformed("what lies in the heap has been won by somebody")


def _counts(piles: Sequence[Sequence[Card]]) -> str:
    return ", ".join(f"{seat_name(Seat(seat))} {len(pile)}" for seat, pile in enumerate(piles))


CHAPTER: Chapter = Chapter(
    "tricks",
    read,
    (Move(Play, refuse_play, play, during(Phase.PLAY), open_plays, exact=True),),
    (Ask(Winner, who_wins), Ask(Playable, what_may_be_played)),
    always=True,
    sees=(("won", sees_own_tricks),),
    fields=lambda rules: ("heap",) if rules.lie_open else (),
    sight=lambda rules: rules.own_seen_from.grounds + rules.lying.grounds,
    sense=sense,
)
