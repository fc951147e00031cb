"""Piquet by itself: positions and acts that make no sense are told apart from those that are refused."""

from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from games import play
from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import observations, trace
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.runner.rule_changes import change_rules as with_values
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.check_file import check_file
from hoyle_reference import (
    Game,
    Malformed,
    Phase,
    Rules,
    compile_cells,
    new_game,
    read_act,
    read_position,
    read_question,
    write_act,
    write_position,
)
from hoyle_reference.acts import Act, Announce, Choose, Cut, Deal, Declare, Discard, Draw, Peep, Play, Settlement
from hoyle_reference.cards import card, names, suit_of
from hoyle_reference.cells import Cell
from hoyle_reference.chapters import game_end
from hoyle_reference.chapters.calling import reckoning
from hoyle_reference.chapters.declare.declarations import DeclareRules
from hoyle_reference.chapters.talon import AFTER_THE_LEAD
from hoyle_reference.events import Scored
from hoyle_reference.seats import Seat, seat_name

pytestmark = pytest.mark.interpreter

ELDER, YOUNGER = Seat(0), Seat(1)


@pytest.fixture
def partie(suite: Suite) -> Rules:
    return suite.rules.of("piquet-rubicon-parlett")


def dealt(rules: Rules) -> Game:
    """A partie after its first deal, in the fixed order of the pack: A is elder."""
    game = new_game(rules)
    game.apply(Cut((card(7, 0), card(0, 0))))
    if game.table.phase is Phase.CHOOSE:
        game.apply(Choose(game.table.turn, "deals" if game.table.turn == YOUNGER else "leaves-the-deal"))
    game.apply(Deal(YOUNGER, rules.pack, 3))
    return game


def exchanged(rules: Rules) -> Game:
    """The same after both have exchanged all they may."""
    game = dealt(rules)
    game.apply(Discard(ELDER, tuple(game.table.hands[ELDER][:5])))
    game.apply(Discard(YOUNGER, tuple(game.table.hands[YOUNGER][:3])))
    return game


def called(**changes: Any) -> dict[str, Any]:
    """How far the calling has come, otherwise than at its beginning."""
    return {"called": {"decided": [], "announced": [], "count": 0, "height": "", "asked": False, **changes}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stock": ["7C"]}, "7C is in two places"),
        ({"blanks": {"A": "over"}}, "a blank is unspoken, announced, scored, not 'over'"),
        ({"blanks": {"A": "white"}}, "a blank is unspoken, announced, scored, drawn, over, not 'white'"),
        ({"packets": {"A": "3"}}, "'A' must be a whole number, not '3'"),
        ({"deals_left": None}, "'deals_left' is missing"),
        (called(asked="no"), "'asked' must be true or false, not 'no'"),
        (called(decided=["Z"]), "no player 'Z' in a game of 2"),
        (called(decided=[None]), "for each class that is decided it is said what was announced"),
        (called(announced=["five"]), "what was announced has a 'count' and a 'height', unlike 'five'"),
        (called(count=5, height="many"), "a point is not as high as 'many'"),
        (
            called(decided=[None] * 3, announced=[{"count": 0, "height": ""}] * 3),
            "3 classes are decided, which cannot be in the phase 'announce'",
        ),
        (
            called(decided=[None, None], announced=[{"count": 0, "height": ""}, {"count": 3, "height": "nought"}]),
            "a sequence is not as high as 'nought'",
        ),
        ({"phase": "draw"}, "there is no phase 'draw' in this game"),
        ({"phase": "choose", "choices": ["deals"]}, "the choices are exposes-the-rest and leaves-the-rest, not deals"),
        ({"phase": "choose", "choices": [], "dealer": None}, "'dealer' is missing"),
        ({"dealer": None}, "'dealer' is missing"),
        ({"phase": "exchange", "turn": "A"}, "before elder exchanges nobody has put cards away"),
        ({"leader": "B", "turn": "B"}, "elder leads to the first trick, and is not the dealer"),
        ({"packets": {"A": 5}}, "packets hold 2 or 3 cards, not 5"),
        (called(count=5, height="٣"), "a point is not as high as"),
        ({"phase": "play"}, "0 classes are decided, which cannot be in the phase 'play'"),
        ({"scored": {"A": [{"meld": "bezique", "cards": []}]}}, "no combination 'bezique' in this game"),
    ],
)
def test_a_position_that_makes_no_sense_is_malformed(partie: Rules, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        read_position(partie, write_position(exchanged(partie).table) | changes)


def test_only_a_blank_that_has_been_announced_is_still_to_be_shown(partie: Rules, suite: Suite) -> None:
    rules = suite.rules.of("piquet-rubicon-hoyle")
    spelt = write_position(exchanged(partie).table)
    shown = {"to_show": {"A": ["7C", "8C"], "B": []}, "blanks": {"A": "scored", "B": "unspoken"}}
    with pytest.raises(Malformed, match="'to_show' holds the cards of a blank that has been announced"):
        read_position(rules, spelt | shown)
    announced = spelt | shown | {"blanks": {"A": "announced", "B": "unspoken"}}
    read_position(rules, announced)
    with pytest.raises(Malformed, match="'to_show' holds no cards once elder has called"):
        read_position(rules, announced | {"turn": "A" if spelt["turn"] == "B" else "B"})


def test_as_many_cards_are_put_away_as_are_drawn(partie: Rules) -> None:
    spelt = write_position(exchanged(partie).table)
    away = spelt["discards"]["A"]
    with pytest.raises(Malformed, match="the discards and the stock must hold 8 cards together, not 6"):
        read_position(partie, spelt | {"discards": {**spelt["discards"], "A": away[2:]}, "won": {"A": away[:2]}})


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (Deal(YOUNGER, ()), "a deck holds each of the 32 cards once"),
        (Draw(ELDER), "no act 'draw' in this game"),
        (Declare(ELDER, "bezique", ()), "no combination 'bezique' in this game"),
        (Discard(ELDER, (card(7, 0), card(7, 0))), "a card is named twice"),
        (Discard(ELDER, (card(7, 0),), -1), "-1 cards cannot be taken"),
        (Announce(ELDER, "flush", 5), "no class 'flush' of combinations"),
        (Announce(ELDER, "point"), "a point is announced by 'count' or 'value'; here by nothing"),
        (Announce(ELDER, "point", top="K"), "a point is announced by 'count' or 'value'; here by 'top'"),
        (Announce(ELDER, "set", 4), "a set is announced by 'count' and 'rank'; here by 'count'"),
        (Announce(ELDER, "blank", 1), "a blank is announced by nothing else; here by 'count'"),
        (Announce(ELDER, "blank", 0), "a blank is announced by nothing else; here by 'count'"),
    ],
)
def test_an_act_that_makes_no_sense_is_malformed(partie: Rules, act: Any, message: str) -> None:
    game = dealt(partie)
    with pytest.raises(Malformed, match=message):
        game.check(act)
    assert act not in game.legal_actions


