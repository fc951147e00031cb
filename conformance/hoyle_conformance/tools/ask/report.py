"""The answer to a question as lines for the terminal, and as data for programs (`ask.schema.json`)."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice, zip_longest
from textwrap import shorten
from typing import Any, Final

import click

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import AnsweredSubject, AskAnswer, Certainty, SaidByGroup, Verdict, worked_out
from hoyle_conformance.tools.ask.subjects import IRREGULARITIES, also_asked, rulesets_of
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.wording import citations
from hoyle_conformance.wording import text as layout
from hoyle_conformance.wording.comparison import compare_rules
from hoyle_conformance.wording.rulebook_entries import left_open_sentence

_WIDTH: Final = 80
#: The maximum number of lines of a short answer, the width of the column with the books, and the maximum number of
#: subjects beside the first.
_LINES, _BOOKS, _ALSO = 6, 26, 2
#: The maximum numbers of clauses to print in words, and of positions to name, for a group.
_CLAUSES, _POSITIONS = 2, 2
_wrap = partial(layout.wrap, width=_WIDTH)
#: The description of a combination: between its name and its points, and after them.
_MIDDLE: Final = re.compile(r": .*(?=: \d)|(?<= points\.) (?:With|It) .*")

_STYLES: Final[dict[str, dict[str, Any]]] = {"bold": {"bold": True}, "dim": {"dim": True}, "yellow": {"fg": "yellow"}}
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
    for line, style in answer_lines(suite, answer, whole=whole):
        yield click.style(line, **_STYLES[style]) if style and not os.environ.get("NO_COLOR") else line


def _short_lines(suite: Suite, answer: AskAnswer) -> Iterator[StyledLine]:
    left = _LINES
    for term in answer.terms[:1] if not answer.subjects or "meaning" in answer.question.kinds else ():
        said = _fitting(f"{term.name[:1].upper()}{term.name[1:]} ({term.of}): {term.says}", _WIDTH, left)
        yield from ((line, "bold") for line in said)
        left -= len(said)
    if answer.entry:
        yield from _entry_lines(suite, answer.entry, compared=answer.question.scope.compared)
    elif answer.subjects:
        yield from _answer_in_short(suite, answer, left)
    elif not answer.terms:
        unsure = answer.verdict is Verdict.UNSURE
        yield f"Not sure: {answer.why_unsure}. Perhaps:" if unsure else f"{answer.why_unsure}.", "yellow"
        yield from _offered_lines(answer.offered, left - 1)


def _offered_lines(offered: Sequence[AnsweredSubject], left: int) -> Iterator[StyledLine]:
    """Yield the subjects offered, each with its statement if there is space for all of it."""
    for number, subject in enumerate(offered, 1):
        said = _wrap(f"- {subject.title}: {group_sentence(subject.groups[0])}", 0, 2) if subject.groups else []
        shown = said if 0 < len(said) <= left - len(offered) + number else [f"- {subject.title}"]
        left -= len(shown)
        yield from ((line, "") for line in shown)


def _answer_in_short(suite: Suite, answer: AskAnswer, left: int) -> Iterator[StyledLine]:
    """Yield what the books say on the first subject, then on others if there is space for all of it, and last the place
    and the certainty."""
    first, *others = answer.subjects
    scope = answer.question.scope.rulesets
    sums = worked_out(suite, scope, answer.scores) if answer.scores else {}
    said = [f"{line} ({_books(suite, names, scope)})" for line, names in sums.items()]
    said = said or _statement(suite, answer, first, left - (3 if answer.two else 1))
    if answer.two:
        said += _statement(suite, answer, others.pop(0), left - 1 - len(said))
    yield from ((line, "bold") for line in said)
    left -= len(said) + 1
    beside = [] if sums or answer.two else [_clause_in_words(suite, answer)]
    for lines in (*beside, *(_also(suite, answer, other) for other in others[:_ALSO])):
        if len(lines) <= left:
            yield from ((line, "") for line in lines)
            left -= len(lines)
    yield _place(suite, answer)


def _clause_in_words(suite: Suite, answer: AskAnswer) -> list[str]:
    """Return the lines of the clause most relevant to the question, if it has words of it that the rule does not."""
    group = answer.subjects[0].groups[0]
    clause, said = suite.clauses.get(next(iter(group.clauses), "")), set(tokens(group.sentence))
    named = {word for name in also_asked(clause.id) for word in name} | set(tokens(clause.says)) if clause else set()
    if not (clause and clause.says != group.sentence and said and answer.question.asked.keys() & named - said):
        return []
    return _wrap(f"{citations.place(suite, clause)}: {clause.says}", 0, 2)


def _also(suite: Suite, answer: AskAnswer, subject: AnsweredSubject) -> list[str]:
    """Return the lines on a subject beside the first."""
    rows = _by_sentence(answer, subject, titled=True)
    named = (f"{_books(suite, names, answer.question.scope.rulesets)}: {each}" for each, names in rows.items())
    return _wrap(f"Also: {' '.join(named if len(rows) > 1 else rows)}")


def _place(suite: Suite, answer: AskAnswer) -> StyledLine:
    """Return the line with the place of the first subject in the books, and the certainty."""
    groups = answer.subjects[0].groups
    clauses = dict.fromkeys(clause for group in groups for clause in group.clauses[:_CLAUSES])
    certain = ", ".join(dict.fromkeys(group.certainty.value for group in groups))
    of = "" if answer.question.scope.names_game else f", at {answer.question.scope.games[0]}"
    probably = f"Probably{of}. " if answer.verdict is Verdict.PROBABLY else ""
    place = shorten(citations.places(suite, clauses), _WIDTH - len(f"{probably} [{certain}]"), placeholder=" …")
    return f"{probably}{place} [{certain}]".lstrip(), "yellow" if probably else "dim"


def _by_sentence(answer: AskAnswer, subject: AnsweredSubject, *, titled: bool = False) -> dict[str, list[str]]:
    """Return the sentences on a subject with their rulesets, the most common first and the silent books last; without
    the parts that the question does not ask for, and without the irregularity unless `titled`."""
    found: dict[str, list[str]] = {}
    for group in sorted(subject.groups, key=lambda each: (each.certainty is Certainty.SILENT, -len(each.rulesets))):
        whole = len(subject.groups) == 1 or _asks_what_is_open(answer, group)
        untitled = subject.id.startswith(IRREGULARITIES) and not titled
        shown = replace(group, sentence=group.sentence.partition(". ")[2] or group.sentence) if untitled else group
        said = group_sentence(shown) if whole else shown.sentence
        if "points" in answer.question.kinds:
            said = _MIDDLE.sub("", said)
        found.setdefault(said, []).extend(group.rulesets)
    return found


def _asks_what_is_open(answer: AskAnswer, group: SaidByGroup) -> bool:
    """Whether a book leaves the whole rule open, or a point that the question names and the rule does not."""
    if not group.left_open or group.certainty is Certainty.SILENT or answer.question.scope.compared:
        return True
    return bool(answer.question.asked.keys() & set(tokens(group.left_open.words)) - set(tokens(group.sentence)))


def _statement(suite: Suite, answer: AskAnswer, subject: AnsweredSubject, left: int) -> list[str]:
    """Return the sentence on a subject, or a row for each group of books that agree: the books, and what they say."""
    said, scope = _by_sentence(answer, subject), answer.question.scope.rulesets
    if len(said) == 1:
        return _fitting(next(iter(said)), _WIDTH, left)
    room = max(_BOOKS, _WIDTH - 2 - max(map(len, said)))
    names = [layout.wrap(_books(suite, each, scope), width=room) for each in said.values()]
    width = max(len(line) for books in names for line in books) + 2
    rows = []
    for books, each in zip(names, said, strict=True):
        pairs = zip_longest(books, _fitting(each, _WIDTH - width, left - 1), fillvalue="")
        rows.append([f"{book:<{width}}{line}".rstrip() for book, line in pairs])
    shown = len(rows)
    while shown > 1 and sum(map(len, rows[:shown])) + (shown < len(rows)) > left:
        shown -= 1
    if shown < len(rows):
        rows[shown:] = [[f"… and {layout.plural(len(rows) - shown, 'more answer')} of other books: --long"]]
    return [line for row in rows for line in row]


def _fitting(text: str, width: int, left: int) -> list[str]:
    """Return the lines of a text, without its last sentences if there is no space for them."""
    shown = text
    while len(lines := layout.wrap(shown, width=width)) > left and ". " in text:
        text = text[: text.rindex(". ")]
        shown = f"{text}. …"
    return lines


def _books(suite: Suite, rulesets: Sequence[str], scope: Sequence[str]) -> str:
    """Return the books of some of the rulesets in scope, with the form of the game unless they have no other, or it is
    the usual one."""
    own = dict.fromkeys(name.partition("+")[0] for name in rulesets)
    if len(own) == len(scope) > 1:
        return "Every book"
    usual, said = _form(suite, rulesets_of(suite, suite.rulesets[next(iter(own))].game)[0]), []
    for book in dict.fromkeys(citations.book(suite, name) for name in own):
        tables = [name for name in scope if citations.book(suite, name) == book]
        forms = [_form(suite, name) for name in own if citations.book(suite, name) == book]
        said.append(book if usual in forms or 2 * len(forms) > len(tables) else f"{book} ({', '.join(forms)})")
    named = ", ".join(said)
    return "Most books" if len(named) > _BOOKS and 2 * len(own) > len(scope) else named


def _form(suite: Suite, ruleset: str) -> str:
    """Return the form of the game of a ruleset, without the name of the game."""
    return citations.form(suite, ruleset).replace(suite.rulesets[ruleset].game, "").strip().lower()


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
    yield from _ground_lines(suite, answer)
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


def _ground_lines(suite: Suite, answer: AskAnswer) -> Iterator[str]:
    """Yield the clauses to show, except the words of one that are the answer; why the groups are not certain, and the
    other readings of the books; and positions that demonstrate the answer."""
    groups = answer.subjects[0].groups
    yield ""
    for clause in (suite.clauses[each] for each in shown_clauses(answer)):
        says = "" if clause.says in {group.sentence for group in groups} else f": {clause.says}"
        yield from _wrap(f"{clause.id} ({clause.where}){says}", 2, 2)
    for group in (each for each in groups if each.certainty is not Certainty.STATED and each.because):
        yield ""
        yield from _wrap(f"{', '.join(group.rulesets)}: {group.because}", 2, 2)
        for name, sentence in group.readings:
            yield from _wrap(f"or '{name}': {sentence}", 4, 2)
    for number, (scenario, title) in enumerate(positions(suite, answer)):
        yield from ([] if number else [""])
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


def _entry_lines(suite: Suite, names: Sequence[str], *, compared: bool) -> Iterator[StyledLine]:
    """Yield the lines on rulesets: each with the command that prints its rules, or the differences of those
    `compared`."""
    pair = max(citations.by_form(suite, names).values(), key=len) if compared else ()
    if len(pair) > 1:
        rules = list(compare_rules(suite, pair))
        differ = [line.title for line in rules if line.differs]
        books = layout.join_and([citations.book(suite, name) for name in pair])
        said = f"{books} differ in {len(differ)} of {len(rules)} rules: {'; '.join(differ)}."
        yield from ((line, "bold") for line in _wrap(shorten(said, 4 * (_WIDTH - 8), placeholder=" …")))
        yield f"hoyle rules {' '.join(pair)} --differences", ""
        return
    every = [each for named in names for each in rulesets_of(suite, named) or [named]]
    lines = [f"hoyle rules {name:<26} {suite.rulesets[name.partition('+')[0]].title}" for name in every]
    if len(lines) > _LINES:
        lines[_LINES - 1 :] = [f"… and {len(lines) - _LINES + 1} more: hoyle rules"]
    yield from ((line, "") for line in lines)


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
    data = asdict(subject)
    for group in data["groups"]:
        opened = group.pop("left_open")
        group["clauses"] = [{"id": each, "says": suite.clauses[each].says} for each in group["clauses"]]
        group["readings"] = [{"name": name, "sentence": sentence} for name, sentence in group["readings"]]
        group["open"] = dict([opened]) if opened else {}
    return data
