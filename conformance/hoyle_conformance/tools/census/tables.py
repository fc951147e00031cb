"""The census tables of the suite: count the games of a ruleset with its options, write them, and verify what is
written.

Verifying replays the games under the table's own readings. Counting and the tests show that no disputed reading decides
in them, which takes ten times as long.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from itertools import count, groupby
from typing import Any, Final

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.preludes.verify import beside, other_readings
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.reports.progress import counted
from hoyle_conformance.suite.lint.ids import named_after_id
from hoyle_conformance.suite.model import Census, CensusGame, CensusTable
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.census.play import CannotReplay, census_game, replay
from hoyle_conformance.tools.census.search import search_game

#: The number of games of each table, and the highest number of a game that is tried.
GAMES: Final = 10
HIGHEST_NUMBER: Final = 40

_HEAD: Final = """\
# yaml-language-server: $schema=../schemas/census.schema.json
# Made by 'hoyle suite census --write', all but confirmed_by: the example adapters that agree on every act.
"""
_REMEDY = "Run 'hoyle suite census --write -r {}' to write it again; 'git diff' then shows what has changed."


def tables_of(suite: Suite, ruleset: str) -> list[str]:
    """Return a ruleset and its variants with one option each."""
    return [ruleset, *(f"{ruleset}+{option}" for option in suite.rules.options(ruleset))]


def count_table(suite: Suite, ruleset: str) -> CensusTable:
    """Return the games of a table, played anew; games that have not changed stay confirmed.

    If the readings differ in every deal of the first game, all games end where they differ.
    """
    rules = suite.rules.of(ruleset)
    others = [suite.rules.of(ruleset, {path: reading}) for path, reading in other_readings(suite, ruleset)]
    games: list[CensusGame] = []
    to_dispute = search_game(rules, others, 1) is None
    for number in range(1, HIGHEST_NUMBER + 1):
        play = search_game(rules, others, number, to_dispute=to_dispute)
        games += [census_game(play)] if play else []
        if len(games) == GAMES:
            break
    before = stored_table(suite, ruleset)
    is_same = before is not None and before.games == tuple(games)
    return CensusTable(ruleset, before.confirmed_by if before and is_same else (), beside(suite, ruleset), tuple(games))


def with_house_games(suite: Suite) -> Suite:
    """Return the suite with the games of the house rules joined to it, if there are any, played now."""
    if suite.house is None:
        return suite
    ruleset = suite.house.ruleset
    census = Census(ruleset.id, (count_table(suite, ruleset.id),), ruleset.document)
    other = replace(suite, censuses={**suite.censuses, census.id: census})
    planner_of(other).sound = planner_of(suite).sound
    return other.preset(suite.digest)


def stored_table(suite: Suite, ruleset: str) -> CensusTable | None:
    """Return the games of a table that are in the suite."""
    census = suite.censuses.get(ruleset.partition("+")[0])
    return next((table for table in census.tables if table.ruleset == ruleset), None) if census else None


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
    runs = [[number for number, _ in run] for _, run in groupby(zip(numbers, count()), lambda pair: pair[0] - pair[1])]
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def prove_censuses(suite: Suite, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield every mistake in the censuses of the suite, and each ruleset without one."""
    for ruleset in suite.rulesets:
        if ruleset not in suite.censuses:
            file = suite.shown(suite.root / "census" / f"{ruleset}.census.yaml")
            yield Diagnostic(file, 1, 1, "no-census", f"{ruleset} has no census", _REMEDY.format(ruleset))
    for census in counted(suite.censuses.values(), "census file"):
        yield from prove_census(suite, census, proofs)


def prove_census(suite: Suite, census: Census, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield every mistake in one census whose file is valid."""
    yield from named_after_id(census.document, f"{census.id}.census.yaml")
    if census.id not in suite.rulesets:
        message = f"there is no ruleset '{census.id}' for this census"
        yield census.document.diagnose(["id"], "unknown-ruleset", message, "Remove the file.")
        return
    names, remedy = tables_of(suite, census.id), _REMEDY.format(census.id)
    present = [table.ruleset for table in census.tables]
    for at, table in enumerate(census.tables):
        if table.ruleset not in names or table.ruleset in present[:at]:
            message = f"{table.ruleset} does not belong in the census of {census.id}, or is in it already"
            yield census.document.diagnose(["tables", at, "ruleset"], "surplus-table", message, remedy)
        else:
            yield from proofs.faults(partial(_inputs, suite, census, at), partial(_prove_table, suite, census, at))
    for missing in (each for each in names if each not in present):
        yield census.document.diagnose(["tables"], "missing-table", f"{missing} is missing", remedy, key=True)


def _inputs(suite: Suite, census: Census, at: int) -> Sequence[Any]:
    """Return what the games of a table rest on."""
    return "census", census.document.data["tables"][at], inputs_of(suite).rules([census.tables[at].ruleset])


def _prove_table(suite: Suite, census: Census, at: int) -> Iterator[Diagnostic]:
    table, remedy = census.tables[at], _REMEDY.format(census.id)
    if table.beside != beside(suite, table.ruleset):
        message = f"the readings of the disputed cells of {table.ruleset} have changed since these games were played"
        yield census.document.diagnose(["tables", at, "beside"], "stale-census", message, remedy, key=True)
    for number, game in enumerate(table.games):
        differs = difference(suite, table.ruleset, game)
        if differs:
            place: list[str | int] = ["tables", at, "games", number]
            yield census.document.diagnose(place, "stale-census", f"game {game.game}: {differs}", remedy)
            return  # the other games differ for the same reason


def difference(suite: Suite, ruleset: str, game: CensusGame) -> str:
    """Return in words how a game differs from its record; empty if it does not."""
    try:
        now = census_game(replay(suite.rules.of(ruleset), game))
    except CannotReplay as lost:
        return str(lost)
    for field in fields(game):
        was, is_ = getattr(game, field.name), getattr(now, field.name)
        if was != is_:
            return f"'{field.name}' is {_value_text(was)} in the file, but {_value_text(is_)} by the rules"
    return ""


def _value_text(value: object) -> str:
    return ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)
