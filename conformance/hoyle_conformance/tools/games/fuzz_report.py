"""The report of a campaign, for people or as data: the amount of play, and each cause of differences with the shortest
game that shows it, unless a file lists it as known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hoyle_conformance.files.diagnostics import Invalid, shown_path
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.reports.terminal import say
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import flow
from hoyle_conformance.tools.games.campaign import Campaign, Cause, Found
from hoyle_conformance.tools.games.shrink import Shrunk
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import plural, sanitize

_SCHEMA: Final = "known-differences"


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A known difference: after acts of one kind, in some rulesets with all their options."""

    rulesets: frozenset[str]
    act: str
    irregularity: str
    differs: frozenset[str]
    reason: str

    def fits(self, cause: Cause) -> bool:
        """Whether a cause is this difference."""
        return (
            cause.ruleset.partition("+")[0] in self.rulesets
            and cause.act == self.act
            and self.irregularity in {"", cause.irregularity}
            and not self.differs.isdisjoint(cause.differs)
        )


def read_known(schemas: Schemas, path: Path) -> tuple[KnownDifference, ...]:
    """Read a file of known differences; raise Invalid with every mistake in it."""
    document = read_file(path, shown_path(path))
    if complaints := schemas.complaints(_SCHEMA, document.data):
        raise Invalid([document.complain(each) for each in complaints])
    return tuple(
        KnownDifference(
            frozenset(entry["rulesets"]),
            entry["act"],
            entry.get("irregularity", ""),
            frozenset(entry["differs"]),
            entry["reason"],
        )
        for entry in document.data
    )


def reason_for(cause: Cause, known: Sequence[KnownDifference]) -> str:
    """Return the reason why a difference is known; an empty string if it is not known."""
    return next((each.reason for each in known if each.fits(cause)), "")


_COLUMNS: Final = ("games", "acts", "refused", "irregular", "declined")
#: The words for an act that was carried out or refused.
_ACCEPTED: Final = {True: "carried out", False: "refused"}
#: The maximum number of acts to print of a game.
_MOST_ACTS: Final = 30


@dataclass(frozen=True, slots=True)
class Reported:
    """A find with its shrunk game, if it could be repeated, and the reason, if the difference is known."""

    found: Found
    shrunk: Shrunk | None
    reason: str = ""


def print_campaign(console: Console, suite: Suite, campaign: Campaign, reported: Sequence[Reported]) -> None:
    """Print the games played, the readings that the engine follows, and every difference, known ones last."""
    console.print(_table(campaign))
    for ruleset, readings in campaign.readings.items():
        for path, name in readings:
            say(console, f"Under {ruleset} the engine follows another reading: {path} is [bold]{name}[/].")
    for number, each in enumerate((each for each in reported if not each.reason), start=1):
        _print_found(console, suite, number, each)
    for each in reported:
        if each.reason:
            say(console, f"\nKnown, in {plural(each.found.games, 'game')}: {_name(each.found)}.")
            say(console, f"  {escape(each.reason)}")


def campaign_data(info: AdapterInfo, seed: int, campaign: Campaign, reported: Sequence[Reported]) -> dict[str, Any]:
    """Return the results of a campaign as `fuzz.schema.json` describes them."""
    return {
        "engine": {"name": info.name, "version": info.version, "language": info.language},
        "seed": seed,
        "rulesets": [_ruleset_data(campaign, ruleset) for ruleset in campaign.counts],
        "differences": [_difference_data(each) for each in reported],
    }


def _ruleset_data(campaign: Campaign, ruleset: str) -> dict[str, Any]:
    counts = campaign.counts[ruleset]
    return {
        "ruleset": ruleset,
        **{column: counts[column] for column in _COLUMNS},
        "reached": len(campaign.corpora[ruleset].reached),
        "readings": dict(campaign.readings[ruleset]),
    }


