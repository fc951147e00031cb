"""What becomes of a check and of a run: how it is counted, compared, selected, recorded, and how the command ends."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hoyle_conformance.checks.planner import Planner
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol.messages import FAULTS, OF_THE_ANSWER, PROTOCOL, AdapterInfo, ProtocolError
from hoyle_conformance.runner import features
from hoyle_conformance.runner.baseline import read_baseline
from hoyle_conformance.runner.consensus import cards_of, comparable, lost_or_doubled, moved_cards
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.record import Call, Recorder
from hoyle_conformance.runner.results import Exit, Failure, FailureGroup, Mismatch, Result, Run, Status
from hoyle_conformance.runner.select import NothingSelected, choose, select
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

READY = AdapterInfo("x", "1", "Python", frozenset({"bezique-hoyle"}), frozenset({"play", "declare"}))
ACCEPTED, SCORES = Mismatch(2, "accepted", True, False), Mismatch(3, "scores", {"A": 40}, {})
ASKED, ASKED_LATER = Mismatch(1, "answer", "A", "B"), Mismatch(4, "answer", 40, 20)


@pytest.fixture
def check(suite: Suite) -> Check:
    return suite.index.checks["tricks.identical-trumps@bezique-hoyle"]


@pytest.fixture
def others(suite: Suite, check: Check) -> list[Check]:
    return [each for each in suite.index.checks.values() if each != check][:3]


# ---- a result


@pytest.mark.parametrize(
    ("seen", "independent"),
    [
        ((), ()),
        ((ASKED,), (ASKED,)),
        ((ASKED, ASKED_LATER), (ASKED, ASKED_LATER)),
        ((ASKED, ACCEPTED, SCORES, ASKED_LATER), (ASKED, ACCEPTED)),
        ((ACCEPTED, SCORES), (ACCEPTED,)),
    ],
)
def test_what_comes_after_an_act_that_went_wrong_may_follow_from_it(
    check: Check, seen: tuple[Mismatch, ...], independent: tuple[Mismatch, ...]
) -> None:
    result = Result(check, Status.FAIL, seen[0] if seen else None, later=seen[1:])
    assert result.mismatches == seen
    assert result.independent == independent


def test_only_what_was_claimed_can_be_left_out(check: Check) -> None:
    assert {each for each in Status if not Result(check, each).ran} == {Status.SKIPPED, Status.UNSUPPORTED}
    left_out = {each for each in Status if Result(check, each).left_out}
    assert left_out == {Status.SKIPPED, Status.UNSUPPORTED}
    assert not any(Result(check, each, lacks=("tricks",)).left_out for each in Status)


def test_a_conversation_breaks_by_its_faults_and_ends_but_by_those_of_an_answer(check: Check) -> None:
    for status in Status:
        assert Result(check, status).broke is (status in {Status.TIMEOUT, Status.CRASH})
    for code in FAULTS:
        error = Result(check, Status.ERROR, code=code)
        assert error.broke
        assert error.ended is (code not in OF_THE_ANSWER)
        assert not Result(check, Status.EXPECTED_FAILURE, code=code).broke
    own = Result(check, Status.ERROR, reason="the adapter says so")
    assert not own.broke
    assert not own.ended


# ---- a cause


def test_a_cause_has_a_name_of_the_words_that_its_failures_share(check: Check, others: list[Check]) -> None:
    failures = tuple(Failure(Result(each, Status.FAIL, ACCEPTED), ACCEPTED) for each in (check, check, others[0]))
    cause = FailureGroup(
        "accepted", failures, word="declare", refusal="no", reason="one two three four five six 7 8.8 nine"
    )
    assert cause.id == "declare/not-accepted/no/one-two-three-four-five-six-7-8.8"
    assert replace(cause, nth=2).id == f"{cause.id}/2"
    assert FailureGroup("refused", failures, cell="seven.exchange").id == "not-refused/seven.exchange"
    assert FailureGroup("cards lie", failures).id == "cards-lie"
    assert cause.example is failures[0]
    assert cause.checks == (check.id, others[0].id)
    assert cause.rulesets == tuple(sorted({check.ruleset, others[0].ruleset}))
    assert not cause.broke
    assert FailureGroup("crash", (Failure(Result(check, Status.CRASH)), *failures)).broke


# ---- a run


def a_run(results: list[Result], selected: list[Check] | None = None, **more: Any) -> Run:
    return Run(READY, (), [each.check for each in results] if selected is None else selected, results, **more)


def test_the_gravest_thing_decides_how_the_command_ends(check: Check, others: list[Check]) -> None:
    passed, unsupported = Result(check, Status.PASS), Result(others[0], Status.UNSUPPORTED)
    assert a_run([passed]).exit is Exit.AS_EXPECTED
    assert a_run([passed, unsupported]).exit is Exit.TOO_LITTLE_RAN
    assert a_run([passed, replace(unsupported, known=True)]).exit is Exit.AS_EXPECTED
    assert a_run([passed, replace(unsupported, lacks=("tricks",))]).exit is Exit.AS_EXPECTED
    assert a_run([replace(unsupported, known=True)]).exit is Exit.TOO_LITTLE_RAN
    assert a_run([passed], [check, others[0]]).exit is Exit.TOO_LITTLE_RAN
    assert a_run([passed], stopped=Stop(StopCode.BROKE_IN_ALL, 100)).exit is Exit.ADAPTER_BROKE
    for code in StopCode:
        stopped = a_run([passed], stopped=Stop(code))
        assert stopped.gave_up is code.startswith("broke")
        assert stopped.interrupted is (code in {"interrupted", "deadline", "lost-process"})
    failed = Result(others[1], Status.FAIL)
    assert a_run([passed, unsupported, failed]).exit is Exit.UNEXPECTED_RESULT
    assert a_run([passed, replace(failed, status=Status.UNEXPECTED_PASS)]).exit is Exit.UNEXPECTED_RESULT
    assert a_run([passed, replace(failed, status=Status.ERROR, code="not-json")]).exit is Exit.ADAPTER_BROKE
    assert a_run([passed, failed, Result(others[2], Status.TIMEOUT)]).exit is Exit.ADAPTER_BROKE


# ---- the baseline


def test_faults_of_a_baseline_are_not_told_for_ever(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text("".join(f"no-such-check-{number}\n" for number in range(1_100)), encoding="utf-8")
    with pytest.raises(Invalid) as raised:
        read_baseline(path, suite)
    places = [(each.line, each.column) for each in raised.value.diagnostics]
    assert places == [(line, 1) for line in range(1, 1_001)]


# ---- what is selected


def test_several_words_must_all_fit_and_of_one_kind_any(suite: Suite) -> None:
    every = list(suite.index.headings.values())

    def chosen(**words: Any) -> list[Any]:
        found = choose(suite, **words)
        assert [each.id for each in found] == [check.id for check in select(suite, **words)]
        return found

    assert chosen(patterns=["seven", "draw"]) == [each for each in every if each.topic in {"seven", "draw"}]
    two = ["bezique-hoyle", "rubicon-hoyle"]
    assert chosen(rulesets=two) == [each for each in every if each.ruleset in two]
    assert chosen(rulesets=two[:1], patterns=["seven"]) == [
        each for each in every if each.ruleset == two[0] and each.topic == "seven"
    ]
    clauses = ["hoyle/bezique/identical-cards", "hoyle/bezique/seven-exchanged"]
    citing = [each for each in every if not set(clauses).isdisjoint(each.cites)]
    assert chosen(patterns=clauses) == citing
    assert chosen(patterns=["tricks.identical-*", "seven"]) == [
        each for each in every if each.topic == "seven" or each.scenario.startswith("tricks.identical-")
    ]
    assert chosen(patterns=["*@rubicon-hoyle"]) == chosen(rulesets=["rubicon-hoyle"])


def test_a_word_that_fits_nothing_is_told_beside_one_that_does(suite: Suite) -> None:
    for wanted in (
        {"patterns": ["seven", "sven"]},
        {"rulesets": ["bezique-hoyle", "bezique-hoile"]},
        {"patterns": ["hoyle/bezique/identical-cards", "hoyle/bezique/identical"]},
    ):
        with pytest.raises(NothingSelected, match=r"^no (check matches|ruleset) '"):
            choose(suite, **wanted)


def test_words_that_fit_nothing_together_select_nothing(suite: Suite) -> None:
    with pytest.raises(NothingSelected, match="no check matches all of these together"):
        choose(suite, patterns=["seven"], rulesets=["piquet-hoyle"])


# ---- what is compared


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("QS", "QS#2", True),
        ("QS", "JS", False),
        ("QS#9", "QS", False),  # no card has so many copies
        (["QS", "JD#2"], ["JD", "QS"], True),
        (["QS", "QS"], ["QS"], False),
        ({"A": ["QS#2"]}, {"A": ["QS"]}, True),
        ({"A": ["QS"]}, {"B": ["QS"]}, False),
        ({"meld": "bezique", "cards": ["QS", "JD"]}, {"cards": ["JD#2", "QS#2"], "meld": "bezique"}, True),
        ({"meld": "bezique", "cards": ["QS", "JD"]}, {"meld": "marriage", "cards": ["QS", "JD"]}, False),
        ({"meld": "x", "cards": [], "points": 40}, {"meld": "x", "cards": [], "points": 20}, False),
        ([{"meld": "x", "cards": []}], [{"meld": "x", "cards": []}] * 2, True),
        (0, None, False),
    ],
)
def test_two_values_are_the_same_but_for_copies_and_order(one: Any, other: Any, same: bool) -> None:
    assert (comparable(one) == comparable(other)) is same
    assert (comparable(other) == comparable(one)) is same


#: A position of a few cards, with every place in which there can be one.
LIES: dict[str, Any] = {
    "hands": {"A": ["AS", "KS"], "B": ["7C", "7C#2"]},
    "won": {"A": ["QD"], "B": ["JD", "JD#2"]},
    "stock": ["8H", "9H"],
    "trick": ["TD", "AD"],
    "discards": {"A": ["8S"], "B": ["9S"]},
    "undrawn": ["9C"],
    "turn_up": "AC",
}
PACK = ["AS", "KS", "7C", "7C#2", "QD", "JD", "JD#2", "8H", "9H", "TD", "AD", "8S", "9S", "9C", "AC"]


def test_cards_lie_in_every_place_there_is() -> None:
    assert sorted(cards_of(LIES)) == sorted(PACK)
    assert lost_or_doubled(PACK, LIES) is None
    assert moved_cards(LIES, LIES) is None
    bare = {"hands": {"A": ["AS"]}, "won": {"A": []}, "stock": ["8H"], "trick": []}
    assert sorted(cards_of(bare)) == ["8H", "AS"]
    assert lost_or_doubled(["AS", "8H"], bare) is None
    assert lost_or_doubled(["AS", "8H"], {**bare, "turn_up": None}) is None


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        ({"hands": {"A": ["KS", "AS"], "B": ["7C#2", "7C"]}}, {}, {}),
        ({"stock": ["9H", "8H"]}, {"the stock": ["8H", "9H"]}, {"the stock": ["9H", "8H"]}),
        ({"turn_up": None}, {"the turn-up": ["AC"]}, {"the turn-up": []}),
        ({"turn_up": "AC#2"}, {}, {}),
        (
            {"won": {"A": ["JD"], "B": ["QD", "JD"]}},
            {"the tricks of A": ["QD"], "the tricks of B": ["JD", "JD"]},
            {"the tricks of A": ["JD"], "the tricks of B": ["JD", "QD"]},
        ),
        (
            {"discards": {"A": [], "B": ["9S"]}, "trick": ["TD", "AD", "8S"]},
            {"the discards of A": ["8S"], "the trick": ["TD", "AD"]},
            {"the discards of A": [], "the trick": ["TD", "AD", "8S"]},
        ),
        (
            {"undrawn": [], "stock": ["8H", "9H", "9C"]},
            {"the cards left undrawn": ["9C"], "the stock": ["8H", "9H"]},
            {"the cards left undrawn": [], "the stock": ["8H", "9H", "9C"]},
        ),
    ],
)
def test_cards_that_lie_elsewhere_are_named_by_both_places(
    change: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert moved_cards(LIES, {**LIES, **change}) == ((before, after) if before else None)
    assert moved_cards({**LIES, **change}, LIES) == ((after, before) if before else None)


@pytest.mark.parametrize(
    ("change", "lost", "doubled", "lie"),
    [
        ({"trick": ["TD"]}, ["AD"], [], {}),
        ({"trick": ["TD", "AD", "QD"]}, [], ["QD"], {"QD": ["the tricks of A", "the trick"]}),
        ({"stock": ["8H", "8H"]}, ["9H"], ["8H"], {"8H": ["the stock", "the stock"]}),
        ({"hands": {"A": ["AS", "KS"], "B": ["7C", "7C"]}}, None, None, None),  # which copy, is nobody's affair
        (
            {"hands": {"A": ["AS", "KS"], "B": ["7C", "7C"]}, "stock": ["9H", "9H"]},
            ["8H"],
            ["9H"],
            {"9H": ["the stock", "the stock"]},
        ),
    ],
)
def test_a_card_that_is_lost_or_there_twice_is_named(change: dict[str, Any], lost: Any, doubled: Any, lie: Any) -> None:
    wrong = lost_or_doubled(PACK, {**LIES, **change})
    assert wrong == (None if lost is None else {"lost": lost, "doubled": doubled, "lie": lie})


# ---- the record

NOW = "2026-11-22T20:01:02Z"


@pytest.fixture
def recorded(suite: Suite) -> Callable[..., list[dict[str, Any]]]:
    def record(run: Run, of: Suite = suite, seed: str | None = "") -> list[dict[str, Any]]:
        lines: list[bytes] = []
        recorder = Recorder(of, lines.append, Call(seed=seed), clock=lambda: NOW)
        recorder.begin(run.ready, run.command, run.selected)
        for result in run.results:
            recorder.add(result)
        recorder.end(run)
        assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
        found = [json.loads(line) for line in lines]
        assert [suite.schemas.complaint("record", line) for line in found] == [""] * len(found)
        return found

    return record


def test_the_record_says_who_was_held_against_what(suite: Suite, check: Check, recorded: Any) -> None:
    run = a_run([Result(check, Status.PASS)])
    header, _, footer = recorded(replace(run, command=("engine", "--hoyle")), seed="42")
    assert header["implementation"] == {
        "name": "x",
        "version": "1",
        "language": "Python",
        "rulesets": ["bezique-hoyle"],
        "claims": ["declare", "play"],
        "command": ["engine", "--hoyle"],
    }
    assert (header["seed"], header["selected"], header["protocol"]) == ("42", 1, PROTOCOL)
    assert header["suite"] == {"version": suite.version, "digest": suite.digest}
    assert header["started"] == NOW
    assert header["again"] == ["hoyle", "check"]
    checks = sum(heading.ruleset == check.ruleset for heading in suite.index.headings.values())
    named = {"title": suite.rules.title(check.ruleset), "game": "Bézique", "checks": checks}
    assert header["rulesets"] == {check.ruleset: named}
    assert not {"stopped", "ending"} & footer.keys()
    header, *_ = recorded(run)
    assert "command" not in header["implementation"]


def test_the_record_says_of_a_check_what_there_is_to_say(check: Check, recorded: Any) -> None:
    _, passed, _ = recorded(a_run([Result(check, Status.PASS)]))
    always = {
        "type": "result",
        "check": check.id,
        "title": check.scenario.title,
        "file": f"spec/scenarios/{check.scenario.id.replace('.', '/')}.scenario.yaml",
        "cites": list(check.cites),
        "milliseconds": 0,
    }
    assert passed == {**always, "status": "pass"}
    told = replace(ACCEPTED, reason="not now")
    _, failed, _ = recorded(a_run([Result(check, Status.FAIL, told, later=(SCORES,))]))
    first_step = check.scenario.document.line_of(["steps"])
    assert failed == {
        **always,
        "status": "fail",
        "line": check.scenario.document.line_of(["steps", 1]),
        "mismatches": [
            {"step": 2, "what": "accepted", "expected": True, "observed": False, "reason": "not now"},
            {"step": 3, "what": "scores", "expected": {"A": 40}, "observed": {}},
        ],
    }
    _, read, error, _ = recorded(
        a_run([Result(check, Status.PASS, readings=("one", "two")), Result(check, Status.ERROR, code="x", reason="y")])
    )
    assert read["readings"] == ["one", "two"]
    assert error == {**always, "status": "error", "code": "x", "reason": "y", "line": first_step}
    _, computed, _ = recorded(a_run([Result(replace(check, computed=True), Status.PASS)]))
    assert computed["computed"] is True
    words = {"lacks": ("score",), "partly": ("turn", "hands"), "known": True, "milliseconds": 12}
    _, said, _ = recorded(a_run([Result(check, Status.UNSUPPORTED, **words)]))
    assert said == {**always, "status": "unsupported", **words, "lacks": ["score"], "partly": ["turn", "hands"]}


def test_the_record_says_how_it_ended(check: Check, others: list[Check], recorded: Any) -> None:
    failed, left_out = Result(check, Status.FAIL, ACCEPTED), Result(others[0], Status.SKIPPED)
    cause = FailureGroup("accepted", (Failure(failed, ACCEPTED),), word="play", cell="tricks.follow", comes_from=("x",))
    readings = {"bezique-hoyle": {"seven.value": ("ten", "none")}}
    *_, footer = recorded(a_run([failed, left_out], causes=[cause], readings=readings, stopped=Stop()))
    assert footer == {
        "type": "footer",
        "totals": {"fail": 1, "skipped": 1},
        "ran": 1,
        "readings": {"bezique-hoyle": {"seven.value": ["ten", "none"]}},
        "causes": [
            {
                "cause": cause.id,
                "what": "accepted",
                "checks": [check.id],
                "comes_from": ["x"],
                "word": "play",
                "cell": "tricks.follow",
            }
        ],
        "exit": 1,
        "stopped": "interrupted",
        "ended": NOW,
    }
    *_, footer = recorded(a_run([failed], ending=ProtocolError("unasked")))
    assert footer["ending"] == {"code": "unasked", "reason": ProtocolError("unasked").message}


# ---- what went wrong is about


def test_what_went_wrong_is_found_in_the_course_of_its_check(suite: Suite) -> None:
    check = suite.index.checks["reuse.a-new-deal-forgets@bezique-hoyle"]
    taken = features.reference_steps(suite, check)
    assert [(each.word, each.asks) for each in taken[:3]] == [("play", False), ("play", False), ("deal", False)]
    assert [each.shown for each in taken] == [frozenset()] * 5 + [frozenset({"score"})]
    for step, act, place in ((1, 0, 0), (1, 1, 1), (1, 9, 1), (2, 0, 2), (3, 1, 4), (4, 0, 5)):
        mismatch = Mismatch(step, "accepted", True, False, act)
        assert features.single_of(suite, check, taken, mismatch) == (place, taken[place])
        assert features.place_of(suite, check, mismatch) == place
    later = Mismatch(4, "accepted", True, False, 1, afterwards={"by": "A", "do": "draw"})
    place, one = features.single_of(suite, check, taken, later)
    assert (place, one.word, one.asks, one.taken) == (6, "draw", False, features.UNKNOWN.taken)
    assert features.single_of(suite, check, (), later) == (0, features.UNKNOWN)


@pytest.mark.parametrize(
    ("said", "plainly_said"),
    [
        ("no  such card: QS#2 at -3.5", "no such card: CARD at N"),
        ("it ended >> line 1\nKeyError: 7\n\n", "KeyError: N"),
        ("it ended >> nothing of note\n  the end 10H\n \n", "the end CARD"),
    ],
)
def test_line_that_names_the_error_is_kept_of_error_output(said: str, plainly_said: str) -> None:
    reason, _, output = said.partition(" >> ")
    assert features.simplify_reason(reason, output) == plainly_said


def test_a_check_whose_position_cannot_be_completed_has_no_course(
    suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    def incomplete(_check: Check) -> Any:
        raise CannotSetUp("something is missing", "Give it.")

    check = suite.index.checks["melds.bezique@bezique-hoyle"]
    assert len(features.reference_steps(suite, check)) > 0
    monkeypatch.setattr(Planner, "request", lambda _planner, each: incomplete(each))
    assert features.reference_steps(suite, check) == ()
