"""Proving: what is written down of a census is what the rules give, for every ruleset and option, and for nothing else.

The games are made again under the table's own readings. That no reading decides anything in them is seen when they are
made, and held by the tests: to look at all readings takes ten times as long.
"""

from collections.abc import Iterator
from dataclasses import fields

from hoyle_conformance.checks.preludes.verify import beside
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.suite.lint.names import named_after_id
from hoyle_conformance.suite.model import Census, CensusGame, CensusTable
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.census.count import tables_of
from hoyle_conformance.tools.census.play import Lost, again, written

_ANEW = "'hoyle suite census --write -r {}' makes it anew; 'git diff' then shows what has changed."


def prove_censuses(suite: Suite) -> Iterator[Diagnostic]:
    """Everything that is wrong with the census of the whole suite."""
    for ruleset in suite.rulesets:
        if ruleset not in suite.censuses:
            file = suite.shown(suite.root / "census" / f"{ruleset}.census.yaml")
            yield Diagnostic(file, 1, 1, "no-census", f"{ruleset} has no census", _ANEW.format(ruleset))
    for census in suite.censuses.values():
        yield from prove_census(suite, census)


def prove_census(suite: Suite, census: Census) -> Iterator[Diagnostic]:
    """Everything that is wrong with one census, whose file is valid."""
    yield from named_after_id(census.document, f"{census.id}.census.yaml")
    if census.id not in suite.rulesets:
        message = f"no ruleset '{census.id}': its census counts nothing"
        yield census.document.diagnose(["id"], "unknown-ruleset", message, "Remove the file.")
        return
    wanted, anew = tables_of(suite, census.id), _ANEW.format(census.id)
    there = [table.ruleset for table in census.tables]
    for at, table in enumerate(census.tables):
        if table.ruleset not in wanted or table.ruleset in there[:at]:
            message = f"{table.ruleset} has no place in the census of {census.id}, or has one already"
            yield census.document.diagnose(["tables", at, "ruleset"], "surplus-table", message, anew)
        else:
            yield from _of_a_table(suite, census, at, table)
    for missing in (each for each in wanted if each not in there):
        yield census.document.diagnose(["tables"], "missing-table", f"{missing} is missing", anew, key=True)


def _of_a_table(suite: Suite, census: Census, at: int, table: CensusTable) -> Iterator[Diagnostic]:
    anew = _ANEW.format(census.id)
    if table.beside != beside(suite, table.ruleset):
        message = f"the disputed cells of {table.ruleset} have other readings than when these games were played"
        yield census.document.diagnose(["tables", at, "beside"], "stale-census", message, anew, key=True)
    for number, game in enumerate(table.games):
        differs = difference(suite, table.ruleset, game)
        if differs:
            place: list[str | int] = ["tables", at, "games", number]
            yield census.document.diagnose(place, "stale-census", f"game {game.game}: {differs}", anew)
            return  # one game says what the others would


def difference(suite: Suite, ruleset: str, game: CensusGame) -> str:
    """In what a game comes out otherwise than it is written down, in words; nothing where it does not."""
    try:
        now = written(again(suite.rules(ruleset), game))
    except Lost as lost:
        return str(lost)
    for field in fields(game):
        was, is_ = getattr(game, field.name), getattr(now, field.name)
        if was != is_:
            return f"'{field.name}' is written as {_said(was)}, and comes out as {_said(is_)}"
    return ""


def _said(value: object) -> str:
    return ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)
