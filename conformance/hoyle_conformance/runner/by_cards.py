"""Combinations judged by their cards, for an engine with one name where a ruleset has two.

A marriage of trumps and one of another suit have the same ranks; so have the two sequences of some rulesets. An engine
may use either name for both: it then answers the question for the name that fits, and accepts an act under a name that
does not fit. That is as good, if the other name fits the cards and the points are those of the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.adapt.adapted import Adapted, cut_after
from hoyle_conformance.checks.adapt.grouping import reference_steps
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.model import Expectation
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cells

Observed = Sequence[Mapping[str, Any]]

_MELDS: Final = "declare.melds"
_OF_ONE_SUIT: Final = frozenset({"trumps", "plain"})
#: The reason for which an act under a name that does not fit is refused, and the answer to a question under it.
_NOT_THIS_ONE: Final = "not-a-combination"
_WORTH_NOTHING: Final = 0


def other_names(cells: Cells) -> Mapping[str, str]:
    """Return by the name of each combination that is one of trumps, or of another suit, the name of its counterpart."""
    rows = [row.value for row in cells.rows(_MELDS) if row.value.get("suits") in _OF_ONE_SUIT]
    return {
        one["id"]: other["id"]
        for one in rows
        for other in rows
        if one["cards"] == other["cards"] and one["suits"] != other["suits"]
    }


class ByCards(NamedTuple):
    """A request and its observations with one name for two; the request ends before an act that was accepted under a
    name that does not fit, if there was `another_name`."""

    request: Adapted
    observed: Observed
    another_name: bool


def judged_by_cards(suite: Suite, request: Adapted, observed: Observed) -> ByCards | None:
    """Return a request and its observations with one name for two; None if no name matters in it."""
    names = other_names(suite.rules.cells(request.check.ruleset))
    steps = request.plan.message["steps"]
    if not any(_answers_with_names(step) or step.get("meld") in names for step in steps):
        return None
    course = reference_steps(request.plan)
    rules = suite.rules.of(request.check.ruleset)
    right = observations(rules, {**course.message, "observe": []})
    seen = list(observed)
    for at, (step, shows) in enumerate(zip(steps, observed, strict=False)):
        if _answers_with_names(step) and "answer" in shows:
            seen[at] = {**shows, "answer": _renamed(names, shows["answer"])}
        elif step.get("meld") not in names or not _differs(right[course.at[at]], shows):
            continue
        else:
            fits = _under_the_other_name(suite, request, at, names[step["meld"]])
            if "ask" in step:
                seen[at] = {**shows, "answer": _WORTH_NOTHING} if fits["answer"] == shows["answer"] else shows
            elif fits["accepted"] and fits["score"] == shows.get("score", fits["score"]):
                before = cut_after(request, sum(end <= at for end in request.plan.ends))
                return ByCards(_one_name(names, before), seen[:at], another_name=True)
    return ByCards(_one_name(names, request), seen, another_name=False)


def _answers_with_names(step: Mapping[str, Any]) -> bool:
    """Whether a step is a question that is answered with the names of combinations."""
    return step.get("ask") == "declarable" or (step.get("ask") == "worth" and "meld" not in step)


def _differs(right: Mapping[str, Any], shows: Mapping[str, Any]) -> bool:
    """Whether the engine takes for a combination what is none under the name that it was asked about."""
    if "answer" in right:
        return bool(right["answer"] == _WORTH_NOTHING) and shows.get("answer", _WORTH_NOTHING) != _WORTH_NOTHING
    return bool(right.get("reason") == _NOT_THIS_ONE) and shows.get("accepted") is True


def _under_the_other_name(suite: Suite, request: Adapted, at: int, meld: str) -> Mapping[str, Any]:
    """Return what the reference observes of the step at this place if it has the other name."""
    course = reference_steps(request.plan)
    first = course.at[at - 1] + 1 if at else 0
    before, step = course.message["steps"][:first], course.message["steps"][first]
    message = {**course.message, "steps": [*before, {**step, "meld": meld}], "observe": ["score"]}
    return observations(suite.rules.of(request.check.ruleset), message)[-1]


def _one_name(names: Mapping[str, str], request: Adapted) -> Adapted:
    """Return a request in which the answers that are expected have one name for two."""
    branches = {
        name: {number: _expected(names, each) for number, each in expected.items()}
        for name, expected in request.check.branches.items()
    }
    return replace(request, check=replace(request.check, branches=branches))


def _expected(names: Mapping[str, str], expectation: Expectation) -> Expectation:
    return {**expectation, "answer": _renamed(names, expectation["answer"])} if "answer" in expectation else expectation


def _renamed(names: Mapping[str, str], answer: Any) -> Any:
    """Return an answer in which each combination has the first of its two names."""
    if isinstance(answer, Mapping) and "meld" in answer:
        return {**answer, "meld": min(answer["meld"], names.get(answer["meld"], answer["meld"]))}
    return [_renamed(names, each) for each in answer] if isinstance(answer, (list, tuple)) else answer
