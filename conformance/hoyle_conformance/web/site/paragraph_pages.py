"""The generated parts of pages that are made from the suite: the ladder of conformance, the paragraphs that each
ruleset needs, the index of words, and worked examples."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from hoyle_conformance.suite.semantics import RUNGS, SemanticParagraph, needed_by, paragraphs, rung_of_topic
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import sentence

Rows = Iterable[Sequence[str]]
#: So many paragraphs that follow each other are named one by one.
_PAIR: Final = 2
#: The indices of the words that a paragraph names in its facts: heading, first column, and the fact.
_FACTS: Final = (
    ("Acts", "act", "Act"),
    ("Questions", "question", "Question"),
    ("Phases", "phase", "Phase"),
    ("Fields of the position", "field", "Fields"),
)


def table(heads: Sequence[str], rows: Rows) -> Iterator[str]:
    """Yield a Markdown table, line by line."""
    yield f"| {' | '.join(heads)} |"
    yield "|---" * len(heads) + "|"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _links(of: Iterable[SemanticParagraph]) -> str:
    return ", ".join(f"[{each.id}]({each.address})" for each in of)


# ---- the ladder and the reading lists


def ladder(suite: Suite) -> Iterator[str]:
    """Yield a table of the rungs with the topics of their checks."""
    of_rung: dict[str, list[str]] = {rung.name: [] for rung in RUNGS}
    for topic in sorted(suite.index.checks_by_topic):
        of_rung[rung_of_topic(topic).name].append(f"`{topic}`")
    yield from table(("rung", "topics of its checks"), ((name, ", ".join(topics)) for name, topics in of_rung.items()))


def reading_lists(suite: Suite) -> Iterator[str]:
    """Yield how many words each ruleset needs, rung by rung, and the list of its paragraphs, chapter by chapter."""
    lists = {name: needed_by(suite, name) for name in suite.rulesets}
    counted = ([*_counted(name, needed)] for name, needed in lists.items())
    yield from table(("ruleset", *(rung.name for rung in RUNGS), "all words"), counted)
    for name, needed in lists.items():
        yield from ("", f"## {name}", "", f"{sentence(suite.rules.title(name))}", "")
        yield from table(("rung", "chapter", "paragraphs", "words"), _chapters(needed))
        yield from _options(suite, name, {each.id for each in needed})


def _counted(name: str, needed: Sequence[SemanticParagraph]) -> Iterator[str]:
    yield f"[{name}](#{name})"
    yield from (_words(each for each in needed if each.rung is rung) for rung in RUNGS)
    yield _words(needed)


def _words(of: Iterable[SemanticParagraph]) -> str:
    return f"{sum(each.words for each in of):,}"


def _chapters(needed: Sequence[SemanticParagraph]) -> Iterator[Sequence[str]]:
    for (rung, chapter), each in groupby(needed, lambda each: (each.rung.name, each.chapter)):
        of = list(each)
        yield rung, chapter, _in_runs(of), _words(of)


def _in_runs(of: Sequence[SemanticParagraph]) -> str:
    """Return links to paragraphs, those that follow each other as ``trick-1 to trick-9``."""
    numbers = {each.id: int(each.id.rpartition("-")[2]) for each in of}
    runs: list[list[SemanticParagraph]] = []
    for each in of:
        follows = runs and numbers[runs[-1][-1].id] + 1 == numbers[each.id]
        if follows and runs[-1][-1].id.rpartition("-")[0] == each.id.rpartition("-")[0]:
            runs[-1].append(each)
        else:
            runs.append([each])
    return ", ".join(f"{_links(run[:1])} to {_links(run[-1:])}" if len(run) > _PAIR else _links(run) for run in runs)


def _options(suite: Suite, ruleset: str, plain: set[str]) -> Iterator[str]:
    for option in suite.rules.options(ruleset):
        more = [each for each in needed_by(suite, f"{ruleset}+{option}") if each.id not in plain]
        if more:
            yield from ("", f"With `+{option}` also {_in_runs(more)}: {_words(more)} words.")


# ---- the index


def index(suite: Suite) -> Iterator[str]:
    """Yield the tables that lead from a term or a word to the paragraphs that define it."""
    known = list(paragraphs(suite.root))
    yield from _section("Terms", ("term", "paragraphs"), _by_word(((each, each.terms) for each in known), "{}"))
    yield from _section("Cells and values", ("cell", "value", "rulesets", "paragraph"), _cells(suite, known))
    in_rows = set(_words_of(suite.schemas.documents["ruleset"]["$defs"]))
    rows = _by_word((each, each.defines & in_rows) for each in known)
    yield from _section("Words of rows", ("word", "paragraphs"), rows)
    for heading, word, fact in _FACTS:
        defining = ((each, each.facts.get(fact, ())) for each in known)
        yield from _section(heading, (word, "paragraphs"), _by_word(defining))
    codes = {code for each in known for code in each.facts.get("Refused", ())}
    refused = _by_word((each, {*each.facts.get("Refused", ()), *each.defines & codes}) for each in known)
    yield from _section("Refusals", ("code", "paragraphs"), refused)


def _section(heading: str, heads: Sequence[str], rows: Rows) -> Iterator[str]:
    yield from ("", f"## {heading}", "", *table(heads, rows))


def _by_word(
    defining: Iterable[tuple[SemanticParagraph, Iterable[str]]], shown: str = "`{}`"
) -> Iterator[Sequence[str]]:
    """Yield each word, as `shown`, with links to the paragraphs that define it."""
    found: dict[str, dict[str, SemanticParagraph]] = {}
    for paragraph, defined in defining:
        for word in defined:
            found.setdefault(word, {})[paragraph.id] = paragraph
    return ((shown.format(word), _links(found[word].values())) for word in sorted(found, key=str.lower))


def _cells(suite: Suite, known: Iterable[SemanticParagraph]) -> Iterator[Sequence[str]]:
    """Yield every value that some ruleset gives a cell, and the rulesets; of a list of rows, the ids of its rows."""
    having = {name: suite.rules.cells(name) for name in suite.rules.names}
    for path, paragraph in sorted((path, each) for each in known for path in each.cells):
        values: dict[str, list[str]] = {}
        for name, cells in having.items():
            for value in [cells[path].value] if path in cells else [row.value["id"] for row in cells.rows(path)]:
                word = value if isinstance(value, str) else json.dumps(value)
                values.setdefault(word, []).append(name)
        for word, names in values.items():
            named = [name for name in names if "+" not in name or name.partition("+")[0] not in names]
            having_it = "all" if set(suite.rulesets) <= set(named) else ", ".join(named)
            yield f"`{path}`", f"`{word}`", having_it, _links([paragraph])


def _words_of(schema: Any) -> Iterator[str]:
    """Yield every word of a fixed set in a schema."""
    if isinstance(schema, Mapping):
        yield from (str(word) for word in schema.get("enum", ()))
        yield from (word for each in schema.values() for word in _words_of(each))


# ---- worked examples


def example(suite: Suite, name: str) -> Iterator[str]:
    """Yield a check, by its id, as an example: the position, and each step with the result that is expected."""
    check = suite.index.checks[name]
    scenario, melds = suite.scenarios[check.scenario.id], suite.rules.meld_names(check.ruleset)
    yield " ".join([f"*Example:* `{scenario.id}`, under `{check.ruleset}`.", *words.position(scenario.given, melds)])
    yield ""
    for number, step in enumerate(scenario.steps, start=1):
        expected = words.expectation(step, check.expect.get(number, {}), melds)
        result = " ".join(map(sentence, expected)) or "Accepted."
        yield f"{number}. {sentence(words.step(step, melds))} → {result}"