def test_the_dealer_says_in_which_packets(partie: Rules) -> None:
    game = new_game(partie)
    game.apply(Cut((card(7, 0), card(0, 0))))
    with pytest.raises(Malformed, match="the dealer says in which packets"):
        game.check(Deal(YOUNGER, partie.pack))


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"ask": "class-winner", "by": "A", "class": "flush", "hands": {"A": [], "B": []}}, "no class 'flush'"),
        ({"ask": "class-winner", "by": "A", "class": "set", "hands": {"A": []}}, "'hands' must be given for A, B"),
        ({"ask": "reckoning", "by": "A", "hands": {"A": ["7C"], "B": ["7C"]}}, "a card is named twice"),
        ({"ask": "settlement", "score": {"A": "100", "B": 0}}, "'score' must be a whole number, not '100'"),
        ({"ask": "trick-points", "by": "A", "cards": ["7C"]}, "the cards of 1 to 12 tricks are 2 for each, not 1"),
        ({"ask": "declarable", "by": "A"}, "no such question in this game"),
        ({"ask": "worth", "cards": ["7C", "8C", "9C"]}, "a combination is named at Piquet"),
    ],
)
def test_a_question_that_makes_no_sense_is_malformed(partie: Rules, question: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        dealt(partie).ask(read_question(partie, question))


def test_the_answer_about_a_combination_of_another_game_is_none(partie: Rules) -> None:
    question = read_question(partie, {"ask": "worth", "meld": "bezique", "cards": ["QS", "JD"]})
    assert dealt(partie).ask(question).value is None


def test_tricks_that_could_not_be_played_score_nothing(partie: Rules) -> None:
    """Younger throws a heart to the first spade, and plays a spade to the second."""
    elders = ["AS", "KS", "QS", "JS", "TS", "9S", "8S", "AD", "KD", "QD", "JD", "TD"]
    youngers = ["7H", "7S", "8H", "9H", "TH", "JH", "QH", "KH", "AH", "7C", "8C", "9C"]
    fell = [each for trick in zip(elders, youngers, strict=True) for each in trick]
    question = read_question(partie, {"ask": "trick-points", "by": "A", "cards": fell})
    with pytest.raises(Malformed, match="cannot be played: the player holds a card of the suit led"):
        dealt(partie).ask(question)


@pytest.mark.parametrize(
    "spelt",
    [
        {"by": "A", "do": "deal", "deck": ["7C", "8C"], "packets": 3},
        {"by": "A", "do": "announce", "class": "set", "count": 4, "rank": "Q"},
        {"by": "A", "do": "announce", "class": "sequence", "top": "nought"},
        {"by": "B", "do": "answer", "says": "how-high"},
    ],
)
def test_an_act_is_written_as_it_is_read(partie: Rules, spelt: dict[str, Any]) -> None:
    assert write_act(read_act(partie, spelt)) == spelt


@pytest.mark.parametrize(
    "spelt",
    [
        {"by": "A", "ask": "reckoning", "hands": {"A": ["7C"], "B": ["8C"]}, "blanks": ["B"]},
        {"by": "A", "ask": "class-winner", "class": "point", "hands": {"A": ["7C"], "B": ["8C"]}},
        {"ask": "settlement", "score": {"A": 154, "B": 93}},
        {"by": "A", "ask": "visible"},
    ],
)
def test_a_question_is_written_as_it_is_read(partie: Rules, spelt: dict[str, Any]) -> None:
    assert write_act(read_question(partie, spelt)) == spelt


def test_a_game_has_no_chapter_that_its_table_lacks(partie: Rules) -> None:
    assert partie.get(DeclareRules) is None
    with pytest.raises(Malformed, match="DeclareRules: the table has no such chapter"):
        partie.of(DeclareRules)


def test_a_rule_may_leave_what_is_over_face_down_and_forget_discards(partie: Rules) -> None:
    """Values of the vocabulary that no source has: they too are executed."""
    changed = {"talon.untaken": "left", "talon.discards": "not-seen-again", "talon.peep": "nothing"}
    cells = partie.cells.with_cells(Cell(path, value, ()) for path, value in changed.items())
    game = dealt(compile_cells("changed", cells))
    game.apply(Discard(ELDER, tuple(game.table.hands[ELDER][:3])))
    assert not any(type(act).__name__ == "Peep" for act in game.legal_actions)
    game.apply(Discard(YOUNGER, ()))
    assert str(game.table.phase) == "announce"
    assert game.observation(ELDER)["discards"] == {"A": 3, "B": 0}


def test_a_full_exchange_of_more_cards_than_the_talon_has_is_all_of_it(suite: Suite) -> None:
    """Elder, who may take ten of eight, looks at all that are left; and none of them are younger's alone."""
    changes = {"talon.elder.most": 10, "talon.younger.least": 0, "talon.untaken": "own-looked-at-or-left"}
    game = dealt(with_values(suite.rules.of("piquet-rubicon-hoyle"), changes))
    game.apply(Discard(ELDER, tuple(game.table.hands[ELDER][:1])))
    game.apply(Peep(ELDER))
    assert game.table.seen[ELDER] == set(game.table.stock)
    assert len(game.table.stock) == 7
    game.apply(Discard(YOUNGER, tuple(game.table.hands[YOUNGER][:4])))
    game.apply(Choose(YOUNGER, "looks-at-the-rest"))
    assert not game.table.seen[YOUNGER]


def test_no_pique_is_among_the_points_of_a_deals_tricks(suite: Suite) -> None:
    """Capot brings elder past thirty, and where that makes a pique, it is still none of the points for tricks."""
    rules = suite.rules.of("piquet-rubicon-parlett", {"reckoning.pique.counts": "all-of-the-play"})
    spelt = suite.scenarios["trick-points.deal-capot"].steps[0]
    assert new_game(rules).ask(read_question(rules, spelt)).value == (53, 0)


@pytest.mark.parametrize(("value", "points"), [("capot-alone", 53), ("both", 63), ("instead-of-the-last-trick", 62)])
def test_capot_may_be_scored_beside_the_cards_and_instead_of_the_last_trick(
    partie: Rules, suite: Suite, value: str, points: int
) -> None:
    """Twelve leads and forty, with one for the last trick, ten for the cards, or both."""
    rules = with_values(partie, {"score.capot.and_cards": value})
    spelt = suite.scenarios["trick-points.deal-capot"].steps[0]
    assert new_game(rules).ask(read_question(rules, spelt)).value == (points, 0)


def test_a_class_that_is_scored_bars_the_repique_when_younger_has_played(suite: Suite) -> None:
    """Where only what is scored bars it, it is marked when younger plays, unless younger has scored by then."""
    check = suite.index.checks["pique.not-after-thirty-in-combinations@piquet-rubicon-parlett"]
    rules = suite.rules.of(check.ruleset, {"reckoning.repique.barred_by": "what-is-scored-first"})
    message = planner_of(suite).request(check).message
    steps = [*message["steps"], {"by": "B", "do": "play", "card": "8H"}]
    assert trace(rules, {**message, "steps": steps})[-1].observation["score"] == {"A": 31, "B": 6}
    without = [*message["steps"][:-1], steps[-1]]
    assert trace(rules, {**message, "steps": without})[-1].observation["score"] == {"A": 91, "B": 0}


def test_a_lead_that_scores_nothing_makes_no_pique(suite: Suite) -> None:
    """Elder has thirty behind younger's point; where thirty may make a pique, it is by the first points of the play."""
    check = suite.index.checks["pique.exactly-thirty-before-the-lead@piquet-hoyle"]
    changes = {"reckoning.pique.thirty_before": "pique", "score.lead": 0}
    led = trace(with_values(suite.rules.of(check.ruleset), changes), planner_of(suite).request(check).message)[10]
    assert led.observation["score"] == {"A": 30, "B": 0}
    assert not any(isinstance(event, Scored) for event in led.events)


def test_nothing_is_booked_where_tricks_bring_no_points(suite: Suite) -> None:
    points = ("score.lead", "score.capture", "score.last_trick.points", "score.cards.points", "score.capot.points")
    rules = with_values(
        suite.rules.of("piquet-rubicon-parlett", {"score.cards.when": "when-certain"}), dict.fromkeys(points, 0)
    )
    game, _ = play(rules, 5, bytes(range(40)))
    booked = [event for event in game.log if isinstance(event, Scored)]
    assert booked
    assert all(event.points for event in booked)


@pytest.mark.parametrize("when", ["after-the-last-trick", "when-certain"])
def test_without_a_capot_all_tricks_score_the_cards(suite: Suite, when: str) -> None:
    """Thirteen for the tricks and ten for the cards, whether the table has no capot or one that brings nothing."""
    rules = suite.rules.of("piquet-rubicon-parlett", {"score.cards.when": when})
    without = compile_cells("without", rules.cells.without(["score.capot"]))
    spelt = suite.scenarios["trick-points.deal-capot"].steps[0]
    for changed in (without, with_values(rules, {"score.capot.points": 0})):
        assert new_game(changed).ask(read_question(changed, spelt)).value == (23, 0)


@pytest.mark.parametrize(
    ("changes", "scores", "winner"),
    [
        ({"reckoning.pique.barred_by": "what-is-good"}, {"A": 101, "B": 100}, "A"),
        ({"score.lead": 0}, {"A": 100, "B": 100}, "A"),
        ({}, {"A": 71, "B": 100}, "B"),
    ],
)
def test_a_repique_marked_late_counts_with_what_makes_it_where_thirty_may_make_a_pique(
    suite: Suite, changes: dict[str, Any], scores: dict[str, int], winner: str
) -> None:
    """Elder's 60 are a repique where the first lead can have made no pique, and a pique where it has made one."""
    check = suite.index.checks["reckoned.set-against-a-repique-to-come@piquet-hoyle"]
    readings = {"reckoning.repique.barred_by": "what-is-scored-first", "reckoning.pique.thirty_before": "pique"}
    rules = with_values(suite.rules.of(check.ruleset), readings | changes)
    position = trace(rules, planner_of(suite).request(check).message)[-1].position
    assert (position["score"], position["game_won_by"]) == (scores, winner)


def test_a_settlement_may_be_turned_round(partie: Rules) -> None:
    """The words for over and under the rubicon each mean what they say, wherever they stand."""
    changed = {"settle.over_the_rubicon": "total", "settle.under_the_rubicon": "difference"}
    cells = partie.cells.with_cells(Cell(path, value, ()) for path, value in changed.items())
    game = new_game(compile_cells("changed", cells))
    assert game.ask(Settlement((154, 113))).value == (0, 100 + 154 + 113)
    assert game.ask(Settlement((93, 154))).value == (1, 100 + 154 - 93)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"announces": "B"}, "A is elder, so A announces"),
        ({"announces": "A", "trumps": "H"}, "there is no 'trumps' under piquet-rubicon-parlett"),
        ({"announces": "A", "scored": {"A": []}}, "in this game, 'called' and 'made_of' give what has been scored"),
        ({"announces": "A", "called": {"sequence": "A"}}, "the classes are decided in order"),
        ({"announces": "A", "hands": {"A": ["AS"]}}, "A must hold 12 cards here, not 1: every hand has 12 cards"),
        ({"exchanges": "A", "stock": ["AS"]}, "the talon has 1 cards, but must have 8 here"),
        (
            {
                "leads": "A",
                "discarded": {"A": ["AS", "KS"], "B": []},
                "hands": {"A": ["7S"], "B": ["8S"]},
                "won": {"A": ["AH"], "B": ["KH"]},
            },
            "tricks have 2 cards each",
        ),
        ({"leads": "A", "trick": ["AS", "KS"]}, "the trick is complete"),
    ],
)
def test_a_position_that_cannot_be_completed_is_told(partie: Rules, given: dict[str, Any], message: str) -> None:
    with pytest.raises(CannotSetUp, match=message):
        complete(partie, given, [])


