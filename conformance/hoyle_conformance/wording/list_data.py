"""The checks, clauses, refusals, rulesets and topics of the suite, as data for programs (`list.schema.json`)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from hoyle_conformance.suite.model import Heading
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.lists import chosen_clauses, chosen_refusals


def checks_data(chosen: Sequence[Heading]) -> list[dict[str, Any]]:
    """Return checks."""
    return [
        {
            "check": each.id,
            "scenario": each.scenario,
            "title": each.title,
            "ruleset": each.ruleset,
            "cites": list(each.cites),
            "reading": each.follows,
            "computed": each.computed,
        }
        for each in chosen
    ]


def clauses_data(suite: Suite, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return the clauses whose id or text has all these words."""
    cited = Counter(clause for check in suite.index.headings.values() for clause in check.cites)
    return [
        {
            "clause": each.id,
            "where": each.where,
            "kind": each.kind,
            "says": each.says,
            "checks": cited[each.id],
            "at_work_in": len(suite.at_work_in.get(each.id, ())),
            "not_testable": each.not_testable,
        }
        for each in chosen_clauses(suite, words)
    ]


def refusals_data(suite: Suite, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return the words for reasons to refuse an act, where they or their meaning have all these `words`."""
    return [{"word": word, "says": says, "checks": checks} for word, says, checks in chosen_refusals(suite, words)]


def rulesets_data(suite: Suite) -> list[dict[str, Any]]:
    """Return the rulesets, with their options."""
    checks = suite.index.checks_by_ruleset
    return [
        {
            "ruleset": each.id,
            "title": each.title,
            "game": each.game,
            "checks": checks[each.id],
            "options": [
                {"ruleset": f"{each.id}+{option}", "title": title, "checks": checks[f"{each.id}+{option}"]}
                for option, title in suite.rules.options(each.id).items()
            ],
        }
        for each in suite.rulesets.values()
    ]


def topics_data(suite: Suite) -> list[dict[str, Any]]:
    """Return the topics."""
    return [{"topic": topic, "checks": count} for topic, count in sorted(suite.index.checks_by_topic.items())]
