"""Rules after an edit: the ledgers, rule tables and censuses that were edited, and the scenarios to lint again for it.

A scenario is linted again only if an edit changes what its lint reads of its rulesets: their combinations, their
readings, and the clauses that they cite.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.serialize import written_document
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.document import Document
from hoyle_conformance.suite.at_work import known_names
from hoyle_conformance.suite.build import census_from, ruleset_from, source_from
from hoyle_conformance.suite.load import read_document
from hoyle_conformance.suite.model import Census, Ruleset, Source
from hoyle_conformance.suite.paths import tree
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.frozen import frozen

#: A document that is no scenario.
Rules = Source | Ruleset | Census
#: The kinds of documents that are edited here, by their folders, and what makes one of its file.
_KINDS: Final[Mapping[str, tuple[str, Callable[[Document], Rules]]]] = {
    "sources": ("source", source_from),
    "rulesets": ("ruleset", ruleset_from),
    "census": ("census", census_from),
}


@frozen
class EditedRules:
    """A suite with edited rules; the lines of their files in the cache, by folder and id; and the rulesets whose
    scenarios must be linted again."""

    suite: Suite
    lines: Mapping[tuple[str, str], bytes]
    rulesets: frozenset[str]


def with_edited_rules(suite: Suite, names: Sequence[str]) -> EditedRules | None:
    """Return a sound suite with these files of it edited; None where they have faults, or where any scenario may have
    new faults."""
    read = [_read(suite, name) for name in names]
    edited = {(name.partition("/")[0], each.id): each for name, each in zip(names, read, strict=True) if each}
    if len(edited) < len(names):
        return None
    lines = {key: store.line_of(written_document(suite.root, each)) for key, each in edited.items()}
    changed = [each for (folder, name), each in edited.items() if _differs(_tables(suite)[folder][name], each)]
    if not changed:
        return EditedRules(suite, lines, frozenset())
    now = _with(suite, changed)
    if _other_rulesets(suite, now) or _has_faults(suite, now) or _anything_is_gone(suite, now):
        return None
    return EditedRules(now, lines, frozenset(_seen_otherwise(suite, now)))


def _tables(suite: Suite) -> Mapping[str, Mapping[str, Rules]]:
    """Return the documents of a suite that are no scenarios, by folder and id."""
    return {"sources": suite.sources, "rulesets": suite.rulesets, "census": suite.censuses}


def _read(suite: Suite, name: str) -> Rules | None:
    """Return the document in a file of the suite; None where it has faults, or another id than before."""
    path, folder = suite.root / name, name.partition("/")[0]
    if folder not in _KINDS:
        return None
    kind, make = _KINDS[folder]
    try:
        document = read_document(suite.schemas, kind, path, suite.shown(path), within=tree(suite.root))
    except Invalid:
        return None
    before = _tables(suite)[folder].get(document.data["id"])
    return make(document) if before and before.document.path == path else None


def _differs(before: Rules, now: Rules) -> bool:
    """Whether the data of a document is not what it was, or is in another order."""
    return store.line_of(before.document.data) != store.line_of(now.document.data)


def _with(suite: Suite, changed: Sequence[Rules]) -> Suite:
    return replace(
        suite,
        sources={**suite.sources, **{each.id: each for each in changed if isinstance(each, Source)}},
        rulesets={**suite.rulesets, **{each.id: each for each in changed if isinstance(each, Ruleset)}},
        censuses={**suite.censuses, **{each.id: each for each in changed if isinstance(each, Census)}},
    )


def _other_rulesets(before: Suite, now: Suite) -> bool:
    """Whether an edit changes which rulesets and options there are, or which of them extend others."""
    extended = [[each.extends for each in suite.rulesets.values()] for suite in (before, now)]
    return extended[0] != extended[1] or known_names(before.rulesets) != known_names(now.rulesets)


def _anything_is_gone(before: Suite, now: Suite) -> bool:
    """Whether an edit removes a clause, or a combination of a ruleset: any scenario may name it."""
    names = [name for table in _changed_tables(before, now) for name in _names(now, table)]
    return not before.clauses.keys() <= now.clauses.keys() or not all(
        before.rules.of(name).combinations <= now.rules.of(name).combinations for name in names
    )


def _has_faults(before: Suite, now: Suite) -> bool:
    """Whether the edited rules have faults."""
    from hoyle_conformance.suite.lint.references import lint_rules  # compiles them: with the same data it is not needed

    changed = _changed_tables(before, now)
    theirs = {source for suite in (before, now) for name in changed for source in suite.rulesets[name].sources}
    ledgers = [name for name, each in now.sources.items() if each is before.sources[name] and name not in theirs]
    return bool(lint_rules(now, {*ledgers, *now.rulesets}.difference(changed)))


def _changed_tables(before: Suite, now: Suite) -> list[str]:
    """Return the tables that have changed, and those that extend them."""
    changed = [name for name, each in now.rulesets.items() if each is not before.rulesets[name]]
    return [name for name in now.rulesets if not _family(now, name).isdisjoint(changed)]


def _family(suite: Suite, name: str) -> frozenset[str]:
    """Return a ruleset, the one that it extends, and so on."""
    above = suite.rulesets[name].extends
    return frozenset([name]) | (_family(suite, above) if above else frozenset())


def _seen_otherwise(before: Suite, now: Suite) -> Iterator[str]:
    """Yield the tables of which scenarios see something else than before, those that extend them, and those that they
    extend: an outcome for one of these may be inherited by the others."""
    for table in _changed_tables(before, now):
        if any(_seen(before, name) != _seen(now, name) for name in _names(now, table)):
            yield from _family(now, table)
            yield from (name for name in now.rulesets if table in _family(now, name))


def _names(suite: Suite, table: str) -> list[str]:
    return [name for name in suite.rules.names if name.partition("+")[0] == table]


def _seen(suite: Suite, name: str) -> Sequence[Any]:
    """Return what the lint of scenarios reads of a ruleset."""
    readings = {cell.path: [each.name for each in cell.readings] for cell in suite.rules.cells(name) if cell.readings}
    return suite.rules.of(name).combinations, readings, suite.rules.cited_by(name)
