"""Lint for references between files: clauses, rulesets, readings and steps exist, and ids match their files."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, Final

from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.suggest import Suggestion
from hoyle_conformance.suite.at_work import bases
from hoyle_conformance.suite.lint.grounds import lint_open
from hoyle_conformance.suite.lint.ids import named_after_id, unknown_clauses
from hoyle_conformance.suite.lint.tables import lint_tables
from hoyle_conformance.suite.lint.unfinished import lint_unwritten, unconfirmed
from hoyle_conformance.suite.model import Clause, Damage, Scenario, Source
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules

#: The lists that say something of rulesets.
_ENTRIES: Final = ("outcomes", "followed_by", "proposals")


def lint_links(suite: Suite) -> Iterator[Diagnostic]:
    """Yield every fault of references in the suite; those of scenarios only if sources and rulesets have none."""
    tables = [*lint_tables(suite)]
    faults = [*_ledgers(suite, sound_tables=not tables), *tables]
    yield from faults
    for scenario in () if faults else suite.scenarios.values():
        yield from [unconfirmed(scenario)] if scenario.proposals else lint_scenario(suite, scenario)
    yield from _stray_files(suite)


def _ledgers(suite: Suite, *, sound_tables: bool) -> Iterator[Diagnostic]:
    for source in suite.sources.values():
        open_clauses = lint_open(suite, source) if sound_tables else ()
        yield from islice(chain(lint_ledger(suite, source), open_clauses), COUNTED)


def _stray_files(suite: Suite) -> Iterator[Diagnostic]:
    remedy = "Name it *.scenario.yaml, *.ruleset.yaml, *.source.yaml or *.census.yaml, in its folder."
    for path in suite.strays:
        yield Diagnostic(
            suite.shown(path), 1, 1, "stray-file", "this file is of an unknown kind, and Hoyle never reads it", remedy
        )


def lint_ledger(suite: Suite, source: Source) -> Iterator[Diagnostic]:
    """Yield the faults of a ledger: references to nothing, ids of another source, and entries not written yet."""
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
    """Yield faults for games that no ruleset is a form of, sections that the ledger does not have, and sections of no
    game."""
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
    """Yield faults for sections read in one printing alone that the ledger does not have, or that two printings
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
    """Yield a fault unless the printing that confirms lost text is another printing of the source than the one that
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


def lint_scenario(suite: Suite, scenario: Scenario) -> list[Diagnostic]:
    """Return the faults of a scenario's references, or if there are none, of its citations; at most the first
    `COUNTED`."""
    faults = list(islice(_of_scenario(suite, scenario), COUNTED))
    return faults or list(islice(_cited_for_nobody(suite, scenario), COUNTED))


def _of_scenario(suite: Suite, scenario: Scenario) -> Iterator[Diagnostic]:
    document, data = scenario.document, scenario.document.data
    topic, _, name = scenario.id.partition(".")
    if not scenario.proposals:  # which may lie anywhere, under any name, until it is confirmed
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
        yield from _unanswered(document, place, expected, data["steps"])
    yield from _readings_named(document, data)


def _left_out(
    suite: Suite, document: Document, place: tuple[str, int], entry: Mapping[str, Any]
) -> Iterator[Diagnostic]:
    """Yield faults for rulesets under 'but_not' that do not exist, or that inherit nothing from this entry."""
    for n, name in enumerate(entry.get("but_not", ())):
        path = (*place, "but_not", n)
        if not suite.rules.knows(name):
            yield document.diagnose(
                path, "unknown-ruleset", f"no ruleset '{name}'", Suggestion(name, suite.rules.names)
            )
        elif name in entry["rulesets"] or set(bases(suite.rulesets, name)).isdisjoint(entry["rulesets"]):
            message = f"{name} does not inherit this outcome"
            yield document.diagnose(path, "inherits-nothing", message, "Remove it from 'but_not'.")


def _readings_named(document: Document, data: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield faults for readings named that the scenario does not have, and for readings of no ruleset."""
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
    """Whether a clause is behind a cell of a ruleset that can inherit from one of these."""
    heirs = (name for name in suite.rules.names if not set(rulesets).isdisjoint(bases(suite.rulesets, name)))
    return any(clause in suite.rules.cited_by(name) for name in heirs)


def _of_which_game(suite: Suite, ruleset: str) -> str:
    """Return the game and the sources of a ruleset, in words that follow its name."""
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
        rules = suite.rules.of(ruleset)
    except Malformed as malformed:
        yield _no_ruleset(suite, document, path, ruleset, malformed)
        return
    yield from _melds(suite, document, rules, scenario)
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


def _no_ruleset(
    suite: Suite, document: Document, path: Sequence[str | int], ruleset: str, malformed: Malformed
) -> Diagnostic:
    """Return the fault of a ruleset that does not exist, or does not have these options."""
    message, remedy = str(malformed), Suggestion(ruleset, suite.rules.names, "hoyle suite list rulesets")
    if ruleset.partition("+")[0] not in suite.rulesets:
        message = f"no ruleset '{ruleset}'"
    spelt = "Correct the name." if "is written" in message else remedy
    return document.diagnose(path, "unknown-ruleset", message, spelt)


def _melds(suite: Suite, document: Document, rules: Rules, scenario: Scenario) -> Iterator[Diagnostic]:
    known = rules.combinations
    named: list[tuple[list[str | int], str]] = [
        (["steps", at, "meld"], step["meld"]) for at, step in enumerate(scenario.steps) if "meld" in step
    ]
    for key in ("scored", "kept"):
        for seat, combinations in scenario.given.get(key, {}).items():
            named += [(["given", key, seat, at, "meld"], each["meld"]) for at, each in enumerate(combinations)]
    for path, meld in named:
        if meld not in known:
            others = [name for name in suite.rulesets if meld in suite.rules.of(name).combinations]
            if others and _is_asked(scenario, path):  # the answer is that there is none
                continue
            leave_out = (
                f"{', '.join(others)} {'has' if len(others) == 1 else 'have'} it: "
                f"leave {rules.id} out of this scenario."
                if others
                else ""
            )
            remedy = leave_out or Suggestion(meld, sorted(known))
            yield document.diagnose(path, "unknown-combination", f"no combination '{meld}' in {rules.id}", remedy)


def _is_asked(scenario: Scenario, path: Sequence[str | int]) -> bool:
    """Whether a place of a scenario's file is in a question."""
    return path[0] == "steps" and "ask" in scenario.steps[int(path[1])]


def _readings(
    suite: Suite, document: Document, ruleset: str, read: Mapping[Sequence[str | int], Mapping[str, str]]
) -> Iterator[Diagnostic]:
    """Yield faults for readings of cells, by their place in the file, that a ruleset's cells do not have."""
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


def _unanswered(
    document: Document, path: list[str | int], expected: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]
) -> Iterator[Diagnostic]:
    for number, step in enumerate(steps, start=1):
        if "ask" in step and str(number) not in expected:
            message = f"the answer to step {number} is missing"
            remedy = "Give it, with 'answer'; or leave the question out."
            yield document.diagnose(path, "no-answer", message, remedy, key=True)