def test_a_game_that_is_drawn_for_has_no_talon(rules: Rules) -> None:
    with pytest.raises(CannotSetUp, match="there is no 'exchanges' under bezique-hoyle"):
        complete(rules, {"exchanges": "A"}, [])


def test_a_card_in_the_trick_and_a_wrong_exchange_are_told(partie: Rules) -> None:
    spelt = write_position(exchanged(partie).table)
    hand = spelt["hands"]["A"]
    with pytest.raises(Malformed, match="no card is played before the calling is over"):
        read_position(partie, spelt | {"hands": {**spelt["hands"], "A": hand[1:]}, "trick": hand[:1], "turn": "B"})
    away = spelt["discards"]
    swapped = {"A": [*away["A"], away["B"][0]], "B": away["B"][1:]}
    with pytest.raises(Malformed, match="elder discards 1 to 5 cards, not 6"):
        read_position(partie, spelt | {"discards": swapped})


def test_the_acts_of_a_view_are_counted_from_either_end(partie: Rules) -> None:
    legal = dealt(partie).legal_actions
    assert legal[-1] == legal[len(legal) - 1] == list(legal)[-1]
    assert legal[-len(legal)] == legal[0]


@pytest.mark.parametrize(
    ("table", "changes", "message"),
    [
        ("rubicon", ("extends: piquet-saunt-parlett", "extends: piquet-sant"), "no ruleset 'piquet-sant' to extend"),
        (
            "rubicon",
            ("[settle.target, settle.winner]", "[settle.goal]"),
            "no cell 'settle.goal' in the table it extends",
        ),
        ("rubicon", ("deals: {is: 6", "deals: {is: 0"), "changes.cells.settle.deals.is is 0, less than 1"),
        (
            "saunt",
            (
                "{id: quart, name: quart, class: sequence, cards: 4",
                "{id: quart, name: quart, class: sequence, cards: 3",
            ),
            "the combination 'quart' is already described",
        ),
        ("saunt", ("id: sixieme,", "id: quint,"), "the combination 'quint' is already described"),
        (
            "saunt",
            ("least: {is: 0, cites: [parlett/exchange/y", "least: {is: 4, cites: [parlett/exchange/y"),
            "talon.younger.least: younger must exchange 4 cards, and elder can leave only 3",
        ),
        (
            "saunt",
            ("least: {is: 1, cites: [parlett/exchange/e", "least: {is: 6, cites: [parlett/exchange/e"),
            "talon.elder.least: elder must exchange 6 cards, and may exchange only 5",
        ),
    ],
)
def test_a_faulty_table_of_piquet_is_told(
    suite: Suite, tmp_path: Path, table: str, changes: tuple[str, str], message: str
) -> None:
    text = (ROOT / f"spec/rulesets/piquet-{table}-parlett.ruleset.yaml").read_text("utf-8")
    assert changes[0] in text
    text = text.replace(*changes, 1).replace(f"id: piquet-{table}-parlett", "id: house", 1)
    file = tmp_path / "house.ruleset.yaml"
    file.write_text(text, encoding="utf-8")
    told = [fault.message for fault in check_file(suite, file)]
    assert [message] == told[:1]


