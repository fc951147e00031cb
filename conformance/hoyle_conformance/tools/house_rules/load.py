"""Reading house rules: a file of theirs made into a ruleset that extends one of the suite, or every mistake in it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.safe_text import printable
from hoyle_conformance.files.suggest import Suggestion, did_you_mean, nearest
from hoyle_conformance.runner.change_rules import NoChange, changed_cell
from hoyle_conformance.suite.build import ruleset_from
from hoyle_conformance.suite.lint.names import unknown_clauses
from hoyle_conformance.suite.load import read_document
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules.rules import HouseRules
from hoyle_reference import Cell, Cells, Malformed

#: How certain a rule is that stands in no source.
STATUS: Final = "house rule"


def read_house_rules(suite: Suite, path: Path) -> HouseRules:
    """The house rules in a file; raises Invalid."""
    document = read_document(suite.schemas, "house", path, shown_path(path), within=path.parent)
    return house_rules_from(suite, document)


def beside(suite: Suite, paths: Iterable[Path]) -> Suite:
    """The suite with the house rules of some files as rulesets beside its own, of which there are no checks; later ones
    may extend earlier ones. Raises Invalid."""
    joined = suite
    for path in paths:
        joined = read_house_rules(joined, path).joined(joined)
    if joined is suite:
        return suite
    other = replace(suite, rulesets=joined.rulesets)
    other.known.digest = suite.known.digest
    other.known.headings = lambda: suite.headings  # made when they are needed
    return other


def house_rules_from(suite: Suite, document: Document) -> HouseRules:
    """House rules from a file that its schema found valid; raises Invalid where they do not fit the suite."""
    faults = list(_names(suite, document))
    if faults:
        raise Invalid(faults)
    base = _base(suite, document.data)
    values, faults = _values(suite, document, base)
    faults += _without(suite, document, base)
    if faults:
        raise Invalid(faults)
    house = HouseRules(
        ruleset_from(replace(document, data=_table(suite, document, base, values))),
        base,
        tuple(values),
        document.data,
    )
    try:
        house.joined(suite).rules(house.ruleset.id)
    except Malformed as malformed:
        raise Invalid([_senseless(document, malformed)]) from malformed
    return house


def _names(suite: Suite, document: Document) -> Iterator[Diagnostic]:
    """What is wrong with the names of the rules, of the ruleset they change, and of its options."""
    name, extends = document.data["id"], document.data["extends"]
    if name == extends:
        remedy = f"Name a ruleset of the suite: {', '.join(suite.rulesets)}."
        yield document.diagnose(["extends"], "unknown-ruleset", "house rules cannot extend themselves", remedy)
        return
    if name in suite.rulesets:
        message = f"the id '{name}' is that of a ruleset of the suite"
        yield document.diagnose(["id"], "id-in-use", message, "Give your rules a name of their own.")
    if extends not in suite.rulesets:
        remedy = did_you_mean(extends, suite.rulesets)
        yield document.diagnose(["extends"], "unknown-ruleset", f"no ruleset '{extends}' to extend", remedy)
        return
    offered = suite.options(extends)
    for at, option in enumerate(document.data.get("options", ())):
        if option not in offered:
            message, remedy = f"{extends} has no option '{option}'", did_you_mean(option, offered)
            yield document.diagnose(["options", at], "unknown-option", message, remedy)


def _base(suite: Suite, data: Mapping[str, Any]) -> str:
    """The ruleset that is changed, with its options in the order in which it has them."""
    chosen = data.get("options", ())
    return "+".join([data["extends"], *(option for option in suite.options(data["extends"]) if option in chosen)])


def _values(suite: Suite, document: Document, base: str) -> tuple[dict[str, Any], list[Diagnostic]]:
    """What each cell that is changed holds, with its grounds, by its path; and what cannot be."""
    known, values, grounds = _known(suite, base), dict[str, Any](), dict[str, dict[str, Any]]()
    faults: list[Diagnostic] = []
    for written, said in (document.data.get("rules") or {}).items():
        place, more = ["rules", written], said if isinstance(said, Mapping) and "is" in said else {"is": said}
        faults += unknown_clauses(suite, document, [*place, "cites"], more.get("cites", ()))
        cells = _with_a_new_row(known, written, more["is"])
        try:
            path, value = changed_cell(suite, document.data["extends"], cells, written, more["is"], values)
            _whole(suite, known, path, value)
        except NoChange as no_change:
            message, _, remedy = str(no_change).partition(". ")
            missing = message.startswith("no cell")
            faults.append(document.diagnose(place, "no-change", message.removesuffix("."), remedy, key=missing))
            continue
        values[path] = value
        line = f"{printable(document.file)}, line {document.line_of(place)}."
        grounds[path] = {"cites": more.get("cites", ()), "status": STATUS, "because": more.get("because", line)}
    return {path: (value, grounds[path]) for path, value in values.items()}, faults


def _known(suite: Suite, base: str) -> Cells:
    """The cells of a ruleset; and those that it lacks, as another of its game has them."""
    game = suite.rulesets[base.partition("+")[0]].game
    others = [each for each in suite.rulesets.values() if each.game == game]
    found = {cell.path: cell for each in reversed(others) for cell in suite.cells(each.id)}
    return Cells({**found, **{cell.path: cell for cell in suite.cells(base)}})


def _with_a_new_row(known: Cells, written: str, value: Any) -> Cells:
    """These cells, and that of a combination which no ruleset has, where one is written."""
    above, _, name = written.rpartition(".")
    if written in known or not isinstance(value, Mapping) or not any(known.rows(above)) or above in known:
        return known
    return known.with_cells([Cell(written, {"id": name}, ())])


def _whole(suite: Suite, known: Cells, path: str, value: Any) -> None:
    """A combination that no ruleset has is described whole."""
    if path in known:
        return
    kinds, name = suite.schemas.documents["ruleset"]["$defs"], path.rpartition(".")[2]
    needed = kinds["meld" if path.startswith("declare.") else "combination"]["required"]
    missing = [field for field in needed if field not in value]
    if missing:
        near = nearest(name, [cell.path.rpartition(".")[2] for cell in known.rows(path.rpartition(".")[0])])
        meant = f" Or did you mean '{near}'?" if near else ""
        message = f"'{name}' is in no ruleset of this game, and has no '{missing[0]}' here"
        raise NoChange(f"{message}. Describe it with {', '.join(needed[1:])}.{meant}")


def _without(suite: Suite, document: Document, base: str) -> Iterator[Diagnostic]:
    """What is left out, and the ruleset does not have."""
    cells = [cell.path for cell in suite.cells(base)]
    known = {path[:at] for path in cells for at, sign in enumerate(f"{path}.") if sign == "."}
    for at, path in enumerate(document.data.get("without", ())):
        if path not in known:
            message, remedy = f"no cell '{path}' in {base}", Suggestion(path, known, f"hoyle rules {base} --cells")
            yield document.diagnose(["without", at], "unknown-cell", message, remedy)


def _table(suite: Suite, document: Document, base: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The rules as a table that extends the one they change, as it is with its options."""
    data, extended = document.data, suite.rulesets[document.data["extends"]]
    changes: dict[str, Any] = {
        "cells": _nested(values),
        "without": list(data.get("without", ())),
        "without_options": list(suite.options(extended.id)),
    }
    return {
        "id": data["id"],
        "title": data.get("title", f"{extended.title}, with house rules"),
        "game": extended.game,
        "form": extended.form,
        "summary": f"House rules: {suite.title(base)}; rules changed: {len(values)}.",
        "sources": list(extended.sources),
        "extends": base,
        "changes": changes,
    }


def _nested(values: Mapping[str, tuple[Any, Mapping[str, Any]]]) -> dict[str, Any]:
    """Values and their grounds under their chapters, as a table has them."""
    nested: dict[str, Any] = {}
    for path, (value, grounds) in values.items():
        *above, last = path.split(".")
        if isinstance(value, Mapping):
            *above, last = above
        branch = nested
        for chapter in above:
            branch = branch.setdefault(chapter, {})
        if isinstance(value, Mapping):
            branch.setdefault(last, []).append({**value, **grounds})
        else:
            branch[last] = {"is": value, **grounds}
    return nested


def _senseless(document: Document, malformed: Malformed) -> Diagnostic:
    """That the rules do not go together, at the rule that is named, or left out, if it is one of these."""
    left_out: Sequence[str] = document.data.get("without", ())
    named = malformed.where in left_out
    place: Sequence[str | int] = ["without", left_out.index(malformed.where)] if named else ["rules", malformed.where]
    needed = f"Give '{malformed.where}' a value too, or leave the rule away that needs it."
    remedy = "Every game needs this rule: do not leave it out." if named else needed
    return document.diagnose(place, "senseless-cell", f"the table cannot be so: {malformed}", remedy)
