"""Play the games of the census again, and write them into spec/census.

No disputed reading decides in them: each is played under all readings side by side.

An act is taken only if it is legal and has the same result under every reading; otherwise the next choice is tried. If
no choice is left, the deal begins again with the next deck. A game may end where one reading ends it. If the readings
of a table differ in every deal, it ends at the first act where they must; then only what all readings have in common is
compared after the last act.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.checks.preludes.follow import beside, other_readings
from hoyle_conformance.checks.setup.trace import legal_acts
from hoyle_conformance.suite.model import CensusGame, CensusTable
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census import CensusPlay, census_game, observe, start_game, stored_table, tables_of
from hoyle_reference import Game, Malformed, Phase, Refusal, Rules, Table
from hoyle_reference.acts import Act, Deal
from hoyle_reference.cards import rank_of, read_rank
from hoyle_reference.events import Event, TrickWon

#: The number of games of each table, and the highest number of a game that is tried.
GAMES: Final = 10
HIGHEST_NUMBER: Final = 40
SPEC: Final = Path(__file__).parent.parent / "spec"
_HEAD: Final = """\
# yaml-language-server: $schema=../schemas/census.schema.json
# Made by 'make census', all but confirmed_by: the example adapters that agree on every act.
"""
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
#: The fields that must be equal for two tables to look alike, besides the number of cards left.
_SAME_FIELDS: Final = (
    "phase",
    "turn",
    "score",
    "dealer",
    "game_won_by",
    "settled",
    "hands",
    "trumps",
    "turn_up",
)


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
            if all(_look_alike(*after[0], *each) for each in after[1:]):
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
        parts = set().union(*(_differing_keys(*after[0], *each) for each in after[1:]))
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


def _differing_keys(table: Table, events: Sequence[Event], other: Table, others: Sequence[Event]) -> set[str]:
    """Return the keys observed in the one game that differ in the other, or are not observed there."""
    own, theirs = observe(table, events), observe(other, others)
    return {key for key in own if key not in theirs or own[key] != theirs[key]}


def _look_alike(table: Table, events: Sequence[Event], other: Table, others: Sequence[Event]) -> bool:
    """Whether two games look the same to an observer, except for the number of open acts."""
    return (
        all(getattr(table, name) == getattr(other, name) for name in _SAME_FIELDS)
        and (table.shown == other.shown or not table.drawing)
        and len(table.stock) + len(table.referee.undrawn) == len(other.stock) + len(other.referee.undrawn)
        and _trick_winner(events) == _trick_winner(others)
    )


def _trick_winner(events: Sequence[Event]) -> int | None:
    """Return who has won a trick in these events; None if nobody has."""
    return next((event.seat for event in events if isinstance(event, TrickWon)), None)


def count_table(suite: Suite, ruleset: str, most: int = GAMES) -> CensusTable:
    """Return so many games of a table, played anew; games that have not changed stay confirmed.

    If the readings differ in every deal of the first game, all games end where they differ.
    """
    rules = suite.rules.of(ruleset)
    others = [suite.rules.of(ruleset, {path: reading}) for path, reading in other_readings(suite, ruleset)]
    games: list[CensusGame] = []
    to_dispute = search_game(rules, others, 1) is None
    for number in range(1, HIGHEST_NUMBER + 1):
        play = search_game(rules, others, number, to_dispute=to_dispute)
        games += [census_game(play)] if play else []
        if len(games) == most:
            break
    before = stored_table(suite, ruleset)
    is_same = before is not None and before.games == tuple(games)
    return CensusTable(ruleset, before.confirmed_by if before and is_same else (), beside(suite, ruleset), tuple(games))


def census_text(ruleset: str, tables: Iterable[CensusTable]) -> str:
    """Return the text of a census file."""
    return "".join([_HEAD, f"id: {ruleset}\ntables:\n", *(line for table in tables for line in _table_lines(table))])


def _table_lines(table: CensusTable) -> Iterator[str]:
    yield f"  - ruleset: {table.ruleset}\n"
    yield f"    confirmed_by: {_flow_list(table.confirmed_by)}\n"
    if table.beside:
        yield "    beside:\n"
        yield from (f"      - {reading}\n" for reading in table.beside)
    else:
        yield "    beside: []\n"
    yield "    games:\n"
    for game in table.games:
        yield from _game_lines(game)


def _game_lines(game: CensusGame) -> Iterator[str]:
    yield (
        f"      - {{game: {game.game}, begins: {game.begins}, deals: {game.deals}, acts: {game.acts}, "
        f"ends: {game.ends}, score: {_flow_map(game.score)}, legal_acts: {game.legal_acts}, "
    )
    more = {
        "passed_over": _flow_map(game.passed_over) if game.passed_over else "",
        "uncounted": f'"{_ranges(game.uncounted)}"' if game.uncounted else "",
        "left_open": _flow_list(game.left_open) if game.left_open else "",
    }
    optional = ", ".join(f"{key}: {value}" for key, value in more.items() if value)
    yield f'digest: "{game.digest}"' + (f",\n         {optional}" if optional else "") + "}\n"


def _flow_list(words: Sequence[str]) -> str:
    return f"[{', '.join(words)}]"


def _flow_map(pairs: Mapping[Any, int]) -> str:
    return f"{{{', '.join(f'{key}: {value}' for key, value in pairs.items())}}}"


def _ranges(numbers: Sequence[int]) -> str:
    """Return numbers as a list of ranges, such as ``7 12-15 20``."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def write(spec: Path, rulesets: Sequence[str] = (), games: int = GAMES) -> Iterator[str]:
    """Write so many games of these rulesets and their options, by default of all; yield what has happened."""
    suite = load_suite(spec, positions=False)
    for ruleset in rulesets or suite.rulesets:
        tables = [count_table(suite, name, games) for name in tables_of(suite, ruleset)]
        path = suite.root / "census" / f"{ruleset}.census.yaml"
        path.write_text(census_text(ruleset, tables), "utf-8", newline="\n")
        yield f"Wrote {suite.shown(path)}."
        for table in tables:
            before = stored_table(suite, table.ruleset)
            lost = set(before.confirmed_by if before else ()).difference(table.confirmed_by)
            if lost:
                yield f"  {table.ruleset} is no longer confirmed by {', '.join(sorted(lost))}: play it again."


def main() -> None:
    """Play the games of rulesets again, by default of all, and write them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="a ruleset; by default, all")
    for line in write(SPEC, parser.parse_args().rulesets):
        print(line, flush=True)


if __name__ == "__main__":
    main()
