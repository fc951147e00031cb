"""By what the points of a deal were made: what a position says of it is enough to play on."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import acts
from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Malformed, Phase, Rules, new_game, read_position, write_position
from hoyle_reference.acts import CLASSES, Act, Announce, Answer, Declare
from hoyle_reference.chapters.calling.classes import ClassRules
from hoyle_reference.events import Event, Scored
from hoyle_reference.table.table import Table

pytestmark = pytest.mark.interpreter

SAUNT, PARTIE = "piquet-saunt-parlett", "piquet-rubicon-parlett"
CAUSES = ("blank", *CLASSES, "tricks", "bonus", "beside")
TRICKS, BONUS = {"lead", "capture", "trick", "last-trick"}, {"repique", "pique", "cards", "capot"}
names = st.sampled_from([SAUNT, PARTIE, *(f"{PARTIE}+{option}" for option in ("nought", "ten-for-the-last"))])
readings = st.sampled_from([{}, {"reckoning.repique.barred_by": "what-is-scored-first"}])
seeds, tapes, stops = st.integers(0, 2**32), st.binary(min_size=1, max_size=80), st.integers(2, 45)
laws = settings(max_examples=20, deadline=None)


def cause(rules: Rules, what: str) -> str:
    """By what points are made that are marked for this, in words of its own."""
    kinds = rules.of(ClassRules).by_id
    if what in kinds:
        return kinds[what].class_
    return "tricks" if what in TRICKS else "bonus" if what in BONUS else "blank" if what == "blank" else "beside"


def eager(game: Game, seed: int, tape: bytes) -> Iterator[Act]:
    """The acts of a deal in which mostly all is called and scored that can be; chance and the rest are as in `acts`."""
    for number, act in enumerate(acts(game, seed, tape, most_deals=1)):
        best = act
        if tape[number % len(tape)] % 4 and game.table.phase in {Phase.ANNOUNCE, Phase.PLAY}:
            legal = list(game.legal_actions)
            calls = [each for each in legal if isinstance(each, Announce) and each.count != 0]
            answers = [each for each in legal if isinstance(each, Answer) and each.says != "good"]
            scoring = [each for each in legal if isinstance(each, Declare)]
            best = next(iter([*scoring, *answers, *calls]), act)
        yield best


def played(rules: Rules, seed: int, tape: bytes) -> Iterator[tuple[Table, Act, list[Event]]]:
    """Each act of a deal, with the table before it, and what followed."""
    game = new_game(rules)
    for act in eager(game, seed, tape):
        before = game.table.copy()
        yield before, act, game.apply(act)


def points(events: list[Event]) -> list[tuple[int, int, str]]:
    """What is marked, for whom, and for what."""
    return [(int(each.seat), each.points, each.what) for each in events if isinstance(each, Scored)]


@pytest.mark.slow
@given(name=st.one_of(names, st.just(f"{PARTIE}+carte-rouge-fifty")), seed=seeds, tape=tapes)
@laws
def test_what_was_made_is_the_score_of_the_deal_by_cause(suite: Suite, name: str, seed: int, tape: bytes) -> None:
    rules = suite.rules.of(name)
    made: list[Counter[str]] = [Counter(), Counter()]
    for before, _, events in played(rules, seed, tape):
        assert [dict(each) for each in before.made_of] == [{word: each[word] for word in CAUSES} for each in made]
        assert before.score == [each.total() for each in made]  # of the first deal
        for seat, marked, what in points(events):
            made[seat][cause(rules, what)] += marked


@pytest.mark.slow
@given(
    name=st.one_of(names, st.just(f"{PARTIE}+carte-rouge-fifty")), reading=readings, seed=seeds, tape=tapes, stop=stops
)
@laws
def test_a_position_of_any_history_plays_on_as_the_history_does(
    suite: Suite, name: str, reading: dict[str, str], seed: int, tape: bytes, stop: int
) -> None:
    rules = suite.rules.of(name, reading)
    again: Game | None = None
    for number, (before, act, events) in enumerate(played(rules, seed, tape)):
        if number == stop:
            again = Game(read_position(rules, json.loads(json.dumps(write_position(before)))))
        if again is not None:
            assert again.table.is_like(before)
            assert again.apply(act) == events


@pytest.mark.slow
@given(name=names, reading=readings, seed=seeds, tape=tapes, stop=stops)
@laws
def test_no_bonus_depends_on_which_combinations_made_the_points(
    suite: Suite, name: str, reading: dict[str, str], seed: int, tape: bytes, stop: int
) -> None:
    """Without the combinations that close no other any more, a position plays on to the same points."""
    rules = suite.rules.of(name, reading)
    again: Game | None = None
    for number, (before, act, events) in enumerate(played(rules, seed, tape)):
        if number == stop and before.is_dealt:
            table = read_position(rules, write_position(before))
            forget_what_is_closed(table)
            again = Game(table)
        if again is not None:
            assert points(again.apply(act)) == points(events)


def forget_what_is_closed(table: Table) -> None:
    """Of elder's combinations those of all classes but the last called; once a trick is won, everybody's."""
    kinds, last = table.rules.of(ClassRules).by_id, CLASSES[len(table.called.decided) - 1]
    of_elder = table.scored[table.elder]
    table.scored[table.elder] = [each for each in of_elder if kinds[each.meld].class_ == last]
    if table.a_trick_is_won:
        table.scored = [[], []]


#: Elder has a sixième and two tierces, 28 with the point, and four more kinds of card; younger has next to nothing.
HANDS = {
    "A": ["KS", "QS", "JS", "TS", "9S", "8S", "9H", "8H", "7H", "KH", "KD", "AC"],
    "B": ["AS", "7S", "AH", "QH", "TH", "9D", "QD", "TD", "KC", "JC", "9C", "7C"],
}
THREE_KINGS = [
    {"by": "A", "do": "announce", "class": "set", "count": 3, "rank": "K"},
    {"by": "B", "do": "answer", "says": "good"},
    {"by": "A", "do": "declare", "meld": "trio", "cards": ["KS", "KH", "KD"]},
    {"by": "A", "do": "play", "card": "AC"},
]


@pytest.mark.parametrize(
    ("made_of", "last"),
    [
        ({"A": {"point": 6, "sequence": 19}}, [{"A": 28, "B": 0}, {"A": 29, "B": 0}]),
        ({"A": {"point": 8, "sequence": 19}}, [{"A": 90, "B": 0}, {"A": 91, "B": 0}]),  # a repique, and no pique
        ({"A": {"blank": 10, "sequence": 16}, "B": {}}, [{"A": 29, "B": 0}, {"A": 60, "B": 0}]),  # a pique
        ({"A": {"point": 6, "sequence": 19, "beside": 40}}, [{"A": 68, "B": 0}, {"A": 69, "B": 0}]),
        ({"A": {"sequence": 27}, "B": {"point": 6}}, [{"A": 30, "B": 6}, {"A": 31, "B": 6}]),  # barred, both of them
    ],
)
def test_a_bonus_follows_from_what_was_made_before_the_position(
    suite: Suite, made_of: dict[str, dict[str, int]], last: list[dict[str, int]]
) -> None:
    """Thirty in combinations alone are a repique, thirty with the lead a pique, unless younger's come first
    (parlett/pique/repique, parlett/pique/pique, parlett/pique/order)."""
    rules = suite.rules.of(PARTIE)
    owner = {class_: next((seat for seat in made_of if made_of[seat].get(class_)), "nobody") for class_ in CLASSES[:2]}
    blanks = [seat for seat in made_of if made_of[seat].get("blank")]
    given = {"announces": "A", "called": owner, "blanks": blanks, "hands": HANDS, "made_of": made_of}
    position = complete(rules, given, THREE_KINGS)
    traced = trace(rules, {"position": position, "steps": THREE_KINGS, "observe": ["score"]})
    assert [each.observation["score"] for each in traced[2:]] == last


def made(**of_a: int) -> dict[str, Any]:
    return {"made_of": {"A": of_a}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (made(point="30"), "'point' must be a whole number, not '30'"),
        (made(luck=3), "points are made by blank, point, sequence, set, tricks, bonus, beside, not by 'luck'"),
        (made(blank=10), "by 'blanks' A has made 0 with a blank, by 'made_of' 10"),
        ({"blanks": {"A": "scored"}}, "by 'blanks' A has made 10 with a blank, by 'made_of' 0"),
        (made(point=6, set=3), "A has made 3 by the set, which is not good for A"),
        (made(point=3), "by 'scored' A has made 6 by the point, by 'made_of' 3"),
        (made(point=6, tricks=1), "A has made 1 by tricks, and no card has been played"),
    ],
)
def test_points_that_what_lies_on_the_table_has_not_brought_are_told(
    suite: Suite, changes: dict[str, Any], message: str
) -> None:
    rules = suite.rules.of(PARTIE)
    given = {"announces": "A", "called": {"point": "A"}, "hands": HANDS, "made_of": {"A": {"point": 6}}}
    position = complete(rules, given, ())
    assert read_position(rules, position).made_of[0]["point"] == 6
    with pytest.raises(Malformed, match=message):
        read_position(rules, position | changes)


def test_a_position_is_completed_with_what_made_its_points(suite: Suite) -> None:
    """A blank, whose a class is, the score, and the combinations follow, where they are not given."""
    given = {"leads": "A", "blanks": ["B"], "hands": HANDS, "made_of": {"A": {"point": 6, "sequence": 19}}}
    position = complete(suite.rules.of(PARTIE), given, ())
    assert position["made_of"]["B"] == {**dict.fromkeys(CAUSES, 0), "blank": 10}
    assert position["score"] == {"A": 25, "B": 10}
    assert position["called"]["decided"] == ["A", "A", None]
    assert [each["meld"] for each in position["scored"]["A"]] == ["point", "sixieme", "tierce"]
    assert position["scored"]["B"] == []
    elsewhere = complete(suite.rules.of(PARTIE), {**given, "score": {"A": 70, "B": 10}}, ())
    assert elsewhere["score"] == {"A": 70, "B": 10}


def test_a_game_without_such_bonuses_is_not_told_what_made_its_points(rules: Rules) -> None:
    assert "made_of" not in {field.name for field in rules.fields}


def test_a_void_suit_that_has_scored_stands_among_the_combinations(suite: Suite) -> None:
    """Of a hand without hearts, only the point of nought comes to five (parlett/variants/point-of-nought)."""
    rules = suite.rules.of(f"{PARTIE}+nought")
    spelt = ["KS", "QS", "JS", "TS", "9S", "8S", "AD", "9D", "8D", "AC", "TC", "7C"]
    given = {"announces": "A", "called": {"point": "A"}, "hands": {"A": spelt}, "made_of": {"A": {"point": 5}}}
    position = complete(rules, given, ())
    assert position["scored"]["A"] == [{"meld": "point-of-nought", "cards": []}]
    assert write_position(read_position(rules, position)) == position
