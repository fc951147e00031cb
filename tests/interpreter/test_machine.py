"""The interpreter's answers to what makes no sense, and what only its own users see."""

from copy import deepcopy
from itertools import permutations
from typing import Any

import pytest

from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import (
    Cell,
    Malformed,
    Refusal,
    Refused,
    Rules,
    acts,
    compile_cells,
    compile_rules,
    new_game,
    read_act,
    read_question,
    write_answer,
    write_places,
    write_position,
)
from hoyle_reference.cards import card, name, names, read_card
from hoyle_reference.cells import lay_flat
from hoyle_reference.seats import Seat
from interpreter.notation.test_positions import dealt

pytestmark = pytest.mark.interpreter

A, B = Seat(0), Seat(1)


def test_cards_are_read_and_written() -> None:
    assert name(card(5, 3, 2)) == "QS#2"
    assert read_card("QS#2") == card(5, 3, 2)
    assert read_card("QS#2", packs=1) is None
    assert [read_card(text) for text in ("QX", "1S", "QS#1", "QS#9", "", "10S")] == [None] * 6


def test_the_interpreter_names_no_ruleset_and_no_source(suite: Suite) -> None:
    from pathlib import Path

    import hoyle_reference

    text = "".join(path.read_text("utf-8") for path in Path(hoyle_reference.__file__).parent.glob("*.py"))
    for word in (*suite.sources, *suite.rulesets):
        assert word not in text.replace("hoyle_reference", ""), word


def test_the_package_gives_what_it_names_and_nothing_else() -> None:
    import hoyle_reference

    assert set(hoyle_reference.__all__) <= set(dir(hoyle_reference))
    assert all(getattr(hoyle_reference, each) for each in hoyle_reference.__all__)
    assert not hasattr(hoyle_reference, "cheat")


def test_a_table_without_a_cell_is_malformed(suite: Suite) -> None:
    document = dict(suite.rulesets["bezique-hoyle"].document.data)
    del document["settle"]
    with pytest.raises(Malformed, match=r"^settle\.game: the table has no such cell$"):
        compile_rules(document)


def test_a_disputed_cell_that_is_as_none_of_its_readings_has_it_is_malformed(suite: Suite) -> None:
    document = deepcopy(dict(suite.rulesets["bezique-hoyle"].document.data))
    document["deal"]["cut_winner"]["is"] = "loses"
    with pytest.raises(Malformed, match=r"^deal\.cut_winner: its value is none of its readings$"):
        compile_rules(document)


def test_a_combination_without_a_field_is_malformed(suite: Suite) -> None:
    document = deepcopy(dict(suite.rulesets["bezique-hoyle"].document.data))
    (double,) = (row for row in document["declare"]["melds"] if row["id"] == "double-bezique")
    del double["kind"]
    path = r"^declare\.melds\.double-bezique: "
    with pytest.raises(Malformed, match=f"{path}the combination 'double-bezique' has no 'kind'$"):
        compile_rules(document)


def test_an_option_or_reading_that_does_not_exist_is_malformed(suite: Suite) -> None:
    document = suite.rulesets["bezique-hoyle"].document.data
    with pytest.raises(Malformed, match="no option 'none'"):
        compile_rules(document, ["none"])
    with pytest.raises(Malformed, match="no reading 'none'"):
        compile_rules(document, readings={"seven.with_a_declaration": "none"})
    with pytest.raises(Malformed, match="no such cell"):
        compile_rules(document, readings={"exchange.eight": "none"})


def test_no_option_brings_back_what_another_leaves_out(suite: Suite) -> None:
    document = suite.rulesets["bezique-britannica"].document.data
    for options in permutations(["first-marriage-trumps", "units"]):
        cells = lay_flat(document, options)
        assert "deal.seven_turned_up" not in cells
        assert cells["seven.points"].value == 1


def test_a_violation_is_a_value_and_says_why(rules: Rules) -> None:
    game = dealt(rules)
    refused = game.check(acts.Play(A, game.table.hands[A][0]))
    assert refused == Refusal("not-your-turn", ("tricks.first_lead",))
    assert refused is not None
    assert refused.message == "it is another player's turn"
    with pytest.raises(Refused, match="not-your-turn: it is another player's turn") as raised:
        game.apply(acts.Play(A, game.table.hands[A][0]))
    assert raised.value.refusal == refused


