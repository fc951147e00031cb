"""Drafts of scenarios from shrunk games: the question, without an outcome."""

from collections.abc import Mapping
from typing import Any

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import Draft, draft_data
from hoyle_conformance.tools.authoring.layout import scenario_text
from hoyle_conformance.tools.fuzz.piece import Found
from hoyle_conformance.tools.fuzz.shrink import Shrunk
from hoyle_reference.frozen import frozen

#: How it is worded that an act was carried out, or was not.
_ACCEPTED = {True: "carried out", False: "refused"}


@frozen
class FuzzDraft:
    """The text of a scenario file, and the name of the file."""

    name: str
    text: str


def draft_of(suite: Suite, found: Found, shrunk: Shrunk, number: int) -> FuzzDraft | None:
    """Return the draft of a scenario that asks who is right; None if a scenario cannot give its position.

    The clauses at work are cited as candidates. What each engine does is in the `why`, and never in the outcome.
    """
    if shrunk.given is None:
        return None
    ruleset = found.cause.ruleset
    name = f"fuzz.{ruleset.replace('+', '-')}-{number}"
    draft = Draft(
        id=name,
        title=_title(found),
        why=f"Two engines differ after the last step. {'; '.join(value_lines(shrunk))}.",
        rulesets=(ruleset,),
        given=shrunk.given,
        steps=tuple(shrunk.message["steps"]),
        cites=tuple(sorted(suite.rules.cells(ruleset).clauses(shrunk.grounds))),
    )
    return FuzzDraft(f"{name.partition('.')[2]}.scenario.yaml", scenario_text(draft_data(suite, draft)))


def _title(found: Found) -> str:
    cause = found.cause
    return (
        f"What follows from {cause.act} ({cause.irregularity})?"
        if cause.irregularity
        else f"What follows from {cause.act}?"
    )


def value_lines(shrunk: Shrunk) -> list[str]:
    """Return what each of the two engines shows after the last act, one line for each observable that differs."""
    return [
        f"{key}: the reference shows {_shown(key, wanted)}, the engine {_shown(key, got)}"
        for key, wanted, got in _values(shrunk)
    ]


def _values(shrunk: Shrunk) -> list[tuple[str, Any, Any]]:
    """Return the observables that differ; of a position, and of values by player, only the parts that differ."""
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
