"""Several records side by side, as a value: a column for each, with a name of its own, a row for each ruleset and
topic, and whatever makes it unfair to compare them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import NOTHING, Count, by_topic
from hoyle_conformance.wording.cards import listed
from hoyle_conformance.wording.text import counted
from hoyle_reference.frozen import frozen


@frozen
class Column:
    """One record, by its number and by a name that no other has; its checks are counted by ruleset and row."""

    number: int
    name: str
    record: Record
    counts: Mapping[str, Mapping[str, Count]]

    def total(self, ruleset: str) -> Count:
        """The sum of a ruleset."""
        return sum(self.counts.get(ruleset, {}).values(), NOTHING)

    def at(self, ruleset: str, row: str) -> Count:
        """What is counted in one place."""
        return self.counts.get(ruleset, {}).get(row, NOTHING)

    def why_nothing(self, ruleset: str) -> str:
        """Why nothing of a ruleset was asked."""
        claimed = any(name.partition("+")[0] == ruleset for name in self.record.implementation.rulesets)
        return "not asked" if claimed else "not claimed"


def columns(records: Sequence[Record]) -> Sequence[Column]:
    """The records, in the order in which they were named."""
    names = _unique(records)
    return [Column(at + 1, names[at], each, by_topic(each)) for at, each in enumerate(records)]


def rulesets(some: Sequence[Column]) -> Sequence[str]:
    """The rulesets of which one of them was asked something, by name."""
    return sorted({name for each in some for name in each.counts})


def rows(some: Sequence[Column], ruleset: str) -> Sequence[str]:
    """The topics of a ruleset, and then its options."""
    found = {row for each in some for row in each.counts.get(ruleset, {})}
    return sorted(found, key=lambda row: (row.startswith("+"), row))


def title(some: Sequence[Column], ruleset: str) -> str:
    """What a ruleset is called."""
    return next((each.record.rulesets[ruleset].title for each in some if ruleset in each.record.rulesets), ruleset)


def _unique(records: Sequence[Record]) -> list[str]:
    """A name for each: its own, with its version where two have the same, and then with its place; if somebody is
    called like that too, all begin with their place."""
    of = [each.implementation for each in records]
    names = _parted([" ".join(each.name.split()) for each in of], [each.title for each in of])
    names = _parted(names, [f"{name} (record {number})" for number, name in enumerate(names, start=1)])
    return names if len({*names}) == len(names) else [f"{number}. {name}" for number, name in enumerate(names, start=1)]


def _parted(names: list[str], others: list[str]) -> list[str]:
    """The names, and in place of each that is there twice the other one."""
    times = Counter(names)
    return [other if times[name] > 1 else name for name, other in zip(names, others, strict=True)]


# ---- what makes it unfair


def warnings(some: Sequence[Column]) -> Iterator[str]:
    """In what, beside the engines, the runs differ, a sentence each."""
    yield from _different(some, "different suites", suite)
    yield from _different(some, "different house rules", house)
    yield from _different(some, "checks that were turned otherwise", lambda each: seed(each.seed))
    if len({frozenset(each.record.by_check) for each in some if not each.record.not_run}) > 1:
        chosen = [f"{counted(each.record.selected, 'check')} for {each.name}" for each in some]
        yield f"They were not held against the same checks: {listed(chosen)}."
    yield from _different(some, "different versions of Hoyle", lambda each: each.hoyle)
    for each in some:
        if each.record.not_run or each.record.cut_off:
            yield f"{each.name}: {each.record.broken or 'not every check was run.'}"


def suite(record: Record) -> str:
    """The suite it was held against, by its version and the beginning of its digest."""
    return f"{record.suite} ({record.digest[:8]})"


def house(record: Record) -> str:
    """The house rules that were joined to it, by their name."""
    return str(record.house["id"]) if record.house else "none"


def seed(of: str | None) -> str:
    """How checks are turned, in short."""
    return "as written" if of is None else f"by '{of}'" if of else "as usual"


def selected(record: Record) -> str:
    """How many checks were selected, and how they are turned."""
    return f"{record.selected:,}, {'' if record.seed is None else 'turned '}{seed(record.seed)}"


def _different(some: Sequence[Column], what: str, of: Callable[[Record], str]) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for each in some:
        found.setdefault(of(each.record), []).append(each.name)
    if len(found) > 1:
        yield (
            f"They were held against {what}: "
            + "; ".join(f"{which} for {listed(n)}" for which, n in found.items())
            + "."
        )
