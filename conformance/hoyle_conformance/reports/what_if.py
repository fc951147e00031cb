"""The effect of changed rules on the checks of a ruleset, in words, by topic."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from hoyle_conformance.runner.rule_changes import ChangedCheck
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import plural, sentence, with_label, wrap
from hoyle_reference import Rules

#: The maximum number of checks shown for a topic, and of checks named for a reason why they cannot be set up, unless
#: all are requested.
_OF_A_TOPIC: Final = 2
_FOR_A_REASON: Final = 5
_NOT_PLAYABLE: Final = "the interpreter cannot continue: these rules contradict each other here"


def what_if_lines(
    suite: Suite, rules: Rules, values: Mapping[str, Any], tried: Sequence[ChangedCheck], *, whole: bool = False
) -> Iterator[str]:
    """Yield the effect of these values in the cells of a ruleset on its checks: the `whole` effect, or a part for each
    topic."""
    yield f"{rules.id}, with {plural(len(values), 'rule')} changed:"
    for path, value in values.items():
        schema = rulebook.parameter_schema(suite, path)
        yield ""
        yield f"  {path}"
        yield from with_label("was", rulebook.sentence(schema, rules.cells[path].value))
        yield from with_label("tried", rulebook.sentence(schema, value))
    of_topics = groupby((each for each in tried if each.mismatch), key=lambda each: each.check.scenario.topic)
    for topic, changed in of_topics:
        yield from _topic_lines(suite, topic, list(changed), None if whole else _OF_A_TOPIC)
    yield from _unplayable_lines(tried, whole=whole)
    yield ""
    yield _totals_line(rules.id, tried)


def what_if_data(
    suite: Suite, rules: Rules, values: Mapping[str, Any], tried: Sequence[ChangedCheck]
) -> dict[str, Any]:
    """Return the effect on the checks, as `what-if.schema.json` describes it."""
    return {
        "ruleset": rules.id,
        "rules": [_changed_rule_data(suite, rules, path, value) for path, value in values.items()],
        "changed": [_changed_check_data(each) for each in tried if each.mismatch],
        "unplayable": [
            {"check": each.check.id, "reason": each.senseless or _NOT_PLAYABLE}
            for each in tried
            if each.senseless or each.broken
        ],
        "checks": len(tried),
    }


def _changed_rule_data(suite: Suite, rules: Rules, path: str, value: Any) -> dict[str, Any]:
    schema = rulebook.parameter_schema(suite, path)
    was = rulebook.sentence(schema, rules.cells[path].value)
    return {"cell": path, "was": was, "now": rulebook.sentence(schema, value)}


def _changed_check_data(tried: ChangedCheck) -> dict[str, Any]:
    mismatch = tried.mismatch
    assert mismatch is not None, "the check changes"
    return {
        "check": tried.check.id,
        "title": tried.check.scenario.title,
        "step": mismatch.step,
        "what": mismatch.what,
        "expected": mismatch.expected,
        "now": mismatch.observed,
        "refused": tried.refused,
    }


def _topic_lines(suite: Suite, topic: str, changed: Sequence[ChangedCheck], most: int | None) -> Iterator[str]:
    yield ""
    yield f"{topic.upper()}: {plural(len(changed), 'check')}"
    for each in changed[:most]:
        yield ""
        check, mismatch, melds = each.check, each.mismatch, suite.rules.meld_names(each.check.ruleset)
        assert mismatch is not None, "only changed outcomes are shown"
        yield f"  {check.id}"
        yield from wrap(check.scenario.title, 2)
        yield from with_label(f"step {mismatch.step}", words.step(check.scenario.steps[mismatch.step - 1], melds))
        yield from with_label("expected", words.value(mismatch.what, mismatch.expected, melds))
        refused = words.value("refused", each.refused, melds) if each.refused else ""
        yield from with_label("now", refused or words.value(mismatch.what, mismatch.observed, melds))
    if rest := changed[len(changed[:most]) :]:
        yield ""
        yield from wrap(f"and {len(rest)} more: {', '.join(each.check.scenario.id for each in rest)}", 2)


def _unplayable_lines(tried: Iterable[ChangedCheck], *, whole: bool) -> Iterator[str]:
    """Yield the checks that cannot be set up or make no sense, grouped by reason."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for each in tried:
        if each.senseless or each.broken:
            reasons[each.senseless or _NOT_PLAYABLE].append(each.check.scenario.id)
    if reasons:
        yield "\nCANNOT BE SET UP, or make no sense, under the changed rules:"
    for reason, scenarios in reasons.items():
        shown = scenarios if whole else scenarios[:_FOR_A_REASON]
        more = f" and {len(scenarios) - len(shown)} more" if len(shown) < len(scenarios) else ""
        yield ""
        yield from wrap(f"{sentence(reason)} {plural(len(scenarios), 'check')}: {', '.join(shown)}{more}", 2)


def _totals_line(ruleset: str, tried: Sequence[ChangedCheck]) -> str:
    changed = sum(each.mismatch is not None for each in tried)
    apart = sum(bool(each.senseless or each.broken) for each in tried)
    if not changed and not apart:
        return f"Nothing changes: all {plural(len(tried), 'check')} of {ruleset} have the same outcome as before."
    same = len(tried) - changed - apart
    return f"{plural(len(tried), 'check')}: {changed:,} change, {apart:,} cannot be set up, {same:,} stay the same."
