"""Where two rulesets differ, some scenario tells them apart; or it is written down here why none can."""

from dataclasses import replace
from itertools import combinations

import pytest

from hoyle_conformance.run.judge import judge
from hoyle_conformance.run.results import Status
from hoyle_conformance.suite.load import Suite
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.trace import trace
from hoyle_reference import Malformed, Rules, compile_cells

#: The rulesets of each game: what is no form of the same game is not told apart, it is another.
GAMES = {
    "Bézique": ("bezique-bicycle", "bezique-britannica", "bezique-h2g2", "bezique-hoyle"),
    "Piquet": ("piquet-rubicon-parlett", "piquet-saunt-parlett"),
}
PAIRS = [pair for names in GAMES.values() for pair in combinations(names, 2)]

#: Cells that a table has and another has not, which no scenario of both can turn on.
ONLY_IN_SOME = {
    "declare.inferior": "it says what is barred after the superior, and one of the tables bars nothing",
    "declare.lower_kept_when_higher_scores": "it is of what is kept to score, and one of the tables keeps nothing",
    "exchange.seven.after_being_shown": "it is of a first seven that was shown, and one of the tables shows none",
    "score.brisques.counted_first_by": "it is of who counts first, and in one of the tables that decides nothing",
    "settle.equal_scores": "it is of equal scores when a deal ends, and in one of the tables the first to reach wins",
    **{
        f"settle.{cell}": "it is of how a partie ends and is settled, and one of the tables plays to a target instead"
        for cell in ("deals", "still_equal", "bonus", "rubicon", "over_the_rubicon", "under_the_rubicon")
    },
    "settle.target": "it is of a game to a target, and one of the tables plays a partie of so many deals",
    "settle.winner": "it is of who reaches the target, and one of the tables plays a partie of so many deals",
    **{
        f"declare.melds.{meld}": "a combination that one of the tables does not have cannot be declared there at all"
        for meld in ("double-common-marriage", "double-royal-marriage", "plain-sequence")
    },
}
#: Cells with different values that make no difference between two tables, by the pair.
NO_DIFFERENCE: dict[tuple[str, str], dict[str, str]] = {
    ("bezique-bicycle", "bezique-britannica"): {
        "exchange.second_seven.which": "Bicycle lets either seven be exchanged, and so does Britannica as it is read "
        "wherever the two values differ",
    },
    ("bezique-bicycle", "bezique-h2g2"): {
        "declare.lower_after_higher": "h2g2 knows only single after double, and a double holds every such card",
    },
}


def fails(rules: Rules, check: Check, suite: Suite) -> bool:
    """Whether the table gives another outcome than the check's own."""
    own = replace(check, branches={check.follows: check.expect})
    try:
        traced = trace(rules, suite.plan(check).body)
    except Malformed:
        return True
    return judge(own, suite.plan(check), [t.observation for t in traced], trusted=True).status is not Status.PASS


def tells_apart(suite: Suite, one: str, other: str, path: str) -> str:
    """A scenario with different outcomes in two rulesets, the first of which rests on the cell's value."""
    cells, others = suite.rules(one).cells, suite.rules(other).cells
    changed_cell = replace(cells[path], value=others[path].value)
    lacking = [cell for cell in others if cell.path not in cells]  # a cell of its own may need another
    changed = compile_cells("changed", cells.with_cells([*lacking, changed_cell]))
    for check in suite.checks.values():
        twin = suite.checks.get(f"{check.scenario.id}@{other}")
        if check.ruleset == one and twin and twin.expect != check.expect and fails(changed, check, suite):
            return check.scenario.id
    return ""


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_every_difference_is_shown_by_a_scenario(suite: Suite, one: str, other: str) -> None:
    mine, theirs = suite.rules(one).cells, suite.rules(other).cells
    only_in_one = {cell.path for cell in (*mine, *theirs) if (cell.path in mine) != (cell.path in theirs)}
    assert only_in_one <= ONLY_IN_SOME.keys()
    differ = [cell.path for cell in mine if cell.path in theirs and _rule(cell.value) != _rule(theirs[cell.path].value)]
    assert differ
    shown = {path: tells_apart(suite, one, other, path) or tells_apart(suite, other, one, path) for path in differ}
    assert {path for path, scenario in shown.items() if not scenario} == NO_DIFFERENCE.get((one, other), {}).keys()


def _rule(value: object) -> object:
    """A value without what is only a name, or is only of use under an option without a turn-up."""
    idle = {"name", "makes_trumps"}
    return {key: field for key, field in value.items() if key not in idle} if isinstance(value, dict) else value


def test_the_rulesets_are_all_compared(suite: Suite) -> None:
    assert {game: {each.id for each in rulesets} for game, rulesets in suite.games.items()} == {
        game: set(names) for game, names in GAMES.items()
    }
