"""Adapters that choose what they declare, and report the cards (`runner/own_declarations.py` judges them)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, with_steps
from hoyle_conformance.checks.adapt.grouping import reference_steps

_REFUSALS: Final = frozenset({"refuse-declare"})


def claims_of_a_chooser(claims: frozenset[str]) -> frozenset[str]:
    """Drop the claims to refuse declarations: an adapter that chooses its own refuses none."""
    return claims - _REFUSALS


def leave_declarations_open(adapted: Adapted) -> Adapted:
    """Leave open what is declared; of a class as a set there is nothing to choose."""
    steps = [_open(step) for step in adapted.plan.message["steps"]]
    plan = replace(adapted.plan, message=with_steps(adapted.plan.message, steps), course=reference_steps(adapted.plan))
    return replace(adapted, plan=plan)


def _open(step: Mapping[str, Any]) -> Mapping[str, Any]:
    if step.get("do") != "declare" or "melds" in step:
        return step
    return {key: step[key] for key in ("by", "do", "then") if key in step}
