"""The vocabulary holds what tables say, and no more; made-up tables execute what no source says.

A value that no table has is dropped, or belongs to a made-up table. The made-up tables hold what an engine might do
wrong: without these values no test would show that the suite notices a changed cell.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from conftest import ROOT
from games import acts, tables
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulings
from hoyle_reference import (
    Game,
    Refusal,
    Rules,
    compile_rules,
    new_game,
    read_act,
    read_position,
    read_question,
    write_act,
)
from hoyle_reference.cells import Cells, lay_flat
from hoyle_reference.chapters.draw import NEXT_CARDS
from hoyle_reference.chapters.referee.chapter import CHOICES
from hoyle_reference.chapters.referee.effects import EFFECTS
from hoyle_reference.chapters.referee.findings import FINDS, WINDOWS

pytestmark = pytest.mark.interpreter

MADE_UP = sorted((ROOT / "tests" / "tables").glob("*.ruleset.yaml"))
SHIPPED = {table["id"]: table for table in tables()}


def made_up(document: Document) -> Mapping[str, Any]:
    return {**document.data, "extends": SHIPPED[document.data["extends"]]}


def compiled(name: str) -> Rules:
    path = ROOT / "tests" / "tables" / f"{name}.ruleset.yaml"
    return compile_rules(made_up(read_file(path, path.name)))


def parameters(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, each in schema.get("properties", {}).items():
        if "is" in each.get("properties", {}):
            yield f"{path}{name}", each["properties"]["is"]
        elif isinstance(each, dict):
            yield from parameters(each, f"{path}{name}.")


def said_by(cells: Cells) -> set[tuple[str, Any]]:
    """What some cells say, or could be read to say."""
    words = {(cell.path, cell.value) for cell in cells if isinstance(cell.value, str)}
    return words | {(cell.path, each.value) for cell in cells for each in cell.readings if isinstance(each.value, str)}


def test_every_value_of_the_vocabulary_is_in_some_table(suite: Suite) -> None:
    assert suite.rules.cells("bezique-hoyle").clauses(["deal.trumps_made_by"]) == {"hoyle/bezique/turn-up"}
    known = {
        (path, word)
        for path, schema in parameters(suite.schemas.documents["ruleset"])
        for word in schema.get("enum", ())
    }
    shipped = set().union(*(said_by(suite.rules.of(name).cells) for name in suite.rules.names))
    invented = set().union(*(said_by(lay_flat(made_up(read_file(path, path.name)))) for path in MADE_UP))
    assert known - shipped - invented == set()
    assert len(known) > 100


def test_every_word_of_the_referee_is_in_some_table_and_in_the_interpreter(suite: Suite) -> None:
    """What may be said of an irregularity is said somewhere, and what is said can be carried out."""
    properties = suite.schemas.documents["ruleset"]["$defs"]["irregularity"]["properties"]
    remedy = properties["remedies"]["items"]["properties"]
    rows = [row for name in suite.rules.names for row in suite.rules.of(name).cells.rows("referee.irregularities")]
    said = [value for row in rows for value in (row.value, *(reading.value for reading in row.readings))]
    remedies = [each for row in said for each in row["remedies"]]
    done = [*(each["does"] for each in remedies), *(row.get("at_first", ()) for row in said)]
    effects = {effect["effect"] for each in done for effect in each}
    assert effects == set(EFFECTS) == set(remedy["does"]["items"]["properties"]["effect"]["enum"])
    assert {row["until"] for row in said} == set(WINDOWS) == set(properties["until"]["enum"])
    assert {row["finds"] for row in said if "finds" in row} == set(FINDS) == set(properties["finds"]["enum"])
    assert {each["choice"] for each in remedies} == set(remedy["choice"]["enum"])
    assert {code for row in said for code in row.get("breaks", ())} == set(properties["breaks"]["items"]["enum"])
    several = {each["choice"] for row in said if "chooses" in row for each in row["remedies"]}
    assert several >= set(CHOICES)
    assert set(rulings.UNTIL) == set(WINDOWS)
    assert set(rulings.REMEDIES) <= {*several, *NEXT_CARDS.choices}
    assert set(rulings.HAPPENS) <= {each["choice"] for each in remedies}


@pytest.mark.parametrize("path", MADE_UP, ids=lambda path: path.name.partition(".")[0])
def test_a_made_up_table_is_needed_and_valid(suite: Suite, path: Any) -> None:
    """It is written in the vocabulary, and says nothing that a shipped table says."""
    document = read_file(path, path.name)
    assert suite.schemas.check("ruleset", document) == []
    shipped = set().union(*(said_by(suite.rules.of(name).cells) for name in suite.rules.names))
    own = said_by(lay_flat({**document.data["changes"]["cells"], "id": "own"}))
    assert own & shipped == set()


@pytest.mark.parametrize("path", MADE_UP, ids=lambda path: path.name.partition(".")[0])
@pytest.mark.parametrize("seed", [1, 20])
def test_whole_games_are_played_by_a_made_up_table(path: Any, seed: int) -> None:
    rules = compile_rules(made_up(read_file(path, path.name)))
    game = new_game(rules)
    for act in acts(game, seed, bytes(range(256))):
        game.apply(act)
        if game.table.is_dealt:
            assert sorted(game.table.cards()) == list(rules.pack)
    assert game.is_over


def position(rules: Rules, **more: Any) -> dict[str, Any]:
    """Bézique in its last tricks, A to lead: hearts are trumps, and both have a card of three suits."""
    hands = {"A": ["KS", "9H", "8D"], "B": ["KS#2", "7S", "AH"]}
    held = {text for hand in hands.values() for text in hand}
    from hoyle_reference.cards import names

    won = [text for text in names(rules.pack) if text not in held]
    last: dict[str, Any] = {"phase": "play", "turn": "A", "leader": "A", "dealer": "B", "score": {"A": 0, "B": 0}}
    return {**last, "hands": hands, "stock": [], "trumps": "H", "turn_up": None, "won": {"A": won, "B": []}, **more}


def ask(rules: Rules, spelt: Mapping[str, Any], **question: Any) -> Any:
    return Game(read_position(rules, spelt)).ask(read_question(rules, question)).value


def test_identical_cards_may_be_won_by_the_last_played() -> None:
    rules = compiled("contrary-bezique")
    assert ask(rules, position(rules), ask="winner", by="A", cards=["KS", "KS#2"]) == 1


def test_trumps_may_have_no_power() -> None:
    rules = compiled("contrary-bezique")
    assert ask(rules, position(rules), ask="winner", by="A", cards=["8D", "AH"]) == 0


def test_the_last_tricks_may_be_free() -> None:
    open_ = []
    for rules in (compiled("contrary-bezique"), compile_rules(SHIPPED["bezique-hoyle"])):
        game = Game(read_position(rules, position(rules)))
        game.apply(read_act(rules, {"by": "A", "do": "play", "card": "KS"}))
        open_.append(sorted(write_act(act)["card"] for act in game.legal_actions))
    assert open_ == [["7S", "AH", "KS#2"], ["7S", "KS#2"]]


def test_the_dealer_may_be_served_and_lead_first() -> None:
    rules = compiled("contrary-bezique")
    game = new_game(rules)
    for act in acts(game, 3, b"\0"):
        game.apply(act)
        if game.table.is_dealt:
            break
    assert game.table.turn == game.table.dealer


def test_duties_may_bind_while_the_players_draw() -> None:
    rules = compiled("contrary-bezique")
    duties = rules.tricks.while_drawing
    assert (duties.follow.value, duties.win.value, duties.trump.value) == (True, True, True)
    assert rules.tricks.without_drawing.follow.value is False
    game, bound = new_game(rules), 0
    for act in acts(game, 5, bytes(range(256)), most_deals=3):
        game.apply(act)
        if game.table.trick and game.table.drawing:
            hand = game.table.hands[game.table.turn]
            refused = [
                game.check(read_act(rules, {"by": "AB"[game.table.turn], "do": "play", "card": each}))
                for each in game.observation(game.table.turn)["hands"]["AB"[game.table.turn]]
            ]
            bound += any(isinstance(each, Refusal) for each in refused)
            assert len(refused) == len(hand)
    assert bound > 5


def test_brisques_may_leave_the_rubicon_as_it_is() -> None:
    rules = compiled("contrary-rubicon")
    game = new_game(rules)
    question = {"ask": "settlement", "score": {"A": 1500, "B": 900}, "brisques": {"A": 0, "B": 320}}
    saved = new_game(settled := compile_rules(SHIPPED["rubicon-hoyle"])).ask(read_question(settled, question)).value
    assert game.ask(read_question(rules, question)).value != saved
