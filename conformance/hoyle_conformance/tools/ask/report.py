"""The answer to a question as lines for the terminal, and as data for programs (`ask.schema.json`)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import AnsweredSubject, AskAnswer, Certainty, SaidByGroup, Verdict
from hoyle_conformance.tools.ask.subjects import POSITIONS, rulesets_of
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.wording import text as layout
from hoyle_conformance.wording.rulebook_entries import left_open_sentence

_WIDTH: Final = 80
#: The maximum numbers of clauses to print in words, and of positions to name, for a group.
_CLAUSES, _POSITIONS = 2, 2
_wrap = partial(layout.wrap, width=_WIDTH)


def answer_lines(suite: Suite, answer: AskAnswer) -> Iterator[str]:
    """Yield the answer for the terminal: a sentence for each group of books that agree, with its certainty, then the
    clauses, other readings, and example positions."""
    for term in answer.terms:
        yield from _wrap(f"{term.name[:1].upper()}{term.name[1:]} ({term.of}): {term.says}")
    if answer.entry:
        yield from _entry_lines(suite, answer.entry)
    elif answer.verdict is Verdict.SURE:
        yield from _sure_lines(suite, answer)
    elif answer.verdict is Verdict.UNSURE:
        yield from _unsure_lines(answer)
    else:
        yield from _wrap(f"Nothing found: {answer.why_unsure}.")


def _names(suite: Suite, rulesets: Sequence[str]) -> str:
    """Return rulesets by their ids, or the game if they are all of its rulesets."""
    for game in dict.fromkeys(each.game for each in suite.rulesets.values()):
        if set(rulesets_of(suite, game)) == set(rulesets):
            return f"{game}, every ruleset"
    return ", ".join(rulesets) or "no ruleset"


def _sure_lines(suite: Suite, answer: AskAnswer) -> Iterator[str]:
    for subject in answer.subjects:
        if subject.id.startswith(POSITIONS):
            yield from _wrap(subject.title)
        by_line: dict[str, list[str]] = {}
        for group in subject.groups:
            by_line.setdefault(f"{group_sentence(group)} [{group.certainty}]", []).extend(group.rulesets)
        for line, rulesets in by_line.items():
            yield from _wrap(f"{_names(suite, rulesets)}: {line}", 0, 2)
    if answer.subjects:
        if without := _without(answer.subjects):
            yield from _wrap(f"{_names(suite, without)}: no such rule.", 0, 2)
        yield from _clause_lines(suite, answer)
        yield from _reading_lines(suite, answer.subjects[0])
        yield from _position_lines(suite, answer)
        if rules := [each.id for each in answer.subjects if not each.id.startswith(POSITIONS)]:
            yield ""
            yield from _wrap(f"Rules: {', '.join(rules)}", 0, 2)


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


def _reading_lines(suite: Suite, subject: AnsweredSubject) -> Iterator[str]:
    """Yield why the groups of a subject are not certain, and the other readings of the books."""
    for group in (each for each in subject.groups if each.certainty is not Certainty.STATED and each.because):
        yield ""
        yield from _wrap(f"{_names(suite, group.rulesets)}: {group.because}", 2, 2)
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


def _unsure_lines(answer: AskAnswer) -> Iterator[str]:
    yield from _wrap(f"Not sure: {answer.why_unsure}. Perhaps one of these:")
    for subject in answer.offered:
        yield ""
        yield from _wrap(f"{subject.title} ({subject.id})", 2)
        for group in subject.groups[:1]:
            yield from _wrap(group_sentence(group), 6)
        yield f"      hoyle ask {subject.id}"


def _entry_lines(suite: Suite, names: Sequence[str]) -> Iterator[str]:
    """Yield the rulesets named; for a single one, also its options and the irregularities that it rules on."""
    rulesets = [each for name in names for each in _rulesets(suite, name)]
    for name in rulesets:
        base = suite.rulesets[name.partition("+")[0]]
        yield ""
        yield from _wrap(f"{base.title} ({name})")
        yield from _wrap(base.summary, 2)
        yield f"  hoyle rules {name}"
        if len(rulesets) == 1:
            yield from _listed_lines(suite, name)


def _listed_lines(suite: Suite, name: str) -> Iterator[str]:
    """Yield the options of a ruleset, and its irregularities."""
    options = suite.rules.options(name.partition("+")[0])
    if options:
        yield ""
        yield "  Options:"
    for option, title in options.items():
        yield from _wrap(f"{name}+{option}: {title}.", 4, 2)
    rows = [cell.value for cell in suite.rules.cells(name) if cell.path.startswith("referee.irregularities.")]
    yield ""
    yield "  Irregularities:"
    for row in rows:
        yield from _wrap(f"{row['title']}.", 4, 2)
        yield f"      hoyle ask {row['id']} -r {name}"


def _rulesets(suite: Suite, name: str) -> list[str]:
    """Return the rulesets of a game, or the ruleset with this name."""
    return rulesets_of(suite, name) or [name]


def positions(suite: Suite, answer: AskAnswer) -> list[tuple[str, str]]:
    """Return scenarios that the first clauses of an answer decide, with their titles: first those that share the most
    words with the question, then those with the fewest clauses."""
    if not answer.subjects:
        return []
    first = answer.subjects[0]
    if first.id.startswith(POSITIONS):
        return [(each.id.removeprefix(POSITIONS), each.title) for each in answer.subjects]
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
