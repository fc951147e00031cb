"""Searching: games in which nothing disputed decides, played under all readings of the table side by side.

An act is taken only if it is legal, and comes to the same, however a disputed cell is read; the next choice of chance
is tried where it does not. Where none is left the deal is begun again with the next deck. A game may end where one
reading ends it, and where the readings of a table part in every deal, at the first act at which they must: then only
what all have alike is compared after the last act.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from hoyle_conformance.checks.setup.trace import legal_acts
from hoyle_conformance.tools.census.observe import look_alike, parted
from hoyle_conformance.tools.census.play import CensusPlay, begun
from hoyle_reference import Game, Malformed, Phase, Refusal, Rules, Table
from hoyle_reference.events.event import Event
from hoyle_reference.table.acts import Act, Deal
from hoyle_reference.table.cards import rank_of, read_rank

#: Every third game goes on to its end, or until a deal is over after so many acts; the others not so far.
LONG: Final = 800
SHORT: Final = 300
EVERY: Final = 3
LEAST_DEALS: Final = 2
#: So many choices are tried before a game is held to have come to where the readings part, and so many decks.
_CHOICES: Final = range(64)
_DECKS: Final = range(40)
#: The chapters by which a hand without court cards scores; so many decks are looked at for one, and so many tried.
_BLANKS: Final = frozenset({"blank", "carte_blanche"})
_COURTS: Final = frozenset(map(read_rank, "JQK"))
_MOST_FOR_A_BLANK: Final = 3000
_BLANKS_TRIED: Final = 3


class _After(NamedTuple):
    """A table after an act, and what happened."""

    table: Table
    events: list[Event]


def found(rules: Rules, others: Sequence[Rules], number: int, *, to_dispute: bool = False) -> CensusPlay | None:
    """The game of a number, played so that nothing disputed decides; nothing where that cannot be.

    It begins with the cut, unless the readings part there. With `to_dispute` it ends with the first act at which they
    must part.
    """
    for with_the_cut in (True, False):
        course = begun(rules, number, with_the_cut=with_the_cut)
        beside = [begun(other, number, with_the_cut=with_the_cut).game for other in others]
        search = _Search(course, beside, to_dispute)
        if search.play():
            return course
    return None


@dataclass(slots=True)
class _Search:
    """A game under the table's own readings, and beside it the same game under every other."""

    course: CensusPlay
    beside: list[Game]
    to_dispute: bool
    over: bool = False

    def play(self) -> bool:
        """Play the game to its end; whether that can be."""
        while not (self.over or self._is_long_enough()):
            if not (self._deal_and_play() if self.course.at_a_deal else self._step(_CHOICES)):
                return False
        return True

    def _is_long_enough(self) -> bool:
        enough = LONG if self.course.number % EVERY == 1 else SHORT
        return self.course.at_a_deal and self.course.deals >= LEAST_DEALS and len(self.course.steps) >= enough

    def _deal_and_play(self) -> bool:
        """Play a deal, of the first deck with which that can be."""
        course, tables = self.course, [game.table.copy() for game in (self.course.game, *self.beside)]
        steps, uncounted, mark = len(course.steps), len(course.uncounted), (course.deals, course.decks)
        for deck in self._decks():
            if self._step([deck]) and self._to_the_end_of_the_deal():
                return True
            del course.steps[steps:], course.uncounted[uncounted:]
            course.passed_over = {at: count for at, count in course.passed_over.items() if at <= steps}
            course.deals, course.decks = mark
            self._are_now([table.copy() for table in tables])
        return False

    def _decks(self) -> Iterator[int]:
        """How many decks to pass over, one try after the other: in every third game first those of which somebody is
        dealt no court card, where that scores."""
        course = self.course
        if (
            course.number % EVERY == EVERY - 1
            and not course.deals
            and not _BLANKS.isdisjoint(course.game.rules.chapters)
        ):
            blank = (deck for deck in range(_MOST_FOR_A_BLANK) if self._deals_a_blank(deck))
            yield from islice(blank, _BLANKS_TRIED)
        yield from _DECKS

    def _deals_a_blank(self, deck: int) -> bool:
        dealt, act = Game(self.course.game.table.copy()), self.course.choose(deck)
        assert act is not None, "there is always another deck"
        dealt.apply(act)
        return any(not any(rank_of(card) in _COURTS for card in hand) for hand in dealt.table.hands)

    def _to_the_end_of_the_deal(self) -> bool:
        while not (self.over or self.course.at_a_deal):
            if not self._step(_CHOICES):
                return False
        return True

    def _are_now(self, tables: Sequence[Table]) -> None:
        for game, table in zip((self.course.game, *self.beside), tables, strict=True):
            game.table = table

    def _step(self, counts: Iterable[int]) -> bool:
        """Take the first act that comes to the same under all readings; or if there is none, the first by which one of
        them has the game end, or which a game to the first dispute may end with."""
        last: tuple[Act, int, list[_After]] | None = None
        for count in counts:
            act = self.course.choose(count)
            after = act and _after(act, (self.course.game, *self.beside))
            if not act or not after:
                continue
            if all(look_alike(*after[0], *each) for each in after[1:]):
                self._take(act, count, after)
                return True
            ends_it = self.to_dispute and not isinstance(act, Deal)
            if last is None and (ends_it or any(each.table.phase is Phase.OVER for each in after)):
                last = act, count, after
        if last is not None:
            self._take_the_last(*last)
        return last is not None

    def _take(self, act: Act, count: int, after: list[_After]) -> None:
        self._are_now([each.table for each in after])
        own, *others = (legal_acts(each.table) for each in after)
        parts = [] if others.count(own) == len(others) else ["legal_acts"]
        self.course.take(act, after[0].events, count, parts)
        self.course.uncounted += [len(self.course.steps)] if parts else []
        self.over = self.course.game.is_over

    def _take_the_last(self, act: Act, count: int, after: list[_After]) -> None:
        parts = set().union(*(parted(*after[0], *each) for each in after[1:]))
        self._are_now([each.table for each in after])
        self.course.left_open, self.over = tuple(sorted(parts)), True
        self.course.take(act, after[0].events, count, parts)


def _after(act: Act, games: Iterable[Game]) -> list[_After]:
    """The table of each game after an act, and what happened; none where one refuses it. The games stay as they are."""
    after = []
    for game in games:
        table = game.table.copy()
        try:
            events = Game(table).attempt(act)
        except Malformed:  # what one reading knows may make no sense in another
            return []
        if isinstance(events, Refusal):
            return []
        after.append(_After(table, events))
    return after