def test_where_points_have_no_order_the_first_to_score_it_is_first_as_reckoned(suite: Suite) -> None:
    """A game without the reckoning of Piquet takes points as they come, whatever its table calls the winner."""
    ends = []
    for winner in ("first-to-reach", "first-as-reckoned"):
        changed = {"settle.winner": winner, "settle.target": 200}
        cells = suite.rules.of("bezique-hoyle").cells.with_cells(
            Cell(path, value, ()) for path, value in changed.items()
        )
        game, _ = play(compile_cells("changed", cells), 5, bytes(range(40)))
        ends.append((game.table.game_won_by, tuple(game.table.score), len(game.table.stock)))
    assert ends[0] == ends[1]
    assert ends[0][0] is not None


def after_a_small_exchange(rules: Rules, of_elder: int) -> Game:
    """A game in which elder has exchanged this many cards, and younger one."""
    game = dealt(rules)
    game.apply(Discard(ELDER, tuple(game.table.hands[ELDER][:of_elder])))
    game.apply(Discard(YOUNGER, tuple(game.table.hands[YOUNGER][:1])))
    return game


def before_the_first_lead(rules: Rules) -> Game:
    """A game in which younger has looked at the rest of the talon if possible, and all classes are called."""
    game = after_a_small_exchange(rules, 5)
    if game.table.phase is Phase.CHOOSE:
        game.apply(Choose(YOUNGER, "looks-at-the-rest"))
    while game.table.phase is Phase.ANNOUNCE:
        game.apply(game.legal_actions[-1])
    return game


