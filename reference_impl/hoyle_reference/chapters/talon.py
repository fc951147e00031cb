"""The talon: the cards left after the deal, for which the players exchange cards before the play.

Implements SEMANTICS-PIQUET.md, talon-1 to talon-6, talon-8 and talon-9.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ..acts import EXPOSES, LEAVES, LOOKS, Choose, Discard, Discards, Peep
from ..cards import SUITS, Card, Suit, pack, suit_of
from ..cells import Cells, Rule, cell, equals, number, word
from ..events import Event, awaits
from ..events.combinations import Discarded, Peeped, RestExposed, RestLeft, SuitNamed
from ..frozen import frozen
from ..refusals import Malformed, Refusal
from ..seats import Seat, after, ring
from ..table.states import BlankState, Phase
from ..table.table import Table
from . import deal
from .blank import BlankRules
from .chapter import Chapter, Move, Offer, during, make_offer
from .players import PlayerRules
from .referee.rows import has_been_found, miscount

#: The effect on elder of naming a suit in place of the first lead.
MUST_BE_LED: Final = "must-be-led"
NEED_NOT_BE_HELD: Final = "need-not-be-held"
#: The setting by which younger may look at the cards left only when elder has led, or has named the suit to be led.
AFTER_THE_LEAD: Final = "looked-at-after-the-lead"
#: The setting by which elder may look at the rest of a full exchange even after younger's exchange.
WHILE_IT_IS_LEFT: Final = "at-the-rest-while-it-is-left"
#: The setting by which a player with a wrong hand puts away, and need not take, the minimum number of cards.
LEAST_IS_PUT_AWAY: Final = "least-is-put-away"
#: The setting by which elder leaves younger's share only if elder has not announced a wrong hand.
UNLESS_ANNOUNCED: Final = "is-left-unless-announced"
#: Younger's options for the cards left, besides leaving them, for each setting of the table.
_WITH_THE_REST: Final[Mapping[str, str]] = MappingProxyType(
    {"exposed-or-left": EXPOSES, "looked-at-or-left": LOOKS, "own-looked-at-or-left": LOOKS}
)


@frozen
class TalonRules:
    """The rules of the talon: its size, how many cards each player may exchange (elder first), who sees the cards left,
    and the effect on elder of naming a suit to see them."""

    size: int
    first: Rule[str] = cell("talon.first", word)
    drawn_from: Rule[str] = cell("talon.drawn_from", word)
    elder_least: Rule[int] = cell("talon.elder.least", number)
    elder_most: Rule[int] = cell("talon.elder.most", number)
    younger_least: Rule[int] = cell("talon.younger.least", number)
    younger_most: Rule[str] = cell("talon.younger.most", word)
    peep: Rule[str] = cell("talon.peep", word)
    untaken: Rule[str] = cell("talon.untaken", word)
    named_suit: Rule[str] = cell("talon.named_suit", word, otherwise="")
    discards_may_be_seen: Rule[bool] = cell("talon.discards", equals("seen-by-their-owner"))
    #: The number that must reach the minimum if a hand is corrected by the exchange; nothing if it is not.
    wrong_hand: Rule[str] = cell("talon.wrong_hand", word, otherwise="")
    youngers_share: Rule[str] = cell("talon.youngers_share", word, otherwise="")

    @property
    def with_the_rest(self) -> str:
        """The choices for younger about the cards left; nothing if they must be left."""
        return _WITH_THE_REST.get(self.untaken.value, "")

    @property
    def after_the_lead(self) -> bool:
        """Whether younger may look at the cards left only when elder has led, or has named the suit to be led."""
        return self.untaken.value == AFTER_THE_LEAD

    @property
    def shown_in_the_play(self) -> bool:
        """Whether elder may see in the play the cards that younger has looked at."""
        return self.after_the_lead or self.with_the_rest == LOOKS

    @property
    def names_a_suit(self) -> bool:
        """Whether the suit that elder names is remembered until the first lead."""
        return self.after_the_lead or self.named_suit.value == MUST_BE_LED

    @property
    def share(self) -> int:
        """Younger's share: the number of cards that a full exchange by elder leaves of a full stock."""
        return max(0, self.size - self.elder_most.value)

    def bounds(self, *, elder: bool) -> tuple[Rule[int], Rule[int] | Rule[str]]:
        """Return the minimum and maximum number of cards that a player exchanges: elder's a fixed range, younger's by
        the cards left."""
        return (self.elder_least, self.elder_most) if elder else (self.younger_least, self.younger_most)

    def correction(self, table: Table, seat: Seat) -> int:
        """Return how many more cards than are taken a player puts away, to correct the number of cards in the hand."""
        return table.referee.surplus[seat] if self.wrong_hand.value else 0

    def numbers(self, table: Table) -> tuple[int, int]:
        """Return the minimum and maximum number of cards that the player to act puts away at a table."""
        more, least = self.correction(table, table.turn), self.bounds(elder=table.turn == table.leader)[0].value
        least = max(least, more) if self.wrong_hand.value == LEAST_IS_PUT_AWAY else max(0, least + more)
        return least, self._most_taken(table) + more

    def _most_taken(self, table: Table) -> int:
        """Return the maximum number of cards that the player to act takes at a table."""
        left = len(table.stock)
        elders = min(self.elder_most.value, left - self.share * self._keeps_the_share(table))
        youngers = left - elders if is_asked(table) else left
        return elders if table.turn == table.leader else youngers

    def _keeps_the_share(self, table: Table) -> bool:
        """Whether elder must leave younger as many cards as usual, though the stock may be short."""
        if self.youngers_share.value != UNLESS_ANNOUNCED:
            return bool(self.youngers_share.value)
        return bool(self.correction(table, table.elder)) and not has_been_found(table, table.elder)


