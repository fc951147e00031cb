"""The stored preludes of a spec folder, which 'make preludes' in a checkout finds.

The parts are: the file format, the stored preludes, and their verification.
"""

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from gzip import GzipFile
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of
from hoyle_conformance.checks.preludes.follow import FoundHistory, beside, follow, never, proved_impossible, tried
from hoyle_conformance.checks.request import NOT_STORED, NoPrelude, Prelude, Why
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import LARGEST_OF_LINES, files_below, read_bytes, read_json
from hoyle_conformance.suite.model import AS_WRITTEN, Check, Relabelling, Scenario
from hoyle_conformance.suite.paths import tree
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Malformed, Rules, read_act, read_position, turn_act, write_act, write_position
from hoyle_reference.acts import Act
from hoyle_reference.cards import SUITS, Card, Suit, read_card
from hoyle_reference.seats import SEATS, Seat
from hoyle_reference.table import Turn

# ---- the file format
#
# A file has lines of JSON, one for each history of a scenario. An act is a few words: `A KS` plays a card, and `A
# draw-all` draws one, followed by the draws of the others. For any other act, its word is followed by its values: `A
# declare meld=bezique cards=QS,JD`.


#: The number of digits of a digest that are stored.
_DIGITS: Final = 12
DRAW: Final = "draw"
ALL_DRAW: Final = "draw-all"
_NUMBERS: Final = frozenset({"count", "value", "packets"})
_LISTS: Final = frozenset({"cards"})


@dataclass(frozen=True, slots=True)
class History:
    """A stored history.

    It has the deck and the acts as text, the number of tricks, the number of the variant that completed the position,
    and the cells whose readings it depends on. `later` is set if it is of a later deal, or of a game in which points
    were made before.
    """

    deck: str
    acts: str
    tricks: int
    variant: int = 0
    later: bool = False
    rests_on: tuple[str, ...] = ()


