"""Judging: one thing is spoilt in what the reference shows, and the check fails there, and for that."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import RequestSteps, RunRequest
from hoyle_conformance.checks.rewrites import observe_all_claimed
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.consensus import UNDECIDED, Consensus, is_decided, other_ways, same_value
from hoyle_conformance.runner.judge import NOTHING_REPORTED, REPORTED, judge
from hoyle_conformance.runner.results import Mismatch, Result, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

Seen = list[dict[str, Any]]
REFUSED = "tricks.card-not-held@bezique-hoyle"
DEALT = "piquet-deal.non-dealer-is-elder@piquet-saunt-parlett"
DEALT_AGAIN = "reuse.a-new-deal-forgets@bezique-hoyle"
BEFORE_THE_DEAL = "deal.nothing-before-the-deal@bezique-hoyle"
BEFORE_THE_CUT = "cut.nothing-before-the-cut@bezique-hoyle"
TWICE = "declare.another-after-the-next-trick@bezique-hoyle"


class Shown:
    """A check, its plan that asks for everything there is to observe, and what the reference shows."""

    def __init__(self, suite: Suite, name: str) -> None:
        self.suite, self.check = suite, suite.index.checks[name]
        self.plan = everything(suite, self.check)
        self.rules = suite.rules.of(self.check.ruleset)
        self.seen: Seen = deepcopy(list(map(dict, observations(self.rules, self.plan.message))))

    def at(self, step: int) -> dict[str, Any]:
        """What is shown after the last act of a step."""
        return self.seen[self.plan.ends[step - 1] - 1]

    def judged(self, *, trusted: bool = False, agreed: bool = False, deals: bool = True) -> Result:
        agree = Consensus(self.suite, self.check, self.plan, deals=deals) if agreed else None
        return judge(self.check, self.plan, self.seen, trusted=trusted, agreed=agree)

    def wrong(self, **how: bool) -> list[tuple[int, int, str, Any, Any]]:
        """All that went wrong."""
        return [
            (each.step, each.act, each.what, each.expected, each.observed) for each in self.judged(**how).mismatches
        ]

    def what(self, **how: bool) -> list[tuple[int, str]]:
        """The steps that went wrong, and in what."""
        return [(step, what) for step, _, what, _, _ in self.wrong(**how)]


def everything(suite: Suite, check: Check) -> RunRequest:
    return observe_all_claimed(suite, check, planner_of(suite).request(check), suite.capabilities.observables)


@pytest.fixture
def shown(suite: Suite) -> Callable[[str], Shown]:
    return lambda name: Shown(suite, name)


NAMES = [REFUSED, DEALT, DEALT_AGAIN, BEFORE_THE_DEAL, BEFORE_THE_CUT]


@pytest.mark.parametrize("name", NAMES)
def test_what_the_reference_shows_is_right_however_it_is_judged(shown: Callable[[str], Shown], name: str) -> None:
    for trusted, agreed, deals in ((True, False, True), (False, True, True), (False, True, False)):
        assert shown(name).wrong(trusted=trusted, agreed=agreed, deals=deals) == []


# ---- no card is lost or doubled


@pytest.mark.parametrize("agreed", [False, True])
@pytest.mark.parametrize(("name", "step"), [(DEALT, 1), (DEALT_AGAIN, 2)])
def test_a_card_that_a_deal_loses_is_missed(shown: Callable[[str], Shown], name: str, step: int, agreed: bool) -> None:
    """From the act that deals them on, also where nothing lay on the table before, or another deal."""
    held = shown(name)
    for each in held.seen[held.plan.ends[step - 1] - 1 :]:
        if each["position"]:
            each["position"]["stock"] = each["position"]["stock"][:-1]
    first, *_ = held.wrong(agreed=agreed)
    assert first[:4] == (step, 0, "cards", "each card once")
    assert (len(first[4]["lost"]), first[4]["doubled"]) == (1, [])


def test_a_card_of_the_position_that_was_sent_is_missed(shown: Callable[[str], Shown]) -> None:
    held = shown(TWICE)
    held.at(2)["position"]["stock"].pop()
    assert held.what() == [(2, "cards")]
    held.at(2)["position"] = None
    assert held.what() == [(2, "position")]


def test_cards_that_were_dealt_are_shown_from_then_on(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT)
    held.at(1)["position"] = None
    assert held.wrong() == [(1, 0, "position", REPORTED, NOTHING_REPORTED)]
    for step in (1, 3):
        del held.at(step)["position"]
    assert held.wrong() == [
        (1, 0, "position", REPORTED, NOTHING_REPORTED),
        (3, 0, "position", REPORTED, NOTHING_REPORTED),
    ]


def test_before_the_deal_no_cards_need_be_shown(shown: Callable[[str], Shown]) -> None:
    held = shown(BEFORE_THE_DEAL)
    for each in held.seen:
        each.pop("position", None)
    assert held.wrong(agreed=True) == held.wrong() == []


def test_between_two_deals_no_cards_need_be_shown(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT_AGAIN)
    del held.at(1)["position"]
    assert held.wrong(agreed=True) == []
    held = shown(DEALT_AGAIN)
    del held.at(1)["position"]
    held.at(2)["position"]["stock"].pop()  # the cards of the next deal are all there all the same
    assert held.what(agreed=True) == [(2, "cards")]


def test_between_two_deals_cards_that_are_shown_are_all_there(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT_AGAIN)
    position = held.at(1)["position"]
    position["won"]["A"] = position["won"]["A"][1:]
    assert held.what(agreed=True, deals=False) == [(1, "cards")]
    empty = {"hands": {"A": [], "B": []}, "stock": [], "turn_up": None, "trick": [], "won": {"A": [], "B": []}}
    for nothing in (None, empty):
        held.at(1)["position"] = nothing
        assert held.what(agreed=True, deals=False) == []


def test_only_what_may_cancel_a_deal_leaves_no_cards_on_the_table(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT)
    for do, wrong in (("choose", []), ("claim", []), ("mishap", []), ("discard", [(3, "position")])):
        steps = [*held.plan.message["steps"][:2], {**held.plan.message["steps"][2], "do": do}]
        plan = replace(held.plan, message={**held.plan.message, "steps": steps})
        seen = [*held.seen[:2], {**held.seen[2], "position": None}]
        result = judge(held.check, plan, seen, trusted=False)
        assert [(each.step, each.what) for each in result.mismatches] == wrong


# ---- acts that are accepted, and refused


@pytest.mark.parametrize("said", [False, None, "yes", 1])
def test_an_act_is_accepted_unless_it_is_to_be_refused(shown: Callable[[str], Shown], said: Any) -> None:
    held = shown(DEALT)
    held.at(1)["accepted"] = said
    assert held.wrong()[0] == (1, 0, "accepted", True, said)
    del held.at(1)["accepted"]
    assert held.wrong()[0] == (1, 0, "accepted", True, NOTHING_REPORTED)


@pytest.mark.parametrize("said", [True, None, 0])
def test_an_act_that_is_to_be_refused_is_not_accepted(shown: Callable[[str], Shown], said: Any) -> None:
    held = shown(DEALT)
    reason = held.check.expect[2]["refused"]
    held.at(2)["accepted"] = said
    assert held.wrong() == [(2, 0, "refused", reason, said)]
    del held.at(2)["accepted"]
    assert held.wrong() == [(2, 0, "refused", reason, NOTHING_REPORTED)]


def test_what_was_said_of_an_act_is_told_with_what_went_wrong(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT)
    held.at(1).update(accepted=False, reason="not yet")
    assert held.judged().mismatches[0].reason == "not yet"
    assert held.judged().mismatches[0].afterwards is None


def test_reason_is_compared_for_a_trusted_adapter_alone(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT)
    reason = held.check.expect[2]["refused"]
    held.at(2)["reason"] = "another"
    assert held.wrong() == []
    assert held.wrong(trusted=True) == [(2, 0, "reason", reason, "another")]
    del held.at(2)["reason"]
    assert held.wrong(trusted=True) == [(2, 0, "reason", reason, NOTHING_REPORTED)]


#: What becomes of each value that an act may change, so that it is another.
OTHERWISE: Mapping[str, Any] = {
    "score": {"A": 90, "B": 90},
    "turn": "C",
    "dealer": "C",
    "trumps": "X",
    "turn_up": "7X",
    "hands": {"A": [], "B": ["7X"]},
    "shown": {"A": [], "B": ["7X"]},
    "stock_left": 99,
    "trick_won_by": "C",
    "game_won_by": "A",
    "settled": {"winner": "A", "points": 99},
}


@pytest.mark.parametrize("key", OTHERWISE)
def test_a_refused_act_changes_nothing_that_is_seen(shown: Callable[[str], Shown], key: str) -> None:
    held = shown(REFUSED)
    step = next(step for step, each in held.check.expect.items() if "refused" in each)
    was = held.at(step)[key]
    held.at(step)[key] = OTHERWISE[key]
    assert held.wrong() == [(step, 0, f"unchanged {key}", was, OTHERWISE[key])]


def test_what_a_refused_act_does_not_change_is_what_the_acts_before_it_have_made(shown: Callable[[str], Shown]) -> None:
    """What is shown after an accepted act is what a refused one leaves, and not what was sent."""
    held = shown(DEALT)
    for key in ("hands", "stock_left", "turn"):
        assert held.at(1)[key] == held.at(2)[key]
        was = held.at(1)[key]
        held.at(2)[key] = OTHERWISE[key]
        assert held.wrong() == [(2, 0, f"unchanged {key}", was, OTHERWISE[key])]
        held.at(2)[key] = was
    hands = held.at(2)["position"]["hands"]
    hands["A"][0], hands["B"][0] = hands["B"][0], hands["A"][0]
    assert held.what() == [(2, "unchanged cards")]


# ---- what is expected by name


@pytest.mark.parametrize(
    ("expected", "score", "wrong"),
    [
        ({"scores": {"A": 40, "B": 0}}, {"A": 40, "B": 0}, []),
        ({"scores": {}}, {"A": 40, "B": 0}, [("scores", {}, {"A": 40})]),
        ({"scores": {"A": 20}}, {"A": 40, "B": 0}, [("scores", {"A": 20}, {"A": 40})]),
        ({"scores": {"A": 40}}, {"A": 40, "B": 20}, [("scores", {"A": 40}, {"A": 40, "B": 20})]),
        ({"total": {"A": 40}}, {"A": 40, "B": 7}, []),
        ({"total": {"A": 40, "B": 0}}, {"A": 40, "B": 7}, [("total", {"A": 40, "B": 0}, {"A": 40, "B": 7})]),
        ({"scores": {"A": 40}}, None, [("scores", {"A": 40}, NOTHING_REPORTED)]),
        ({}, None, [("score", REPORTED, NOTHING_REPORTED)]),
        ({}, {"A": 40}, [("players", ["A", "B"], ["A"])]),
        ({}, {"A": 40, "B": 0, "C": 0}, [("players", ["A", "B"], ["A", "B", "C"])]),
    ],
)
def test_points_are_those_that_are_expected(
    shown: Callable[[str], Shown], expected: dict[str, Any], score: Any, wrong: list[tuple[str, Any, Any]]
) -> None:
    held = shown("declare.with-two-cards-left@bezique-hoyle")
    check = replace(held.check, branches={"": {1: expected}})
    held.seen[0] |= {"score": score}
    if score is None:
        del held.seen[0]["score"]
    result = judge(check, held.plan, held.seen, trusted=False)
    assert [(each.what, each.expected, each.observed) for each in result.mismatches] == wrong


@pytest.mark.parametrize("expected", [{"scores": {"A": 40}}, {"total": {"A": 40}}, {"turn": "B"}, {}])
def test_points_that_need_not_be_booked_are_judged_only_where_they_are_shown(
    shown: Callable[[str], Shown], expected: dict[str, Any]
) -> None:
    held = shown("declare.with-two-cards-left@bezique-hoyle")
    check = replace(held.check, branches={"": {1: expected}})
    plan = replace(held.plan, unbooked=frozenset({0}))
    held.seen[0] |= {"turn": "B"}
    assert judge(check, plan, held.seen, trusted=False).status is Status.PASS
    del held.seen[0]["score"]
    missed = judge(check, plan, held.seen, trusted=False).mismatches
    assert [each.what for each in missed] == (["scores"] if "scores" in expected else [])
    held.seen[0] |= {"score": {"A": 20, "B": 0}, "turn": "A"}
    missed = judge(check, plan, held.seen, trusted=False).mismatches
    assert [each.what for each in missed] == list(expected)


def test_only_named_players_are_compared(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT)
    hands = held.at(1)["hands"]
    for wanted, got, wrong in (
        ({"A": hands["A"]}, {**hands, "B": []}, []),
        ({"A": hands["A"]}, {"B": hands["B"]}, [("hands", {"A": hands["A"]}, {"A": None})]),
        ({"A": hands["A"]}, None, [("hands", {"A": hands["A"]}, None)]),
        (None, hands, [("hands", None, hands)]),
    ):
        check = replace(held.check, branches={"": {1: {"hands": wanted}}})
        seen = [{**held.seen[0], "hands": got}, {"skipped": "no"}]
        result = judge(check, held.plan, seen, trusted=False)
        assert [(each.what, each.expected, each.observed) for each in result.mismatches] == wrong


def test_every_act_of_a_step_is_judged(suite: Suite) -> None:
    """A trick is one step and two cards: what is wrong after the first of them is wrong."""
    held = Shown(suite, DEALT_AGAIN)
    assert held.plan.ends[2] - held.plan.start(3) == 2
    lead = held.seen[held.plan.start(3)]
    lead["accepted"] = False
    assert held.wrong() == [(3, 0, "accepted", True, False)]
    lead["accepted"] = True
    del lead["score"]
    assert held.wrong() == [(3, 0, "score", REPORTED, NOTHING_REPORTED)]


# ---- which steps are judged


def test_what_came_before_a_step_not_done_is_judged_and_what_comes_after_is_not(shown: Callable[[str], Shown]) -> None:
    for key, status in (("unsupported", Status.UNSUPPORTED), ("skipped", Status.SKIPPED), ("error", Status.ERROR)):
        held = shown(DEALT)
        held.seen[1:] = [{key: "because"}, {key: "later"}]
        assert held.judged() == Result(held.check, status, reason="because")
        held.seen[1:] = [{key: ""}, {}]
        assert held.judged() == Result(held.check, status)
        held.at(1)["turn"] = "A"
        assert held.what() == [(1, "turn")]


def test_a_step_that_was_not_wholly_seen_is_not_judged(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT_AGAIN)
    held.seen[held.plan.start(3)]["accepted"] = False
    held.seen[held.plan.ends[2] - 1] = {"skipped": "no"}
    assert held.judged().status is Status.SKIPPED


def test_a_step_of_which_nothing_was_sent_is_passed_over(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT)
    one, two, _ = held.plan.message["steps"]
    plan = replace(held.plan, message={**held.plan.message, "steps": [one, two]}, ends=(1, 1, 2))
    check = replace(held.check, branches={"": {1: {"turn": "B"}, 2: {"turn": "nobody"}, 3: {"refused": "x"}}})
    assert judge(check, plan, held.seen[:2], trusted=False).status is Status.PASS


def test_every_step_that_went_wrong_is_told(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT)
    held.at(1)["turn"], held.at(3)["turn"] = "A", "B"
    result = held.judged()
    assert result.mismatch == Mismatch(1, "turn", "B", "A")
    assert [each.step for each in result.later] == [2, 3]


def test_every_reading_that_fits_is_named_and_a_failure_is_of_the_followed_one(suite: Suite) -> None:
    held = Shown(suite, DEALT)
    other = {1: {"turn": "A"}}
    for follows, branches, readings in (
        ("b", {"a": held.check.expect, "b": held.check.expect}, ("b", "a")),
        ("b", {"a": other, "b": held.check.expect}, ("b",)),
        ("b", {"a": held.check.expect, "b": other}, ("a",)),
    ):
        check = replace(held.check, branches=branches, follows=follows)
        assert judge(check, held.plan, held.seen, trusted=False) == Result(check, Status.PASS, readings=readings)
    check = replace(held.check, branches={"a": {1: {"turn": "C"}}, "b": other}, follows="b")
    assert judge(check, held.plan, held.seen, trusted=False).mismatch == Mismatch(1, "turn", "A", "B")


# ---- what all readings agree on


def agreed(suite: Suite, name: str, *, deals: bool = True) -> tuple[Consensus, Shown]:
    held = Shown(suite, name)
    return Consensus(suite, held.check, held.plan, deals=deals), held


def some(suite: Suite) -> list[str]:
    """A few checks of every ruleset that is no option, and those with readings among them."""
    plain = [each for each in suite.index.headings.values() if "+" not in each.ruleset]
    return [each.id for each in plain[::211]]


@pytest.mark.slow
def test_whichever_reading_is_followed_nothing_is_held_against_it(suite: Suite) -> None:
    """With what the reference shows by any rules of a check, no value is against what is agreed."""
    compared = 0
    for name in some(suite):
        agree, held = agreed(suite, name)
        others = (suite.rules.of(held.check.ruleset, ways) for ways in other_ways(suite, held.check))
        for rules in [held.rules, *others][:3]:
            for at, seen in enumerate(observations(rules, held.plan.message)):
                for key in held.plan.message["observe"]:
                    if key in seen:
                        compared += 1
                        assert agree.against(at, key, seen[key]) is None, (name, at, key)
    assert compared > 100


NOT_YET = {"winner": None, "points": None}


@pytest.mark.parametrize("settled", [None, NOT_YET, {"winner": "A", "points": 100}])
def test_what_means_something_is_told_by_the_phase(settled: Any) -> None:
    def said(phase: str, key: str, *, deals: bool) -> bool:
        return is_decided({"phase": phase, "settled": settled}, key, deals=deals)

    for key in ("score", "trick_won_by", "game_won_by", "hands", "turn", "position"):
        for deals in (True, False):
            at_the_end = key in {"score", "trick_won_by", "game_won_by"} and settled != NOT_YET
            assert said("play", key, deals=deals)
            assert said("cut", key, deals=deals) is (key != "turn")
            assert said("deal", key, deals=deals) is (deals or at_the_end)
            assert said("over", key, deals=deals) is (at_the_end and key != "trick_won_by")


@pytest.mark.parametrize(
    ("key", "one", "other", "alike"),
    [
        ("turn", None, "A", False),
        ("shown", None, {"A": [], "B": []}, True),
        ("shown", {"A": ["QS"]}, {"A": ["QS#2"]}, True),
        ("shown", {"A": ["QS"]}, {"A": []}, False),
        ("stock_left", 0, None, False),
        ("position", None, {"hands": {}}, True),
        ("position", None, {"hands": {"A": [], "B": []}, "stock": [], "turn_up": None}, True),
        ("position", None, {"hands": {"A": [], "B": []}, "stock": ["QS"], "turn_up": None}, False),
    ],
)
def test_missing_value_equals_no_cards(key: str, one: Any, other: Any, alike: bool) -> None:
    assert same_value(key, one, other) is alike
    assert same_value(key, other, one) is alike


def an_act_and_a_question(suite: Suite) -> str:
    return next(
        each.id
        for each in suite.index.checks.values()
        if each.ruleset == "bezique-hoyle"
        and [next(iter({"do", "ask"} & step.keys())) for step in each.scenario.steps][:2] == ["do", "ask"]
    )


def test_beside_a_question_after_an_act_what_is_agreed_is_compared(suite: Suite) -> None:
    """What was wrong after the act is still wrong beside the question, and of a trick nothing is said there."""
    held = Shown(suite, an_act_and_a_question(suite))
    act, question = held.plan.start(2) - 1, held.plan.start(2)
    held.seen[question]["trick_won_by"] = "C"
    assert held.what(agreed=True) == []
    held.seen[act]["dealer"] = held.seen[question]["dealer"] = "C"
    assert held.what(agreed=True)[:2] == [(1, "dealer"), (2, "dealer")]


def test_what_the_reference_plays_instead_is_what_is_agreed_on(suite: Suite) -> None:
    """Where a plan has a course of its own, each sent step shows what the acts of it show that it stands for."""
    held = Shown(suite, DEALT)
    sent = held.plan.message["steps"]
    course = RequestSteps(held.plan.message, (0, 2), held.plan.position)
    plan = replace(held.plan, message={**held.plan.message, "steps": [sent[0], sent[2]]}, ends=(1, 2), course=course)
    agree = Consensus(suite, held.check, plan, deals=True)
    assert agree.against(1, "turn", "C") == (held.seen[2]["turn"], "C")
    assert not agree.is_between_deals(1)


def test_where_a_reading_shows_something_else_nothing_is_agreed(suite: Suite) -> None:
    agree, held = agreed(suite, "seven.after-a-declaration@bezique-hoyle")
    at = len(held.seen) - 1
    assert agree._wanted(at, "score") is not UNDECIDED
    assert agree.against(at, "score", {"A": 99, "B": 99}) is None
    assert agree.against(at, "dealer", "C") is not None


# ---- what is reported beyond what is expected


def test_what_is_agreed_is_compared_after_every_act(shown: Callable[[str], Shown]) -> None:
    held = shown(DEALT)
    held.at(1)["stock_left"] = 99
    assert held.wrong() == [(2, 0, "unchanged stock_left", 99, held.at(2)["stock_left"])]
    assert held.wrong(agreed=True)[0] == (1, 0, "stock_left", 8, 99)
    held = shown(DEALT)
    position = held.at(3)["position"]
    position["hands"]["A"], position["hands"]["B"] = position["hands"]["B"], position["hands"]["A"]
    assert held.what() == []
    assert held.what(agreed=True) == [(3, "cards lie")]
    assert held.what(agreed=True, deals=False) == [(3, "cards lie")]


def test_beside_a_question_that_nothing_came_before_what_was_sent_is_shown(suite: Suite) -> None:
    held = Shown(suite, "tricks.identical-trumps@bezique-hoyle")
    assert held.wrong(agreed=True) == []
    for key in ("turn", "hands", "trumps"):
        was = held.plan.position.get(key)
        held.seen[0][key] = OTHERWISE[key]
        assert held.wrong() == []
        ((step, _, what, wanted, got),) = held.wrong(agreed=True)
        assert (step, what, got) == (1, key, OTHERWISE[key])
        assert was is None or wanted == was
        del held.seen[0][key]


def test_an_answer_that_is_missing_is_missed(suite: Suite) -> None:
    held = Shown(suite, "tricks.identical-trumps@bezique-hoyle")
    del held.seen[0]["answer"]
    assert held.wrong() == [(1, 0, "answer", "A", NOTHING_REPORTED)]


def after_the_last(suite: Suite, **wrong: Any) -> list[Any]:
    """What goes wrong where the last act of a check is one that only brings the run to its end."""
    held = Shown(suite, DEALT)
    plan = replace(held.plan, ends=(1, 2))
    held.seen[2] |= wrong
    for key in [key for key, value in wrong.items() if value is NOTHING_REPORTED]:
        del held.seen[2][key]
    agree = Consensus(suite, held.check, plan, deals=True)
    result = judge(held.check, plan, held.seen, trusted=False, agreed=agree)
    return [(each.step, each.act, each.what, each.expected, each.observed) for each in result.mismatches]


def test_acts_after_the_last_step_are_as_all_readings_have_them(suite: Suite) -> None:
    assert after_the_last(suite) == []
    assert after_the_last(suite, accepted=False) == [(2, 1, "accepted", True, False)]
    assert after_the_last(suite, accepted=NOTHING_REPORTED) == [(2, 1, "accepted", True, NOTHING_REPORTED)]
    assert after_the_last(suite, turn="B", accepted=None) == [(2, 1, "accepted", True, None)]
    assert after_the_last(suite, turn="B") == [(2, 1, "turn", "A", "B")]
    assert after_the_last(suite, score=NOTHING_REPORTED) == [(2, 1, "score", REPORTED, NOTHING_REPORTED)]


def test_mismatch_after_the_last_step_names_its_act(suite: Suite) -> None:
    held = Shown(suite, DEALT)
    plan = replace(held.plan, ends=(1, 2))
    held.seen[2]["turn"] = "B"
    agree = Consensus(suite, held.check, plan, deals=True)
    (mismatch,) = judge(held.check, plan, held.seen, trusted=False, agreed=agree).mismatches
    assert mismatch.afterwards == held.plan.message["steps"][2]
    assert judge(held.check, plan, held.seen[:2], trusted=False, agreed=agree).status is Status.PASS
    assert judge(held.check, plan, held.seen, trusted=False).status is Status.PASS
