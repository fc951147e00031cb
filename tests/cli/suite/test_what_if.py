"""Trying a changed rule: what it changes is shown, and a wrong change gets one clear message."""

import json
from collections.abc import Callable

import pytest

from conftest import ROOT, Done, golden
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.reports.what_if import what_if_lines
from hoyle_conformance.runner.rule_changes import ChangedCheck, NoChange, change_rules, read_values, try_check
from hoyle_conformance.suite.suite import Suite

OUTPUT = ROOT / "tests/output"
Hoyle = Callable[..., Done]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("golden_file", "words"),
    [
        ("try.txt", ["bezique-hoyle", "seven.points=20", "settle.winner=higher-at-the-end-of-the-deal"]),
        ("try-all.txt", ["bezique-hoyle+brisques-at-end", "score.brisques.points=20", "--all"]),
        ("try-apart.txt", ["piquet-saunt-parlett", "deal.packets=[[4, 4]]"]),
    ],
)
def test_what_a_changed_rule_changes_is_shown(hoyle: Hoyle, golden_file: str, words: list[str]) -> None:
    done = hoyle("suite", "what-if", *words)
    assert (done.returncode, done.stderr) == (0, "")
    golden(OUTPUT / golden_file, done.stdout)
    assert max(map(len, done.stdout.splitlines())) <= 120


@pytest.mark.slow
def test_trial_that_changes_nothing_says_so(hoyle: Hoyle, suite: Suite) -> None:
    count = sum(check.ruleset == "bezique-hoyle" for check in suite.index.checks.values())
    done = hoyle("suite", "what-if", "bezique-hoyle", "score.brisques.ranks=T A")
    assert done.returncode == 0
    assert done.stdout.endswith(
        f"\nNothing changes: all {count} checks of bezique-hoyle have the same outcome as before.\n"
    )


def test_the_vocabulary_takes_every_value_that_a_table_has(suite: Suite) -> None:
    for name in suite.rules.names:
        rules = suite.rules.of(name)
        for cell in rules.cells:
            for field, value in cell.value.items() if isinstance(cell.value, dict) else ():
                written = f"{cell.path}.{field}={json.dumps(value)}"
                assert read_values(suite, rules, [written]) == {cell.path: cell.value}, written
        plain = {cell.path: cell.value for cell in rules.cells if not isinstance(cell.value, dict)}
        assert read_values(suite, rules, [f"{path}={json.dumps(value)}" for path, value in plain.items()]) == plain


def test_fields_of_a_combination_are_changed_one_by_one(suite: Suite) -> None:
    rules = suite.rules.of("bezique-hoyle")
    row = rules.cells["declare.melds.bezique"].value
    written = ["declare.melds.bezique.points=50", "declare.melds.bezique={kind: other}"]
    assert read_values(suite, rules, written) == {"declare.melds.bezique": {**row, "points": 50, "kind": "other"}}
    with pytest.raises(NoChange, match="is -1, less than"):
        read_values(suite, rules, ["declare.melds.bezique.points=-1"])


def test_a_refusal_is_said_with_its_reason(suite: Suite) -> None:
    rules = suite.rules.of("bezique-hoyle")
    check = suite.index.checks["reuse.a-new-deal-forgets@bezique-hoyle"]
    became = try_check(change_rules(rules, {"deal.packets": [[4, 4]]}), check, planner_of(suite).request(check))
    assert became.mismatch
    assert became.refused == "card-not-held"
    assert not try_check(rules, check, planner_of(suite).request(check)).mismatch


def test_rules_that_cannot_be_played_change_nothing(suite: Suite) -> None:
    check = next(iter(suite.index.checks.values()))
    broken = ChangedCheck(check, broken=LookupError())
    said = list(what_if_lines(suite, suite.rules.of(check.ruleset), {}, [broken]))
    assert "these rules contradict each other here" in " ".join(" ".join(said).split())
    assert said[-1] == "1 check: 0 change, 1 cannot be set up, 0 stay the same."
