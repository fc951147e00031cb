"""The suite itself: its files are sound, every clause is answered for, every cell is at work, ids stay."""

import json
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from shutil import which
from typing import Any

import jsonschema
import pytest

from conftest import HANGS, ROOT, need
from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import observations, trace_acts
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.suite.lint.ids import lint_ids
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate import prove
from hoyle_reference.refusals import MESSAGES

SPEC = ROOT / "spec"
#: So many tests share the scenarios, and those who run the tests share these.
PARTS = 8
#: Every so manieth is looked at where all are alike.
EVERY = 40


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_scenario_proves_itself(suite: Suite, part: int) -> None:
    scenarios = list(suite.scenarios.values())[part::PARTS]
    assert [str(fault) for scenario in scenarios for fault in prove.prove_scenario(suite, scenario)] == []


@pytest.mark.slow
def test_a_cell_that_is_not_read_decides_nothing(suite: Suite) -> None:
    """So that `hoyle validate` need not play a scenario by every other reading of it."""
    unread = 0
    for check in list(suite.index.checks.values())[:: 5 * EVERY]:
        message = planner_of(suite).request(check).message
        read = prove.cells_read(suite, check.ruleset, message)
        assert prove.cells_read(suite, check.ruleset, message) == read, check.id
        as_followed = observations(suite.rules.of(check.ruleset), message)
        for path, reading in suite.rules.other_readings(check.ruleset):
            if path not in read:
                unread += 1
                other = observations(suite.rules.of(check.ruleset, {path: reading}), message)
                assert other == as_followed, (check.id, path)
    assert unread > 50


def test_no_id_is_lost_or_used_again(suite: Suite) -> None:
    assert [str(fault) for fault in lint_ids(suite)] == []


def test_an_id_that_is_lost_or_used_again_is_told(suite: Suite) -> None:
    first = next(iter(sorted(suite.scenarios)))
    retired = f"scenario {first} retired 2026: replaced\nscenario gone.for-good\n"
    changed = replace(suite, lock=suite.lock.replace(f"scenario {first}\n", retired))
    told = [fault.code for fault in lint_ids(changed)]
    assert told == ["id-reused", "id-lost"]


def test_every_testable_clause_of_a_complete_ledger_is_tested(suite: Suite) -> None:
    cited = {clause for check in suite.index.headings.values() for clause in check.clauses}
    complete = [source for source in suite.sources.values() if source.complete]
    assert complete
    for source in complete:
        untested = [clause.id for clause in source.clauses if not clause.not_testable and clause.id not in cited]
        assert untested == []


def test_a_clause_that_is_waived_is_not_tested_all_the_same(suite: Suite) -> None:
    cited = {clause for check in suite.index.checks.values() for clause in check.cites}
    assert [clause.id for clause in suite.clauses.values() if clause.not_testable and clause.id in cited] == []


def at_work(suite: Suite, check: Check) -> Iterator[str]:
    """The cells on which something rests in a check, however it is read."""
    readings = check.readings if check.follows else ()
    for rules in (suite.rules.of(check.ruleset), *(suite.rules.of(check.ruleset, each.cells) for each in readings)):
        for step in trace_acts(rules, planner_of(suite).request(check).message):
            yield from step.grounds


def idle(suite: Suite, name: str, checks: Sequence[Check]) -> set[str]:
    """The cells of a table, or of what an option changes in one, that are at work in none of these checks; those that
    cite a clause behind a cell still idle are tried first."""
    cells, base = suite.rules.cells(name), suite.rules.cells(name.partition("+")[0])
    plain = {cell.path: cell for cell in base} if base is not cells else {}
    left = {cell.path for cell in cells if cell != plain.get(cell.path)}
    for likely in (True, False):
        for check in checks:
            if left and (not likely or not cells.clauses(left).isdisjoint(check.cites)):
                left.difference_update(at_work(suite, check))
    return left


@pytest.mark.slow
def test_every_cell_of_every_table_is_at_work_in_some_scenario(suite: Suite) -> None:
    of: dict[str, list[Check]] = defaultdict(list)
    for check in suite.index.checks.values():
        for name in {check.ruleset, check.ruleset.partition("+")[0]}:
            of[name].append(check)
    assert {name: found for name in suite.rules.names if (found := idle(suite, name, of[name]))} == {}


@pytest.mark.interpreter
@pytest.mark.whole
def test_every_reading_of_a_scenario_gives_its_outcome(suite: Suite, check_of_each_outcome: list[Check]) -> None:
    """Under one of its rulesets; under all of them `test_every_scenario_proves_itself` proves it."""
    for check in check_of_each_outcome:
        if check.follows:
            trial = prove.CheckTrial(suite, check, suite.rules.of(check.ruleset), planner_of(suite).request(check), ())
            assert [str(fault) for fault in prove.every_reading_can_be_executed(trial)] == []


def test_every_reading_of_every_disputed_cell_is_shown_by_a_scenario(suite: Suite) -> None:
    for name in suite.rulesets:
        disputed = {(cell.path, each.name) for cell in suite.rules.of(name).cells for each in cell.readings}
        followed = [check.scenario for check in suite.index.checks.values() if check.follows and check.ruleset == name]
        shown = {item for scenario in followed for reading in scenario.readings for item in reading.cells.items()}
        assert disputed - shown == set(), name


def test_there_are_hundreds_of_checks_of_each_ruleset(suite: Suite) -> None:
    plain = Counter(check.ruleset.partition("+")[0] for check in suite.index.checks.values())
    assert plain.keys() == suite.rulesets.keys()
    for rulesets in suite.rules.games.values():
        assert min(plain[each.id] for each in rulesets) >= 100
        assert sum(plain[each.id] for each in rulesets) >= 200