def test_elder_may_ask_to_see_what_younger_has_looked_at_and_nobody_else_may(suite: Suite) -> None:
    """After the first lead, or before it with a suit that elder holds; once, and never younger."""
    game = before_the_first_lead(suite.rules.of("piquet-rubicon-hoyle"))
    held = {suit_of(each) for each in game.table.hands[ELDER]}
    lacking = [suit for suit in range(4) if suit not in held]
    asked = [Peep(YOUNGER), Peep(ELDER), *(Peep(ELDER, suit) for suit in lacking)]
    refused = [refusal.code for act in asked if (refusal := game.check(act))]
    assert refused == ["not-your-turn", "not-now", *("card-not-held" for _ in lacking)]
    assert lacking, "a suit that elder holds none of belongs to the question"
    game.apply(Peep(ELDER, min(held)))
    assert set(game.table.stock) <= game.table.seen[ELDER]
    again = game.check(Peep(ELDER, min(held)))
    assert again is not None
    assert again.code == "nothing-to-peep-at"


def test_looks_at_what_younger_has_seen_are_listed_while_there_are_any(suite: Suite) -> None:
    """Elder may name any suit held before the first lead, and no suit after it; after the look there is none."""
    game = before_the_first_lead(suite.rules.of("piquet-rubicon-hoyle"))
    held = sorted({suit_of(each) for each in game.table.hands[ELDER]})
    assert _peeps(game) == [Peep(ELDER, suit) for suit in held]
    game.apply(next(act for act in game.legal_actions if isinstance(act, Play)))
    assert _peeps(game) == [Peep(ELDER)]
    game.apply(Peep(ELDER))
    assert _peeps(game) == []


