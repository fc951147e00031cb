"""Lint of the references between the files of a suite, and of those in its ledgers."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice

from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic, Suggestion
from hoyle_conformance.suite.lint.ids import lint_open, lint_unwritten, named_after_id, unknown_clauses
from hoyle_conformance.suite.lint.scenarios import lint_of_suite
from hoyle_conformance.suite.lint.tables import lint_tables
from hoyle_conformance.suite.model import Clause, Damage, Source
from hoyle_conformance.suite.suite import Suite


def lint_links(suite: Suite) -> Iterator[Diagnostic]:
    """Yield every fault of references in the suite; those of scenarios only if sources and rulesets have none."""
    faults = lint_rules(suite, frozenset())
    yield from faults
    for scenario in () if faults else suite.scenarios.values():
        yield from lint_of_suite(suite, scenario)
    remedy = "Name it *.scenario.yaml, *.ruleset.yaml, *.source.yaml or *.census.yaml, in its folder."
    for path in suite.strays:
        yield Diagnostic(
            suite.shown(path), 1, 1, "stray-file", "this file is of an unknown kind, and Hoyle never reads it", remedy
        )


def lint_rules(suite: Suite, same: Collection[str]) -> list[Diagnostic]:
    """Return the faults of ledgers and rule tables. Those in `same` were valid before. Since then,
    they have not changed, nor have the tables that rest on these ledgers or that these tables extend."""
    tables = [*lint_tables(suite, same)]
    return [*_ledgers(suite, same, sound_tables=not tables), *tables]


def _ledgers(suite: Suite, same: Collection[str], *, sound_tables: bool) -> Iterator[Diagnostic]:
    for source in suite.sources.values():
        open_clauses = lint_open(suite, source) if sound_tables and source.id not in same else ()
        yield from islice(chain(lint_ledger(suite, source), open_clauses), COUNTED)


def lint_ledger(suite: Suite, source: Source) -> Iterator[Diagnostic]:
    """Yield the faults of a ledger: references to nothing, ids of another source, and unwritten entries."""
    document = source.document
    yield from named_after_id(document, f"{source.id}.source.yaml")
    yield from _of_games(suite, source)
    yield from _read_alone(source)
    yield from lint_unwritten(source)
    seen: set[str] = set()
    for at, clause in enumerate(source.clauses):
        path: tuple[str | int, ...] = ("clauses", at)
        if clause.id in seen:
            yield document.diagnose(
                [*path, "id"], "id-in-use", f"the id '{clause.id}' is already in use", "Choose another."
            )
        if not clause.id.startswith(f"{source.id}/"):
            message = f"the ids of clauses in this ledger must begin with {source.id}/"
            yield document.diagnose([*path, "id"], "wrong-source", message, "Correct the id.")
        if clause.damage:
            yield from unknown_clauses(suite, document, [*path, "damage", "from"], clause.damage.leans_on)
            yield from _confirmed(source, [*path, "damage", "confirmed", "by"], clause, clause.damage)
        seen.add(clause.id)


def _of_games(suite: Suite, source: Source) -> Iterator[Diagnostic]:
    """Yield faults for games without a ruleset, sections that the ledger does not have, and sections without a game."""
    sections, of_some = {clause.section for clause in source.clauses}, set()
    games = {ruleset.game for ruleset in suite.rulesets.values()}
    for game, named in source.games.items():
        if game not in games:
            message = f"no ruleset is a form of {game}"
            yield source.document.diagnose(["games", game], "unknown-game", message, Suggestion(game, games))
        for at, section in enumerate(named):
            of_some.add(section)
            if section not in sections:
                message = f"no clause of this ledger begins with {source.id}/{section}/"
                remedy = Suggestion(section, sections)
                yield source.document.diagnose(["games", game, at], "unknown-section", message, remedy)
    for section in sorted(sections - of_some) if source.games else ():
        message = f"the game of section '{section}' is missing"
        yield source.document.diagnose(["games"], "section-of-no-game", message, "List it under its game.")


def _read_alone(source: Source) -> Iterator[Diagnostic]:
    """Yield faults for sections read in only one printing that the ledger does not have, or that two printings
    claim."""
    sections = {clause.section for clause in source.clauses}
    read: set[str] = set()
    for number, printing in enumerate(source.printings):
        for at, section in enumerate(printing.alone):
            path: tuple[str | int, ...] = ("printings", number, "alone", at)
            if section not in sections:
                message = f"no clause of this ledger begins with {source.id}/{section}/"
                yield source.document.diagnose(path, "unknown-section", message, Suggestion(section, sections))
            elif section in read:
                message = f"'{section}' is already listed as read only in another printing"
                yield source.document.diagnose(path, "section-in-use", message, "List it under one of them.")
            read.add(section)


def _confirmed(source: Source, path: Sequence[str | int], clause: Clause, damage: Damage) -> Iterator[Diagnostic]:
    """Yield a fault unless the printing that confirms a lost text is another printing of the source than the one that
    lost it."""
    alone = source.read_alone(clause.section)
    others = [] if alone else [printing.id for printing in source.printings[1:]]
    if damage.confirmed and damage.confirmed.by not in others:
        there_are = f"Choose one of: {', '.join(others)}." if others else "Name the printings first, under 'printings'."
        yield source.document.diagnose(
            path,
            "unknown-printing",
            f"'{damage.confirmed.by}' is not another printing of this text",
            f"'{clause.section}' was read in '{alone.id}' alone: remove 'confirmed'." if alone else there_are,
        )
