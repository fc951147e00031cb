"""Lint of scenarios: the clauses, rulesets, readings and steps that they name must exist, and rest on what is cited.

A look-up after an edit lints the edited scenario, so this module uses the cells of rulesets but no compiled rules.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic, Suggestion
from hoyle_conformance.files.document import Document
from hoyle_conformance.suite.lint.ids import named_after_id, unconfirmed, unknown_clauses
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import COMBINATIONS, Suite, bases
from hoyle_reference import Cells, Malformed

#: The lists whose entries name rulesets.
_ENTRIES: Final = ("outcomes", "followed_by", "proposals")


def lint_of_suite(suite: Suite, scenario: Scenario) -> list[Diagnostic]:
    """Return the faults of a scenario in the suite, which must be confirmed there."""
    return [unconfirmed(scenario)] if scenario.proposals else lint_scenario(suite, scenario)


def lint_scenario(suite: Suite, scenario: Scenario) -> list[Diagnostic]:
    """Return the faults of a scenario's references or, if there are none, of its citations; at most the first
    `COUNTED`."""
    faults = list(islice(_of_scenario(suite, scenario), COUNTED))
    return faults or list(islice(_cited_for_nobody(suite, scenario), COUNTED))


def _of_scenario(suite: Suite, scenario: Scenario) -> Iterator[Diagnostic]:
    document, data = scenario.document, scenario.document.data
    topic, _, name = scenario.id.partition(".")
    if not scenario.proposals:  # a proposal may be in any folder, under any name, until it is confirmed
        yield from named_after_id(document, f"{topic}/{name}.scenario.yaml")
    places: list[tuple[tuple[str | int, ...], str]] = []
    seen: set[str] = set()
    for key in _ENTRIES:
        for at, entry in enumerate(data.get(key, ())):
            yield from unknown_clauses(suite, document, [key, at, "cites"], entry["cites"])
            places += [((key, at, "rulesets", n), ruleset) for n, ruleset in enumerate(entry["rulesets"])]
            yield from _left_out(suite, document, (key, at), entry)
    for path, ruleset in places:
        read = data[path[0]][path[1]].get("cells")
        yield from _ruleset_named(suite, scenario, path, ruleset, () if read else seen)
        seen |= set() if read else {ruleset}
    for place, expected in _expectations(data):
        yield from _step_numbers(document, place, expected, data["steps"])
        for number, step in enumerate(data["steps"], start=1):
            if "ask" in step and str(number) not in expected:
                message = f"the answer to step {number} is missing"
                remedy = "Give it, with 'answer'; or leave the question out."
                yield document.diagnose(place, "no-answer", message, remedy, key=True)
    yield from _readings_named(document, data)


def _left_out(
    suite: Suite, document: Document, place: tuple[str, int], entry: Mapping[str, Any]
) -> Iterator[Diagnostic]:
    """Yield faults for rulesets under 'but_not' that do not exist, or that inherit nothing from this entry."""
    for n, name in enumerate(entry.get("but_not", ())):
        path = (*place, "but_not", n)
        if not _is_ruleset(suite, name):
            yield document.diagnose(
                path, "unknown-ruleset", f"no ruleset '{name}'", Suggestion(name, suite.rules.names)
            )
        elif name in entry["rulesets"] or set(bases(suite.rulesets, name)).isdisjoint(entry["rulesets"]):
            message = f"{name} does not inherit this outcome"
            yield document.diagnose(path, "inherits-nothing", message, "Remove it from 'but_not'.")


def _readings_named(document: Document, data: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield faults for named readings that the scenario does not have, and for readings of no ruleset."""
    followed, readings = data.get("followed_by", ()), data.get("readings", {})
    for at, entry in enumerate(followed):
        between = entry.get("between", readings)
        named: dict[tuple[str | int, ...], str] = {("between", n): name for n, name in enumerate(between)}
        for place, name in ((("reading",), entry["reading"]), *named.items()):
            if name not in readings:
                message = f"no reading '{name}' in this scenario"
                where = ["followed_by", at, *place]
                yield document.diagnose(where, "unknown-reading", message, Suggestion(name, readings))
        if entry["reading"] in readings and entry["reading"] not in between:
            message = f"'{entry['reading']}' is followed, but is not in 'between'"
            yield document.diagnose(["followed_by", at, "between"], "reading-left-out", message, "Add it there.")
    for name in readings if followed else ():
        if all(name not in entry.get("between", readings) for entry in followed):
            message = f"no ruleset here has the reading '{name}'"
            remedy = "Add it to the 'between' of a ruleset, or remove it."
            yield document.diagnose(["readings", name], "reading-of-nobody", message, remedy, key=True)


