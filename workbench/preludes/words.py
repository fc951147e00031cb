"""How many positions can be reached from a deal, and why others cannot."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from hoyle_conformance.checks.preludes.follow import never, proved_impossible
from hoyle_conformance.checks.preludes.store import History, kept
from hoyle_conformance.checks.request import NOT_STORED, NoPrelude, Why
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import plural, wrap


def reachable_shares(suite: Suite, rulesets: Sequence[str]) -> Iterator[str]:
    """Yield for each ruleset how many of its positions can be reached.

    In columns: the positions that steps are taken from; those that can be reached from a deal, from that of a new game,
    and only by a reading of something disputed; and after how many tricks half of these are reached, and all.
    """
    width = max(map(len, rulesets))
    yield f"{'':<{width}}  positions  from a deal  share  new game  by a reading  tricks: half, most"
    for ruleset in rulesets:
        found = [_history(suite, check) for check in positions(suite, ruleset)]
        there = [each for each in found if isinstance(each, History)]
        tricks = sorted(each.tricks for each in there)
        new, read = sum(not each.later for each in there), sum(bool(each.rests_on) for each in there)
        share = 100 * len(there) // len(found) if found else 100
        most = f"{tricks[len(tricks) // 2]:>6}, {tricks[-1]}" if tricks else ""
        row = f"{ruleset:<{width}}  {len(found):>9}  {len(there):>11}  {share:>4}%  {new:>8}  {read:>12}  {most:>14}"
        yield row.rstrip()


def unreachable_positions(suite: Suite, rulesets: Iterable[str]) -> Iterator[str]:
    """Yield the positions that have no prelude, by the reason; each with the rulesets under which it has none."""
    lacking = _unreachable(suite, rulesets)
    for none, scenarios in lacking.items():
        yield f"{none.reason} ({plural(len(scenarios), 'position')})"
        for name in sorted(scenarios):
            yield from wrap(f"{name}: {', '.join(scenarios[name])}", 2, 4)
        yield ""
    if not lacking:
        yield "Every position has a prelude."


def _unreachable(suite: Suite, rulesets: Iterable[str]) -> dict[NoPrelude, dict[str, list[str]]]:
    """Return the scenarios whose positions have no prelude, each with its rulesets, by the reason."""
    lacking: dict[NoPrelude, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for ruleset in rulesets:
        for check in positions(suite, ruleset):
            found = _history(suite, check)
            if isinstance(found, NoPrelude):
                none = proved_impossible(suite, check) or found
                lacking[none][check.scenario.id].append(ruleset)
    return dict(sorted(lacking.items(), key=lambda item: (list(Why).index(item[0].why), item[0].reason)))


def positions(suite: Suite, ruleset: str) -> list[Check]:
    """Return the checks of a ruleset whose steps are taken from a position in the middle of a deal."""
    checks = (suite.index.checks[heading.id] for heading in suite.index.headings.values() if heading.ruleset == ruleset)
    in_a_deal = (check for check in checks if "before" not in check.scenario.given)
    return [check for check in in_a_deal if any("do" in step for step in check.scenario.steps)]


def _history(suite: Suite, check: Check) -> History | NoPrelude:
    """Return what is stored for a check."""
    there = never(check) or kept(suite, check)
    return NOT_STORED if there is None else there if isinstance(there, NoPrelude) else there.found
