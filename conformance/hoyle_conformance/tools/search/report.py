"""What was found, as lines for the terminal and as data for programs."""

from collections.abc import Iterator, Sequence
from textwrap import shorten
from typing import Any, Final

from hoyle_conformance.tools.search.entries import EntryKind, Thing
from hoyle_conformance.tools.search.search import by_kind
from hoyle_conformance.wording.text import plural, sanitize, wrap

#: Columns of a line, letters of what a thing says, and letters of what was asked for in a message.
_WIDTH, _LETTERS, _ASKED = 80, 220, 60
_TITLES: Final = {
    EntryKind.TERM: "TERMS",
    EntryKind.RULE: "RULES",
    EntryKind.COMBINATION: "COMBINATIONS",
    EntryKind.IRREGULARITY: "IRREGULARITIES",
    EntryKind.CLAUSE: "CLAUSES OF THE SOURCES",
    EntryKind.QUESTION: "OPEN QUESTIONS",
    EntryKind.DOCUMENT: "PAGES",
    EntryKind.POSITION: "POSITIONS",
}


def lines(found: Sequence[Thing], most: int | None) -> Iterator[str]:
    """What was found, by its kind, at most so many of each; every one with the command that shows more of it."""
    for number, (kind, of_kind) in enumerate(by_kind(found).items()):
        if number:
            yield ""
        yield _TITLES[kind]
        for thing in of_kind[:most]:
            yield from _thing(thing)
        if most is not None and len(of_kind) > most:
            yield f"  and {len(of_kind) - most:,} more: --all shows them"


def _thing(thing: Thing) -> Iterator[str]:
    said = " ".join(f"{each}." if each[-1].isalnum() else each for each in (thing.title, thing.says) if each)
    yield from wrap(shorten(sanitize(said), _LETTERS, placeholder=" …"), 2, width=_WIDTH)
    if thing.id not in thing.next:
        others = f" (and in {plural(len(thing.rulesets) - 1, 'other ruleset')})" if len(thing.rulesets) > 1 else ""
        yield from wrap(f"{thing.id}{others}", 6, width=_WIDTH)
    yield f"      {thing.next}"


def data(found: Sequence[Thing], most: int | None, meant: str) -> dict[str, Any]:
    """What was found, the best first, at most so many of a kind; how many more there are; and, where nothing was found,
    what may have been meant."""
    of_kinds = by_kind(found)
    shown = {thing for of_kind in of_kinds.values() for thing in of_kind[:most]}
    more = {kind.value: len(of_kind) - most for kind, of_kind in of_kinds.items() if most and len(of_kind) > most}
    return {"found": [_data(thing) for thing in found if thing in shown], "more": more, "did_you_mean": meant}


def _data(thing: Thing) -> dict[str, Any]:
    return {
        "kind": thing.kind.value,
        "id": thing.id,
        "title": thing.title,
        "says": thing.says,
        "rulesets": list(thing.rulesets),
        "next": thing.next,
    }


def nothing(asked: str, meant: str, ruleset: str) -> str:
    """That nothing was found, in one line."""
    near = f" Did you mean '{meant}'?" if meant else ""
    where = f" in {ruleset}" if ruleset else ""
    said = sanitize(" ".join(asked.split()))
    return f"Nothing{where} has anything like '{said if len(said) <= _ASKED else said[:_ASKED] + '…'}'.{near}"
