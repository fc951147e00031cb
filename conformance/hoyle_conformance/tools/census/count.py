"""Counting: the whole census of a ruleset with its options, found anew, and written down as a file of the spec."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, groupby
from typing import Any, Final

from hoyle_conformance.checks.preludes.verify import beside, other_readings
from hoyle_conformance.suite.model import Census, CensusGame, CensusTable
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.census.play import written
from hoyle_conformance.tools.census.search import found

#: So many games are played by each table, and no number above that of the most is tried.
GAMES: Final = 10
MOST: Final = 40

_HEAD: Final = """\
# yaml-language-server: $schema=../schemas/census.schema.json
# Made by 'hoyle suite census --write', all but confirmed_by: the example adapters that agree on every act.
"""


def tables_of(suite: Suite, ruleset: str) -> list[str]:
    """A ruleset, and it with each of its options."""
    return [ruleset, *(f"{ruleset}+{option}" for option in suite.options(ruleset))]


def counted(suite: Suite, ruleset: str) -> CensusTable:
    """The games of a table, found anew; those that were there and are the same stay confirmed.

    If the readings part in every deal of the first game, all games end where they do.
    """
    rules = suite.rules(ruleset)
    others = [suite.rules(ruleset, {path: reading}) for path, reading in other_readings(suite, ruleset)]
    games: list[CensusGame] = []
    to_dispute = found(rules, others, 1) is None
    for number in range(1, MOST + 1):
        course = found(rules, others, number, to_dispute=to_dispute)
        games += [written(course)] if course else []
        if len(games) == GAMES:
            break
    before = known(suite, ruleset)
    stays = before is not None and before.games == tuple(games)
    return CensusTable(ruleset, before.confirmed_by if before and stays else (), beside(suite, ruleset), tuple(games))


def with_house_games(suite: Suite) -> Suite:
    """A suite with the games of the house rules that are joined to it, if there are any, played here and now."""
    if suite.house is None:
        return suite
    ruleset = suite.house.ruleset
    return suite.with_games(Census(ruleset.id, (counted(suite, ruleset.id),), ruleset.document))


def known(suite: Suite, ruleset: str) -> CensusTable | None:
    """The games of a table that are in the suite."""
    census = suite.censuses.get(ruleset.partition("+")[0])
    return next((table for table in census.tables if table.ruleset == ruleset), None) if census else None


def text(ruleset: str, tables: Iterable[CensusTable]) -> str:
    """The file of a census."""
    return "".join([_HEAD, f"id: {ruleset}\ntables:\n", *(line for table in tables for line in _table(table))])


def _table(table: CensusTable) -> Iterator[str]:
    yield f"  - ruleset: {table.ruleset}\n"
    yield f"    confirmed_by: {_row(table.confirmed_by)}\n"
    if table.beside:
        yield "    beside:\n"
        yield from (f"      - {reading}\n" for reading in table.beside)
    else:
        yield "    beside: []\n"
    yield "    games:\n"
    for game in table.games:
        yield from _game(game)


def _game(game: CensusGame) -> Iterator[str]:
    yield (
        f"      - {{game: {game.game}, begins: {game.begins}, deals: {game.deals}, acts: {game.acts}, "
        f"ends: {game.ends}, score: {_pairs(game.score)}, legal_acts: {game.legal_acts}, "
    )
    more = {
        "passed_over": _pairs(game.passed_over) if game.passed_over else "",
        "uncounted": f'"{_numbers(game.uncounted)}"' if game.uncounted else "",
        "left_open": _row(game.left_open) if game.left_open else "",
    }
    told = ", ".join(f"{key}: {value}" for key, value in more.items() if value)
    yield f'digest: "{game.digest}"' + (f",\n         {told}" if told else "") + "}\n"


def _row(words: Sequence[str]) -> str:
    return f"[{', '.join(words)}]"


def _pairs(pairs: Mapping[Any, int]) -> str:
    return f"{{{', '.join(f'{key}: {value}' for key, value in pairs.items())}}}"


def _numbers(numbers: Sequence[int]) -> str:
    """Numbers as a list in words, such as ``7 12-15 20``."""
    runs = [[number for number, _ in run] for _, run in groupby(zip(numbers, count()), lambda pair: pair[0] - pair[1])]
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
