"""Preludes that are found: always the same, legal, and resting on nothing that they do not say."""

import json
from pathlib import Path

from conftest import ROOT
from hoyle_conformance.checks.preludes.follow import FoundHistory, never
from hoyle_conformance.checks.preludes.store import (
    ENDING,
    FOLDER,
    History,
    again,
    course,
    kept,
    line,
    lines_of,
    path_of,
)
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from preludes.find import disputed
from preludes.words import positions, reachable_shares, unreachable_positions
from preludes.write import history, written

TABLES = [path.name.removesuffix(ENDING) for path in sorted((ROOT / "spec" / FOLDER).glob(f"*{ENDING}"))]
#: Every so manieth history is looked at: all of them are proved by `hoyle validate`.
EVERY = 60
#: Of each hundred positions of a ruleset so many have a prelude, at the least.
LEAST = json.loads((Path(__file__).parent / "least.json").read_text("utf-8"))


def some(suite: Suite, table: str) -> list[Check]:
    """Some checks of a table that have a prelude, with its options."""
    with_one = [each for each in lines_of(suite, path_of(suite, table)) if "acts" in each][::EVERY]
    return [suite.index.checks[f"{each['scenario']}@{name}"] for each in with_one for name in each["rulesets"][-1:]]


def test_a_history_is_stored_whole_and_rests_on_nothing_it_does_not_say(suite: Suite) -> None:
    for table in TABLES:
        for check in some(suite, table):
            there = kept(suite, check)
            assert there is not None
            assert isinstance(there.found, History)
            assert line(json.loads(written(there))) == there
            found = again(suite, check, there.found)
            assert isinstance(found, FoundHistory)
            assert disputed(suite, check, found.played) == found.rests_on, check.id
            assert history(found) == there.found
            assert course(suite.rules.of(check.ruleset), there.found).script == found.played.acts


def test_no_fewer_positions_have_a_prelude(suite: Suite) -> None:
    """`LEAST` says how many of each hundred; where it has become more, write it down there."""
    for table, least in LEAST.items():
        found = [kept(suite, check) for name in named(suite, table) for check in positions(suite, name)]
        there = sum(each is not None and isinstance(each.found, History) for each in found)
        assert 100 * there // len(found) >= least, table


def named(suite: Suite, table: str) -> list[str]:
    return [name for name in suite.rules.names if name.partition("+")[0] == table]


def test_every_position_has_been_looked_for(suite: Suite) -> None:
    missing = [check.id for check in suite.index.checks.values() if not never(check) and kept(suite, check) is None]
    assert missing == [], "run 'make preludes'"


def test_the_lists_name_what_has_none(suite: Suite) -> None:
    assert len(list(reachable_shares(suite, TABLES))) == 1 + len(TABLES)
    assert any("surplus" in each for each in unreachable_positions(suite, ["bezique-britannica"]))