def _cited_for_nobody(suite: Suite, scenario: Scenario) -> Iterator[Diagnostic]:
    """Yield faults for rulesets without a clause of their own, and for clauses behind no cell of the rulesets that cite
    them."""
    checks = {check.ruleset: check for check in suite.index.checks_of(scenario)}
    for key in ("outcomes", "followed_by"):
        for at, entry in enumerate(scenario.document.data.get(key, ())):
            for n, ruleset in enumerate(entry["rulesets"]):
                if not checks[ruleset].cites:
                    message = f"{ruleset} rests on none of the clauses cited{_of_which_game(suite, ruleset)}"
                    remedy = f"Cite one that decides this: 'hoyle rules {ruleset}' prints them with its rules."
                    place = [key, at, "rulesets", n]
                    yield scenario.document.diagnose(place, "without-a-clause", message, remedy)
            used = {clause for name in entry["rulesets"] for clause in checks[name].cites}
            for n, clause in enumerate(entry["cites"]):
                if clause not in used and not _of_an_heir(suite, entry["rulesets"], clause):
                    yield scenario.document.diagnose(
                        [key, at, "cites", n],
                        "cited-for-nobody",
                        f"no cell of {' or '.join(entry['rulesets'])} cites {clause}",
                        "Remove it, or name a ruleset that rests on it.",
                    )


def _of_an_heir(suite: Suite, rulesets: Sequence[str], clause: str) -> bool:
    """Return whether a clause is behind a cell of a ruleset that can inherit from one of these."""
    heirs = (name for name in suite.rules.names if not set(rulesets).isdisjoint(bases(suite.rulesets, name)))
    return any(clause in suite.rules.cited_by(name) for name in heirs)


def _of_which_game(suite: Suite, ruleset: str) -> str:
    """Return words for the game and the sources of a ruleset, which follow its name."""
    plain = suite.rulesets[ruleset.partition("+")[0]]
    return f": it is a form of {plain.game}, by {' and '.join(plain.sources)}"


def _ruleset_named(
    suite: Suite, scenario: Scenario, path: Sequence[str | int], ruleset: str, before: Collection[str]
) -> Iterator[Diagnostic]:
    document = scenario.document
    if ruleset in before:
        yield document.diagnose(
            path,
            "second-outcome",
            f"'{ruleset}' has an outcome already",
            "A ruleset has one outcome, or follows one reading.",
        )
    try:
        _cells_of(suite, ruleset)
    except Malformed as malformed:
        yield _no_ruleset(suite, document, path, ruleset, malformed)
        return
    yield from _melds(suite, document, ruleset, scenario)
    if path[0] == "followed_by":
        yield from _readings(
            suite,
            document,
            ruleset,
            {
                ("readings", name): each["cells"]
                for name, each in document.data["readings"].items()
                if name in document.data["followed_by"][path[1]].get("between", document.data["readings"])
            },
        )
    elif cells := document.data[path[0]][path[1]].get("cells"):
        yield from _readings(suite, document, ruleset, {path[:2]: cells})


def _cells_of(suite: Suite, ruleset: str) -> Cells:
    """Return the cells of a ruleset; raises Malformed if it does not exist or is invalid. The lint of tables has
    validated each ruleset with each single option; rules with several options are compiled here."""
    return suite.rules.of(ruleset).cells if ruleset.count("+") > 1 else suite.rules.cells(ruleset)


def _is_ruleset(suite: Suite, name: str) -> bool:
    try:
        _cells_of(suite, name)
    except Malformed:
        return False
    return True


def _no_ruleset(
    suite: Suite, document: Document, path: Sequence[str | int], ruleset: str, malformed: Malformed
) -> Diagnostic:
    """Return the fault of a ruleset that does not exist, or does not have these options."""
    message, remedy = str(malformed), Suggestion(ruleset, suite.rules.names, "hoyle suite list rulesets")
    if ruleset.partition("+")[0] not in suite.rulesets:
        message = f"no ruleset '{ruleset}'"
    spelt = "Correct the name." if "is written" in message else remedy
    return document.diagnose(path, "unknown-ruleset", message, spelt)


