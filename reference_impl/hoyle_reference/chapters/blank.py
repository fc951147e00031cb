"""A hand dealt without a face card (carte blanche), announced before it is exchanged and proved by being shown.

Implements SEMANTICS-PIQUET.md, blank-1 to blank-5.
"""

from collections.abc import Iterator

from ..acts import BLANK, WITH_THE_REST, Announce, Prove
from ..cards import rank_of
from ..cells import Rule, cell, equals, number, word
from ..events import Event, Scored, awaits
from ..events.combinations import BlankAnnounced, BlankShown
from ..frozen import frozen
from ..refusals import Grounds, Malformed, Refusal
from ..seats import Seat, after, ring
from ..table.states import BlankState, Called, Cause, Phase
from ..table.table import Table
from .carte_blanche import ranks
from .chapter import Chapter, Move


@frozen
class BlankRules:
    """The score of a blank (points), the ranks it may not hold, and whether younger may announce it after elder's
    exchange.

    The other rules decide when it is shown: only after the other's exchange, by younger until the first call, by elder
    before that call.
    """

    points: Rule[int] = cell("blank.points", number)
    without: Rule[frozenset[int]] = cell("blank.without", ranks)
    younger_announces_later: Rule[bool] = cell("blank.announced", equals("before-the-own-exchange"))
    elder_shows: Rule[str] = cell("blank.elder_shows", word)
    younger_shows: Rule[str] = cell("blank.younger_shows", word)
    bars_the_call: Rule[bool] = cell("blank.unshown_at_the_first_call", equals("bars-the-call"), otherwise=False)

    @property
    def asks_for_the_discard(self) -> bool:
        """Whether younger puts cards away when elder has announced a blank, before elder shows it."""
        return self.elder_shows.value == "after-youngers-discard"

    @property
    def elder_shows_late(self) -> bool:
        """Whether elder shows a blank after exchanging cards."""
        return self.elder_shows.value == "after-youngers-exchange"

    @property
    def younger_shows_late(self) -> bool:
        """Whether younger may show a blank after exchanging cards."""
        return self.younger_shows.value == "until-the-first-call"

    @property
    def shown_after_the_own_exchange(self) -> bool:
        """Whether a player may show the cards of a blank after exchanging some of them."""
        return self.elder_shows_late or self.younger_shows_late

    def waits(self, *, elder: bool) -> Rule[bool]:
        """Return the rule whether a player shows a blank only after the other's exchange."""
        shows = self.elder_shows if elder else self.younger_shows
        return Rule(shows.value != "at-once", shows.grounds)


def refuse_announce(table: Table, act: Announce) -> Refusal | None:
    """Return why a blank may not be announced, or None: once, before any card is exchanged, or by younger before
    younger's exchange (cells `blank.*`)."""
    rules = table.rules.of(BlankRules)
    before_any = table.phase is Phase.EXCHANGE and table.turn == table.leader
    before_the_own = table.phase is Phase.EXCHANGE and act.by == table.turn and rules.younger_announces_later.value
    if not before_any and not before_the_own:
        return Refusal("not-now", rules.younger_announces_later.grounds)
    court = any(rank_of(card) in rules.without.value for card in (*table.hands[act.by], *table.discards[act.by]))
    if court or table.referee.surplus[act.by] < 0:
        return Refusal("not-a-blank", rules.without.grounds)
    unspoken = table.blanks[act.by] is BlankState.UNSPOKEN
    return None if unspoken else Refusal("blank-was-announced", rules.points.grounds)


def announce(table: Table, act: Announce) -> Iterator[Event]:
    """Yield the blank as shown and scored at once; or as announced, with its cards, if its player must
    wait to show it."""
    rules, elder = table.rules.of(BlankRules), act.by == table.leader
    why = rules.younger_announces_later.grounds + rules.without.grounds
    if rules.waits(elder=elder).value:
        kept = rules.elder_shows_late if elder else rules.younger_shows_late
        asks = elder and rules.asks_for_the_discard
        why += rules.waits(elder=elder).grounds if asks else ()
        yield BlankAnnounced(act.by, tuple(sorted(table.hands[act.by])) if kept else (), why)
        if asks:
            yield awaits(Phase.EXCHANGE, after(act.by, table.players))
    else:
        yield from _shown(table, act.by, why)


