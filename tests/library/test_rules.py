import copy
from typing import Any

import pytest

import hoyle
from games import sent


def test_rules_describe_their_game(bezique: hoyle.Rules) -> None:
    assert (bezique.name, bezique.ruleset, bezique.options) == ("bezique-hoyle", "bezique-hoyle", ())
    assert (bezique.players, bezique.packs, bezique.game) == (("A", "B"), 2, "Bézique")
    assert bezique.title == "Bézique for two, after Hoyle"
    assert hoyle.rules("four-handed-h2g2").players == ("A", "B", "C", "D")


def test_rules_have_values_and_clauses(bezique: hoyle.Rules) -> None:
    assert bezique.values()["tricks.identical_cards_won_by"] == "first-played"
    assert bezique.clauses("tricks.identical_cards_won_by") == ("hoyle/bezique/identical-cards",)
    bezique.values().clear()
    assert bezique.values()
    with pytest.raises(hoyle.UnknownNameError, match=r"bezique-hoyle: no rule 'tricks\.none'") as caught:
        bezique.clauses("tricks.none")
    assert caught.value.code == "unknown-rule"


def test_rules_are_a_value(bezique: hoyle.Rules) -> None:
    same = hoyle.rules("bezique-hoyle")
    assert same == bezique
    assert hash(same) == hash(bezique)
    assert copy.copy(bezique) == copy.deepcopy(bezique) == sent(bezique) == bezique
    assert len({bezique, same, sent(bezique)}) == 1
    assert bezique != hoyle.rules("bezique-hoyle+brisques-at-end")


def test_rules_of_another_reading_are_others(bezique: hoyle.Rules) -> None:
    chooses = hoyle.rules("bezique-hoyle", readings={"deal.cut_winner": "chooses"})
    deals = hoyle.rules("bezique-hoyle", readings={"deal.cut_winner": "deals"})
    assert chooses != deals
    assert len({bezique, chooses, deals}) == 3
    assert str(chooses) == "bezique-hoyle{deal.cut_winner:chooses}"


def test_rules_answer_questions(bezique: hoyle.Rules, piquet: hoyle.Rules) -> None:
    assert bezique.winner("9D 9D#2") == hoyle.Answer("A", ("hoyle/bezique/identical-cards",))
    assert bezique.winner(["9D", "7C"], trumps="C", by="B").value == "A"
    assert bezique.worth("QS JD").value == hoyle.Worth("bezique", 40)
    assert bezique.worth("QS JH").value is None
    assert bezique.ask({"ask": "worth", "cards": ["QS", "JD"]}).value == {"meld": "bezique", "points": 40}
    assert piquet.settlement({"A": 104, "B": 80}).value.winner == "A"
    assert piquet.class_winner("point", {"count": 5, "value": 49}, {"count": 5, "value": 50}).value == "B"


@pytest.mark.parametrize("question", [{}, [], {"ask": "reckoning"}, {"ask": "counted", "cards": ["10S"]}], ids=str)
def test_what_is_no_question(bezique: hoyle.Rules, question: Any) -> None:
    with pytest.raises(hoyle.NotationError, match=r"^bezique-hoyle: ") as caught:
        bezique.ask(question)
    assert "T J Q K A" in caught.value.remedy


@pytest.mark.slow
def test_all_rules_are_compiled_as_the_suite_compiles_them() -> None:
    from hoyle._load import shipped_suite

    books = shipped_suite().rules
    for name in books.names:
        rules = hoyle.rules(name)
        assert list(rules._compiled.cells) == list(books.of(name).cells)
        assert rules._compiled.pack == books.of(name).pack
