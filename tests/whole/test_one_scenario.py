"""One scenario, from every side that scenarios are tested from; which one, `--scenario` says (make test-scenario)."""

from html import unescape

import pytest

from conftest import HANGS
from hoyle_conformance.files.diagnostics import did_you_mean
from hoyle_conformance.runner.reference_adapter import start_command, start_reference
from hoyle_conformance.runner.results import Exit, Status
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate import prove
from hoyle_conformance.web.site import scenario_pages as scenarios
from hoyle_conformance.wording.explain import explanation
from laws.test_relabelling import turned, turns
from whole.test_example_adapters import EXAMPLES, installed


@pytest.fixture(scope="module")
def checks(suite: Suite, request: pytest.FixtureRequest) -> list[Check]:
    name = request.config.getoption("--scenario")
    if name not in suite.scenarios:
        pytest.fail(f"no scenario '{name}'. {did_you_mean(name, suite.scenarios)}")
    return list(suite.index.checks_of(suite.scenarios[name]))


def unlogged(_line: bytes) -> None:
    pass


@pytest.mark.slow
def test_it_proves_itself(suite: Suite, checks: list[Check]) -> None:
    assert [str(fault) for fault in prove.prove_scenario(suite, checks[0].scenario)] == []


def test_the_reference_passes_it_through_the_protocol(suite: Suite, checks: list[Check]) -> None:
    done = run(suite, start_reference(suite, unlogged), checks)
    assert done.exit is Exit.AS_EXPECTED
    assert [result.readings[0] for result in done.results] == [check.follows for check in checks]


def test_it_makes_no_difference_who_sits_where(suite: Suite, checks: list[Check]) -> None:
    for check in checks:
        for turn in turns(suite.rules.of(check.ruleset)):
            turned(suite, check, turn)


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_pass_what_they_claim_of_it(suite: Suite, checks: list[Check], example: str) -> None:
    _, command, _ = EXAMPLES[example]
    if installed(command):
        done = run(suite, start_command(command, HANGS, suite, unlogged), checks)
        assert set(done.totals) <= {Status.PASS, Status.UNSUPPORTED}


def test_it_can_be_explained(suite: Suite, checks: list[Check]) -> None:
    lines = list(explanation(suite, checks))
    assert lines[0] == checks[0].scenario.title
    for number in range(1, len(checks[0].scenario.steps) + 1):
        assert any(line.startswith(f"\n  {number}. ") for line in lines)


def test_it_has_its_page(suite: Suite, checks: list[Check]) -> None:
    assert checks[0].scenario.title in unescape(scenarios.page(suite, checks[0].scenario).title)
