"""Preludes in words: how many positions can be reached from a deal, and why others cannot."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hoyle_conformance.checks.preludes.format import History, history, written_act
from hoyle_conformance.checks.preludes.prelude import NoPrelude, Why
from hoyle_conformance.checks.preludes.search import find, never, proved_impossible
from hoyle_conformance.checks.preludes.store import kept, prelude_of
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import plural, wrap
from hoyle_reference.frozen import frozen


@frozen
class ReachableShare:
    """How many positions of a ruleset can be reached: the positions that steps are taken from; those reached from a
    deal, from that of a new game, and only by a reading of something disputed; and after how many tricks each is."""

    ruleset: str
    positions: int
    from_a_deal: int
    new_game: int
    by_a_reading: int
    tricks: tuple[int, ...]


def reachable_share(suite: Suite, ruleset: str) -> ReachableShare:
    """Return how many positions of a ruleset can be reached."""
    found = [_history(suite, check) for check in positions(suite, ruleset)]
    there = [each for each in found if isinstance(each, History)]
    new, read = sum(not each.later for each in there), sum(bool(each.rests_on) for each in there)
    return ReachableShare(ruleset, len(found), len(there), new, read, tuple(sorted(each.tricks for each in there)))


def reachable_data(suite: Suite, rulesets: Sequence[str]) -> dict[str, Any]:
    """Return how many positions can be reached, as `reachable.schema.json` describes it."""
    return {"rulesets": [_share_data(reachable_share(suite, each)) for each in rulesets]}


def _share_data(share: ReachableShare) -> dict[str, Any]:
    return {
        "ruleset": share.ruleset,
        "positions": share.positions,
        "from_a_deal": share.from_a_deal,
        "new_game": share.new_game,
        "by_a_reading": share.by_a_reading,
        "median_tricks": share.tricks[len(share.tricks) // 2] if share.tricks else None,
        "most_tricks": share.tricks[-1] if share.tricks else None,
    }


def reachable_shares(suite: Suite, rulesets: Sequence[str]) -> Iterator[str]:
    """Yield for each ruleset how many of its positions can be reached.

    In columns: the positions that steps are taken from; those that can be reached from a deal, from that of a new game,
    and only by a reading of something disputed; and after how many tricks half of these are reached, and all.
    """
    width = max(map(len, rulesets))
    yield f"{'':<{width}}  positions  from a deal  share  new game  by a reading  tricks: half, most"
    for ruleset in rulesets:
        found = reachable_share(suite, ruleset)
        there, tricks = found.from_a_deal, found.tricks
        share = 100 * there // found.positions if found.positions else 100
        most = f"{tricks[len(tricks) // 2]:>6}, {tricks[-1]}" if tricks else ""
        row = (
            f"{ruleset:<{width}}  {found.positions:>9}  {there:>11}  {share:>4}%  {found.new_game:>8}  "
            f"{found.by_a_reading:>12}  {most:>14}"
        )
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


def unreachable_data(suite: Suite, rulesets: Iterable[str]) -> dict[str, Any]:
    """Return the positions that have no prelude, by the reason, as `reachable.schema.json` describes them."""
    return {
        "without_prelude": [
            {
                "why": str(none.why),
                "reason": none.reason,
                "positions": [{"scenario": name, "rulesets": scenarios[name]} for name in sorted(scenarios)],
            }
            for none, scenarios in _unreachable(suite, rulesets).items()
        ]
    }


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
    """Return what is stored for a check, or found now."""
    there = never(check) or kept(suite, check)
    if isinstance(there, NoPrelude):
        return there
    if there is not None:
        return there.found
    found = find(suite, check)
    return found if isinstance(found, NoPrelude) else history(found)


def prelude_lines(suite: Suite, check: Check) -> Iterator[str]:
    """Yield the prelude of a check: the deal, and line by line the acts; or why there is none."""
    found = prelude_of(suite, check)
    yield f"Prelude under {check.ruleset}"
    if isinstance(found, NoPrelude):
        none = proved_impossible(suite, check) or found
        yield from wrap(f"None: {none.reason}.", 2, 4)
        return
    for seat, cards in found.start["hands"].items():
        yield from wrap(f"{seat} is dealt {' '.join(cards)}", 2, 4)
    if found.start.get("turn_up"):
        yield f"  {found.start['turn_up']} is turned up"
    yield from wrap(f"stock: {' '.join(found.start['stock'])}", 2, 4)
    for cells in found.rests_on:
        yield f"  The prelude depends on the reading of {cells}."
    done = [written_act(act) for act in found.acts]
    yield from wrap("; ".join(done) or "No acts.", 2, 4)
