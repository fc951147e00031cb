"""What no step names is compared too, wherever all readings agree on it."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.results import Result, Run, Status
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow

Spoil = Callable[[dict[str, Any], Mapping[str, Any]], None]
OTHER = {"A": "B", "B": "A"}


def held(suite: Suite, spoil: Spoil, *topics: str, ruleset: str = "bezique-hoyle", without: str = "") -> Run:
    """An engine that is the reference, but for what is spoilt in each observation, held against some checks."""
    right = Reference(suite)

    def respond(message: Mapping[str, Any]) -> Any:
        answer = right(message)
        if message["type"] == "hello":
            answer["cannot"] = [without] if without else []
        for seen, step in zip(answer.get("steps", ()), message.get("steps", ()), strict=True):
            spoil(seen, step)
        return answer

    checks = [each for each in suite.index.checks.values() if each.ruleset == ruleset and each.heading.topic in topics]
    return run(suite, InProcess(Wire(suite.schemas, suite.version), respond), list(map(Relabeller(suite), checks)))


def failed(done: Run) -> list[Result]:
    return [result for result in done.results if result.status is Status.FAIL]


def test_the_reference_passes_when_all_is_compared(suite: Suite) -> None:
    for ruleset in ("bezique-hoyle", "rubicon-hoyle", "piquet-saunt-parlett", "four-handed-h2g2"):
        done = held(
            suite,
            lambda _seen, _step: None,
            *{check.heading.topic for check in suite.index.checks.values()},
            ruleset=ruleset,
        )
        assert failed(done) == []
        assert done.totals[Status.PASS] > 100


def of_an_act(key: str, change: Callable[[Any], Any]) -> Spoil:
    def spoil(seen: dict[str, Any], _step: Mapping[str, Any]) -> None:
        if seen.get("accepted") and seen.get(key) is not None:
            seen[key] = change(seen[key])

    return spoil


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("turn", OTHER.__getitem__),
        ("trumps", lambda suit: "C" if suit != "C" else "D"),
        ("shown", lambda shown: {seat: [] for seat in shown}),
        ("trick_won_by", OTHER.__getitem__),
        ("dealer", OTHER.__getitem__),
        ("stock_left", lambda count: count + 1),
        ("hands", lambda hands: {"A": hands["B"], "B": hands["A"]}),
    ],
)
def test_a_value_that_no_step_names_is_compared(suite: Suite, key: str, change: Callable[[Any], Any]) -> None:
    """A wrong value fails nearly every check in which an act is accepted, and not only those that ask for it."""
    wrong = held(suite, of_an_act(key, change), "draw", "tricks", "declare")
    naming = [result for result in failed(wrong) if any(key in each for each in result.check.expect.values())]
    assert len(failed(wrong)) > 2 * len(naming), key
    assert all(result.mismatch and result.mismatch.what in {key, f"unchanged {key}"} for result in failed(wrong))


def test_two_cards_in_each_others_places_are_seen(suite: Suite) -> None:
    def spoil(seen: dict[str, Any], _step: Mapping[str, Any]) -> None:
        position = seen.get("position")
        if seen.get("accepted") and position and position["hands"]["A"] and position["stock"]:
            hand, stock = position["hands"]["A"], position["stock"]
            hand[0], stock[-1] = stock[-1], hand[0]

    wrong = held(suite, spoil, "draw", "tricks")
    assert len(failed(wrong)) > len(wrong.results) / 3
    assert {result.mismatch.what for result in failed(wrong) if result.mismatch} <= {"cards lie", "unchanged cards"}


def test_what_is_reported_beside_a_question_is_compared(suite: Suite) -> None:
    def spoil(seen: dict[str, Any], _step: Mapping[str, Any]) -> None:
        if "answer" in seen:
            seen["turn"] = "C"

    wrong = held(suite, spoil, "declare", "tricks", "seven")
    assert failed(wrong)
    assert all(
        "ask" in result.check.scenario.steps[result.mismatch.step - 1] for result in failed(wrong) if result.mismatch
    )
    after_an_act = [
        result
        for result in wrong.results
        if any(
            "do" in one and "ask" in other
            for one, other in zip(result.check.scenario.steps, result.check.scenario.steps[1:], strict=False)
        )
    ]
    assert after_an_act
    assert {result.status for result in after_an_act} == {Status.FAIL}


def test_where_readings_differ_nothing_is_compared(suite: Suite) -> None:
    """An engine that follows the other reading of a cell passes, though its table looks otherwise."""
    readings = {"seven.with_a_declaration": "instead"}

    class Otherwise(Reference):
        def rules(self, ruleset: str) -> Any:
            return suite.rules.of(ruleset, readings)

    checks = [each for each in suite.index.checks.values() if each.ruleset == "bezique-hoyle"]
    wire = Wire(suite.schemas, suite.version)
    done = run(suite, InProcess(wire, Otherwise(suite)), list(map(Relabeller(suite), checks)))
    assert failed(done) == []
    assert done.readings["bezique-hoyle"]["seven.with_a_declaration"] == ("instead",)


@pytest.mark.parametrize("ruleset", ["bezique-hoyle", "piquet-hoyle"])
@pytest.mark.parametrize("key", ["hands", "shown", "seen", "stock_left"])
def test_null_is_as_good_as_no_cards_before_the_deal(suite: Suite, key: str, ruleset: str) -> None:
    def spoil(seen: dict[str, Any], _step: Mapping[str, Any]) -> None:
        if seen.get("stock_left") == 0 and not any(seen.get("hands", {"A": ["AS"]}).values()):
            seen[key] = None

    done = held(suite, spoil, "cut", "deal", ruleset=ruleset)
    assert failed(done) == []
    assert done.totals[Status.PASS] > 10


def test_null_is_not_as_good_as_no_card_left_to_draw_after_the_deal(suite: Suite) -> None:
    def spoil(seen: dict[str, Any], _step: Mapping[str, Any]) -> None:
        if seen.get("stock_left") == 0 and any(seen.get("hands", {}).values()):
            seen["stock_left"] = None

    assert failed(held(suite, spoil, "draw", "last-tricks"))


def test_between_deals_those_who_do_not_deal_are_left_alone(suite: Suite) -> None:
    """After the last trick of a deal it is the next dealer's turn, of which only those who deal know."""

    def spoil(seen: dict[str, Any], step: Mapping[str, Any]) -> None:
        if step.get("do") == "play" and seen.get("hands") and not any(seen["hands"].values()):
            seen["dealer"] = OTHER[seen["dealer"]]

    assert failed(held(suite, spoil, "last-trick"))
    named = [
        result
        for result in failed(held(suite, spoil, "last-trick", without="deal"))
        if not any("dealer" in each for each in result.check.expect.values())
    ]
    assert named == []
