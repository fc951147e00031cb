"""The answer to a question as lines for the terminal, and as data for programs (`ask.schema.json`)."""

import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from textwrap import shorten
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import AnsweredSubject, AskAnswer, Certainty, SaidByGroup, Verdict
from hoyle_conformance.tools.ask.subjects import IRREGULARITIES, rulesets_of
from hoyle_conformance.tools.ask.sums import worked_out
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.wording import citations
from hoyle_conformance.wording import text as layout
from hoyle_conformance.wording.rulebook_entries import left_open_sentence

_WIDTH: Final = 80
#: The maximum number of lines of a short answer, the width of the column with the books, and the number of lines for a
#: sentence on which all books agree.
_LINES, _BOOKS, _SENTENCE = 6, 26, 3
#: The maximum numbers of clauses to print in words, and of positions to name, for a group.
_CLAUSES, _POSITIONS = 2, 2
_wrap = partial(layout.wrap, width=_WIDTH)
_cut = partial(shorten, placeholder=" …")
#: The description of a combination, between its name and its points.
_MIDDLE: Final = re.compile(r": .*(?=: )")

_STYLES: Final = {"bold": "\x1b[1m", "dim": "\x1b[2m", "yellow": "\x1b[33m"}
#: A line, with its style: a colour, ``bold``, ``dim`` or nothing.
StyledLine = tuple[str, str]


def answer_lines(suite: Suite, answer: AskAnswer, *, whole: bool = False) -> Iterator[StyledLine]:
    """Yield the answer for the terminal: in at most six lines; the `whole` of it, or of an item asked for by its id,
    with the clauses in words, other readings, example positions, and ids."""
    if answer.subjects and (whole or not (answer.question.asked or answer.scores)):
        yield from ((line, "") for line in _whole_lines(suite, answer))
    else:
        yield from islice(_short_lines(suite, answer), _LINES)


def styled_lines(suite: Suite, answer: AskAnswer, whole: bool) -> Iterator[str]:
    """Yield the answer for the terminal with styles, which click removes if the output is not a terminal."""
    plain = bool(os.environ.get("NO_COLOR"))
    for line, style in answer_lines(suite, answer, whole=whole):
        yield line if plain or not style else f"{_STYLES[style]}{line}\x1b[0m"


def _short_lines(suite: Suite, answer: AskAnswer) -> Iterator[StyledLine]:
    for term in answer.terms[:1] if not answer.subjects or "meaning" in answer.question.kinds else ():
        yield from _paragraph(f"{term.name[:1].upper()}{term.name[1:]} ({term.of}): {term.says}")
    if answer.entry:
        yield from _entry_lines(suite, answer.entry)
    elif answer.subjects:
        yield from _answer_in_short(suite, answer)
    elif not answer.terms:
        unsure = answer.verdict is Verdict.UNSURE
        yield f"Not sure: {answer.why_unsure}. Perhaps:" if unsure else f"{answer.why_unsure}.", "yellow"
        for subject in answer.offered:
            sentence = group_sentence(subject.groups[0]) if subject.groups else ""
            yield _cut(f"- {subject.title}: {sentence}", _WIDTH), ""


def _answer_in_short(suite: Suite, answer: AskAnswer) -> Iterator[StyledLine]:
    """Yield what the books say on the first subject, then on the second, and last the place and the certainty."""
    first, *others = answer.subjects
    if answer.scores:
        for line, names in worked_out(suite, answer.question.scope.rulesets, answer.scores).items():
            yield _cut(f"{line} ({_books(suite, names)})", _WIDTH), "bold"
    said = {} if answer.scores else _by_sentence(first)
    if answer.two:
        said = {**dict(islice(said.items(), 2)), **dict(islice(_by_sentence(others[0]).items(), 2))}
    if len(said) == 1:
        yield from _paragraph(next(iter(said)))
    else:
        yield from _table(suite, said, _LINES - 1 - len(others[: 0 if answer.two else 1]))
    for other in others[: 0 if answer.two else 1]:
        yield _cut(f"Also: {' '.join(_by_sentence(other))}", _WIDTH), ""
    clauses = dict.fromkeys(clause for group in first.groups for clause in group.clauses[:_CLAUSES])
    certain = dict.fromkeys(group.certainty.value for group in first.groups)
    place = _cut(citations.places(suite, clauses), _WIDTH - len(f"Probably.  [{', '.join(certain)}]"))
    probably = answer.verdict is Verdict.PROBABLY
    yield f"{'Probably. ' if probably else ''}{place} [{', '.join(certain)}]", "yellow" if probably else "dim"


