"""The entries of a rule book: the cells of a table as sentences, in the fixed order of chapters, each with its sources.

The words come from the ruleset schema, which has a title for every parameter and sentences for its values.

The parts are: entries, the rule book for the terminal, agreement of rulesets on a cell, and a sentence for a rule that
an engine changes.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import RuleOwner, without_words
from hoyle_conformance.suite.vocabulary import parameter_schema as parameter_schema  # noqa: PLC0414 -- part of this page
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import rulings
from hoyle_conformance.wording.text import join_and, wrap
from hoyle_reference import Cell, Cells
from hoyle_reference.cards import RANK_NAMES, RANKS
from hoyle_reference.cells import LeftOpen


@dataclass(frozen=True, slots=True)
class ReadingEntry:
    """One way to read a rule: its name, the rule in that reading, and the argument for it."""

    name: str
    sentence: str
    argument: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule: its cell, the heading of its group (empty in most chapters) and its own, its sentence, its readings,
    and short forms of the rule or of each value, if the vocabulary has them."""

    cell: Cell
    group: str
    heading: str
    sentence: str
    readings: tuple[ReadingEntry, ...]
    short: str | Mapping[str, str] = ""


def followed(entry: Entry) -> ReadingEntry:
    """Return the reading that Hoyle follows."""
    return next(reading for reading in entry.readings if reading.name == entry.cell.follows)


@dataclass(frozen=True, slots=True)
class ChapterEntries:
    """One chapter of a rule book."""

    name: str
    title: str
    entries: tuple[Entry, ...]


def chapters(suite: Suite, cells: Cells) -> list[ChapterEntries]:
    """Return the chapters of the rule book for these cells."""
    properties = suite.schemas.documents["ruleset"]["properties"]
    names = {cell.path.partition(".")[0] for cell in cells}
    book = [
        ChapterEntries(name, schema["title"], tuple(_entries(suite, cells, schema, name)))
        for name, schema in properties.items()
        if name in names and "title" in schema and "properties" in schema
    ]
    return [chapter for chapter in book if chapter.entries]


def printed_chapters(suite: Suite, cells: Cells) -> list[ChapterEntries]:
    """Return the chapters of the rule book, without irregularities that cannot occur in a game of this table."""
    players = cells["players.number"].value
    book = [
        replace(each, entries=tuple(entry for entry in each.entries if rulings.can_occur(entry.cell.value, players)))
        for each in chapters(suite, cells)
    ]
    return [chapter for chapter in book if chapter.entries]


def heading(cell: Cell, schema: Mapping[str, Any]) -> str:
    """Return the heading of a rule, from the schema of its parameter; for a row of a list, its subject."""
    return heading_of_row(cell.value) if schema.get("type") == "array" else str(schema["title"])


def _entries(suite: Suite, cells: Cells, schema: Mapping[str, Any], path: str, group: str = "") -> Iterator[Entry]:
    for name, each in schema.get("properties", {}).items():
        here = f"{path}.{name}"
        if each.get("type") == "array":
            for row in cells.rows(here):
                yield _entry(row, each["title"], heading_of_row(row.value), each)
        elif "$ref" not in each:
            yield from _entries(suite, cells, each, here, each["title"])
        elif here in cells:
            yield _entry(cells[here], group, each["title"], each)


def heading_of_row(row: Mapping[str, Any]) -> str:
    """Return the subject of a row: the name of a combination, or the title of an irregularity."""
    name = str(row["name"] if "name" in row else row["title"])
    return name[:1].upper() + name[1:].lower() if "name" in row else name


def _entry(cell: Cell, group: str, heading: str, schema: Mapping[str, Any]) -> Entry:
    readings = tuple(
        ReadingEntry(reading.name, sentence(schema, reading.value), reading.argument) for reading in cell.readings
    )
    return Entry(cell, group, heading, sentence(schema, cell.value), readings, schema.get("short", ""))


def sentence(schema: Mapping[str, Any], value: Any) -> str:
    """Return the sentence for a value of a parameter."""
    if isinstance(value, Mapping) and "ruling" in value:
        return str(value["ruling"])
    if isinstance(value, Mapping):
        return _called_combination(value) if "class" in value else _combination(value)
    if sentences := schema["properties"]["is"].get("sentences"):
        return str(sentences[value])
    said = str(schema["sentence"]).replace("{value}", value_in_words(value)).replace("{s}", "" if value == 1 else "s")
    if "{sum}" in said:
        said = said.replace("{sum}", value_in_words(sum(value[0])))
    return said[:1].upper() + said[1:]


