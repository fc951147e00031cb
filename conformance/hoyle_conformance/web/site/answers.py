"""The different answers to the question of a position, and who gives them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hoyle_conformance.suite.model import Check, Expected
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.links import books_a, fill
from hoyle_conformance.wording import explain, words
from hoyle_conformance.wording.html import NOTHING, Markup
from hoyle_conformance.wording.walkthrough import Track


@dataclass(frozen=True, slots=True)
class AnswerGroup:
    """An answer, in words by step, and who gives it: each check by the reading named, "" where its book decides."""

    says: Mapping[int, str]
    given_by: tuple[tuple[Check, str], ...]


def answers(suite: Suite, checks: Sequence[Check]) -> list[AnswerGroup]:
    """Return the different answers to a question, of each only the steps and observables on which not all agree; one
    answer without any if all agree."""
    voices = [(check, name, expected) for check in checks for name, expected in check.branches.items()]
    steps = checks[0].scenario.steps
    differ = {number: _differing([each for _, _, each in voices], number) for number in range(1, len(steps) + 1)}
    found: dict[tuple[tuple[int, str], ...], list[tuple[Check, str]]] = {}
    for check, name, expected in voices:
        melds = suite.rules.meld_names(check.ruleset)
        says = tuple(
            (number, _said(steps[number - 1], expected.get(number, {}), keys, melds))
            for number, keys in differ.items()
            if keys
        )
        found.setdefault(says, []).append((check, name))
    return [AnswerGroup(dict(says), tuple(given_by)) for says, given_by in found.items()]


def _differing(expected: Sequence[Expected], number: int) -> list[str]:
    """Return the observables of a step that are not expected alike by all."""
    keys = dict.fromkeys(key for each in expected for key in each.get(number, {}))
    return [key for key in keys if any(_of(each, number, key) != _of(expected[0], number, key) for each in expected)]


def _of(expected: Expected, number: int, key: str) -> tuple[bool, Any]:
    step = expected.get(number, {})
    return key in step, step.get(key)


def _said(step: Mapping[str, Any], expected: Mapping[str, Any], keys: Sequence[str], melds: words.Names) -> str:
    in_order = sorted(keys, key=lambda key: key != "refused")  # whether it may be done, before what follows
    said = words.expectation(step, {key: expected[key] for key in in_order if key in expected}, melds)
    if said:
        return "; ".join(said)
    return "accepted" if "do" in step and "refused" in keys else "nothing more"


# ---- as pages show them


@dataclass(frozen=True, slots=True)
class OneAnswer:
    """The answer of all books that are asked, and whether they are several."""

    of_all: bool
    books: Markup


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer in words by step, the track on which it is replayed, if any, and who gives it, each with a note."""

    says: Mapping[int, str]
    track: str
    who: tuple[tuple[str, Markup], ...]

    @property
    def first(self) -> int:
        """The first step that is answered so."""
        return min(self.says)


def different(suite: Suite, checks: Sequence[Check], tracks: Sequence[Track], here: str, *, differ: bool) -> Markup:
    """Return the different answers as one table, each leading to the track on which it is replayed, or a line if there
    is one. They `differ` if not only the grounds of a refusal do, or how it is put."""
    found = answers(suite, checks)
    one = _one(suite, checks, found[0], here) if len(found) == 1 else None
    heads = {check.ruleset: track.name for track in tracks for check in track.checks}
    rows = [] if one else [_row(suite, checks, answer, heads, here) for answer in found]
    steps = [] if one else list(_steps(suite, checks[0], list(found[0].says)))
    return fill("answers", suite, here, one=one, differ=differ, steps=steps, answers=rows)


def _one(suite: Suite, checks: Sequence[Check], answer: AnswerGroup, here: str) -> OneAnswer:
    spoken = [check.ruleset for check in checks]
    return OneAnswer(len(checks) > 1, books_a(suite, [check.ruleset for check, _ in answer.given_by], spoken, here))


def _steps(suite: Suite, check: Check, numbers: Sequence[int]) -> Iterator[tuple[int, str, str]]:
    """Yield the steps that are answered: number, how it is introduced, and the step in words."""
    melds = suite.rules.meld_names(check.ruleset)
    for number in numbers:
        step = check.scenario.steps[number - 1]
        yield number, ", when" if "do" in step else ":", words.step(step, melds)


def _row(suite: Suite, checks: Sequence[Check], answer: AnswerGroup, heads: Mapping[str, str], here: str) -> AnswerRow:
    # a reading that nobody follows is not replayed
    track = next((heads[check.ruleset] for check, name in answer.given_by if name in {"", check.follows}), "")
    return AnswerRow(answer.says, track, tuple(_who(suite, checks, answer, here)))


def _who(suite: Suite, checks: Sequence[Check], answer: AnswerGroup, here: str) -> Iterator[tuple[str, Markup]]:
    """Yield who gives an answer: those whose books decide; those who follow a reading by which it comes out so; and
    those who could read their book so, and do not."""
    spoken = [check.ruleset for check in checks]
    kinds = {
        "": [check.ruleset for check, name in answer.given_by if not name],
        "by the reading followed here": [
            check.ruleset for check, name in answer.given_by if name and name == check.follows
        ],
        "by another reading": [check.ruleset for check, name in answer.given_by if name and name != check.follows],
    }
    for kind, rulesets in kinds.items():
        if rulesets:
            yield kind, books_a(suite, dict.fromkeys(rulesets), spoken, here)


@dataclass(frozen=True, slots=True)
class ReadingBlock:
    """A reading with what speaks for it, and the books that are taken so, with why."""

    name: str
    argument: str
    followed: tuple[tuple[Markup, str], ...]


def undecided(suite: Suite, checks: Sequence[Check], here: str) -> Markup:
    """Return where books do not decide: the ways to read them, and which book is taken how; nothing if all decide."""
    open_ = [check for check in checks if check.follows]
    if not open_:
        return NOTHING
    scenario, spoken = open_[0].scenario, [check.ruleset for check in checks]
    blocks = []
    for reading in scenario.readings:
        first = next(check for check in open_ if reading in check.readings)
        followed = [each for each in scenario.followed_by if each.reading == reading.name]
        taken = tuple((books_a(suite, each.rulesets, spoken, here), each.because) for each in followed)
        name, argument = reading.name.replace("-", " "), explain.argument(suite, first, reading)
        blocks.append(ReadingBlock(name, argument, taken))
    return fill("undecided", suite, here, readings=blocks)
