"""Combinations that an engine chooses or names itself, instead of those of a check.

An engine that chooses its own declarations must declare a valid combination and score it correctly. If the combination
is that of the check, the check goes on; if not, the rest of the check is a different game.

A marriage of trumps and a marriage of another suit have the same ranks; in some rulesets, so do the two sequences. An
engine may use one name for both: it answers a question about the wrong name as if it were the right one, and accepts an
act under the wrong name. Hoyle accepts this if the other name fits the cards and the points are those of that
combination.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.request import NOTHING_REPORTED, Adapted, Claims, Step
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cells, Malformed

Observed = Sequence[Mapping[str, Any]]

#: The missing capability of an engine that declared another combination than the check does.
AS_ASKED: Final = "declaring what is asked"
_OPEN: Final = "a combination that may be declared"
_NAMED: Final = ("meld", "cards")
_MELDS: Final = "declare.melds"
_OF_ONE_SUIT: Final = frozenset({"trumps", "plain"})
#: The reason why an act under the wrong name is refused, and the answer to a question under the wrong name.
_NOT_THIS_ONE: Final = "not-a-combination"
_WORTH_NOTHING: Final = 0


class PartialVerdict(NamedTuple):
    """The verdict on a response that is not judged as usual.

    `request` is the part that is judged as usual. The rest either `lacks` a capability, which may make the check
    unsupported, or is `wrong`: the step, the observable, and the values expected and observed.
    """

    request: Adapted
    lacks: str = ""
    unsupported: bool = False
    wrong: tuple[int, str, Any, Any] | None = None


def other_names(cells: Cells) -> Mapping[str, str]:
    """Map the name of each combination of trumps, or of another suit only, to the name of its counterpart."""
    rows = [row.value for row in cells.rows(_MELDS) if row.value.get("suits") in _OF_ONE_SUIT]
    return {
        one["id"]: other["id"]
        for one in rows
        for other in rows
        if one["cards"] == other["cards"] and one["suits"] != other["suits"]
    }


@dataclass(frozen=True, slots=True)
class OwnDeclaration:
    """A declaration that differs from the check's.

    It has the index of the sent step and the combination declared there; whether the player could declare it; the score
    that it should have given; and the faces of the cards then on the table.
    """

    at: int
    declared: Any
    open: bool
    score: Mapping[str, int] | None = None
    lies: Any = None


def judge_own_declarations(request: Adapted, claims: Claims, observed: Observed) -> PartialVerdict | None:
    """Return the verdict on a response with another declaration than the check's; None if there is none.

    The check is judged up to that declaration, which must be valid and correctly scored.
    """
    other = other_declaration(claims.suite, request, observed)
    if other is None:
        return None
    step = next(number for number, end in enumerate(request.plan.ends, start=1) if other.at < end)
    before, score = request.cut_after(step - 1), observed[other.at].get("score", other.score)
    if not other.open:
        return PartialVerdict(before, wrong=(step, "declared", _OPEN, other.declared))
    if other.score is not None and score != other.score:
        return PartialVerdict(before, wrong=(step, "total", other.score, score))
    return PartialVerdict(before, AS_ASKED, unsupported=other.declared is None)


def other_declaration(suite: Suite, request: Adapted, observed: Observed) -> OwnDeclaration | None:
    """Return the first declaration that differs from the check's; None if there is none."""
    course = request.plan.reference_steps
    names = other_names(suite.rules.cells(request.check.ruleset))
    acts, begins = list(course.message["steps"]), 0
    for at, (step, seen) in enumerate(zip(request.steps, observed, strict=False)):
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
            other = max(found, key=lambda each: (each.open and each.score == seen.get("score", each.score), each.open))
            declared = other.declared
            if not _alike(declared, meant) or other.lies != _look_up(suite, request, acts[:first], at, meant).lies:
                return other
            acts[first] = {**meant, **declared}
    return None


def _alike(declared: Mapping[str, Any], meant: Mapping[str, Any]) -> bool:
    """Return whether two combinations are the same except for the copies of their cards."""
    return bool(declared["meld"] == meant["meld"] and _faces(declared["cards"]) == _faces(meant["cards"]))


def _faces(cards: Sequence[str]) -> list[str]:
    return sorted(card[:2] for card in cards)


