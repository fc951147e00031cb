import copy

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
    assert bezique != hoyle.rules("bezique-britannica")
    assert bezique != "bezique-hoyle"


def test_rules_of_another_reading_are_others(bezique: hoyle.Rules) -> None:
    chooses = hoyle.rules("bezique-hoyle", readings={"deal.cut_winner": "chooses"})
    deals = hoyle.rules("bezique-hoyle", readings={"deal.cut_winner": "deals"})
    assert chooses != deals
    assert len({bezique, chooses, deals}) == 3
    assert str(chooses) == "bezique-hoyle{deal.cut_winner:chooses}"
    assert repr(bezique) == "<Rules bezique-hoyle>"


def test_rules_do_not_change(bezique: hoyle.Rules) -> None:
    with pytest.raises(AttributeError):
        bezique.name = "mine"  # type: ignore[misc]


@pytest.mark.slow
def test_all_rules_are_compiled_as_the_suite_compiles_them() -> None:
    from hoyle._load import shipped_suite

    books = shipped_suite().rules
    for name in books.names:
        rules = hoyle.rules(name)
        assert list(rules._compiled.cells) == list(books.of(name).cells)
        assert rules._compiled.pack == books.of(name).pack