def read(cells: Cells) -> TalonRules:
    """Compile the cells of this chapter; raise Malformed if a player could not exchange the number of cards that it
    demands."""
    seats = cells.compiled(PlayerRules)
    rules = cells.compiled(
        TalonRules, size=len(pack(seats.packs.value)) - seats.number.value * deal.read(cells).hand_size
    )
    _sense_of_bounds(rules)
    if cells.compiled(BlankRules).asks_for_the_discard and not rules.elder_least.value:
        raise Malformed("elder must exchange a card if younger discards for elder's blank", *rules.elder_least.grounds)
    return rules


def _sense_of_bounds(rules: TalonRules) -> None:
    """Raise Malformed if a player must exchange more cards than are allowed, however many elder leaves."""
    least, most = rules.elder_least.value, min(rules.elder_most.value, rules.size)
    if least > most:
        where = rules.elder_least.grounds
        raise Malformed(f"elder must exchange {least} cards, and may exchange only {most}", *where)
    least, left = rules.younger_least.value, rules.share
    if least > left:
        where = rules.younger_least.grounds
        raise Malformed(f"younger must exchange {least} cards, and elder can leave only {left}", *where)


def discards_first(table: Table) -> bool:
    """Whether younger puts cards away before elder exchanges, for a blank that elder has announced (cell
    `blank.elder_shows`)."""
    asks = table.rules.of(BlankRules).asks_for_the_discard
    return asks and table.phase is Phase.EXCHANGE and table.blanks[table.leader] is not BlankState.UNSPOKEN


def is_asked(table: Table) -> bool:
    """Whether younger is now to put cards away, before elder exchanges."""
    return table.turn != table.leader and discards_first(table) and not table.discards[table.leader]


def is_before_elders(table: Table) -> bool:
    """Whether elder has not exchanged cards yet."""
    return table.phase is Phase.EXCHANGE and (table.turn == table.leader or is_asked(table))


def sense_of_discard(_table: Table, act: Discard) -> None:
    """Raise Malformed if a card is named twice, or the number of cards to be taken is negative."""
    if len(set(act.cards)) != len(act.cards):
        raise Malformed("a card is named twice")
    if act.takes is not None and act.takes < 0:
        raise Malformed(f"{act.takes} cards cannot be taken")


def refuse_discard(table: Table, act: Discard) -> Refusal | None:
    """Return why an exchange is refused, or None: elder exchanges, then younger, each as many cards as the table allows
    (cells `talon.*`)."""
    rules = table.rules.of(TalonRules)
    if table.phase is not Phase.EXCHANGE:
        return Refusal("not-now", rules.first.grounds)
    if act.by != table.turn:
        return Refusal("not-your-turn", rules.first.grounds)
    if not set(act.cards) <= {*table.hands[act.by], *table.discards[act.by]}:
        return Refusal("card-not-held", rules.drawn_from.grounds)
    return _refuse_number(table, rules, act)


