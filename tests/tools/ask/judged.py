"""Judging an answer to one of the kept questions: right, wrong, or honestly unsure."""

from collections.abc import Mapping
from enum import StrEnum

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import AskAnswer, Certainty, Verdict, worked_out
from hoyle_conformance.tools.ask.report import shown_clauses
from tools.ask.asked import FAMILIES, AskedQuestion, unstated

FAMILY_OF: Mapping[str, str] = {game: family for family, game in FAMILIES.items()}

#: The verdicts on questions that get no answer.
NOT_ANSWERED = frozenset({Verdict.UNSURE, Verdict.NOTHING})


class Judged(StrEnum):
    RIGHT = "right"
    UNSURE = "unsure"
    WRONG = "wrong"


def judged(suite: Suite, question: AskedQuestion, answer: AskAnswer) -> Judged:
    """Judge an answer by the rulesets that it is about, by its clauses, and by what it states."""
    if question.unsure:
        return Judged.RIGHT if answer.verdict in NOT_ANSWERED else Judged.WRONG
    if answer.verdict in NOT_ANSWERED:
        return Judged.UNSURE
    if question.entry or answer.entry:
        named = {FAMILY_OF.get(name, name) for name in answer.entry}
        return Judged.RIGHT if named & set(question.entry) else Judged.WRONG
    if not rulesets_in(answer) <= question.scope:
        return Judged.WRONG
    silent = all(group.certainty is Certainty.SILENT for each in answer.subjects[:1] for group in each.groups)
    right = silent if question.silent == question.scope else _answers(suite, question, answer)
    return Judged.RIGHT if right else Judged.WRONG


def rulesets_in(answer: AskAnswer) -> frozenset[str]:
    """The rulesets of which an answer states something, without their options."""
    groups = [group for subject in answer.subjects for group in subject.groups]
    return frozenset(name.partition("+")[0] for group in groups for name in group.rulesets)


def _answers(suite: Suite, question: AskedQuestion, answer: AskAnswer) -> bool:
    """Whether an answer rests on a clause that decides, and states the facts."""
    groups = [group for subject in answer.subjects for group in subject.groups]
    deciding = frozenset().union(*question.clauses.values())
    if not deciding & {clause for group in groups for clause in group.clauses}:
        return False
    worked = worked_out(suite, answer.question.scope.rulesets, answer.scores) if answer.scores else ()
    said = [*worked, *(term.says for term in answer.terms), *(group.sentence for group in groups)]
    shown = [suite.clauses[clause].says for clause in shown_clauses(answer)]
    return not unstated(" ".join([*said, *shown]), question)
