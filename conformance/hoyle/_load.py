"""Rulesets by name, and house rules, from the suite of this installation."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from hoyle._errors import RulesError, UnknownNameError
from hoyle._notation import read_json
from hoyle._rules import Rules, rules_of
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, did_you_mean
from hoyle_conformance.files.document import Document
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import HouseRules, house_rules_from, read_house_rules
from hoyle_reference import Malformed

#: A file of house rules, or its content.
House = str | os.PathLike[str] | Mapping[str, Any]


@cache
def shipped_suite() -> Suite:
    """Return the suite of this installation, opened once per process."""
    return open_suite(positions=False)


def rulesets() -> tuple[str, ...]:
    """Return the names of all rulesets, without options. `hoyle.suite().rulesets` describes them."""
    return tuple(shipped_suite().rulesets)


def rules(
    ruleset: str = "",
    *,
    options: Iterable[str] = (),
    readings: Mapping[str, str] | None = None,
    house: House | None = None,
) -> Rules:
    """Return the rules of a ruleset: ``hoyle.rules("bezique-hoyle", options=["brisques-at-end"])``.

    `options` are names of options, in any order; a ruleset can also be named with them,
    ``bezique-hoyle+brisques-at-end``. `readings` chooses a reading for some disputed rules, by their paths. `house` is
    a file of house rules, or its content as a mapping: then `ruleset` is the name of these rules, or missing.

    Raises UnknownNameError, and RulesError if there is a mistake in the house rules.
    """
    if isinstance(options, str):
        options = [options]
    if house is not None:
        return _house_rules(ruleset, tuple(options), readings or {}, house)
    suite = shipped_suite()
    name, *named = str(ruleset).split("+")
    _known("ruleset", [name], suite.rulesets)
    chosen, offered = {*named, *map(str, options)}, suite.rules.options(name)
    _known("option", sorted(chosen), offered, name)
    chosen_readings = {str(path): str(reading) for path, reading in (readings or {}).items()}
    in_order = (option for option in offered if option in chosen)
    return _shipped_rules("+".join((name, *in_order)), tuple(sorted(chosen_readings.items())))


def _known(what: str, names: Iterable[str], known: Iterable[str], place: str = "") -> None:
    """Raise UnknownNameError if one of these names is not known."""
    for name in names:
        if name not in known:
            remedy = did_you_mean(name, known) or f"There is no {what} here."
            raise UnknownNameError(f"unknown-{what}", f"no {what} '{name[:80]}'", place, remedy)


@lru_cache(maxsize=64)
def _shipped_rules(name: str, readings: tuple[tuple[str, str], ...]) -> Rules:
    """Return the rules of a ruleset of the suite; raise UnknownNameError."""
    return _rules_in(shipped_suite(), name, dict(readings))


def _rules_in(suite: Suite, name: str, readings: Mapping[str, str]) -> Rules:
    """Return the rules of a ruleset of a suite, with these readings; raise UnknownNameError."""
    plain = suite.rules.cells(name)
    _known(
        "rule", [path for path in readings if path not in plain], [cell.path for cell in plain if cell.readings], name
    )
    try:
        cells = suite.rules.cells(name, readings)
    except Malformed as malformed:
        raise UnknownNameError("unknown-reading", malformed.message, f"{name}, {malformed.where}") from malformed
    book = suite.rulesets[name.partition("+")[0]]
    return rules_of(name, suite.rules.title(name), book.game, readings, cells)


def _house_rules(ruleset: str, options: tuple[str, ...], readings: Mapping[str, str], house: House) -> Rules:
    """Return house rules as rules; raise UnknownNameError or RulesError."""
    suite = shipped_suite()
    read = join_house_rules(suite, house)
    own = read.ruleset.id
    _known("ruleset", [ruleset] if ruleset else [], [own])
    if options:
        remedy = "Give the options in the house rules, as 'options'."
        raise UnknownNameError("unknown-option", f"no option '{options[0][:80]}'", own, remedy)
    return replace(_rules_in(read.joined(suite), own, readings), _house=True)


def join_house_rules(suite: Suite, house: House) -> HouseRules:
    """Return the house rules in a file or a mapping; raise RulesError."""
    if isinstance(house, Mapping):
        document = Document("the house rules", read_json(house, "the house rules"), text="")
        if faults := suite.schemas.check("house", document):
            raise _rules_error(faults, in_file=False)
    try:
        return house_rules_from(suite, document) if isinstance(house, Mapping) else read_house_rules(suite, Path(house))
    except Invalid as invalid:
        raise _rules_error(invalid.diagnostics, in_file=not isinstance(house, Mapping)) from invalid


def _rules_error(faults: Sequence[Diagnostic], *, in_file: bool) -> RulesError:
    """Return the error for the mistakes of house rules: the first one, and the number of others."""
    first, more = faults[0], len(faults) - 1
    also = f" (and {more} more mistake{'s' * (more > 1)})" if more else ""
    place = first.place if in_file else first.file
    return RulesError(first.code, first.message + also, place, str(first.remedy))