def _refuse_number(table: Table, rules: TalonRules, act: Discard) -> Refusal | None:
    """Return why a number of cards is refused, or None: within the bounds, a player takes as many cards as are put
    away, or as correct the hand."""
    (least, most), why = rules.numbers(table), rules.bounds(elder=act.by == table.leader)
    more, taken = rules.correction(table, act.by), _taken(table, act)
    corrected = rules.wrong_hand.grounds if more else ()
    if taken > most - more:
        return Refusal("too-many-to-exchange", why[1].grounds + rules.youngers_share.grounds + corrected)
    if taken != len(act.cards) - more:
        code = "too-few-drawn" if taken < len(act.cards) - more else "too-many-drawn"
        return Refusal(code, rules.drawn_from.grounds + corrected)
    return Refusal("too-few-to-exchange", why[0].grounds + corrected) if len(act.cards) < least else None


def _taken(table: Table, act: Discard) -> int:
    """Return how many cards a player takes from the stock."""
    due = len(act.cards) - table.rules.of(TalonRules).correction(table, act.by)
    return due if act.takes is None else act.takes


def discard(table: Table, act: Discard) -> Iterator[Event]:
    """Yield the cards as put away and replaced from the top of the talon; those that the last player leaves may be
    exposed. Younger, if asked to discard first, draws when elder has exchanged as many cards as possible, and may
    otherwise put other cards away then."""
    rules, elder, younger = table.rules.of(TalonRules), table.leader, after(table.leader, table.players)
    least, most = rules.bounds(elder=act.by == elder)
    why = rules.first.grounds + rules.drawn_from.grounds + least.grounds + most.grounds
    taken, why = _taken(table, act), why + (rules.wrong_hand.grounds if rules.correction(table, act.by) else ())
    if is_before_elders(table) and len(table.stock) - taken < rules.share:
        why += rules.youngers_share.grounds
    if is_asked(table):
        yield Discarded(act.by, act.cards, (), why + table.rules.of(BlankRules).elder_shows.grounds)
        yield awaits(Phase.EXCHANGE, elder)
        return
    yield Discarded(act.by, act.cards, tuple(reversed(table.stock[len(table.stock) - taken :])), why)
    if taken != len(act.cards):
        yield miscount(table, act.by, taken - len(act.cards), why)
    if act.by == elder:
        yield awaits(Phase.EXCHANGE, younger)
        if discards_first(table) and taken == rules.elder_most.value:
            yield from discard(table, Discard(younger, tuple(table.discards[younger])))
    elif table.stock and rules.with_the_rest:
        yield from make_offer(THE_REST, table, act.by)
    else:
        if table.stock:
            yield RestLeft(rules.untaken.grounds)
        yield awaits(Phase.ANNOUNCE, table.leader)


def what_is_left(table: Table, act: Choose) -> Iterator[Event]:
    """Yield the fate of the cards that younger has not taken: exposed to both players, looked at by younger, or left
    face down."""
    why = table.rules.of(TalonRules).untaken.grounds
    if act.choice == EXPOSES:
        yield RestExposed(tuple(reversed(table.stock)), why)
    elif act.choice == LOOKS:
        yield Peeped(act.by, _what_younger_may_look_at(table), why)
    else:
        yield RestLeft(why)
    yield awaits(Phase.ANNOUNCE, table.leader)


THE_REST: Final = Offer(
    (EXPOSES, LOOKS, LEAVES),
    lambda table: table.rules.of(TalonRules).untaken.grounds,
    what_is_left,
    lambda table: (may, LEAVES) if table.is_dealt and (may := table.rules.of(TalonRules).with_the_rest) else (),
)


def _what_younger_may_look_at(table: Table) -> tuple[Card, ...]:
    """Return the cards left that younger may look at: all, or those below elder's full exchange."""
    rules = table.rules.of(TalonRules)
    below = rules.share if rules.untaken.value == "own-looked-at-or-left" else None
    return tuple(reversed(table.stock[:below]))


