"""Ids are for ever: the lock file holds every id that was ever published.

``spec/ids.lock`` has one id a line, after its kind; an id that was given up stays, with the word ``retired`` and the
reason after it, so that it is never given to anything else.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..files.diagnostics import Diagnostic

if TYPE_CHECKING:
    from .load import Suite

LOCK = "ids.lock"


def published(suite: "Suite") -> Iterator[tuple[str, str]]:
    """Every id that the suite publishes now, with its kind, in the order of the lock file."""
    for clause in sorted(suite.clauses):
        yield "clause", clause
    for ruleset in suite.rulesets.values():
        yield "ruleset", ruleset.id
        for option in ruleset.options:
            yield "ruleset", f"{ruleset.id}+{option}"
    for scenario in sorted(suite.scenarios):
        yield "scenario", scenario


def check(suite: "Suite") -> list[Diagnostic]:
    """Ids that are missing from the lock, and ids in it that the suite has lost, or uses though they are retired."""
    path = suite.root / LOCK
    shown = suite.shown(path)
    text = path.read_text("utf-8") if path.is_file() else ""
    locked = {
        tuple(line.split(maxsplit=2)[:2]): (number, line)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    }
    now = set(published(suite))
    faults = []
    new = [f"{kind} {name}" for kind, name in sorted(now - set(locked))]
    if new:
        what = f"the {new[0]} is new" if len(new) == 1 else f"{len(new)} ids are new (the first: {new[0]})"
        faults.append(
            Diagnostic(
                shown,
                1,
                1,
                "id-not-locked",
                f"{what} and not in {LOCK}",
                "Run 'hoyle validate --lock' and commit the file.",
            )
        )
    for key, (number, line) in sorted(locked.items()):
        retired = " retired" in line
        if key not in now and not retired:
            remedy = "Bring it back, or write 'retired' and the reason after it."
            faults.append(
                Diagnostic(
                    shown, number, 1, "id-lost", f"the {key[0]} '{key[1]}' was published and is gone", remedy, line
                )
            )
        if key in now and retired:
            faults.append(
                Diagnostic(
                    shown,
                    number,
                    1,
                    "id-reused",
                    f"the {key[0]} '{key[1]}' is retired and used again",
                    "Give it another id.",
                    line,
                )
            )
    return faults


def updated(suite: "Suite") -> str:
    """The lock file with the new ids added; nothing is ever taken out."""
    path = suite.root / LOCK
    old = path.read_text("utf-8").splitlines() if path.is_file() else []
    known = {tuple(line.split(maxsplit=2)[:2]) for line in old if line.strip()}
    return (
        "\n".join(sorted([*old, *(f"{kind} {name}" for kind, name in published(suite) if (kind, name) not in known)]))
        + "\n"
    )
