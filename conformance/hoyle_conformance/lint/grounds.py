"""Grounds: whether the clauses that a cell cites can carry it. They are of its own game, and leave nothing open that
the cell would have them say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..files.diagnostics import Diagnostic
from ..model import Clause, Ruleset
from ..suite.value import Suite

#: How a ledger writes that a statement leaves something open.
OPEN: Final = re.compile(
    r"\b(?:not(?: \w+)? (?:said|stated|told|named|spoken of)|nothing(?: \w+)? is (?:said|provided)"
    r"|said nowhere|says nothing|do(?:es)? not (?:say|state|tell|name|settle|decide)|by the letter|literally|silent"
    r"|(?:leaves?|left)(?: it| this| \w+ing)? open|is open)\b",
    re.IGNORECASE,
)
#: The states of a cell that own to what the source leaves open.
OWNED: Final = frozenset({"disputed", "supplied"})


def lint_grounds(
    suite: Suite, ruleset: Ruleset, path: Sequence[str | int], cell: Mapping[str, Any]
) -> Iterator[Diagnostic]:
    """What of the clauses that a cell of a table cites cannot carry it."""
    document, own = ruleset.document, _sources(suite, ruleset)
    for at, name in enumerate(cell["cites"]):
        clause, place = suite.clauses.get(name), [*path, "cites", at]
        if clause is None:
            continue
        source, _, rest = name.partition("/")
        if source not in own or not suite.sources[source].is_about(ruleset.game, rest.partition("/")[0]):
            yield document.diagnose(
                place,
                "clause-of-another-game",
                f"'{name}' is of another game than {ruleset.game}",
                "Cite a clause of this game; if none decides, supply the rule with a reason of its own.",
            )
        elif cell.get("status") not in OWNED and (words := left_open(clause)):
            yield document.diagnose(
                place,
                "left-open",
                f"'{name}' leaves something open (\"{words}\"), and this cell is neither disputed nor supplied",
                "Give the cell its readings, or supply it; or write in the ledger, under 'decided', why it is certain.",
            )


def left_open(clause: Clause) -> str:
    """The words by which a clause owns that it leaves something open; none where it is said why that is decided."""
    found = OPEN.search(clause.says)
    return found.group() if found and not clause.decided else ""


def _sources(suite: Suite, ruleset: Ruleset) -> frozenset[str]:
    """The sources of a ruleset and of all that are of its game."""
    alike = (each for each in suite.rulesets.values() if each.game == ruleset.game)
    return frozenset(ruleset.sources).union(*(each.sources for each in alike))