def _left_of_a_full_exchange(table: Table) -> tuple[Card, ...]:
    """Return the cards of elder's full exchange that elder has left and younger has not drawn."""
    return tuple(reversed(table.stock[table.rules.of(TalonRules).share :]))


def refuse_peep(table: Table, act: Peep) -> Refusal | None:
    """Return why a look at cards is refused, or None.

    After exchanging fewer cards than allowed, elder may look at those left, until younger takes some of them or has
    decided about them (cell `talon.peep`). Later, elder may look at the cards that younger has looked at (cell
    `talon.untaken`).
    """
    if table.phase is Phase.PLAY and table.rules.of(TalonRules).shown_in_the_play:
        return _refuse_to_be_shown(table, act)
    rule = table.rules.of(TalonRules).peep
    too_early = is_asked(table) or (table.turn == table.leader and table.phase is not Phase.ANNOUNCE)
    if table.phase not in _to_peep(table.rules.of(TalonRules)) or too_early or act.suit is not None:
        return Refusal("not-now", rule.grounds)
    if act.by != table.leader:
        return Refusal("not-your-turn", rule.grounds)
    left = set(_left_of_a_full_exchange(table))
    seen = rule.value == "nothing" or not left or left <= table.seen[act.by]
    return Refusal("nothing-to-peep-at", rule.grounds) if seen else None


def _refuse_to_be_shown(table: Table, act: Peep) -> Refusal | None:
    """Return why a player may not see the cards left in the play, or None: elder those that younger has looked at, only
    after leading to the first trick, or naming the suit to be led; perhaps younger only then, and before playing."""
    rules, by_elder = table.rules.of(TalonRules), act.by == table.elder
    why = rules.untaken.grounds
    if not by_elder and not rules.after_the_lead:
        return Refusal("not-your-turn", why)
    has_named = rules.after_the_lead and table.named_suit is not None
    has_led = bool(table.trick) or table.a_trick_is_won or has_named
    if has_led != (act.suit is None) or (not by_elder and (act.suit is not None or table.a_trick_is_won)):
        return Refusal("not-now", why)
    if act.suit is not None and act.suit not in _suits_that_may_be_named(table):
        return Refusal("card-not-held", why + rules.named_suit.grounds)
    return None if _to_be_seen(table, act) else Refusal("nothing-to-peep-at", why)


def _to_peep(rules: TalonRules) -> frozenset[Phase]:
    """Return the phases in which elder may look at the rest of a full exchange: in the exchange, and perhaps until
    younger has decided about the cards left."""
    later = Phase.ANNOUNCE if rules.after_the_lead else Phase.CHOOSE
    return frozenset({Phase.EXCHANGE, later} if rules.peep.value == WHILE_IT_IS_LEFT else {Phase.EXCHANGE})


def _suits_that_may_be_named(table: Table) -> Sequence[Suit]:
    """Return the suits that elder may name in place of a lead: those in the hand, or any (cell `talon.named_suit`)."""
    if table.rules.of(TalonRules).named_suit.value == NEED_NOT_BE_HELD:
        return tuple(map(Suit, range(len(SUITS))))
    return sorted({suit_of(card) for card in table.hands[table.elder]})


def is_bound(table: Table) -> bool:
    """Whether elder must lead the suit that elder has named."""
    return table.named_suit is not None and table.rules.of(TalonRules).named_suit.value == MUST_BE_LED


def _to_be_seen(table: Table, act: Peep) -> tuple[Card, ...]:
    """Return the cards left that a player who looks in the play has not seen, top card first: younger may see all of
    them, and elder those that younger has looked at, or may still look at once elder has named a suit."""
    own, theirs = table.seen[act.by], table.seen[after(table.elder, table.players)]
    every = table.rules.of(TalonRules).after_the_lead and (act.by != table.elder or act.suit is not None)
    return tuple(card for card in reversed(table.stock) if card not in own and (every or card in theirs))


def peep(table: Table, act: Peep) -> Iterator[Event]:
    """Yield the cards as seen by one player; elder may name a suit, and be bound to it. Perhaps younger looks only
    then."""
    rules = table.rules.of(TalonRules)
    if table.phase is not Phase.PLAY:
        yield Peeped(act.by, _left_of_a_full_exchange(table), rules.peep.grounds)
        return
    why = rules.untaken.grounds + (rules.named_suit.grounds if act.suit is not None else ())
    if act.suit is None or not rules.after_the_lead:
        yield Peeped(act.by, _to_be_seen(table, act), why)
    if act.suit is not None and rules.names_a_suit:
        yield SuitNamed(act.by, act.suit, why)