def _by_sentence(subject: AnsweredSubject) -> dict[str, list[str]]:
    """Return the sentences on a subject, without the parts that repeat the question, with their rulesets."""
    found: dict[str, list[str]] = {}
    for group in subject.groups:
        said = _MIDDLE.sub("", group_sentence(group))
        ruled = said.partition(". ")[2] if subject.id.startswith(IRREGULARITIES) else ""
        found.setdefault(ruled or said, []).extend(group.rulesets)
    return found


def _paragraph(text: str) -> Iterator[StyledLine]:
    """Yield the lines of the answer itself."""
    yield from ((line, "bold") for line in _wrap(_cut(text, _SENTENCE * (_WIDTH - 8))))


def _table(suite: Suite, said: dict[str, list[str]], left: int) -> Iterator[StyledLine]:
    """Yield a row for each group of books that agree, in the lines left: the books, and what they say."""
    rows = [(_cut(_books(suite, names), _BOOKS), sentence) for sentence, names in said.items()][:left]
    width = max((len(books) for books, _sentence in rows), default=0) + 2
    for number, (books, sentence) in enumerate(rows):
        lines = layout.wrap(sentence, width=_WIDTH - width)
        shown = lines[: -(-left // (len(rows) - number))]
        left -= len(shown)
        if len(shown) < len(lines):
            shown[-1] = _cut(f"{shown[-1]} {lines[len(shown)]}", _WIDTH - width)
        yield from ((f"{'' if at else books:<{width}}{line}", "bold") for at, line in enumerate(shown))


def _books(suite: Suite, rulesets: Sequence[str]) -> str:
    """Return the books of rulesets, with the form of the game unless it is the usual one."""
    own = [name.partition("+")[0] for name in rulesets]
    every = rulesets_of(suite, suite.rulesets[own[0]].game) if own else []
    if set(own) == set(every):
        return "Every book"
    usual = citations.form(suite, every[0])
    said = []
    for form, names in citations.by_form(suite, own).items():
        books = ", ".join(dict.fromkeys(citations.book(suite, name) for name in names))
        said.append(books if form == usual else f"{books} ({form})")
    return "; ".join(said)


def _whole_lines(suite: Suite, answer: AskAnswer) -> Iterator[str]:
    for term in answer.terms:
        yield from _wrap(f"{term.name[:1].upper()}{term.name[1:]} ({term.of}): {term.says}")
    for subject in answer.subjects:
        by_line: dict[str, list[str]] = {}
        for group in subject.groups:
            by_line.setdefault(f"{group_sentence(group)} [{group.certainty}]", []).extend(group.rulesets)
        for line, rulesets in by_line.items():
            yield from _wrap(f"{', '.join(rulesets)}: {line}", 0, 2)
    if without := _without(answer.subjects):
        yield from _wrap(f"{', '.join(without)}: no such rule.", 0, 2)
    yield from _clause_lines(suite, answer)
    yield from _reading_lines(answer.subjects[0])
    yield from _position_lines(suite, answer)
    yield ""
    yield from _wrap(f"Rules: {', '.join(each.id for each in answer.subjects)}", 0, 2)


def _without(subjects: Sequence[AnsweredSubject]) -> list[str]:
    """Return the rulesets that have none of the rules of an answer."""
    having = {name.partition("+")[0] for each in subjects for group in each.groups for name in group.rulesets}
    return [name for name in subjects[0].without if name not in having]


def shown_clauses(answer: AskAnswer) -> list[str]:
    """Return the clauses to print in words: the first two of each group of the first subject, or one each if there are
    more than two groups."""
    groups = answer.subjects[0].groups if answer.subjects else ()
    some = _CLAUSES if len(groups) <= _CLAUSES else 1
    return list(dict.fromkeys(clause for group in groups for clause in group.clauses[:some]))


def _clause_lines(suite: Suite, answer: AskAnswer) -> Iterator[str]:
    """Yield the clauses to show; a clause whose words are the answer is given only by its id."""
    sentences = {group.sentence for group in answer.subjects[0].groups}
    yield ""
    for clause in shown_clauses(answer):
        found = suite.clauses[clause]
        named = f"{clause} ({found.where})"
        yield from _wrap(named if found.says in sentences else f"{named}: {found.says}", 2, 2)


def _reading_lines(subject: AnsweredSubject) -> Iterator[str]:
    """Yield why the groups of a subject are not certain, and the other readings of the books."""
    for group in (each for each in subject.groups if each.certainty is not Certainty.STATED and each.because):
        yield ""
        yield from _wrap(f"{', '.join(group.rulesets)}: {group.because}", 2, 2)
        for name, sentence in group.readings:
            yield from _wrap(f"or '{name}': {sentence}", 4, 2)


def _position_lines(suite: Suite, answer: AskAnswer) -> Iterator[str]:
    """Yield positions that demonstrate the answer."""
    shown = positions(suite, answer)
    if shown:
        yield ""
    for scenario, title in shown:
        yield f"  hoyle explain {scenario}"
        yield from _wrap(title, 6)


def group_sentence(group: SaidByGroup) -> str:
    """Return the sentence of a group with the points that the books leave open; if the rule itself is open, the
    sentence comes second."""
    if not group.left_open:
        return group.sentence or "The book does not say."
    opened = left_open_sentence(group.left_open)
    if group.certainty is Certainty.SILENT:
        return f"{opened} The ruleset follows this: {group.sentence}"
    return f"{group.sentence} {opened}"


def _entry_lines(suite: Suite, names: Sequence[str]) -> Iterator[StyledLine]:
    """Yield the rulesets named, each with the command that prints its rules."""
    for name in (each for named in names for each in rulesets_of(suite, named) or [named]):
        base = suite.rulesets[name.partition("+")[0]]
        yield f"hoyle rules {name:<26}{base.title}", ""


def positions(suite: Suite, answer: AskAnswer) -> list[tuple[str, str]]:
    """Return scenarios that the first clauses of an answer decide, with their titles: first those that share the most
    words with the question, then those with the fewest clauses."""
    if not answer.subjects:
        return []
    first = answer.subjects[0]
    wanted = {clause for group in first.groups for clause in group.clauses[:_CLAUSES]}
    bases = {name.partition("+")[0] for group in first.groups for name in group.rulesets}
    asked = answer.question.asked.keys()
    found = {
        each.scenario: (-len(asked & set(tokens(each.title))), len(each.cites), each.title)
        for each in suite.index.headings.values()
        if each.ruleset in bases and wanted & set(each.cites)
    }
    best = sorted(found.items(), key=lambda each: (each[1], each[0]))[:_POSITIONS]
    return [(scenario, title) for scenario, (*_order, title) in best]


def answer_data(suite: Suite, answer: AskAnswer) -> dict[str, Any]:
    """Return the answer as `ask.schema.json` describes it."""
    return {
        "question": answer.question.text,
        "verdict": answer.verdict.value,
        "why_unsure": answer.why_unsure,
        "games": list(answer.question.scope.games),
        "rulesets": list(answer.question.scope.rulesets),
        "entry": list(answer.entry),
        "terms": [{"name": each.name, "of": each.of, "says": each.says} for each in answer.terms],
        "answers": [_subject_data(suite, each) for each in answer.subjects],
        "offered": [_subject_data(suite, each) for each in answer.offered],
        "positions": [{"scenario": scenario, "title": title} for scenario, title in positions(suite, answer)],
    }


def _subject_data(suite: Suite, subject: AnsweredSubject) -> dict[str, Any]:
    return {
        "id": subject.id,
        "title": subject.title,
        "groups": [_group_data(suite, each) for each in subject.groups],
        "without": list(subject.without),
    }


def _group_data(suite: Suite, group: SaidByGroup) -> dict[str, Any]:
    return {
        "rulesets": list(group.rulesets),
        "sentence": group.sentence,
        "certainty": group.certainty.value,
        "because": group.because,
        "open": dict([group.left_open]) if group.left_open else {},
        "clauses": [{"id": each, "says": suite.clauses[each].says} for each in group.clauses],
        "readings": [{"name": name, "sentence": sentence} for name, sentence in group.readings],
    }
