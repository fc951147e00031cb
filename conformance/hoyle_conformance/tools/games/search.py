"""The search for games in which no disputed reading decides: each is played under all readings side by side.

An act is taken only if it is legal and has the same result under every reading; otherwise the next choice is tried. If
no choice is left, the deal begins again with the next deck. A game may end where one reading ends it. If the readings
of a table differ in every deal, it ends at the first act where they must; then only what all readings have in common is
compared after the last act.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from hoyle_conformance.checks.setup.trace import legal_acts
from hoyle_conformance.tools.games.census_game import CensusPlay, differing_keys, look_alike, start_game
from hoyle_reference import Game, Malformed, Phase, Refusal, Rules, Table
from hoyle_reference.events.event import Event
from hoyle_reference.table.acts import Act, Deal
from hoyle_reference.table.cards import rank_of, read_rank

#: The number of acts after which a game may end with a deal: LONG_GAME for every third game, SHORT_GAME for the others.
LONG_GAME: Final = 800
SHORT_GAME: Final = 300
LONG_GAME_EVERY: Final = 3
LEAST_DEALS: Final = 2
#: How many choices, and how many decks, are tried before the readings are held to differ.
_CHOICES: Final = range(64)
_DECKS: Final = range(40)
#: The chapters by which a hand without court cards scores; how many decks are searched for one, and how many tried.
_BLANKS: Final = frozenset({"blank", "carte_blanche"})
_COURTS: Final = frozenset(map(read_rank, "JQK"))
_DECKS_SEARCHED_FOR_A_BLANK: Final = 3000
_BLANKS_TRIED: Final = 3


class _After(NamedTuple):
    """A table after an act, and the events."""

    table: Table
    events: list[Event]


def search_game(rules: Rules, others: Sequence[Rules], number: int, *, to_dispute: bool = False) -> CensusPlay | None:
    """Return the game of a number, played so that no disputed reading decides; None if there is none.

    The game begins with the cut, unless the readings differ there. With `to_dispute` it ends with the first act at
    which they must differ.
    """
    for with_the_cut in (True, False):
        own = start_game(rules, number, with_the_cut=with_the_cut)
        beside = [start_game(other, number, with_the_cut=with_the_cut).game for other in others]
        search = _Search(own, beside, to_dispute)
        if search.play():
            return own
    return None


@dataclass(slots=True)
class _Search:
    """A game under the table's own readings, and the same game under every other reading."""

    own: CensusPlay
    beside: list[Game]
    to_dispute: bool
    over: bool = False

    def play(self) -> bool:
        """Play the game to its end, and return whether that is possible."""
        while not (self.over or self._is_long_enough()):
            if not (self._deal_and_play() if self.own.at_a_deal else self._step(_CHOICES)):
                return False
        return True

    def _is_long_enough(self) -> bool:
        enough = LONG_GAME if self.own.number % LONG_GAME_EVERY == 1 else SHORT_GAME
        return self.own.at_a_deal and self.own.deals >= LEAST_DEALS and len(self.own.steps) >= enough

    def _deal_and_play(self) -> bool:
        """Play a deal with the first possible deck, and return whether there is one."""
        own, tables = self.own, [game.table.copy() for game in (self.own.game, *self.beside)]
        steps, uncounted, mark = len(own.steps), len(own.uncounted), (own.deals, own.decks)
        for deck in self._decks():
            if self._step([deck]) and self._finish_deal():
                return True
            del own.steps[steps:], own.uncounted[uncounted:]
            own.passed_over = {at: count for at, count in own.passed_over.items() if at <= steps}
            own.deals, own.decks = mark
            self._set_tables([table.copy() for table in tables])
        return False

    def _decks(self) -> Iterator[int]:
        """Yield how many decks to pass over, one try after the other: in every third game first decks that deal a
        hand without court cards, if that scores."""
        own = self.own
        if (
            own.number % LONG_GAME_EVERY == LONG_GAME_EVERY - 1
            and not own.deals
            and not _BLANKS.isdisjoint(own.game.rules.chapters)
        ):
            blank = (deck for deck in range(_DECKS_SEARCHED_FOR_A_BLANK) if self._deals_a_blank(deck))
            yield from islice(blank, _BLANKS_TRIED)
        yield from _DECKS

    def _deals_a_blank(self, deck: int) -> bool:
        dealt, act = Game(self.own.game.table.copy()), self.own.choose(deck)
        assert act is not None, "there is always another deck"
        dealt.apply(act)
        return any(not any(rank_of(card) in _COURTS for card in hand) for hand in dealt.table.hands)

    def _finish_deal(self) -> bool:
        """Play the deal to its end, and return whether that is possible."""
        while not (self.over or self.own.at_a_deal):
            if not self._step(_CHOICES):
                return False
        return True

    def _set_tables(self, tables: Sequence[Table]) -> None:
        for game, table in zip((self.own.game, *self.beside), tables, strict=True):
            game.table = table

    def _step(self, counts: Iterable[int]) -> bool:
        """Take the first act with the same result under all readings; else the first act with which a reading ends
        the game, or with which a game to the first dispute may end. Return whether there is one."""
        last: tuple[Act, int, list[_After]] | None = None
        for count in counts:
            act = self.own.choose(count)
            after = act and _after(act, (self.own.game, *self.beside))
            if not act or not after:
                continue
            if all(look_alike(*after[0], *each) for each in after[1:]):
                self._take(act, count, after)
                return True
            ends_it = self.to_dispute and not isinstance(act, Deal)
            if last is None and (ends_it or any(each.table.phase is Phase.OVER for each in after)):
                last = act, count, after
        if last is not None:
            self._take_last(*last)
        return last is not None

    def _take(self, act: Act, count: int, after: list[_After]) -> None:
        self._set_tables([each.table for each in after])
        own, *others = (legal_acts(each.table) for each in after)
        parts = [] if others.count(own) == len(others) else ["legal_acts"]
        self.own.record(act, after[0].events, count, parts)
        self.own.uncounted += [len(self.own.steps)] if parts else []
        self.over = self.own.game.is_over

    def _take_last(self, act: Act, count: int, after: list[_After]) -> None:
        parts = set().union(*(differing_keys(*after[0], *each) for each in after[1:]))
        self._set_tables([each.table for each in after])
        self.own.left_open, self.over = tuple(sorted(parts)), True
        self.own.record(act, after[0].events, count, parts)


def _after(act: Act, games: Iterable[Game]) -> list[_After]:
    """Return the table of each game after an act, and the events; an empty list if a game refuses it. The games
    themselves do not change."""
    after = []
    for game in games:
        table = game.table.copy()
        try:
            events = Game(table).attempt(act)
        except Malformed:  # an act of one reading may make no sense in another
            return []
        if isinstance(events, Refusal):
            return []
        after.append(_After(table, events))
    return after
