"""The diagnosis: what became of every question, and how the command is to end."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from hoyle_conformance.runner.results import Exit
from hoyle_conformance.tools.doctor.finding import Finding
from hoyle_conformance.tools.doctor.languages import language_of
from hoyle_conformance.tools.doctor.questions import QUESTIONS, DoctorQuestion
from hoyle_conformance.tools.doctor.remedies import remedy
from hoyle_conformance.tools.doctor.transcript import AdapterTranscript
from hoyle_reference.frozen import frozen


class Is(StrEnum):
    """What became of a question."""

    WELL = "well"
    WRONG = "wrong"  # it breaks the conversation
    ODD = "odd"  # Hoyle can do with it
    UNSEEN = "unseen"  # the conversation did not come so far


@frozen
class AnsweredQuestion:
    """A question, what was found, if anything, and what to do about it."""

    question: DoctorQuestion
    status: Is
    found: Finding | None = None
    remedy: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """All questions, in order, and what they were told from."""

    evidence: AdapterTranscript
    told: Sequence[AnsweredQuestion]

    @cached_property
    def wrong(self) -> Sequence[AnsweredQuestion]:
        """What breaks the conversation."""
        return [each for each in self.told if each.status is Is.WRONG]

    @cached_property
    def odd(self) -> Sequence[AnsweredQuestion]:
        """What Hoyle can do with, and should be mended."""
        return [each for each in self.told if each.status is Is.ODD]

    @property
    def exit(self) -> Exit:
        """How the command ends: as 'hoyle check' does where the conversation breaks; with 1 where something is odd."""
        if self.wrong:
            return Exit.ADAPTER_BROKE
        return Exit.UNEXPECTED_RESULT if self.odd else Exit.AS_EXPECTED


def diagnose(evidence: AdapterTranscript) -> Diagnosis:
    """What is wrong with an adapter, by what was seen of it."""
    language = language_of(evidence.language, evidence.command)
    return Diagnosis(evidence, [_told(question, evidence, language) for question in QUESTIONS])


def _told(question: DoctorQuestion, evidence: AdapterTranscript, language: str) -> AnsweredQuestion:
    if not question.seen(evidence):
        return AnsweredQuestion(question, Is.UNSEEN)
    found = question.finds(evidence)
    if found is None:
        return AnsweredQuestion(question, Is.WELL)
    what_to_do = found.remedy or remedy(found.remedy_of or question.name, language)
    return AnsweredQuestion(question, Is.WRONG if found.grave else Is.ODD, found, what_to_do)
