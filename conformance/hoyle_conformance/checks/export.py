"""The suite as plain data, for harnesses in other languages: spec/schemas/build.schema.json describes it."""

from collections.abc import Iterable
from typing import Any

from hoyle_conformance.checks.adapt.adapted import Adapted
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite


def as_they_are(suite: Suite, checks: Iterable[Check]) -> Iterable[Adapted]:
    """Yield checks fitted to an adapter that claims everything and can begin anywhere."""
    return (Adapted(check, planner_of(suite).request(check)) for check in checks)


def compiled(suite: Suite, checks: Iterable[Adapted]) -> dict[str, Any]:
    """Return the suite as plain data, with these checks."""
    return {
        "suite": {"version": suite.version, "digest": suite.digest},
        "sources": [source.document.data for source in suite.sources.values()],
        "rulesets": [ruleset.document.data for ruleset in suite.rulesets.values()],
        "checks": list(map(_compiled_check, checks)),
    }


def _compiled_check(asked: Adapted) -> dict[str, Any]:
    """Return one check as plain data, without what is usual."""
    check, plan = asked.check, asked.plan
    unusual = {
        "left_out": list(asked.partly),
        "begins": plan.position if plan.position is not plan.message["position"] else None,
        "score_open_after": sorted(plan.unbooked),
    }
    return {
        "id": check.id,
        "scenario": check.scenario.id,
        "ruleset": check.ruleset,
        "title": check.scenario.title,
        "cites": check.cites,
        "needs": sorted(plan.needs),
        "run": plan.message,
        "step_ends": plan.ends,
        "expect": {name or "decided": dict(expected) for name, expected in check.branches.items()},
        "follows": check.follows or "decided",
        **{key: value for key, value in unusual.items() if value},
    }