def parameters(schema: Any) -> Iterator[tuple[str, Any]]:
    for name, each in schema.get("properties", {}).items():
        if "$ref" in each and "is" in each.get("properties", {}):
            yield name, each
        else:
            yield from ((f"{name}.{rest}", inner) for rest, inner in parameters(each))


def test_every_parameter_is_described_and_every_value_has_its_sentence(suite: Suite) -> None:
    found = list(parameters(suite.schemas.documents["ruleset"]))
    assert len(found) > 40
    for name, schema in found:
        assert schema["title"], name
        assert schema["description"].endswith("."), name
        if "enum" in schema["properties"]["is"]:
            assert list(schema["properties"]["is"]["sentences"]) == schema["properties"]["is"]["enum"], name
        else:
            assert "{value}" in schema["sentence"], name


def test_the_refusals_of_the_schema_are_those_of_the_interpreter(suite: Suite) -> None:
    refused = suite.schemas.documents["scenario"]["$defs"]["expectation"]["properties"]["refused"]
    assert refused["sentences"] == dict(MESSAGES)
    assert refused["enum"] == list(MESSAGES)


@pytest.mark.whole
def test_every_law_of_1887_is_answered_for(suite: Suite) -> None:
    laws = [suite.clauses[f"hoyle/rubicon/law-{number}"] for number in range(1, 67)]
    assert [law.id for law in laws if bool(suite.index.cites(law.id)) == bool(law.not_testable)] == []


def test_every_refusal_is_expected_in_some_scenario(suite: Suite) -> None:
    expected = {
        expectation["refused"]
        for check in suite.index.checks.values()
        for branch in check.branches.values()
        for expectation in branch.values()
        if "refused" in expectation
    }
    assert set(MESSAGES) - expected == set()


@pytest.mark.slow
def test_the_schemas_are_json_schema_of_2020_12_for_any_validator(suite: Suite) -> None:
    for name, schema in suite.schemas.documents.items():
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema", name
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.slow
def test_another_validator_agrees_that_the_files_are_valid(suite: Suite) -> None:
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT202012

    resources = [
        (f"{name}.schema.json", Resource.from_contents(schema, default_specification=DRAFT202012))
        for name, schema in suite.schemas.documents.items()
    ]
    registry: Any = Registry().with_resources(resources)
    kinds = (("source", suite.sources), ("ruleset", suite.rulesets), ("scenario", suite.scenarios))
    for kind, table in kinds:
        schema = {"$ref": f"{kind}.schema.json"}
        validator = jsonschema.Draft202012Validator(schema, registry=registry)
        every = EVERY if kind == "scenario" else 1
        files: list[Any] = list(table.values())
        for value in files[::every]:
            assert list(validator.iter_errors(value.document.data)) == []


@pytest.fixture(scope="module")
def read_elsewhere() -> Any:
    """What programs in JavaScript read in spec/."""
    need(which("node") and (ROOT / "tests/browser/node_modules").is_dir(), "node, and 'npm ci --prefix tests/browser'")
    command = ["node", str(ROOT / "tests/browser/read_spec.cjs")]
    return json.loads(subprocess.run(command, capture_output=True, timeout=HANGS, check=True).stdout)


@pytest.mark.slow
@pytest.mark.parametrize("parser", ["js-yaml", "yaml"])
def test_other_parsers_read_the_same_in_every_file(read_elsewhere: Any, parser: str) -> None:
    read = read_elsewhere[parser]
    paths = sorted(SPEC.rglob("*.yaml"))
    assert len(paths) == len(read)
    for path in paths:
        name = path.relative_to(SPEC).as_posix()
        assert read[name] == read_file(path, name).data, name


@pytest.mark.slow
def test_ajv_compiles_every_schema_in_its_strict_mode(read_elsewhere: Any) -> None:
    assert {name: fault for name, fault in read_elsewhere["ajv"].items() if fault} == {}


def test_every_file_begins_with_its_editor_modeline() -> None:
    paths = sorted(SPEC.rglob("*.yaml"))
    assert len(paths) > 200
    for path in paths:
        kind = "house" if path.parent.name == "house" else path.name.split(".")[1]
        up = "../" * (len(path.relative_to(SPEC).parts) - 1)
        first = path.read_text("utf-8").splitlines()[0]
        assert first == f"# yaml-language-server: $schema={up}schemas/{kind}.schema.json", path
        assert (path.parent / first.partition("=")[2]).resolve().is_file()


@pytest.mark.slow
def test_positions_are_completed_the_same_way_every_time(suite: Suite) -> None:
    for check in list(suite.index.checks.values())[::EVERY]:
        rules = suite.rules.of(check.ruleset)
        assert plan(check, rules, suite.capabilities) == plan(check, rules, suite.capabilities)


@pytest.mark.slow
def test_the_first_of_partners_has_all_that_they_have_scored_and_keep(suite: Suite) -> None:
    given = 0
    for check in suite.index.checks.values():
        if check.ruleset.startswith("four-handed"):
            position = planner_of(suite).request(check).message["position"]
            given += any(seat in check.scenario.given.get("scored", ()) for seat in "CD")
            assert not any(position.get(field, {}).get(seat) for field in ("scored", "kept") for seat in "CD")
    assert given


@pytest.mark.whole
def test_a_partial_position_is_completed_to_all_the_cards_of_the_pack(suite: Suite) -> None:
    from hoyle_reference import read_position

    whole = 0
    for check in list(suite.index.checks.values())[::EVERY]:
        rules = suite.rules.of(check.ruleset)
        position = planner_of(suite).request(check).message["position"]
        if "hands" in position:
            whole += 1
            assert sorted(read_position(rules, position).cards()) == list(rules.pack)
    assert whole > 20