def digest(check: Check) -> str:
    """Return the digest of the inputs of a history: the position and the steps of a scenario, as in its file."""
    scenario = check.scenario
    text = json.dumps([scenario.given, scenario.steps], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def written_act(act: Mapping[str, Any]) -> str:
    """Return an act in a few words."""
    match act:
        case {"by": by, "do": "play", "card": card}:
            return f"{by} {card}"
        case {"by": by, "do": word, **rest}:
            return " ".join([by, word, *(f"{key}={_value(each)}" for key, each in rest.items())])
        case _:
            raise ValueError(f"not an act of a history: {act!r}")


def _value(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def _act(words: str) -> dict[str, Any]:
    by, word, *rest = words.split(" ")
    if read_card(word) is not None:
        return {"by": by, "do": "play", "card": word}
    act: dict[str, Any] = {"by": by, "do": word}
    for each in rest:
        key, _, text = each.partition("=")
        act[key] = text.split(",") if text and key in _LISTS else [] if key in _LISTS else text
        if key in _NUMBERS:
            act[key] = int(text)
    return act


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored history ready to be played: a `PlayedHistory`."""

    deck: tuple[Card, ...]
    script: tuple[Act, ...]
    tricks: int

    def acts(self, _game: Game) -> Iterator[Act]:
        """Return the acts in their order."""
        return iter(self.script)


def course(rules: Rules, kept: History) -> Kept:
    """Return a stored history read under these rules; raises Malformed or ValueError if it makes no sense under
    them."""
    cards = [read_card(text, rules.packs) for text in kept.deck.split(" ")]
    known = tuple(card for card in cards if card is not None)
    if len(known) < len(cards):
        raise ValueError("the deck names a card that the game does not have")
    return Kept(known, tuple(read_act(rules, each) for each in spelt(kept, rules.letters)), kept.tricks)


def spelt(kept: History, letters: str) -> Iterator[dict[str, Any]]:
    """Yield the acts of a stored history in the form of the protocol; `letters` are those of the players."""
    words = (each for text in kept.acts.split("; ") if text for each in _one_by_one(text, letters))
    return map(_act, words)


def _one_by_one(text: str, letters: str) -> Iterator[str]:
    """Yield an act; for `draw-all`, the draw of each player in turn."""
    by, _, word = text.partition(" ")
    if word != ALL_DRAW:
        yield text
        return
    at = letters.index(by)
    yield from (f"{letter} {DRAW}" for letter in letters[at:] + letters[:at])


@dataclass(frozen=True, slots=True)
class PreludeLine:
    """A line of a file: a scenario, the rulesets, the digest of the inputs, and the history or the reason why there is
    none."""

    scenario: str
    rulesets: tuple[str, ...]
    of: str
    found: History | NoPrelude


def line(data: Mapping[str, Any]) -> PreludeLine:
    """Return a line from its valid JSON."""
    found: History | NoPrelude
    if "none" in data:
        found = NoPrelude(Why(data["none"]), data["reason"])
    else:
        own = {key: value for key, value in data.items() if key not in PreludeLine.__match_args__}
        found = History(**{**own, "rests_on": tuple(data.get("rests_on", ()))})
    return PreludeLine(data["scenario"], tuple(data["rulesets"]), data["of"], found)


# ---- the stored preludes


#: The folder of a spec that has the stored preludes, and the names of their files.
FOLDER: Final = "preludes"
ENDING: Final = ".preludes.jsonl.gz"
#: The command that finds them again.
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
    """Yield the lines of a file; raises Invalid at a damaged one."""
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
    """Return the stored line of a check as written, if it was found for the present position and steps. Under house
    rules, return the line of the ruleset that they extend."""
    house = suite.house
    names = house.checked_as if house and house.ruleset.id == check.ruleset else (check.ruleset,)
    there = (kept_lines(suite, name).get((check.scenario.id, name)) for name in names)
    return next((line for line in there if line and line.of == digest(check)), None)


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
    """Return the stored prelude of a check, relabelled in the same way as the check."""
    if none := never(check):
        return none
    written = check if check.turned == AS_WRITTEN else suite.index.checks[check.id]
    prelude = _of_a_check_as_written(suite, written)
    if written is check or isinstance(prelude, NoPrelude):
        return prelude
    return turned(suite.rules.of(check.ruleset), prelude, check.turned)


def outlined(suite: Suite, check: Check) -> Prelude | NoPrelude:
    """Return the prelude of a check without its positions, which is enough to decide which adapters can play it.

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
        line_ = kept(suite, check)
        there = NOT_STORED if line_ is None else line_.found
        found = there if isinstance(there, NoPrelude) else again(suite, check, there)
        prelude = found.prelude if isinstance(found, FoundHistory) else found or NOT_STORED
        verified[check.id] = check, prelude
    return prelude


def turned(rules: Rules, prelude: Prelude, way: Relabelling) -> Prelude:
    """Relabel the seats and suits of a prelude in the same way as a check."""
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


# ---- verification of the stored preludes


_MAY_BE = "Change the position to one that can arise in play; most questions can be asked there too."


def prelude_files(suite: Suite) -> list[Path]:
    """Return the files of stored preludes; raises Invalid if their folder cannot be read."""
    folder = suite.root / FOLDER
    return list(files_below(folder, suite.shown(folder), within=tree(suite.root)))


def check_prelude_file(suite: Suite, path: Path, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield a mistake if a file belongs to no ruleset, or the first line that shows the file to be damaged or stale."""
    table = path.name.removesuffix(ENDING)
    if not path.name.endswith(ENDING) or table not in suite.rulesets:
        message = f"no ruleset uses the preludes in {path.name}"
        yield Diagnostic(suite.shown(path), 1, 1, "surplus-preludes", message, "Remove the file.")
    else:
        yield from _of_a_file(suite, table, path, proofs)


def check_history(suite: Suite, scenario: Scenario) -> Iterator[Diagnostic]:
    """Yield a diagnostic if it is proved that no legal history leads to the position of a scenario under any of its
    rulesets."""
    proved: list[NoPrelude] = []
    for check in suite.index.checks_of(scenario):
        none = proved_impossible(suite, check)
        if none is None:
            return
        proved.append(none)
    if proved:
        message = f"no legal history leads to this position; {proved[0].reason}"
        yield scenario.document.diagnose(["given"], "impossible-position", message, _MAY_BE)


def _of_a_file(suite: Suite, table: str, path: Path, proofs: Proofs) -> Iterator[Diagnostic]:
    """Yield the first mistake of a file."""
    try:
        for number, data in enumerate(lines_of(suite, path), start=1):
            stale = _is_stale_beside(suite, data) if "beside" in data else _is_stale(suite, data, proofs)
            if stale:
                yield Diagnostic(suite.shown(path), number, 1, "stale-prelude", stale, ANEW.format(table))
                return
    except Invalid as invalid:
        yield from invalid.diagnostics


def _is_stale_beside(suite: Suite, data: Mapping[str, Any]) -> str:
    ruleset = data["ruleset"]
    if not suite.rules.knows(ruleset):
        return f"ruleset {ruleset} no longer exists"
    if tuple(data["beside"]) != beside(suite, ruleset):
        return f"the readings of the disputed cells of {ruleset} have changed since its preludes were found"
    return ""


def _is_stale(suite: Suite, data: Mapping[str, Any], proofs: Proofs) -> str:
    """Return the reason why a line is no longer valid; empty if it is."""
    inputs = partial(_inputs, suite, data)
    stale = "" if proofs.holds(inputs) else _played_again(suite, line(data))
    if not stale:
        proofs.note(inputs)
    return stale


def _inputs(suite: Suite, data: Mapping[str, Any]) -> Sequence[Any]:
    """Return the inputs of a line: the scenario and the rulesets that it names, as far as they exist."""
    inputs, scenario = inputs_of(suite), suite.scenarios.get(data["scenario"])
    rulesets = [name for name in data["rulesets"] if name in suite.rules.names]
    return "prelude", data, scenario and inputs.scenario(scenario), inputs.rules(rulesets)


def _played_again(suite: Suite, kept: PreludeLine) -> str:
    """Play the history of a line again, and return the reason why the line is no longer valid; empty if it is."""
    scenario = suite.scenarios.get(kept.scenario)
    if scenario is None:
        return f"scenario {kept.scenario} no longer exists"
    checks = {check.ruleset: check for check in suite.index.checks_of(scenario)}
    for ruleset in kept.rulesets:
        if ruleset not in checks:
            return f"{kept.scenario} no longer has an outcome for {ruleset}"
        if digest(checks[ruleset]) != kept.of:
            return f"the position of {kept.scenario} has changed since its prelude was found"
        if isinstance(kept.found, NoPrelude):
            continue
        if not isinstance(again(suite, checks[ruleset], kept.found), FoundHistory):
            return f"the prelude of {kept.scenario} no longer leads to its position under {ruleset}"
    return ""
