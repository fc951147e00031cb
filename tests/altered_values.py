"""How many wrong values the suite notices: 'python tests/altered_values.py --every 10 [RULESET …]'.

One value that the reference reports after one act is altered, and the check is judged. For each observable, the table
shows how many alterations no check notices: in all acts, and in those from the first irregularity of a check on.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import Claims, is_irregular
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.checker import Checker, claim_everything
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite


class Alteration(NamedTuple):
    """A value that was altered after an act of a check: its observable, the act, whether that comes after something
    irregular, and whether the check notices."""

    check: str
    observable: str
    at: int
    irregular: bool
    noticed: bool


def alterations(suite: Suite, checks: Sequence[Check]) -> Iterator[Alteration]:
    """Yield what becomes of each value in these checks that can be altered."""
    checker, relabelled = Checker(Claims(suite, claim_everything(suite))), Relabeller(suite)
    for check in checks:
        request = checker.adapt(relabelled(check))
        if isinstance(request, Result):
            continue
        steps = request.plan.message["steps"]
        right = observations(suite.rules.of(check.ruleset), request.plan.message)
        begins = next((at for at, step in enumerate(steps) if is_irregular(step)), len(steps))
        for at, shown in enumerate(right):
            for key, value in altered(shown, request.plan.seats).items():
                wrong = [*right[:at], {**shown, key: value}, *right[at + 1 :]]
                noticed = checker.judge(request, wrong).status is not Status.PASS
                yield Alteration(check.id, key, at, at >= begins, noticed)


def altered(shown: Mapping[str, Any], seats: str) -> dict[str, Any]:
    """Return another value for each observable of an act that has one; none for a question."""
    if "answer" in shown:
        return {}
    found = {key: _OTHERWISE[key](value, seats) for key, value in shown.items() if key in _OTHERWISE}
    return {key: value for key, value in found.items() if value is not None}


def _another_player(seat: str | None, seats: str) -> str | None:
    return seats[(seats.index(seat) + 1) % len(seats)] if seat else None


def _ten_more(score: Mapping[str, int], _seats: str) -> Mapping[str, int]:
    first = next(iter(score))
    return {**score, first: score[first] + 10}


def _one_more(count: int, _seats: str) -> int:
    return count + 1


def _another_suit(suit: str | None, _seats: str) -> str:
    return "D" if suit == "C" else "C"


def _one_card_fewer(cards: Mapping[str, Sequence[str]], _seats: str) -> Mapping[str, Sequence[str]] | None:
    seat = next((seat for seat, held in cards.items() if held), None)
    return seat and {**cards, seat: cards[seat][1:]}


def _two_cards_exchanged(position: Mapping[str, Any] | None, _seats: str) -> Mapping[str, Any] | None:
    """Exchange two cards of different faces between two hands."""
    hands = {seat: cards for seat, cards in (position or {"hands": {}})["hands"].items() if cards}
    if position is None or len(hands) < 2:
        return None
    (one, [first, *rest]), (other, [second, *others]) = list(hands.items())[:2]
    if first[:2] == second[:2]:
        return None
    return {**position, "hands": {**position["hands"], one: [second, *rest], other: [first, *others]}}


_OTHERWISE: Final[Mapping[str, Callable[[Any, str], Any]]] = {
    "turn": _another_player,
    "dealer": _another_player,
    "trick_won_by": _another_player,
    "score": _ten_more,
    "stock_left": _one_more,
    "deals_left": _one_more,
    "trumps": _another_suit,
    "turn_up": _another_suit,
    "hands": _one_card_fewer,
    "shown": _one_card_fewer,
    "seen": _one_card_fewer,
    "position": _two_cards_exchanged,
}


def table(found: Sequence[Alteration]) -> str:
    """Return the numbers for each observable, as lines of text."""
    lines = [f"{'':14}{'all acts':>20}{'from something irregular on':>30}"]
    lines += [f"{'observable':14}{'altered':>10}{'unnoticed':>10}{'altered':>20}{'unnoticed':>10}"]
    for key in (*_OTHERWISE, "all"):
        of_key = [each for each in found if key in {each.observable, "all"}]
        after = [each for each in of_key if each.irregular]
        lines.append(f"{key:14}{_numbers(of_key)}{'':10}{_numbers(after)}")
    return "\n".join(lines)


def _numbers(found: Sequence[Alteration]) -> str:
    missed = Counter(each.noticed for each in found)[False]
    return f"{len(found):10,}{missed / max(len(found), 1):10.1%}"


def main() -> None:
    """Print the table for every check of some rulesets, or for a part of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", help="by default, all")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take only every Nth check")
    options = parser.parse_args()
    if options.every < 1:
        parser.error("--every is 1 or more")
    suite = load_suite(Path(__file__).parents[1] / "spec")
    names = options.rulesets or suite.rules.names
    if unknown := [each for each in names if each not in suite.rules.names]:
        parser.error(f"there is no ruleset {unknown[0]}; 'hoyle suite list rulesets' names them")
    checks = [each for each in suite.index.checks.values() if each.ruleset in names]
    print(table(list(alterations(suite, checks[:: options.every]))))


if __name__ == "__main__":
    main()
