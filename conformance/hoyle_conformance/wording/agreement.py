"""Agreement of rulesets: those that say the same in a cell, and those that are silent."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.rulings import is_irregularity
from hoyle_conformance.wording.text import join_and
from hoyle_reference import Cells

#: How certain a rule is, the surest first.
_CERTAINTY = ("stated", "implied", "supplied", "disputed", "house rule")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Rulesets that say the same of one thing, each with its entry in the rule book."""

    entries: Mapping[str, rulebook.Entry]

    @property
    def entry(self) -> rulebook.Entry:
        """The entry of the first of them."""
        return next(iter(self.entries.values()))

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses that they rest on."""
        return tuple(dict.fromkeys(clause for entry in self.entries.values() for clause in entry.cell.cites))


def entry_at(suite: Suite, ruleset: str, path: str) -> rulebook.Entry | None:
    """Return the entry of a ruleset for a cell, or None where it has no such cell."""
    cells = suite.rules.cells(ruleset)
    if path not in cells:
        return None
    (chapter,) = rulebook.chapters(suite, Cells({path: cells[path]}))
    return chapter.entries[0]


def group_entries(entries: Mapping[str, rulebook.Entry]) -> list[Agreement]:
    """Return entries of several rulesets for the same cell, grouped by what they say, the surest first."""
    groups: dict[str, dict[str, rulebook.Entry]] = {}
    for name, entry in entries.items():
        groups.setdefault(meaning(entry), {})[name] = entry
    return sorted(map(Agreement, groups.values()), key=lambda each: _CERTAINTY.index(each.entry.cell.status))


def meaning(entry: rulebook.Entry) -> str:
    """Return what must be the same for rulesets to agree: the ruling, whatever the size of a hand in it."""
    value = entry.cell.value
    if not is_irregularity(value):
        return entry.sentence
    return json.dumps([value[key] for key in ("ruling", "until", "remedies")] + [value.get("chooses")])


def titles(agreement: Agreement) -> list[str]:
    """Return the heading in these rulesets, as a sentence; where they differ, each with the rulesets that give it."""
    by_heading: dict[str, list[str]] = {}
    for name, entry in agreement.entries.items():
        by_heading.setdefault(entry.heading, []).append(name)
    if len(by_heading) == 1:
        return [f"{heading}." for heading in by_heading]
    return [f"{heading} ({', '.join(names)})." for heading, names in by_heading.items()]


def doubts(agreement: Agreement) -> list[tuple[str, str, Sequence[rulebook.ReadingEntry]]]:
    """Return how certain the rule is, where a source does not simply state it.

    That is the status, with the rulesets if not all have it; the reason; and the readings that are not followed.
    """
    found: dict[tuple[str, str, tuple[rulebook.ReadingEntry, ...]], list[str]] = {}
    for name, entry in agreement.entries.items():
        cell = entry.cell
        if cell.status != "stated":
            others = tuple(each for each in entry.readings if each.name != cell.follows)
            found.setdefault((cell.status, rulebook.reason(cell), others), []).append(name)
    everywhere = len(agreement.entries)
    return [
        (status if len(names) == everywhere else f"{status} in {join_and(names)}", because, readings)
        for (status, because, readings), names in found.items()
    ]