def value_in_words(value: Any) -> str:
    """Return a value in words: small numbers as words, ranks by name, and packets as they are dealt."""
    if isinstance(value, str):
        return join_and([RANK_NAMES[RANKS.index(rank)] for rank in value.split()])
    if isinstance(value, Sequence):
        ways = [_packets(way) for way in value if isinstance(way, Sequence)]
        return join_and(ways, "or") if ways else join_and([str(each) for each in value])
    return _SMALL[value] if value < len(_SMALL) else f"{value:,}"


def _packets(way: Sequence[int]) -> str:
    """Return the sizes of packets, only once if all are equal."""
    return join_and([value_in_words(size) for size in (way if len(set(way)) > 1 else way[:1])])


_SMALL = ("nothing", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SUITS = {
    "trumps": " of trumps",
    "plain": " of one suit that is not trumps",
    "any": " of any suits",
    "one-each": " of four different suits",
}


def _called_combination(row: Mapping[str, Any]) -> str:
    """Return a combination that is called in a class, or the meaning of a void suit in one."""
    worth = f"{row['points']:,} points." if row["points"] else "no combination."
    if "value" in row:
        return f"A void suit stands for {row['cards']} cards of the value {row['value']}: {worth}"
    if "below" in row:
        rank = RANK_NAMES[RANKS.index(row["below"])]
        return f"A void suit stands for {row['cards']} cards, next below those with the {rank} on top: {worth}"
    return f"{_SMALL[row['cards']].capitalize()} cards: {worth}"


def _combination(row: Mapping[str, Any]) -> str:
    cards = row["cards"]
    if "suits" in row:
        what = _join_equal([RANK_NAMES[RANKS.index(rank)] for rank in cards]) + _SUITS[row["suits"]]
    else:
        what = _card_names(cards)
    worth = f"{row['points']:,} points." if row["points"] else "no combination."
    return " ".join((f"{what[:1].upper()}{what[1:]}: {worth}", *notes(row)))


def _card_names(cards: Sequence[str]) -> str:
    """Return specific cards by name: ``queen of spades and knave of diamonds``."""
    return _join_equal([printed.card_name(card) for card in cards])


def _join_equal(names: Sequence[str]) -> str:
    """Return cards by name, with equal ones combined: ``two queens of spades and two knaves of diamonds``."""
    counts = {name: list(names).count(name) for name in names}
    said = (f"{value_in_words(count)} {_plural_card(name)}" if count > 1 else name for name, count in counts.items())
    return join_and(list(said))


def notes(row: Mapping[str, Any]) -> list[str]:
    """Return the rules of a combination other than its cards and points, one sentence for each."""
    said = [_unused(row)] if row.get("unused") else []
    said += _trump_notes(row) if row["points"] else ()
    if row.get("over"):
        said.append(f"It is superior to {join_and([kind_name(kind) for kind in row['over']])}.")
    return said


def _unused(row: Mapping[str, Any]) -> str:
    kinds = join_and([kind_name(kind) for kind in (*row.get("over", ()), row["kind"])], "or")
    return f"{value_in_words(row['unused']).capitalize()} of its cards must not have scored in {kinds} before."


def kind_name(kind: str) -> str:
    """Return a noun for a kind of combination: ``a bézique``, ``four knaves``."""
    name = kind.replace("-", " ").replace("bezique", "bézique")
    return name if name.partition(" ")[0] in _SMALL else f"a {name}"


def _trump_notes(row: Mapping[str, Any]) -> list[str]:
    """Return the cards of a combination under specific trumps, and whether it makes trumps."""
    others: dict[str, list[str]] = {}
    for suit, cards in row.get("cards_by_trumps", {}).items():
        others.setdefault(_card_names(cards), []).append(printed.suit_name(suit))
    said = [f"With {join_and(suits, 'or')} as trumps: {cards}." for cards, suits in others.items()]
    return [*said, "If there are no trumps, it makes its suit trumps."] if row.get("makes_trumps") else said


def _plural_card(name: str) -> str:
    """Return the plural of a card: ``queens of spades``, ``sixes``."""
    rank, of, suit = name.partition(" of ")
    return f"{rank}s{of}{suit}"


def rule_page(
    suite: Suite, name: str, *, cells: bool = False, cites: bool = True, only: Collection[str] = ()
) -> Iterator[str]:
    """Yield a ruleset as a rule book for the terminal: chapters, or `only` those with these names, with rules in words.

    With `cites`, each rule has its places in the sources; with `cells`, the name of its cell.
    """
    base, *options = name.split("+")
    ruleset = suite.rulesets[base]
    yield f"{ruleset.title} ({name})"
    yield from wrap(ruleset.summary)
    for option in options:
        yield f"With the option: {suite.rules.options(ruleset.id)[option]}."
    for chapter in printed_chapters(suite, suite.rules.cells(name)):
        if only and chapter.name not in only:
            continue
        yield from ("", chapter.title.upper())
        group = ""
        for entry in chapter.entries:
            if entry.group != group:
                group = entry.group
                yield f"\n  {group}".rstrip()
            yield from _entry_lines(entry, cells=cells, cites=cites)
    if suite.rules.options(ruleset.id) and not (options or only):
        yield ""
        yield "OPTIONS"
        for option, title in suite.rules.options(ruleset.id).items():
            yield f"  {ruleset.id}+{option}: {title}"


def left_open_sentence(left_open: LeftOpen) -> str:
    """Return a sentence for a point that a book leaves open."""
    return f"The book {'does not say' if left_open.scope == 'rule' else 'leaves open'} {left_open.words}."


def reason(cell: Cell) -> str:
    """Return the reason why a source does not simply state a cell, starting with what the book leaves open, unless the
    readings show it."""
    return f"{left_open_sentence(cell.open)} {cell.because}" if cell.open and not cell.readings else cell.because


def _entry_lines(entry: Entry, *, cells: bool, cites: bool) -> Iterator[str]:
    cell = entry.cell
    yield from wrap(f"{entry.heading}. {entry.sentence}", 2)
    if cells:
        yield f"      {cell.path}"
    status = "" if cell.status == "stated" else f"{cell.status}: {reason(cell)} "
    if grounds := f"{status}{', '.join(cell.cites) if cites else ''}".rstrip():
        yield from wrap(f"[{grounds}]", 6)
    for reading in entry.readings:
        mark = "follows" if reading.name == cell.follows else "or"
        yield from wrap(f"- {mark} '{reading.name}': {reading.sentence} {reading.argument}", 6, 2)


# ---- agreement on a cell


#: The statuses of a rule, from the most certain to the least.
_CERTAINTY = ("stated", "implied", "supplied", "disputed", "house rule")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Rulesets that agree on a rule, each with its entry in the rule book."""

    entries: Mapping[str, Entry]

    @property
    def entry(self) -> Entry:
        """The entry of the first ruleset."""
        return next(iter(self.entries.values()))

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses that the rulesets cite."""
        return tuple(dict.fromkeys(clause for entry in self.entries.values() for clause in entry.cell.cites))


def entry_at(suite: Suite, ruleset: str, path: str) -> Entry | None:
    """Return the entry of a ruleset for a cell; None if it has no such cell."""
    cells = suite.rules.cells(ruleset)
    if path not in cells:
        return None
    (chapter,) = chapters(suite, Cells({path: cells[path]}))
    return chapter.entries[0]


def group_entries(entries: Mapping[str, Entry]) -> list[Agreement]:
    """Return the entries of several rulesets for a cell, grouped by meaning, from the most certain to the least."""
    groups: dict[str, dict[str, Entry]] = {}
    for name, entry in entries.items():
        groups.setdefault(meaning(entry), {})[name] = entry
    return sorted(map(Agreement, groups.values()), key=lambda each: _CERTAINTY.index(each.entry.cell.status))


def meaning(entry: Entry) -> str:
    """Return the part of an entry in which rulesets must be equal to agree; for an irregularity, its ruling without its
    title."""
    value = entry.cell.value
    if not rulings.is_irregularity(value):
        return entry.sentence
    return json.dumps([value[key] for key in ("ruling", "until", "remedies")] + [value.get("chooses")])


def titles(agreement: Agreement) -> list[str]:
    """Return the heading in these rulesets as a sentence; if there are several, each with its rulesets."""
    by_heading: dict[str, list[str]] = {}
    for name, entry in agreement.entries.items():
        by_heading.setdefault(entry.heading, []).append(name)
    if len(by_heading) == 1:
        return [f"{heading}." for heading in by_heading]
    return [f"{heading} ({', '.join(names)})." for heading, names in by_heading.items()]


def doubts(agreement: Agreement) -> list[tuple[str, str, Sequence[ReadingEntry]]]:
    """Return the doubts about a rule that a source does not simply state.

    Each has the status, with the rulesets if not all have that status; the reason; and the readings that are not
    followed.
    """
    found: dict[tuple[str, str, tuple[ReadingEntry, ...]], list[str]] = {}
    for name, entry in agreement.entries.items():
        cell = entry.cell
        if cell.status != "stated":
            others = tuple(each for each in entry.readings if each.name != cell.follows)
            found.setdefault((cell.status, reason(cell), others), []).append(name)
    everywhere = len(agreement.entries)
    return [
        (status if len(names) == everywhere else f"{status} in {join_and(names)}", because, readings)
        for (status, because, readings), names in found.items()
    ]


# ---- the sentence for a changed rule


#: The beginnings of a clause that two sentences about a rule can share.
_CONDITIONS: Final = ("After ", "At ", "If ", "In ", "Once ", "When ", "While ")
#: The beginnings of the names of combinations that are plural: ``Four kings``.
_PLURAL: Final = ("Three ", "Four ", "Five ", "Six ")


def rule_sentence(suite: Suite, cells: Cells, path: str) -> str:
    """Return the sentence for the rule of a table at a path."""
    known = path in cells
    return sentence(parameter_schema(suite, path), cells[path].value) if known else "This rule does not exist."


def owners_text(owners: Sequence[RuleOwner], most_readings: int | None = None) -> str:
    """Return the owners of a rule, rulesets before readings; omit a ruleset's options if it has the rule without
    them."""
    names = sorted(dict.fromkeys(each.ruleset for each in owners if not each.reading), key=lambda name: "+" in name)
    own = [name for name in names if "+" not in name or name.partition("+")[0] not in names]
    read = (f"{each.ruleset} may be read ('{each.reading}')" for each in owners if each.reading)
    plain = [each for each in dict.fromkeys(read) if "+" not in each]
    return "; ".join([*([join_and(own)] if own else []), *plain[:most_readings]])


def departure_sentence(suite: Suite, before: Cells, after: Cells, path: str, base: str) -> str:
    """Return one sentence for the rule at a path after a change, and for the rule before it in the ruleset `base`."""
    said, said_before = rule_sentence(suite, after, path), rule_sentence(suite, before, path)
    was, now = (cells[path].value if path in cells else {} for cells in (before, after))
    if _is_combination(now or was) and _differs_only_in_points(was, now):
        return _points_sentence(was, now, base)
    if path not in after:
        return f"The engine plays without this rule of {base}: {_within(said_before)}"
    if path not in before:
        return f"{said.rstrip('.')}; {base} has no such rule."
    template = parameter_schema(suite, path).get("sentence", "")
    if "{value}" in template:
        return _value_sentence(said, template, f", not {value_in_words(was)} as in {base}")
    if isinstance(now, Mapping):
        return _row_sentence(was, now, (said, said_before), base)
    return f"{said.rstrip('.')}; in {base}, {_without_condition(said, said_before)}"


def _value_sentence(said: str, template: str, contrast: str) -> str:
    """Return a sentence with a contrast to its value, inserted before a separate clause at its end."""
    clause = re.search(r"[,:] .*", template.partition("{value}")[2])
    end = clause.group() if clause else "."
    return f"{said.removesuffix(end)}{contrast}{end}"


def _is_combination(row: Any) -> bool:
    """Return whether a value is a row with the name and the points of a combination."""
    return isinstance(row, Mapping) and {"name", "points"} <= row.keys()


def _differs_only_in_points(was: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Return whether one of two rows is missing, or the rows differ only in points."""
    return not (was and now) or {**was, "points": 0} == {**now, "points": 0}


def _points_sentence(was: Mapping[str, Any], now: Mapping[str, Any], base: str) -> str:
    """Return a sentence for the points of a combination, and for its points before the change."""
    name = heading_of_row(now or was)
    scores = f"{name} {'score' if name.startswith(_PLURAL) else 'scores'} {_points(now)}"
    if not was:
        return f"{scores}; {base} has no such combination."
    return f"{scores}, not {_points(was)} as in {base}."


def _points(row: Mapping[str, Any]) -> str:
    return f"{row['points']:,}" if row and row["points"] else "nothing"


def _row_sentence(was: Mapping[str, Any], now: Mapping[str, Any], said: tuple[str, str], base: str) -> str:
    """Return the sentences of a row that are new, and those that they replace."""
    new, old = (text.rstrip(".").split(". ") for text in said)
    gained, lost = ("; ".join(each for each in one if each not in other) for one, other in ((new, old), (old, new)))
    if gained and lost:
        return f"{gained}; in {base}, {_within(lost)}."
    if gained:
        return f"{heading_of_row(now)}: {_within(gained)}; {base} has no such rule."
    if lost:
        return f"{heading_of_row(now)}: the engine plays without this rule of {base}: {_within(lost)}."
    old, new = without_words(was), without_words(now)
    fields = [f"'{name}'" for name in {**old, **new} if old.get(name) != new.get(name)]
    return f"{heading_of_row(now)}: {join_and(fields)} {'differ' if fields[1:] else 'differs'} from {base}."


def _without_condition(said: str, said_before: str) -> str:
    """Return the second of two sentences as a clause, without a condition that both begin with."""
    condition = said.partition(", ")[0] + ", "
    shared = said.startswith(_CONDITIONS) and said_before.startswith(condition)
    return said_before.removeprefix(condition) if shared else _within(said_before)


def _within(said: str) -> str:
    """Return a sentence in the form for use within another."""
    return said[:1].lower() + said[1:]