def open_discards(table: Table) -> Discards:
    """Return every exchange open to the player to act."""
    by = table.turn
    return Discards(by, (*table.hands[by], *table.discards[by]), *table.rules.of(TalonRules).numbers(table))


def open_peeps(table: Table) -> list[Peep]:
    """Return the looks at cards that may be open, with each suit that elder may name."""
    if table.phase is not Phase.PLAY:
        return [Peep(table.leader)]
    if not table.stock:
        return []
    return [
        *map(Peep, ring(table.elder, table.players)),
        *(Peep(table.elder, suit) for suit in _suits_that_may_be_named(table)),
    ]


def sees_discards(table: Table, _seat: Seat, discards: dict[str, list[str] | int]) -> dict[str, list[str] | int]:
    """Return the cards that a player has put away, if they may be looked at again, and the number for other players
    (cell `talon.discards`)."""
    if table.rules.of(TalonRules).discards_may_be_seen.value:
        return discards
    return {letter: pile if isinstance(pile, int) else len(pile) for letter, pile in discards.items()}


def sense(table: Table) -> None:
    """Raise Malformed if the number of cards put away differs from that drawn, or elder does not exchange and lead
    first."""
    if not table.is_dealt:
        return
    rules, elder, younger = table.rules.of(TalonRules), table.elder, after(table.elder, table.players)
    if table.phase is Phase.EXCHANGE:
        _sense_of_exchange(table, len(table.discards[elder]), len(table.discards[younger]))
    away = sum(map(len, table.discards)) + len(table.stock) - table.put_away(younger) + sum(table.referee.surplus)
    if away != rules.size:
        raise Malformed(f"the discards and the stock must hold {rules.size} cards together, not {away}")
    if table.leader == table.dealer and not table.a_trick_is_won and not table.referee.errors:
        raise Malformed("elder leads to the first trick, and is not the dealer")
    if table.phase is not Phase.PLAY and table.trick:
        raise Malformed("no card is played before the calling is over")
    least, most, number = rules.elder_least.value, rules.elder_most.value, len(table.discards[elder])
    if not is_before_elders(table) and not rules.wrong_hand.value and not least <= number <= most:
        raise Malformed(f"elder discards {least} to {most} cards, not {number}")


def _sense_of_exchange(table: Table, elder: int, younger: int) -> None:
    """Raise Malformed if the players cannot have put away these numbers of cards, younger without drawing others."""
    rules, least, most = table.rules.of(TalonRules), 0, 0
    if table.turn == table.leader and elder:
        raise Malformed("before elder exchanges nobody has put cards away")
    if discards_first(table) and not is_asked(table):
        more = rules.correction(table, after(table.leader, table.players))
        least, most = max(0, rules.younger_least.value + more), rules.share + more
    if not least <= younger <= most:
        raise Malformed(f"before drawing younger puts away {least} to {most} cards, not {younger}")


_EXCHANGE = during(Phase.EXCHANGE)


def _while_there_is_something_to_see(rules: TalonRules) -> frozenset[Phase]:
    """Return the phases in which elder may look at the rest of a full exchange, including the play if elder may then
    ask to see cards."""
    return _to_peep(rules) | ({Phase.PLAY} if rules.shown_in_the_play else set())


CHAPTER: Chapter = Chapter(
    "talon",
    read,
    (
        Move(Discard, refuse_discard, discard, _EXCHANGE, open_discards, exact=True, sense=sense_of_discard),
        Move(Peep, refuse_peep, peep, _while_there_is_something_to_see, open_peeps),
    ),
    offers=(THE_REST,),
    phases=frozenset({Phase.EXCHANGE, Phase.ANNOUNCE}),
    opens=Phase.EXCHANGE,
    fields=lambda rules: (
        *("deals", "deals_left", "packets", "discards", "seen"),
        *(("named_suit",) if rules.names_a_suit else ()),
    ),
    sees=(("discards", sees_discards),),
    sight=lambda rules: rules.discards_may_be_seen.grounds,
    sense=sense,
)