def _peeps(game: Game) -> list[Act]:
    return [act for act in game.legal_actions if isinstance(act, Peep)]


def test_the_suit_that_was_named_is_all_that_may_be_led_where_it_binds(suite: Suite) -> None:
    game = before_the_first_lead(suite.rules.of("piquet-rubicon-hoyle", {"talon.named_suit": "must-be-led"}))
    named = suit_of(game.table.hands[ELDER][0])
    game.apply(Peep(ELDER, named))
    led = [act for act in game.legal_actions if isinstance(act, Play)]
    assert {act.card for act in led} == {each for each in game.table.hands[ELDER] if suit_of(each) == named}
    game.apply(led[0])
    assert game.table.named_suit is None


DISCARDS_FIRST = {"blank.elder_shows": "after-youngers-discard"}
COURT_CARDS = tuple(card(rank, suit) for suit in range(4) for rank in (6, 5, 4))


def asked_for_the_discard(suite: Suite) -> Game:
    """A game in which elder, who is to exchange, has announced a blank, so that younger discards first."""
    rules = with_values(suite.rules.of("piquet-rubicon-hoyle"), DISCARDS_FIRST)
    spelt = write_position(dealt(rules).table)
    hands = {"A": ["AS", "TS", "9S", "8S", "7S", "AH", "TH", "9H", "8H", "7H", "AD", "TD"], "B": names(COURT_CARDS)}
    stock = ["9D", "8D", "7D", "AC", "TC", "9C", "8C", "7C"]
    game = Game(read_position(rules, spelt | {"hands": hands, "stock": stock}))
    game.apply(Announce(ELDER, "blank"))
    return game


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"turn": "B"}, "before drawing younger puts away 0 to 0 cards, not 3"),
        ({"blanks": {"A": "unspoken", "B": "unspoken"}}, "before drawing younger puts away 0 to 0 cards, not 3"),
        ({"discards": {"A": [], "B": []}}, "before drawing younger puts away 1 to 3 cards, not 0"),
    ],
)
def test_younger_has_put_cards_away_early_only_for_elders_blank(
    suite: Suite, changes: dict[str, Any], message: str
) -> None:
    game = asked_for_the_discard(suite)
    game.apply(Discard(YOUNGER, COURT_CARDS[:3]))
    spelt = write_position(game.table) | changes
    away = spelt["discards"]["B"]
    spelt["hands"]["B"] = [each for each in names(COURT_CARDS) if each not in away]
    with pytest.raises(Malformed, match=message):
        read_position(game.rules, spelt)


