"""A rule that an engine plays otherwise is said in one sentence, with the rule of the ruleset."""

import pytest

from hoyle_conformance.runner.rule_changes import (
    LEFT_OUT,
    CellValue,
    RuleChange,
    point_changes,
    sourced_changes,
    vocabulary_changes,
)
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.rulebook_entries import departure_sentence

MUST_WIN = (
    "In tricks after which nobody draws, a player must win the trick if able: in the suit led, or with a trump if one "
    "must be played; in bezique-hoyle, nobody has to win the trick."
)
ROWS = "declare.melds."


def sentence_of(suite: Suite, base: str, change: RuleChange) -> str:
    cells = suite.rules.cells(base)
    return departure_sentence(suite, cells, change.apply_to(cells), change.path, base)


@pytest.mark.parametrize(
    ("base", "path", "field", "value", "said"),
    [
        ("bezique-hoyle", f"{ROWS}bezique", "points", 50, "Bézique scores 50, not 40 as in bezique-hoyle."),
        ("bezique-hoyle", f"{ROWS}four-queens", "", LEFT_OUT, "Four queens score nothing, not 60 as in bezique-hoyle."),
        (
            "bezique-hoyle",
            f"{ROWS}four-knaves",
            "suits",
            "one-each",
            "Four knaves of four different suits: 40 points; in bezique-hoyle, four knaves of any suits: 40 points.",
        ),
        ("bezique-hoyle", f"{ROWS}sequence", "kind", "run", "Sequence: 'kind' differs from bezique-hoyle."),
        ("bezique-hoyle", "tricks.without_drawing.win", "", "must", MUST_WIN),
        ("piquet-hoyle", "score.trick", "", 1, "A trick in itself scores one; piquet-hoyle has no such rule."),
        (
            "piquet-hoyle",
            "score.lead",
            "",
            LEFT_OUT,
            "The engine plays without this rule of piquet-hoyle: each lead to a trick scores one.",
        ),
    ],
)
def test_one_sentence_has_both_rules(suite: Suite, base: str, path: str, field: str, value: object, said: str) -> None:
    assert sentence_of(suite, base, RuleChange((CellValue(path, field, value),))) == said


@pytest.mark.parametrize("base", ["bezique-hoyle", "rubicon-h2g2", "piquet-rubicon-parlett"])
def test_every_change_is_said_with_the_name_of_the_ruleset(suite: Suite, base: str) -> None:
    """Two changes of one cell to different values have different sentences, whatever a search may choose."""
    cells = suite.rules.cells(base)
    paths = [cell.path for cell in cells]
    changes = [*sourced_changes(suite, base), *vocabulary_changes(suite, cells, paths)]
    changes += point_changes(cells, paths, 30)
    for change in changes:
        if change.cell_values:
            said = sentence_of(suite, base, change)
            assert said[0].isupper() or said[0].isdigit()
            assert said.endswith(".")
            assert base in said
