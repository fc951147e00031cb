"""The answer to a question as lines for the terminal, and as data for programs (`ask.schema.json`)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import AnsweredSubject, AskAnswer, Certainty, SaidByGroup, Verdict
from hoyle_conformance.tools.ask.subjects import rulesets_of
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.wording import text as layout

_WIDTH: Final = 80
#: So many clauses of a group are printed in words, and so many positions are named.
_CLAUSES, _POSITIONS = 2, 3
_wrap = partial(layout.wrap, width=_WIDTH)


def answer_lines(suite: Suite, answer: AskAnswer) -> Iterator[str]:
    """Yield the answer for the terminal: one sentence for each group of books that agree, how sure it is, the clauses,
    other readings, and positions that show it."""
    scope = answer.question.scope
    if answer.verdict is not Verdict.NOTHING or scope.names_game or scope.narrowed:
        yield from _wrap(f"{_names(suite, scope.rulesets)}:")
    if answer.entry:
        yield from _entry_lines(suite, answer.entry)
    elif answer.verdict is Verdict.SURE:
        yield from _sure_lines(suite, answer)
    elif answer.verdict is Verdict.UNSURE:
        yield from _unsure_lines(answer)
    else:
        yield from _wrap(f"Nothing found: {answer.why_unsure}.")


def _names(suite: Suite, rulesets: Sequence[str]) -> str:
    """Return rulesets by their ids, or the game of which they are all."""
    for game in dict.fromkeys(each.game for each in suite.rulesets.values()):
        if set(rulesets_of(suite, game)) == set(rulesets):
            return f"{game}, every ruleset"
    return ", ".join(rulesets) or "no ruleset"


def _sure_lines(suite: Suite, answer: AskAnswer) -> Iterator[str]:
    for subject in answer.subjects:
        yield ""
        yield from _wrap(f"{subject.title.upper()} ({subject.id})")
        for group in subject.groups:
            yield from _group_lines(suite, group, alone=group.rulesets == answer.question.scope.rulesets)
        if subject.without:
            yield from _wrap(f"{_names(suite, subject.without)}: no such rule.", 2, 2)
    if shown := positions(suite, answer):
        yield ""
        yield "Positions that show it:"
    for scenario, title in shown:
        yield f"  hoyle explain {scenario}"
        yield from _wrap(title, 6)


def _group_lines(suite: Suite, group: SaidByGroup, *, alone: bool) -> Iterator[str]:
    """Yield what a group of rulesets says, how certain it is, its clauses, and other readings; the rulesets are named
    unless the group is `alone`."""
    yield from _wrap(_said(group) if alone else f"{_names(suite, group.rulesets)}: {_said(group)}", 2, 2)
    if group.certainty is not Certainty.STATED and group.because:
        yield from _wrap(f"({group.certainty}: {group.because})", 4, 1)
    for name, sentence in group.readings:
        yield from _wrap(f"or '{name}': {sentence}", 4, 2)
    for clause in group.clauses[:_CLAUSES]:
        says = suite.clauses[clause].says
        yield from _wrap(f"{clause}{'' if says == group.sentence else f': {says}'}", 4, 2)
    if more := group.clauses[_CLAUSES:]:
        yield from _wrap(f"Also: {', '.join(more)}", 4, 2)


def _said(group: SaidByGroup) -> str:
    """Return the sentence of a group; where the book is silent, that it is, with what the ruleset has instead."""
    if group.certainty is not Certainty.SILENT:
        return group.sentence
    return (
        f"The book does not say. The ruleset follows this: {group.sentence}"
        if group.sentence
        else "The book does not say."
    )


def _unsure_lines(answer: AskAnswer) -> Iterator[str]:
    yield from _wrap(f"Not sure: {answer.why_unsure}. Perhaps one of these:")
    for subject in answer.offered:
        yield ""
        yield from _wrap(f"{subject.title} ({subject.id})", 2)
        for group in subject.groups[:1]:
            yield from _wrap(_said(group), 6)
        yield f"      hoyle ask {subject.id}"


def _entry_lines(suite: Suite, names: Sequence[str]) -> Iterator[str]:
    """Yield the rulesets that are named: of one also its options and the irregularities that it rules on."""
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
    """Return scenarios that the first clauses of an answer decide, with their titles: first those that share
    most words with the question, then those of fewest clauses."""
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
        "clauses": [{"id": each, "says": suite.clauses[each].says} for each in group.clauses],
        "readings": [{"name": name, "sentence": sentence} for name, sentence in group.readings],
    }