def test_elder_exchanges_a_card_at_least_where_younger_discards_for_a_blank(suite: Suite) -> None:
    with pytest.raises(Malformed, match="elder must exchange a card if younger discards for elder's blank"):
        with_values(suite.rules.of("piquet-rubicon-hoyle"), DISCARDS_FIRST | {"talon.elder.least": 0})


def test_elder_may_look_at_cards_that_elder_left_until_the_play_if_younger_decides_after_the_lead(suite: Suite) -> None:
    changes = {"talon.untaken": AFTER_THE_LEAD, "talon.peep": "at-the-rest-while-it-is-left"}
    game = after_a_small_exchange(with_values(suite.rules.of("piquet-rubicon-hoyle"), changes), 1)
    game.apply(Peep(ELDER))
    assert len(game.table.seen[ELDER]) == 3


@pytest.mark.parametrize(
    ("score", "winners"),
    [
        (99, [None, None, None, None, None]),
        (117, [None, None, None, None, "A"]),
        (118, [None, None, "A"]),
        (119, [None, "A"]),
        (129, ["A"]),
    ],
)
def test_a_pique_that_counts_after_the_play_does_not_count_with_cards_that_are_certain_before(
    suite: Suite, score: int, winners: list[str | None]
) -> None:
    """Elder has made a pique, leads, and wins the seventh trick with it: the cards, and the leads that follow, count as
    they are booked, and the thirty not yet."""
    changes = {"settle.bonuses": "after-the-hand-and-the-play", "score.cards.when": "when-certain"}
    rules = with_values(suite.rules.of("piquet-hoyle"), changes)
    given = {
        "leads": "A",
        "called": {"point": "A", "sequence": "nobody", "set": "A"},
        "made_of": {"A": {"point": 6, "set": 17, "bonus": 30, "tricks": 9}, "B": {"tricks": 2}},
        "won": {"A": ["AH", "KH", "QH", "JH", "TH", "9H", "AD", "KD", "QD", "JD", "TD", "9D"], "B": ["7D", "8D"]},
        "hands": {"A": ["AS", "KS", "QS", "JS", "TS"], "B": ["9S", "8S", "7S", "7H", "8H"]},
        "score": {"A": score, "B": 50},
    }
    game = Game(read_position(rules, complete(rules, given, [])))
    seen = []
    for each in ("AS", "9S", "KS", "8S", "QS"):
        if not game.is_over:
            game.apply(read_act(rules, {"by": seat_name(game.table.turn), "do": "play", "card": each}))
            seen.append(game.table.game_won_by)
    assert seen == [None if winner is None else ELDER for winner in winners]


def with_a_blank_of_thirty(suite: Suite, changes: dict[str, Any], given: dict[str, Any]) -> Game:
    """A game of piquet-hoyle before the first lead, in which a blank scores thirty."""
    rules = with_values(suite.rules.of("piquet-hoyle"), {"blank.points": 30, **changes})
    hands = {
        "A": ["AS", "KS", "QS", "9S", "AH", "KH", "9H", "8H", "QD", "9D", "KC", "8C"],
        "B": ["TS", "8S", "QH", "TH", "7H", "AD", "TD", "8D", "7D", "AC", "TC", "7C"],
    }
    position = complete(rules, {"leads": "A", "hands": hands, **given}, [])
    return Game(read_position(rules, position))


