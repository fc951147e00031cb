"""Laid: what becomes of a check when an implementation has declared something of its own choice.

What it lays is judged: it must be open to the player, and score what it should. If it is what the check declares, the
check goes on; where it is something else, the rest of the check is another game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, until
from hoyle_conformance.checks.adapt.grouping import course_of
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.compare import face
from hoyle_conformance.runner.judge import NOTHING_REPORTED
from hoyle_conformance.runner.results import Mismatch, Result, Status
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed
from hoyle_reference.frozen import frozen
from hoyle_reference.rules import Rules

Observed = Sequence[Mapping[str, Any]]
#: What becomes of a check by what was observed.
Judged = Callable[[Adapted, Observed], Result]

#: What an implementation lacks that has laid something else than the check declares.
AS_ASKED: Final = "declaring what is asked"
_OPEN: Final = "a combination that may be declared"
_NAMED: Final = ("meld", "cards")


@frozen
class OwnDeclaration:
    """Another combination than the check declares: the sent step that laid it, what was laid, whether it was open to
    the player, the score that it should have brought, and the cards that lie on the table then, by their faces."""

    at: int
    declared: Any
    open: bool
    score: Mapping[str, int] | None = None
    lies: Any = None


def judged_as_laid(suite: Suite, asked: Adapted, observed: Observed, judged: Judged) -> Result:
    """What becomes of the check: `judged` as it is, as long as what was laid is what it declares; up to there, and by
    what may be declared and what that scores, where it is something else."""
    laid = laid_otherwise(suite, asked, observed)
    if laid is None:
        return judged(asked, observed)
    wrong = _wrong(asked, laid, observed[laid.at])
    rest = until(asked, sum(end <= laid.at for end in asked.plan.ends))
    if any(rest.check.branches.values()):
        before = judged(rest, observed[: len(rest.plan.message["steps"])])
        if before.status is not Status.PASS:
            return replace(before, check=asked.check)
    if wrong:
        return Result(asked.check, Status.FAIL, wrong)
    if laid.declared is None:
        return Result(asked.check, Status.UNSUPPORTED, reason="it has declared nothing", lacks=(AS_ASKED,))
    return Result(asked.check, Status.PASS, partly=(AS_ASKED,))


def _wrong(asked: Adapted, laid: OwnDeclaration, seen: Mapping[str, Any]) -> Mismatch | None:
    """What is wrong with a combination of its own choice."""
    step = next(number for number, end in enumerate(asked.plan.ends, start=1) if laid.at < end)
    if not laid.open:
        return Mismatch(step, "declared", _OPEN, laid.declared)
    if laid.score is not None and "score" in seen and seen["score"] != laid.score:
        return Mismatch(step, "total", laid.score, seen["score"])
    return None


def laid_otherwise(suite: Suite, asked: Adapted, observed: Observed) -> OwnDeclaration | None:
    """The first combination laid that is not what the check declares, if there is one."""
    course = course_of(asked.plan)
    acts, begins = list(course.message["steps"]), 0
    for at, (step, seen) in enumerate(zip(asked.plan.message["steps"], observed, strict=False)):
        first, begins = begins, course.at[at] + 1
        if step.get("do") != "declare" or "melds" in step:
            continue
        first = next(n for n in range(first, begins) if acts[n].get("do") == "declare")
        meant, declared = acts[first], seen.get("declared", NOTHING_REPORTED)
        if not isinstance(declared, Mapping):
            return OwnDeclaration(at, declared, open=declared is None)
        if any(declared[key] != meant[key] for key in _NAMED):
            laid = _judged(suite, asked, acts[:first], at, declared)
            if not _alike(declared, meant) or laid.lies != _judged(suite, asked, acts[:first], at, meant).lies:
                return laid
            acts[first] = {**meant, **declared}
    return None


def _alike(declared: Mapping[str, Any], meant: Mapping[str, Any]) -> bool:
    """Whether two combinations are the same but for the copies of their cards."""
    one, other = (sorted(map(face, each["cards"])) for each in (declared, meant))
    return bool(declared["meld"] == meant["meld"] and one == other)


def _judged(
    suite: Suite, asked: Adapted, before: Sequence[Any], at: int, declared: Mapping[str, Any]
) -> OwnDeclaration:
    """Whether by any reading this may be declared after the acts before it."""
    cells = suite.rules.cells(asked.check.ruleset)
    act = {"by": asked.plan.message["steps"][at]["by"], "do": "declare"} | {key: declared[key] for key in _NAMED}
    message = {**course_of(asked.plan).message, "steps": [*before, act]}
    ways = ({}, *({cell.path: each.name} for cell in cells for each in cell.readings if each.name != cell.follows))
    for way in ways:
        seen = _seen(suite.rules.of(asked.check.ruleset, way), message)
        if seen and seen["accepted"]:
            return OwnDeclaration(at, declared, open=True, score=seen["score"], lies=_faces(seen["shown"]))
    return OwnDeclaration(at, declared, open=False)


def _faces(shown: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    return {seat: sorted(map(face, cards)) for seat, cards in shown.items()}


def _seen(rules: Rules, message: Mapping[str, Any]) -> Mapping[str, Any] | None:
    try:
        return observations(rules, {**message, "observe": ["score", "shown"]})[-1]
    except Malformed:
        return None
