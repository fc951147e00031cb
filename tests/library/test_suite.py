import pytest

import hoyle
from hoyle_conformance.suite.suite import Suite


def test_suite_has_everything(suite: Suite) -> None:
    ours = hoyle.suite()
    assert ours is hoyle.suite()
    assert (ours.version, ours.digest) == (suite.version, suite.digest)
    assert tuple(ours.rulesets) == hoyle.rulesets()
    assert set(ours.clauses) == set(suite.clauses)
    assert set(ours.scenarios) == set(suite.scenarios)
    assert sorted(ours.checks()) == sorted(suite.index.headings)


def test_scenario_is_the_content_of_its_file() -> None:
    scenario = hoyle.suite().scenarios["tricks.identical-plain-cards"]
    assert scenario.title == "Which of two identical plain cards wins the trick?"
    assert scenario.topic == "tricks"
    assert "tricks.identical-plain-cards@bezique-hoyle" in scenario.checks
    assert scenario.data["steps"] == [{"ask": "winner", "by": "A", "cards": ["9D", "9D#2"]}]


def test_clause_says_where_it_is() -> None:
    clause = hoyle.suite().clauses["hoyle/bezique/identical-cards"]
    assert (clause.source, clause.where, clause.kind) == ("hoyle", "paragraph 3", "rule")
    assert clause.says == "When both play the same card, the trick is the leader's."


def test_ruleset_has_its_options() -> None:
    ruleset = hoyle.suite().rulesets["piquet-rubicon-parlett"]
    assert (ruleset.game, ruleset.extends) == ("Piquet", "piquet-saunt-parlett")
    assert "nought" in ruleset.options
    assert ruleset.title
    assert ruleset.summary


@pytest.mark.parametrize("name", ["tricks.identical-plain-cards", "identical-plain-cards"])
def test_explanation_is_that_of_the_command(name: str) -> None:
    text = hoyle.explain(name)
    assert text.startswith("Which of two identical plain cards wins the trick?\n")
    assert "Under bezique-h2g2" in text or "bezique-h2g2" in text
    one = hoyle.explain(name, "bezique-hoyle")
    assert one == hoyle.explain(f"{name}@bezique-hoyle")
    assert "by hoyle/bezique/identical-cards" in one
    assert "bezique-h2g2" not in one
    assert one.endswith("\n")


@pytest.mark.parametrize(
    ("names", "code", "said"),
    [
        (("tricks.identical-plain-card",), "unknown-scenario", "identical-plain-cards"),
        (("tricks",), "several-scenarios", "several scenarios are named 'tricks'"),
        (("tricks.identical-plain-cards", "piquet-hoyle"), "unknown-ruleset", "It has outcomes for: "),
    ],
    ids=str,
)
def test_name_that_is_no_scenario(names: tuple[str, ...], code: str, said: str) -> None:
    with pytest.raises(hoyle.UnknownNameError) as caught:
        hoyle.explain(*names)
    assert caught.value.code == code
    assert said in str(caught.value)
