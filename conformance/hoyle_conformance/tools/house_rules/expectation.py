"""Showing: what the interpreter shows in a check, written as an expectation is."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import Traced
from hoyle_conformance.suite.model import Expectation, Expected

_OBSERVED_AS: Final = {"scores": "score", "total": "score"}


class NotSaid(Exception):
    """Of a step that stands for several acts, some are refused and some are not: no expectation can say so."""


def shown(plan: RunRequest, wanted: Sequence[Expected], traced: Sequence[Traced]) -> Expected:
    """What the steps of a check show of that of which something was expected before; raises NotSaid.

    An act that is accepted now, and was to be refused, shows what is scored as well, where scores are observed.
    """
    score: Mapping[str, int] = plan.message["position"]["score"]
    expected: dict[int, Expectation] = {}
    for step, end in enumerate(plan.ends, start=1):
        singles = traced[plan.start(step) : end]
        said = _of_step(singles, [each[step] for each in wanted if step in each], score)
        if said:
            expected[step] = said
        score = singles[-1].observation.get("score", score)
    return expected


def _of_step(singles: Sequence[Traced], before: Sequence[Expectation], score: Mapping[str, int]) -> dict[str, Any]:
    last = singles[-1].observation
    if "answer" in last:
        return {"answer": last["answer"]}
    refused = [each.refusal for each in singles]
    if any(refused) and not all(refused):
        raise NotSaid
    if refused[-1]:
        return {"refused": refused[-1].code}
    keys = {key for each in before for key in each}
    wanted = (keys - {"refused"}) | ({"scores"} if "refused" in keys and "score" in last else set())
    return {key: _value(key, last, before, score) for key in sorted(wanted)}


def _value(key: str, last: Mapping[str, Any], before: Sequence[Expectation], score: Mapping[str, int]) -> Any:
    value = last[_OBSERVED_AS.get(key, key)]
    if key == "scores":
        made = {seat: points - score.get(seat, 0) for seat, points in value.items()}
        return {seat: points for seat, points in made.items() if points}
    named = {name for each in before if isinstance(each.get(key), Mapping) for name in each[key]}
    return {name: value[name] for name in value if name in named} if isinstance(value, Mapping) and named else value