def refuse_prove(table: Table, act: Prove) -> Refusal | None:
    """Return why an announced blank may not be shown, or None: younger shows it after elder's exchange, before
    exchanging or until the first call; elder, who waits, after younger's discard and before exchanging, or after
    younger's exchange and before the first call (cells `blank.younger_shows`, `blank.elder_shows`)."""
    rules, elder = table.rules.of(BlankRules), act.by == table.leader
    may_show = not elder or rules.asks_for_the_discard
    before_exchanging = may_show and table.phase is Phase.EXCHANGE and act.by == table.turn
    shows_late = rules.elder_shows_late if elder else rules.younger_shows_late
    # Younger has also put cards away, and may still have to decide about the cards that are left.
    both_have_exchanged = table.phase is Phase.ANNOUNCE or not WITH_THE_REST.isdisjoint(table.choices)
    before_the_first_call = shows_late and both_have_exchanged and _nothing_is_called(table)
    if not before_exchanging and not before_the_first_call:
        return Refusal("not-now", rules.waits(elder=elder).grounds)
    announced = table.blanks[act.by] is BlankState.ANNOUNCED
    return None if announced else Refusal("blank-not-announced", rules.younger_announces_later.grounds)


def _nothing_is_called(table: Table) -> bool:
    """Whether elder has not made the first call yet."""
    return table.called == Called() and not (table.phase is Phase.ANNOUNCE and table.turn != table.leader)


def refuse_first_call(table: Table, seat: Seat) -> Refusal | None:
    """Return why elder may not call yet, or None: perhaps an announced blank is to be shown first (cell
    `blank.unshown_at_the_first_call`)."""
    rules = table.rules.of(BlankRules)
    waits = _may_still_be_shown(table, seat) and rules.bars_the_call.value
    return Refusal("blank-not-shown", rules.bars_the_call.grounds) if waits else None


def why_lost(table: Table, seat: Seat) -> Grounds:
    """Return why elder now loses a blank by calling before it is shown, if so."""
    return table.rules.of(BlankRules).bars_the_call.grounds if _may_still_be_shown(table, seat) else ()


def _may_still_be_shown(table: Table, seat: Seat) -> bool:
    """Whether elder has announced a blank, and has neither shown it nor called."""
    waits = table.rules.of(BlankRules).elder_shows_late
    return waits and table.blanks[seat] is BlankState.ANNOUNCED and _nothing_is_called(table)


def prove(table: Table, act: Prove) -> Iterator[Event]:
    """Yield the hand as shown, and its score."""
    return _shown(table, act.by, ())


def _shown(table: Table, seat: Seat, grounds: Grounds) -> Iterator[Event]:
    rules = table.rules.of(BlankRules)
    cards = table.to_show[seat] or table.hands[seat]
    yield BlankShown(seat, tuple(sorted(cards)), grounds + rules.waits(elder=seat == table.leader).grounds)
    yield Scored(seat, rules.points.value, BLANK, rules.points.grounds, Cause.BLANK)


def open_announcements(table: Table) -> list[Announce]:
    """Return the announcement of a blank, for each player who holds one."""
    return [Announce(seat, BLANK) for seat in ring(table.leader, table.players)]


def open_proofs(table: Table) -> list[Prove]:
    """Return the act of showing the blank that was announced."""
    return [Prove(seat) for seat in ring(table.leader, table.players)]


def sense(table: Table) -> None:
    """Raise Malformed if the state of a blank is impossible in a game with announced blanks."""
    for blank, cards in zip(table.blanks, table.to_show, strict=True):
        if blank in {BlankState.DRAWN, BlankState.OVER}:
            raise Malformed(f"a blank is unspoken, announced, scored, not {str(blank)!r}")
        if cards and blank is not BlankState.ANNOUNCED:
            raise Malformed("'to_show' holds the cards of a blank that has been announced")
        if cards and not _nothing_is_called(table):
            raise Malformed("'to_show' holds no cards once elder has called")


def _while_one_may_be_shown(rules: BlankRules) -> frozenset[Phase]:
    """Return the phases of the exchange, and before the first call if a player may wait until then."""
    late = {Phase.CHOOSE, Phase.ANNOUNCE} if rules.shown_after_the_own_exchange else set()
    return frozenset({Phase.EXCHANGE, *late})


CHAPTER: Chapter = Chapter(
    "blank",
    lambda cells: cells.compiled(BlankRules),
    (Move(Prove, refuse_prove, prove, _while_one_may_be_shown, open_proofs),),
    fields=lambda rules: ("blanks", "to_show") if rules.shown_after_the_own_exchange else ("blanks",),
    sense=sense,
)
