"""The stored preludes of a spec folder, which 'make preludes' in a checkout finds."""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from gzip import GzipFile
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.preludes.follow import FoundHistory, follow, never, tried
from hoyle_conformance.checks.preludes.format import History, PreludeLine, course, digest, line, spelt
from hoyle_conformance.checks.preludes.prelude import NOT_STORED, NoPrelude, Prelude
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import LARGEST_OF_LINES, read_bytes
from hoyle_conformance.files.strict_json import read_json
from hoyle_conformance.suite.model import AS_WRITTEN, Check, Relabelling
from hoyle_conformance.suite.paths import tree
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules, read_act, read_position, turn_act, write_act, write_position
from hoyle_reference.cards import SUITS, Suit
from hoyle_reference.seats import SEATS, Seat
from hoyle_reference.table import Turn

#: The folder of a spec in which preludes are stored, and how their files are called.
FOLDER: Final = "preludes"
ENDING: Final = ".preludes.jsonl.gz"
#: How to find them again.
ANEW: Final = "In a checkout, run 'make preludes RULESETS={}' to find them again."


class _PreludeCache:
    """The stored lines of each table, and the preludes that were played and verified, by check."""

    def __init__(self, _suite: Suite) -> None:
        self.lines: dict[str, Mapping[tuple[str, str], PreludeLine]] = {}
        self.verified: dict[str, tuple[Check, Prelude | NoPrelude]] = {}


def path_of(suite: Suite, ruleset: str) -> Path:
    """Return the file of the preludes of a ruleset and its options."""
    return suite.root / FOLDER / f"{ruleset.partition('+')[0]}{ENDING}"


def lines_of(suite: Suite, path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a file; raises Invalid at one that is damaged."""
    content = read_bytes(path, suite.shown(path), within=tree(suite.root))
    try:
        lines = GzipFile(fileobj=BytesIO(content)).read(LARGEST_OF_LINES).decode().splitlines()
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise _damaged(suite, path, 1, str(error)) from error
    for number, each in enumerate(lines, start=1):
        try:
            data = read_json(each)
            complaint = suite.schemas.complaint("preludes", data)
        except ValueError as error:
            complaint = f"this line cannot be read: {error}"
        if complaint:
            raise _damaged(suite, path, number, complaint)
        yield data


def _damaged(suite: Suite, path: Path, number: int, complaint: str) -> Invalid:
    message, remedy = f"the preludes are damaged: {complaint}", ANEW.format(path.name.removesuffix(ENDING))
    return Invalid([Diagnostic(suite.shown(path), number, 1, "damaged-preludes", message, remedy)])


def kept_lines(suite: Suite, ruleset: str) -> Mapping[tuple[str, str], PreludeLine]:
    """Return the stored lines of a ruleset and its options, by scenario and ruleset; read once."""
    path, known = path_of(suite, ruleset), suite.derived(_PreludeCache).lines
    if path.name not in known:
        lines = [line(data) for data in lines_of(suite, path) if "scenario" in data] if path.exists() else []
        known[path.name] = {(each.scenario, name): each for each in lines for name in each.rulesets}
    return known[path.name]


def kept(suite: Suite, check: Check) -> PreludeLine | None:
    """Return the stored line of a check as written, if it was found for the present position and steps; under house
    rules, that of the ruleset that they extend."""
    house, ruleset = suite.house, check.ruleset
    ruleset = house.base if house and house.ruleset.id == ruleset else ruleset
    there = kept_lines(suite, ruleset).get((check.scenario.id, ruleset))
    return there if there is not None and there.of == digest(check) else None


def again(suite: Suite, check: Check, history: History) -> FoundHistory | NoPrelude | None:
    """Play and verify a stored history again; return None if it no longer makes sense."""
    trying = tried(suite, check, history.variant)
    if trying is None:
        return None
    try:
        found = follow(trying, course(trying.rules, history))
    except (Malformed, ValueError):
        return None
    return replace(found, rests_on=history.rests_on) if isinstance(found, FoundHistory) else found


def prelude_of(suite: Suite, check: Check) -> Prelude | NoPrelude:
    """Return the stored prelude of a check, relabelled as the check is."""
    if none := never(check):
        return none
    written = check if check.turned == AS_WRITTEN else suite.index.checks[check.id]
    prelude = _of_a_check_as_written(suite, written)
    if written is check or isinstance(prelude, NoPrelude):
        return prelude
    return turned(suite.rules.of(check.ruleset), prelude, check.turned)


def outlined(suite: Suite, check: Check) -> Prelude | NoPrelude:
    """Return the prelude of a check without its positions, which is enough to tell which adapters can play it.

    A stored prelude is trusted and not played.
    """
    line_ = None if never(check) or check.turned != AS_WRITTEN else kept(suite, check)
    if line_ is None:
        return prelude_of(suite, check)
    there = line_.found
    if isinstance(there, NoPrelude):
        return there
    acts = tuple(spelt(there, suite.rules.of(check.ruleset).letters))
    return Prelude({}, acts, {}, {}, {"do": "deal"}, not there.later, there.tricks, there.rests_on)


def _of_a_check_as_written(suite: Suite, check: Check) -> Prelude | NoPrelude:
    """Return the prelude of a check as written, played and verified once."""
    verified = suite.derived(_PreludeCache).verified
    known, prelude = verified.get(check.id, (None, None))
    if prelude is None or known != check:  # as with plans, another check may have this id
        prelude = _proved(suite, check)
        verified[check.id] = check, prelude
    return prelude


def _proved(suite: Suite, check: Check) -> Prelude | NoPrelude:
    line_ = kept(suite, check)
    there = NOT_STORED if line_ is None else line_.found
    found = there if isinstance(there, NoPrelude) else again(suite, check, there)
    return found.prelude if isinstance(found, FoundHistory) else found or NOT_STORED


def turned(rules: Rules, prelude: Prelude, way: Relabelling) -> Prelude:
    """Relabel the seats and suits of a prelude, as a check is relabelled."""
    seats = tuple(Seat(SEATS.index(letter)) for letter in way.seats)
    sides = tuple(rules.side_of[seats[side[0]]] for side in rules.sides)
    turn = Turn(seats, sides, tuple(Suit(SUITS.index(letter)) for letter in way.suits))

    def position(spelt: Mapping[str, Any]) -> Mapping[str, Any]:
        return write_position(read_position(rules, spelt).turned(turn))

    def act(spelt: Mapping[str, Any]) -> Mapping[str, Any]:
        return write_act(turn_act(turn, read_act(rules, spelt)))

    return Prelude(
        start=position(prelude.start),
        acts=tuple(map(act, prelude.acts)),
        reached=position(prelude.reached),
        before=position(prelude.before),
        deal=act(prelude.deal),
        from_new_game=prelude.from_new_game,
        tricks=prelude.tricks,
        rests_on=prelude.rests_on,
    )