def test_no_late_repique_follows_from_a_blank_alone(suite: Suite) -> None:
    """A combination makes a repique; a point of younger's that is never scored has stood in the way of none."""
    given = {
        "called": {"point": "B", "sequence": "nobody", "set": "nobody"},
        "blanks": {"A": "scored"},
        "made_of": {"A": {"blank": 30}},
        "score": {"A": 30, "B": 0},
    }
    game = with_a_blank_of_thirty(suite, {"reckoning.repique.barred_by": "what-is-scored-first"}, given)
    for each in ("9S", "TS"):
        game.apply(read_act(game.rules, {"by": seat_name(game.table.turn), "do": "play", "card": each}))
    assert game.scores == (31, 1)


def test_no_repique_is_to_come_for_a_blank_alone(suite: Suite) -> None:
    """Younger could still score three tens, which bring no repique to a blank of thirty: elder is first by the lead."""
    given = {
        "called": {"point": "nobody", "sequence": "nobody", "set": "B"},
        "announced": {"set": {"count": 0}},
        "blanks": {"B": "scored"},
        "made_of": {"B": {"blank": 30}},
        "score": {"A": 99, "B": 60},
    }
    game = with_a_blank_of_thirty(suite, {}, given)
    game.apply(read_act(game.rules, {"by": "A", "do": "play", "card": "9S"}))
    assert game.table.game_won_by == ELDER


def test_a_pique_after_a_blank_of_thirty_is_no_repique(suite: Suite) -> None:
    """Where it counts after the play, elder is not at a hundred with the lead that makes it."""
    given = {
        "called": {"point": "nobody", "sequence": "nobody", "set": "nobody"},
        "blanks": {"A": "scored"},
        "made_of": {"A": {"blank": 30}},
        "score": {"A": 70, "B": 0},
    }
    changes = {"settle.bonuses": "after-the-hand-and-the-play", "reckoning.pique.thirty_before": "pique"}
    game = with_a_blank_of_thirty(suite, changes, given)
    game.apply(read_act(game.rules, {"by": "A", "do": "play", "card": "9S"}))
    assert (game.scores, game.table.game_won_by) == ((101, 0), None)


# ---- Engines that are wrong in one thing


def found(suite: Suite, name: str, rules: Rules) -> Result:
    """What a check finds of these rules."""
    check = suite.index.checks[name]
    plan = planner_of(suite).request(check)
    return judge(check, plan, observations(rules, plan.message), trusted=True)


@pytest.mark.parametrize(
    ("name", "path", "value", "reading"),
    [
        (
            "reckoned.elders-repique-with-the-sequence@piquet-hoyle",
            "settle.bonuses",
            "after-the-hand-and-the-play",
            "after-the-sets",
        ),
        (
            "reckoned.a-pique-and-youngers-hundred@piquet-hoyle",
            "settle.bonuses",
            "after-the-hand-and-the-play",
            "after-the-play",
        ),
        (
            "pique.flat-points-younger-reaches-thirty@piquet-rubicon-parlett+ten-for-the-last",
            "reckoning.pique.by",
            "either-player",
            "either-player",
        ),
    ],
)
def test_a_bonus_in_another_place_or_for_another_player_is_noticed(
    suite: Suite, name: str, path: str, value: str, reading: str
) -> None:
    """A repique added after all combinations, a pique after the play, and a pique of younger's, are other readings."""
    rules, follows = suite.rules.of(suite.index.checks[name].ruleset), suite.index.checks[name].follows
    assert found(suite, name, rules).readings == (follows,)
    changed = found(suite, name, with_values(rules, {path: value})).readings
    assert reading in changed
    assert follows not in changed


def test_a_pique_that_elder_has_barred_is_no_pique_of_youngers(suite: Suite) -> None:
    """An engine that gives younger a pique whatever elder has scored fails, though younger may make one."""
    name = "pique.flat-points-younger-after-elders-trick@piquet-rubicon-parlett+ten-for-the-last"
    either = suite.rules.of(suite.index.checks[name].ruleset, {"reckoning.pique.by": "either-player"})
    assert found(suite, name, either).status is Status.PASS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reckoning, "_reckoned", lambda table, seat: 30 if seat == table.dealer else 0)
        assert found(suite, name, either).status is Status.FAIL


def test_the_turn_after_a_tied_partie_is_noticed(suite: Suite) -> None:
    """After a tie it is the next dealer's turn, and not that of the player who has won the last trick."""
    name = "partie.who-deals-after-a-tie@piquet-rubicon-parlett"
    rules = suite.rules.of("piquet-rubicon-parlett")
    assert found(suite, name, rules).status is Status.PASS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game_end, "_dealer", lambda table: table.leader)
        assert found(suite, name, rules).status is Status.FAIL
