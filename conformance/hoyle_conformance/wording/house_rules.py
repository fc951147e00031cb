"""House rules in words: how many checks are of a source and how many are computed, and the rules behind a check."""

from collections.abc import Iterator
from contextlib import suppress

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import JoinedRules, Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.failure_view import HouseRulesView, RuleLine
from hoyle_conformance.wording.text import plural, wrap
from hoyle_reference import Malformed

#: So many rules that are changed are named where none of them shows itself at work.
_MOST = 3


def summary(suite: Suite) -> Iterator[str]:
    """Yield how many checks of the house rules are those of a source, if there are house rules."""
    house = suite.house
    if house is None:
        return
    own = [heading for heading in suite.index.headings.values() if heading.ruleset == house.ruleset.id]
    of_base = suite.index.checks_by_ruleset[house.base]
    computed = sum(heading.computed for heading in own)
    left_out = of_base - len(own)
    yield ""
    yield from wrap(
        f"{house.ruleset.id} extends {house.base} ({plural(len(house.changed), 'rule')} changed): of its "
        f"{plural(len(own), 'check')}, {len(own) - computed:,} are those of {house.base}, and {computed:,} "
        f"{'is' if computed == 1 else 'are'} computed from your rules."
    )
    if left_out:
        why = "the position does not exist under your rules, or depends on cards left open"
        yield from wrap(f"Left out: {plural(left_out, 'check')} of {house.base} ({why}).")


def house_rules_view(suite: Suite, check: Check) -> HouseRulesView | None:
    """Return the changed rules that are at work in a check, or None where there are none.

    Of a computed check in which none shows itself, these are the first of all.
    """
    house = suite.house
    if house is None or check.ruleset != house.ruleset.id:
        return None
    at_work = _at_work(suite, house, check) or (list(house.changed[:_MOST]) if check.computed else [])
    whence = "Computed from your rules, not from a source" if check.computed else "Your rules are at work in it"
    return HouseRulesView(whence, tuple(_rule(suite, house, path) for path in at_work)) if at_work else None


def _rule(suite: Suite, house: JoinedRules, path: str) -> RuleLine:
    cell = suite.rules.cells(house.ruleset.id)[path]
    says = rulebook.sentence(rulebook.parameter_schema(suite, path), cell.value)
    return RuleLine(says, cell=path, because=cell.because.removesuffix("."))


def _at_work(suite: Suite, house: JoinedRules, check: Check) -> list[str]:
    """Return the changed rules that are at work in what happens, as they are now or as they were before."""
    message, grounds = planner_of(suite).request(check).message, set[str]()
    for ruleset in (check.ruleset, house.base):
        with suppress(Malformed):  # a position may be none by the rules as they were
            grounds.update(path for each in trace(suite.rules.of(ruleset), message) for path in each.grounds)
    return [path for path in house.changed if path in grounds]
