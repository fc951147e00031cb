"""Declarations of an engine's own choice, in place of those of a check.

Such a declaration must be open to the player, and score what it should. If it is that of the check, the check goes on;
if it is another, the rest of the check is another game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, cut_after
from hoyle_conformance.checks.adapt.grouping import reference_steps
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.by_cards import other_names
from hoyle_conformance.runner.compare import face
from hoyle_conformance.runner.judge import NOTHING_REPORTED
from hoyle_conformance.runner.results import Mismatch, Result, Status
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules

Observed = Sequence[Mapping[str, Any]]

#: The missing claim of an engine that has declared another combination than the check does.
AS_ASKED: Final = "declaring what is asked"
_OPEN: Final = "a combination that may be declared"
_NAMED: Final = ("meld", "cards")


@dataclass(frozen=True, slots=True)
class OwnDeclaration:
    """Another combination than the check declares: the sent step that declared it, the combination, whether it was open
    to the player, the score that it should have brought, and the faces of the cards that are on the table then."""

    at: int
    declared: Any
    open: bool
    score: Mapping[str, int] | None = None
    lies: Any = None


def steps_before(request: Adapted, other: OwnDeclaration) -> Adapted:
    """Return the steps of a check that end before another declaration."""
    return cut_after(request, sum(end <= other.at for end in request.plan.ends))


def judge_own_declaration(request: Adapted, other: OwnDeclaration, observed: Observed) -> Result:
    """Return the result of a check that came to another declaration: whether that was open, and scored what it should.

    The check passes in part by another combination, and is unsupported if there was none."""
    check = request.check
    step = next(number for number, end in enumerate(request.plan.ends, start=1) if other.at < end)
    if not other.open:
        return Result(check, Status.FAIL, Mismatch(step, "declared", _OPEN, other.declared))
    score = observed[other.at].get("score", other.score)
    if other.score is not None and score != other.score:
        return Result(check, Status.FAIL, Mismatch(step, "total", other.score, score))
    if other.declared is None:
        return Result(check, Status.UNSUPPORTED, reason="the engine has declared nothing", lacks=(AS_ASKED,))
    return Result(check, Status.PASS, partly=(AS_ASKED,))


def other_declaration(suite: Suite, request: Adapted, observed: Observed) -> OwnDeclaration | None:
    """Return the first declaration that is not the one of the check, if there is any."""
    course = reference_steps(request.plan)
    names = other_names(suite.rules.cells(request.check.ruleset))
    acts, begins = list(course.message["steps"]), 0
    for at, (step, seen) in enumerate(zip(request.plan.message["steps"], observed, strict=False)):
        first, begins = begins, course.at[at] + 1
        if step.get("do") != "declare" or "melds" in step:
            continue
        first = next(n for n in range(first, begins) if acts[n].get("do") == "declare")
        meant, declared = acts[first], seen.get("declared", NOTHING_REPORTED)
        if not isinstance(declared, Mapping):
            return OwnDeclaration(at, declared, open=declared is None)
        if any(declared[key] != meant[key] for key in _NAMED):
            melds = filter(None, (declared["meld"], names.get(declared["meld"])))
            found = [_look_up(suite, request, acts[:first], at, {**declared, "meld": meld}) for meld in melds]
            other = max(found, key=lambda each: (_scores_so(each, seen), each.open))  # the first of the best
            declared = other.declared
            if not _alike(declared, meant) or other.lies != _look_up(suite, request, acts[:first], at, meant).lies:
                return other
            acts[first] = {**meant, **declared}
    return None


def _scores_so(other: OwnDeclaration, seen: Mapping[str, Any]) -> bool:
    """Whether a declaration was open to the player, and has brought the score that it should."""
    return other.open and other.score == seen.get("score", other.score)


def _alike(declared: Mapping[str, Any], meant: Mapping[str, Any]) -> bool:
    """Whether two combinations are the same but for the copies of their cards."""
    one, other = (sorted(map(face, each["cards"])) for each in (declared, meant))
    return bool(declared["meld"] == meant["meld"] and one == other)


def _look_up(
    suite: Suite, request: Adapted, before: Sequence[Any], at: int, declared: Mapping[str, Any]
) -> OwnDeclaration:
    """Return the declaration, open if any reading allows it after the acts before, with the score by that reading."""
    cells = suite.rules.cells(request.check.ruleset)
    act = {"by": request.plan.message["steps"][at]["by"], "do": "declare"} | {key: declared[key] for key in _NAMED}
    message = {**reference_steps(request.plan).message, "steps": [*before, act]}
    ways = ({}, *({cell.path: each.name} for cell in cells for each in cell.readings if each.name != cell.follows))
    for way in ways:
        seen = _seen(suite.rules.of(request.check.ruleset, way), message)
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