def test_acts_out_of_their_phase_are_refused(rules: Rules) -> None:
    game = dealt(rules)
    codes = [
        game.check(act)
        for act in (acts.Cut((card(7, 3), card(0, 3))), acts.Choose(A, "deals"), acts.Deal(A, rules.pack), acts.Draw(A))
    ]
    assert [refusal.code if refusal else None for refusal in codes] == ["not-now"] * 4
    assert game.check(acts.Play(B, game.table.hands[A][0])) == Refusal("card-not-held", ("tricks.cards",))


def test_only_the_winner_of_the_cut_chooses(suite: Suite) -> None:
    game = new_game(suite.rules.of("bezique-hoyle", {"deal.cut_winner": "chooses"}))
    game.apply(acts.Cut((card(7, 3), card(0, 3))))
    assert list(game.legal_actions) == [acts.Choose(A, "deals"), acts.Choose(A, "leaves-the-deal")]
    assert game.check(acts.Choose(B, "deals")) == Refusal("not-your-turn", ("deal.cut_winner",))
    assert game.check(acts.Choose(A, "the seats")) == Refusal("not-a-choice", ("deal.cut_winner",))
    game.apply(acts.Choose(A, "deals"))
    assert game.table.dealer == A


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (acts.Cut((card(7, 3),)), "each player cuts one card"),
        (acts.Cut((card(7, 3), card(7, 3))), "all different"),
        (acts.Deal(A, (card(7, 3),)), "a deck holds each of the 64 cards once"),
        (acts.Declare(A, "four-tens", (card(3, 3),)), "no combination 'four-tens'"),
        (acts.Hold(A, "bezique", (card(5, 3), card(5, 3))), "a card is named twice"),
    ],
)
def test_an_act_that_makes_no_sense_is_malformed(rules: Rules, act: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        new_game(rules).check(act)


@pytest.mark.parametrize(
    ("spelt", "message"),
    [
        ({"by": "A", "do": "fly"}, "'do' is one of cut, choose, .*, not 'fly'"),
        ({"by": "A"}, "not 'None'"),
        ({"by": "C", "do": "draw"}, "no player 'C' in a game of 2"),
        ({"by": "A", "do": "play", "card": "QX"}, "no card 'QX' in 2 piquet packs"),
        ({"by": "A", "do": "play", "card": "QS#3"}, "no card 'QS#3'"),
        ({"by": "A", "do": "play", "card": 7}, "no card 7"),
        ({"by": "A", "do": "declare", "meld": "bezique", "cards": "QS"}, "cards are a list, not 'QS'"),
        (
            {"by": "A", "do": "declare", "meld": ["bezique"], "cards": ["QS"]},
            r"'meld' must be a word, not \['bezique'\]",
        ),
        ({"by": "A", "do": "play"}, "'play' takes by, card, not by"),
        ({"do": "draw"}, "'draw' takes by, count, not nothing"),
    ],
)
def test_an_act_spelt_wrong_is_malformed(rules: Rules, spelt: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        read_act(rules, spelt)


def test_the_answer_about_a_combination_that_the_game_does_not_have_is_none(rules: Rules) -> None:
    question = read_question(rules, {"ask": "worth", "meld": "flush", "cards": ["QS"]})
    assert write_answer(question, new_game(rules).ask(question)) is None


def test_cards_of_several_combinations_are_the_one_that_scores_the_most(rules: Rules) -> None:
    def asked(**keys: Any) -> Any:
        question = read_question(rules, {"ask": "worth", "trumps": "H", **keys})
        return write_answer(question, new_game(rules).ask(question))

    assert asked(cards=["QS", "JD"]) == {"meld": "bezique", "points": 40}
    assert asked(cards=["KH", "QH"]) == {"meld": "royal-marriage", "points": 40}
    assert asked(cards=["KH", "QH", "JH"]) is None


def test_a_hand_is_asked_for_its_combinations_whatever_has_scored(rules: Rules) -> None:
    question = read_question(rules, {"ask": "declarable", "by": "A", "hand": ["KH", "QH", "7C"], "trumps": "H"})
    answer = write_answer(question, new_game(rules).ask(question))
    assert [(each["meld"], sorted(each["cards"])) for each in answer] == [("royal-marriage", ["KH", "QH"])]
    with pytest.raises(Malformed, match="'trumps' are given with a 'hand'"):
        new_game(rules).ask(read_question(rules, {"ask": "declarable", "by": "A", "trumps": "H"}))


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (acts.Winner(A, (card(5, 3), card(5, 3))), "a card is named twice"),
        (acts.Counted((card(5, 3), card(5, 3))), "a card is named twice"),
        (acts.Winner(A, (card(5, 3),)), "a trick has 2 cards"),
    ],
)
def test_a_question_that_makes_no_sense_is_malformed(rules: Rules, question: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        dealt(rules).ask(question)


def test_there_is_no_card_to_play_before_the_draw_or_out_of_turn(rules: Rules) -> None:
    assert dealt(rules).ask(acts.Playable(A)).value == ()
    assert new_game(rules).ask(acts.Playable(A)).value == ()


def test_an_act_that_makes_no_sense_is_not_open(rules: Rules) -> None:
    assert acts.Declare(A, "four-tens", (card(3, 3),)) not in dealt(rules).legal_actions


def test_a_question_that_is_none_is_not_answered(rules: Rules) -> None:
    with pytest.raises(Malformed, match="no such question"):
        dealt(rules).ask(acts.Draw(A))  # type: ignore[arg-type]  # that is the point


def test_what_is_kept_may_be_announced_again_and_is_kept_once(suite: Suite, rules: Rules) -> None:
    check = suite.index.checks["to-score.the-example@bezique-hoyle"]
    message = plan(check, rules, suite.capabilities).message
    declare, hold, *_ = message["steps"]
    once, twice = trace(rules, {**message, "steps": [declare, hold, hold]})[-2:]
    assert twice.refusal is None
    assert twice.position == once.position


def test_nothing_is_kept_before_something_is_scored(suite: Suite, rules: Rules) -> None:
    check = suite.index.checks["to-score.the-example@bezique-hoyle"]
    message = plan(check, rules, suite.capabilities).message
    last = trace(rules, {**message, "steps": [message["steps"][1]]})[-1]
    assert last.refusal == Refusal("score-one-first", ("declare.to_score",))


def test_an_observation_shows_the_hand_and_counts_the_rest(rules: Rules) -> None:
    seen = dealt(rules).observation(B)
    assert seen["hands"] == {"A": 8, "B": names(sorted(dealt(rules).table.hands[B]))}
    assert (seen["stock"], seen["won"]) == (47, {"A": 0, "B": 0})


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("settle.target", "many", "settle.target: a whole number is needed, not 'many'"),
        ("settle.target", True, "settle.target: a whole number is needed, not True"),
        ("declare.when", 3, "declare.when: a word is needed, not 3"),
        ("declare.same_kind", "now and then", "declare.same_kind: one of .* is needed, not 'now and then'"),
        ("cards.rank_in_cutting", "A K X", "cards.rank_in_cutting: "),
        ("players.number", 5, "players.number: there can be 1 to 4, not 5"),
        ("cards.packs", 0, "cards.packs: there can be 1 to 8, not 0"),
    ],
)
def test_a_cell_that_makes_no_sense_is_malformed(rules: Rules, path: str, value: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        compile_cells("senseless", rules.cells.with_cells([Cell(path, value, ())]))


def test_a_player_sees_the_turn_up_and_the_own_hand(rules: Rules) -> None:
    game = dealt(rules)
    turned = game.table.turn_up
    assert turned is not None
    assert game.ask(acts.Visible(B)).value == tuple(sorted([*game.table.hands[B], turned]))


def test_where_cards_lie_is_part_of_the_position(rules: Rules) -> None:
    assert write_places(new_game(rules).table) == {}
    table = dealt(rules).table
    places = write_places(table)
    assert places.items() <= write_position(table).items()
    assert {"hands", "stock", "turn_up", "trick", "won"} <= places.keys()
    assert "score" not in places


def test_rules_are_shown_by_their_name(rules: Rules) -> None:
    assert repr(rules) == "Rules('bezique-hoyle')"
