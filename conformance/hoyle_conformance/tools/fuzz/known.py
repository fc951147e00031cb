"""Known differences: those that a file lists, each with its reason."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hoyle_conformance.files.diagnostics import Invalid, shown_path
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.tools.fuzz.piece import Cause
from hoyle_reference.frozen import frozen

_SCHEMA: Final = "known-differences"


@frozen
class KnownDifference:
    """A difference that is known: after acts of one kind, in some rulesets with all their options."""

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
    """Read a file of known differences; raises Invalid with every mistake in it."""
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
    """Return the reason why a difference is known; empty if it is not."""
    return next((each.reason for each in known if each.fits(cause)), "")