def _melds(suite: Suite, document: Document, ruleset: str, scenario: Scenario) -> Iterator[Diagnostic]:
    named: list[tuple[list[str | int], str]] = [
        (["steps", at, "meld"], step["meld"]) for at, step in enumerate(scenario.steps) if "meld" in step
    ]
    for key in ("scored", "kept"):
        for seat, combinations in scenario.given.get(key, {}).items():
            named += [(["given", key, seat, at, "meld"], each["meld"]) for at, each in enumerate(combinations)]
    for path, meld in named:
        if not _has_meld(suite, ruleset, meld):
            others = [name for name in suite.rulesets if _has_meld(suite, name, meld)]
            if others and _is_asked(scenario, path):  # the answer is that there is none
                continue
            have = f"{', '.join(others)} {'has' if len(others) == 1 else 'have'} it"
            known = Suggestion(meld, sorted(suite.rules.of(ruleset).combinations))
            remedy = f"{have}: leave {ruleset} out of this scenario." if others else known
            yield document.diagnose(path, "unknown-combination", f"no combination '{meld}' in {ruleset}", remedy)


def _has_meld(suite: Suite, ruleset: str, meld: str) -> bool:
    """Return whether a ruleset has a combination; the ruleset is compiled only for those that are in no list of its
    table."""
    cells = suite.rules.cells(ruleset)
    return any(f"{each}.{meld}" in cells for each in COMBINATIONS) or meld in suite.rules.of(ruleset).combinations


def _is_asked(scenario: Scenario, path: Sequence[str | int]) -> bool:
    """Return whether a place of a scenario's file is in a question."""
    return path[0] == "steps" and "ask" in scenario.steps[int(path[1])]


def _readings(
    suite: Suite, document: Document, ruleset: str, read: Mapping[Sequence[str | int], Mapping[str, str]]
) -> Iterator[Diagnostic]:
    """Yield faults for readings, by their place in the file, that a ruleset's cells do not have."""
    cells = suite.rules.cells(ruleset)
    disputed = [cell.path for cell in cells if cell.readings]
    for where, of_cells in read.items():
        for path, of_cell in of_cells.items():
            place = [*where, "cells", path]
            if path not in disputed:
                what = "is not disputed" if path in cells else "is not one of its cells"
                message = f"'{path}' has no readings in {ruleset}: it {what}"
                remedy = Suggestion(path, disputed, f"hoyle rules {ruleset} --cells")
                yield document.diagnose(place, "unknown-reading", message, remedy, key=True)
            elif of_cell not in (known := [each.name for each in cells[path].readings]):
                message, remedy = f"no reading '{of_cell}' of {path} in {ruleset}", Suggestion(of_cell, known)
                yield document.diagnose(place, "unknown-reading", message, remedy)


def _expectations(data: Mapping[str, Any]) -> Iterator[tuple[list[str | int], Mapping[str, Any]]]:
    for key in ("outcomes", "proposals"):
        for at, outcome in enumerate(data.get(key, ())):
            yield [key, at, "expect"], outcome["expect"]
    for name, reading in data.get("readings", {}).items():
        yield ["readings", name, "expect"], reading["expect"]


def _step_numbers(
    document: Document, path: list[str | int], expected: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]
) -> Iterator[Diagnostic]:
    for number, expectation in expected.items():
        place = [*path, number]
        if int(number) > len(steps):
            yield document.diagnose(
                place,
                "no-such-step",
                f"there is no step {number}: the scenario has {len(steps)}, counted from 1",
                "Correct the number; or add the step.",
                key=True,
            )
            continue
        step = steps[int(number) - 1]
        if ("ask" in step) != ("answer" in expectation):
            kind, needs = ("a question", "'answer'") if "ask" in step else ("an act", "anything but 'answer'")
            yield document.diagnose(
                place, "wrong-expectation", f"step {number} is {kind}", f"Expect {needs}.", key=True
            )
        elif "refused" in expectation and step.get("do") in {"trick", "draw-all"}:
            yield document.diagnose(
                [*place, "refused"],
                "wrong-expectation",
                f"step {number} stands for several acts",
                "Write the refused act as a step of its own.",
                key=True,
            )