def _difference_data(each: Reported) -> dict[str, Any]:
    found, shrunk = each.found, each.shrunk
    broke = found.difference is None
    return {
        "ruleset": found.cause.ruleset,
        "act": found.cause.act,
        "irregularity": found.cause.irregularity,
        "differs": [] if broke else list(found.cause.differs),
        "fault": found.cause.differs[0] if broke else "",
        "detail": sanitize(found.detail),
        "games": found.games,
        "game": str(found.recipe),
        "readings": dict(found.readings),
        "known": each.reason,
        "shrunk": _shrunk_data(shrunk) if shrunk else None,
    }


def _shrunk_data(shrunk: Shrunk) -> dict[str, Any]:
    return {
        "given": shrunk.given,
        "position": shrunk.message["position"],
        "steps": shrunk.message["steps"],
        "values": {
            key: {"expected": wanted, "observed": got} for key, (wanted, got) in shrunk.difference.values.items()
        },
        "cells": list(shrunk.grounds),
    }


def _table(campaign: Campaign) -> Table:
    """Return a table of the games played, with a row for each ruleset."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("ruleset", *_COLUMNS, "reached"):
        table.add_column(name, justify="left" if name == "ruleset" else "right")
    for ruleset, counts in campaign.counts.items():
        reached = len(campaign.corpora[ruleset].reached)
        table.add_row(ruleset, *(f"{counts[column]:,}" for column in _COLUMNS), f"{reached:,}")
    return table


def _name(found: Found) -> str:
    """Describe a cause."""
    cause = found.cause
    if found.difference is None:
        return escape(sanitize(f"{cause.ruleset}: the adapter broke ({cause.differs[0]}): {found.detail}"))
    act = f"{cause.act} ({cause.irregularity})" if cause.irregularity else cause.act
    return f"{cause.ruleset}: after {act} the engines differ in {', '.join(cause.differs)}"


def _print_found(console: Console, suite: Suite, number: int, each: Reported) -> None:
    """Print one cause, with the game that shows it."""
    found, shrunk = each.found, each.shrunk
    say(console, f"\n[bold]{number}. {_name(found)}[/] ({plural(found.games, 'game')})")
    for path, name in found.readings:
        say(console, f"  also if {path} is {name}")
    house = "--rules … " if suite.house else ""
    say(console, f"  hoyle fuzz {house}-r {found.cause.ruleset} --game {found.recipe} … plays the game again")
    if shrunk is None:
        return
    names = suite.rules.meld_names(found.cause.ruleset)
    lines = words.position(shrunk.given, names) if shrunk.given else [f"position: {flow(shrunk.message['position'])}"]
    for line in lines:
        say(console, f"    {escape(line)}")
    steps = shrunk.message["steps"]
    if len(steps) > _MOST_ACTS:
        say(console, f"    … {len(steps) - _MOST_ACTS} acts before these")
    for step in steps[-_MOST_ACTS:]:
        say(console, f"    {escape(flow(step))}")
    for line in value_lines(shrunk):
        say(console, f"  [red]{escape(sanitize(line))}[/]")
    if shrunk.grounds:
        say(console, f"  at work: {', '.join(shrunk.grounds)}")


def value_lines(shrunk: Shrunk) -> list[str]:
    """Return both engines' values after the last act, one line for each differing observable."""
    return [
        f"{key}: the reference shows {_shown(key, wanted)}, the engine {_shown(key, got)}"
        for key, wanted, got in _values(shrunk)
    ]


def _values(shrunk: Shrunk) -> list[tuple[str, Any, Any]]:
    """Return the differing observables; for a position and for values by player, only the differing parts."""
    return [(key, *_parts(*pair)) for key, pair in sorted(shrunk.difference.values.items())]


def _parts(wanted: Any, got: Any) -> tuple[Any, Any]:
    if not (isinstance(wanted, Mapping) and isinstance(got, Mapping)):
        return wanted, got
    keys = [key for key in wanted if wanted[key] != got.get(key)]
    pairs = {key: _parts(wanted[key], got.get(key)) for key in keys}
    return {key: pair[0] for key, pair in pairs.items()}, {key: pair[1] for key, pair in pairs.items()}


def _shown(key: str, value: Any) -> str:
    if key == "accepted":
        return _ACCEPTED.get(value, str(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{each} {_shown('', more)}" for each, more in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value)) or "nothing"
    return "nothing" if value is None else str(value)
