from pathlib import Path
from typing import Any

import pytest

import hoyle
from conftest import ROOT

HOUSE = {"id": "my-rules", "extends": "bezique-hoyle", "rules": {"settle.target": 500}}


def test_rulesets_are_those_of_the_specification() -> None:
    files = {path.name.partition(".")[0] for path in (ROOT / "spec/rulesets").glob("*.ruleset.yaml")}
    assert set(hoyle.rulesets()) == files


def test_options_are_named_in_any_order() -> None:
    both = hoyle.rules("bezique-hoyle", options=["ten-at-whist-rank", "brisques-at-end"])
    assert both.name == "bezique-hoyle+brisques-at-end+ten-at-whist-rank"
    assert both.options == ("brisques-at-end", "ten-at-whist-rank")
    assert hoyle.rules("bezique-hoyle+ten-at-whist-rank+brisques-at-end") == both
    assert hoyle.rules("bezique-hoyle+ten-at-whist-rank", options=("brisques-at-end",)) == both
    assert hoyle.rules("bezique-hoyle", options="brisques-at-end").options == ("brisques-at-end",)


@pytest.mark.parametrize(
    ("names", "code", "said"),
    [
        ({"ruleset": "bezique-hoyl"}, "unknown-ruleset", "no ruleset 'bezique-hoyl'. Did you mean 'bezique-hoyle'?"),
        (
            {"ruleset": "bezique-hoyle+brisque-at-end"},
            "unknown-option",
            "bezique-hoyle: no option 'brisque-at-end'. Did you mean 'brisques-at-end'?",
        ),
        (
            {"ruleset": "bezique-hoyle", "readings": {"deal.cut_winer": "deals"}},
            "unknown-rule",
            "bezique-hoyle: no rule 'deal.cut_winer'. Did you mean 'deal.cut_winner'?",
        ),
        (
            {"ruleset": "bezique-hoyle", "readings": {"deal.cut_winner": "sings"}},
            "unknown-reading",
            "bezique-hoyle, deal.cut_winner: no reading 'sings' (it has: deals, chooses)",
        ),
    ],
    ids=str,
)
def test_wrong_name_has_a_remedy(names: dict[str, Any], code: str, said: str) -> None:
    with pytest.raises(hoyle.UnknownNameError) as caught:
        hoyle.rules(**names)
    assert caught.value.code == code
    assert said in str(caught.value)


@pytest.mark.parametrize("as_file", [True, False])
def test_house_rules_are_rules(tmp_path: Path, bezique: hoyle.Rules, *, as_file: bool) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("id: my-rules\nextends: bezique-hoyle\nrules:\n  settle.target: 500\n", "utf-8")
    for house in (file, str(file)) if as_file else (HOUSE,):
        rules = hoyle.rules(house=house)
        assert rules.name == "my-rules"
        changed = {path for path, value in rules.values().items() if bezique.values().get(path) != value}
        assert changed == {"settle.target"}
        assert rules.values()["settle.target"] == 500
        assert hoyle.rules("my-rules", house=house) == rules
        assert hoyle.Game(rules).scores() == {"A": 0, "B": 0}


def test_house_rules_may_read_a_disputed_rule_otherwise() -> None:
    rules = hoyle.rules(house=HOUSE, readings={"deal.cut_winner": "chooses"})
    assert rules.values()["deal.cut_winner"] == "chooses"
    assert rules.readings == (("deal.cut_winner", "chooses"),)


@pytest.mark.parametrize(
    ("house", "said"),
    [
        ({"id": "my-rules"}, "the house rules: 'extends' is missing"),
        ({**HOUSE, "rules": {"settle.targt": 500, "deal.x": 3}}, "(and 1 more mistake)"),
    ],
    ids=str,
)
def test_mistake_in_house_rules_has_a_place(house: dict[str, Any], said: str) -> None:
    with pytest.raises(hoyle.RulesError) as caught:
        hoyle.rules(house=house)
    assert said in str(caught.value)
    assert caught.value.code


def test_mistake_in_a_file_of_house_rules_has_a_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("id: my-rules\nextends: bezique-hoyle\nrules:\n  settle.targt: 500\n", "utf-8")
    with pytest.raises(hoyle.RulesError, match=r"mine\.yaml:4:3: ") as caught:
        hoyle.rules(house=file)
    assert caught.value.remedy
    with pytest.raises(hoyle.RulesError, match=r"none\.yaml"):
        hoyle.rules(house=tmp_path / "none.yaml")


def test_house_rules_have_their_own_name_and_options() -> None:
    with pytest.raises(hoyle.UnknownNameError, match=r"Valid here: my-rules\."):
        hoyle.rules("bezique-hoyle", house=HOUSE)
    with pytest.raises(hoyle.UnknownNameError, match="Give the options in the house rules"):
        hoyle.rules(house=HOUSE, options=["brisques-at-end"])
    with pytest.raises(hoyle.NotationError, match="not valid JSON"):
        hoyle.rules(house={"id": object()})