def _look_up(
    suite: Suite, request: Adapted, before: Sequence[Step], at: int, declared: Mapping[str, Any]
) -> OwnDeclaration:
    """Return the declaration, which is `open` if some reading allows it after the earlier acts, with its score under
    that reading."""
    cells = suite.rules.cells(request.check.ruleset)
    act = {"by": request.steps[at]["by"], "do": "declare"} | {key: declared[key] for key in _NAMED}
    ways = ({}, *({cell.path: each.name} for cell in cells for each in cell.readings if each.name != cell.follows))
    for way in ways:
        try:
            seen = _reference(suite, request, [*before, act], ("score", "shown"), way)[-1]
        except Malformed:
            continue
        if seen["accepted"]:
            lies = {seat: _faces(cards) for seat, cards in seen["shown"].items()}
            return OwnDeclaration(at, declared, open=True, score=seen["score"], lies=lies)
    return OwnDeclaration(at, declared, open=False)


def _reference(
    suite: Suite, request: Adapted, steps: Sequence[Step], observe: Sequence[str], way: Mapping[str, str] | None = None
) -> Observed:
    """Return the reference's observations of these steps in the position of a request, with some cells read in another
    `way`."""
    message = {**request.plan.reference_steps.message, "steps": steps, "observe": observe}
    return observations(suite.rules.of(request.check.ruleset, way), message)


class ByCards(NamedTuple):
    """A request and its observations with one name for each pair of combinations. If `another_name` is set, the request
    ends before an act that was accepted under the wrong name."""

    request: Adapted
    observed: Observed
    another_name: bool


def judged_by_cards(suite: Suite, request: Adapted, observed: Observed) -> ByCards | None:
    """Return a request and its observations with one name for each pair of combinations; None if no name matters in the
    request."""
    names = other_names(suite.rules.cells(request.check.ruleset))
    steps, course = request.steps, request.plan.reference_steps
    if not any(_answers_with_names(step) or step.get("meld") in names for step in steps):
        return None
    right = _reference(suite, request, course.message["steps"], ())
    seen = list(observed)
    for at, (step, shows) in enumerate(zip(steps, observed, strict=False)):
        if _answers_with_names(step) and "answer" in shows:
            seen[at] = {**shows, "answer": _renamed(names, shows["answer"])}
        elif step.get("meld") in names and _differs(right[course.at[at]], shows):
            first = course.at[at - 1] + 1 if at else 0
            renamed = {**course.message["steps"][first], "meld": names[step["meld"]]}
            fits = _reference(suite, request, [*course.message["steps"][:first], renamed], ("score",))[-1]
            if "ask" in step:
                seen[at] = {**shows, "answer": _WORTH_NOTHING} if fits["answer"] == shows["answer"] else shows
            elif fits["accepted"] and fits["score"] == shows.get("score", fits["score"]):
                before = request.cut_after(sum(end <= at for end in request.plan.ends))
                return ByCards(_with_one_name(names, before), seen[:at], another_name=True)
    return ByCards(_with_one_name(names, request), seen, another_name=False)


def _answers_with_names(step: Step) -> bool:
    """Return whether the answer to a step contains names of combinations."""
    return step.get("ask") == "declarable" or (step.get("ask") == "worth" and "meld" not in step)


def _differs(right: Mapping[str, Any], shows: Mapping[str, Any]) -> bool:
    """Return whether the engine accepts cards as a combination although they do not fit the name in the request."""
    if "answer" in right:
        return bool(right["answer"] == _WORTH_NOTHING) and shows.get("answer", _WORTH_NOTHING) != _WORTH_NOTHING
    return bool(right.get("reason") == _NOT_THIS_ONE) and shows.get("accepted") is True


def _with_one_name(names: Mapping[str, str], request: Adapted) -> Adapted:
    """Return a request whose expected answers have one name for each pair of combinations."""
    renamed = request.revised(
        lambda _, each: {**each, "answer": _renamed(names, each["answer"])} if "answer" in each else each
    )
    return replace(request, check=renamed.check)


def _renamed(names: Mapping[str, str], answer: Any) -> Any:
    """Return an answer in which each combination has the first of its two names."""
    if isinstance(answer, Mapping) and "meld" in answer:
        return {**answer, "meld": min(answer["meld"], names.get(answer["meld"], answer["meld"]))}
    return type(answer)(_renamed(names, each) for each in answer) if isinstance(answer, (list, tuple)) else answer
