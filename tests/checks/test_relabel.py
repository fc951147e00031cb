"""Checks are sent turned: in every turn the same question, with the same answer turned."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Done
from games import tables
from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller, turns
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.checker import deal_by_seed
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.suite.model import AS_WRITTEN, Check, Relabelling
from hoyle_conformance.suite.suite import Suite

NAMES = [table["id"] for table in tables()]
#: Whether each check is tried in all of its turns.
WHOLE = bool(os.environ.get("HOYLE_ALL_TURNS"))


def passes(suite: Suite, check: Check) -> bool:
    rules, only = suite.rules.of(check.ruleset), replace(check, branches={check.follows: check.expect})
    prepared = plan(check, rules, suite.capabilities)
    return judge(only, prepared, observations(rules, prepared.message), trusted=True).status is Status.PASS


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_reference_passes_the_turns_of_every_check(suite: Suite, name: str) -> None:
    """Some checks of a table in one of their turns, with other turns for other checks; WHOLE says all in all of them.

    Under options the checks are the same, and are passed as they are sent.
    """
    put, failed, passed = Relabeller(suite), [], 0
    checks = [check for check in suite.index.checks.values() if check.ruleset == name]
    for number, check in enumerate(checks[:: 1 if WHOLE else 8]):
        every = turns(suite.rules.cells(name), check.scenario)
        for turn in every if WHOLE else [every[number % len(every)]]:
            if passes(suite, put.turned(check, turn)):
                passed += 1
            else:
                failed.append((check.id, turn))
    assert failed == []
    assert passed > 10


@pytest.mark.slow
def test_all_seats_act_and_all_suits_are_trumps(suite: Suite) -> None:
    """Of two players each does everything about as often; no suit is trumps in less than a tenth of all positions."""
    seen: dict[str, Counter[Any]] = {key: Counter() for key in ("dealer", "leader", "turn", "by", "trumps")}
    put = Relabeller(suite)
    for check in map(put, list(suite.index.checks.values())[::4]):
        if suite.rules.of(check.ruleset).players == len("AB"):
            message = planner_of(suite).request(check).message
            for key in seen.keys() - {"by"}:
                seen[key][message["position"].get(key)] += 1
            seen["by"].update(step["by"] for step in message["steps"] if step.get("do") in {"play", "declare"})
    for key in ("dealer", "leader", "turn", "by"):
        assert 0.8 < seen[key]["A"] / seen[key]["B"] < 1.25, (key, seen[key])
    trumps = {suit: seen["trumps"][suit] for suit in "CDHS"}
    assert min(trumps.values()) > sum(trumps.values()) / 10, trumps


def inverse(turn: Relabelling) -> Relabelling:
    """The turn that undoes a turn."""
    seats = "".join(sorted("ABCD"[: len(turn.seats)], key=turn.seats.index))
    back = {now: letter for letter, now in zip("ABCD", turn.seats, strict=False)}
    suits = {now: letter for letter, now in zip("CDHS", turn.suits, strict=True)}
    assert len(seats) == len(back)
    return Relabelling("".join(back[seat] for seat in "ABCD"[: len(back)]), "".join(suits[suit] for suit in "CDHS"))


@pytest.mark.slow
@given(data=st.data())
def test_turned_back_it_is_as_written(suite: Suite, data: st.DataObject) -> None:
    check = suite.index.checks[data.draw(st.sampled_from(sorted(suite.index.checks)))]
    turn = data.draw(st.sampled_from(turns(suite.rules.cells(check.ruleset), check.scenario)))
    once = Relabeller(suite).turned(check, turn)
    back = Relabeller(suite).turned(once, inverse(turn)).scenario
    dealer = {} if check.scenario.given.get("before") == "cut" else {"dealer": "B"}
    assert back.given == {**dealer, **check.scenario.given}
    assert list(back.steps) == list(check.scenario.steps)
    assert back.branches(check.ruleset) == check.scenario.branches(check.ruleset)


def test_a_suit_that_elder_names_changes_places_with_the_cards(suite: Suite) -> None:
    check = suite.index.checks["talon.elder-asks-naming-a-suit@piquet-hoyle"]
    turned = Relabeller(suite).turned(check, Relabelling("BA", "SHDC"))
    assert [step["suit"] for step in check.scenario.steps if step["do"] == "peep"] == ["S"]
    assert [step["suit"] for step in turned.scenario.steps if step["do"] == "peep"] == ["C"]


def test_suits_that_a_cell_names_stay_where_it_matters(suite: Suite) -> None:
    bezique, plain = suite.scenarios["melds.bezique"], suite.scenarios["tricks.identical-plain-cards"]
    hoyle, piquet = suite.rules.cells("bezique-hoyle"), suite.rules.cells("piquet-saunt-parlett")
    assert {turn.suits for turn in turns(hoyle, bezique)} == {"CDHS", "HDCS"}
    assert len({turn.suits for turn in turns(hoyle, plain)}) > len({"CDHS", "HDCS"})
    assert len(turns(piquet, suite.scenarios["sequence.equal"])) == 48


def test_a_seed_turns_otherwise_and_always_the_same(suite: Suite) -> None:
    checks = list(suite.index.checks.values())[::40]
    one, again, other = (
        [put(check).turned for check in checks]
        for put in (Relabeller(suite), Relabeller(suite), Relabeller(suite, "x"))
    )
    assert one == again
    assert sum((a.seats, a.suits) != (b.seats, b.suits) for a, b in zip(one, other, strict=True)) > len(checks) / 2


def test_a_seed_deals_out_otherwise_what_does_not_matter(suite: Suite) -> None:
    checks = [check for check in suite.index.checks.values() if "..." in str(check.scenario.given)][::40]
    put = Relabeller(suite, "x")
    dealt = [deal_by_seed(suite, put(check)) for check in checks]
    assert all(passes(suite, check) for check in dealt)
    assert sum(check.turned.seed == "x" for check in dealt) > len(dealt) / 2
    assert any(
        planner_of(suite).request(check).message["position"]
        != planner_of(suite).request(replace(check, turned=replace(check.turned, seed=""))).message["position"]
        for check in dealt
    )


@pytest.mark.whole
def test_the_turn_is_told(hoyle: Callable[..., Done], suite: Suite) -> None:
    turned = next(check for check in map(Relabeller(suite), suite.index.checks.values()) if check.turned.seats == "BA")
    assert check_said(hoyle, turned).startswith("Relabelled: B for A, A for B")
    assert next(iter(suite.index.checks.values())).turned == AS_WRITTEN


def check_said(hoyle: Callable[..., Done], check: Check) -> str:
    lines = hoyle("explain", check.id, "--as-sent").stdout.splitlines()
    return next(line for line in lines if line.startswith("Relabelled"))


def test_a_seed_and_as_written_exclude_each_other(hoyle: Callable[..., Done]) -> None:
    done = hoyle("check", "-s", "melds.bezique", "--seed", "x", "--as-written")
    assert done.returncode == 4
    assert "--seed and --as-written cannot be combined" in done.stderr
