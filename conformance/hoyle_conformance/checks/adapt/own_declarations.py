"""Adapters that choose what they declare, and report the cards (`runner/own_declarations.py` judges them)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, sending
from hoyle_conformance.checks.adapt.grouping import course_of

_REFUSALS: Final = frozenset({"refuse-declare"})


def chooses(claims: frozenset[str]) -> frozenset[str]:
    """Drop the claims to refuse declarations: an adapter that chooses its own refuses none."""
    return claims - _REFUSALS


def choosing(asked: Adapted) -> Adapted:
    """Leave open what is declared; of a class as a set there is nothing to choose."""
    steps = [_open(step) for step in asked.plan.message["steps"]]
    plan = replace(asked.plan, message=sending(asked.plan.message, steps), course=course_of(asked.plan))
    return replace(asked, plan=plan)


def _open(step: Mapping[str, Any]) -> Mapping[str, Any]:
    if step.get("do") != "declare" or "melds" in step:
        return step
    return {key: step[key] for key in ("by", "do", "then") if key in step}
