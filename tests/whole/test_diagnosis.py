"""One diagnosis: `check` and `identify` of engines with mistakes that engines have been seen to make."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faulty_adapters"))

from faults import ADAPTERS
from in_topics import run_in_topics
from wrong_engines import LACKS

from conftest import HANGS, ROOT, Done, golden_among, goldens
from faulty_adapters.slow_start import SlowStart
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.protocol import process
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import house_rules_from

pytestmark = pytest.mark.slow

FAULTY_ADAPTERS = "tests/faulty_adapters/main.py"
REPORTS = ROOT / "tests/faulty_adapters/identified.yaml"
#: Each engine, the ruleset that it claims, and what went wrong in groups of many failures that have no rule.
ENGINES = {
    "swaps-queens-and-knaves": ("bezique-hoyle", set[str]()),
    "pays-any-sequence-150": ("bezique-hoyle", set[str]()),
    "throws-where-it-should-refuse": ("bezique-hoyle", {"error"}),  # one error of the engine
    "counts-a-repique-by-totals": ("piquet-rubicon-parlett", set[str]()),
}
#: The topics in which it shows that an evaluator lacks a rule.
IN_THE_HAND = ("point", "sequence", "sinking", "set", "reckoned", "repique", "carte-rouge", "nought", "calling")
#: More failures than this in one group need a rule that explains them.
MANY = 30


def command(name: str) -> list[str]:
    return [sys.executable, FAULTY_ADAPTERS, name]


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_is_identified(
    suite: Suite, hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """Exactly so; and the rules that are written are house rules that load."""
    monkeypatch.setattr(process, "Process", SlowStart)
    file = tmp_path / "mine.yaml"
    done = hoyle("identify", "--timeout", str(HANGS), "--write", str(file), "--", *command(name))
    report = done.stdout.replace(" ".join(command(name)), "python my_adapter.py").replace(str(file), "mine.yaml")
    golden_among(REPORTS, report, name, "report")
    assert done.returncode == 0
    written = file.read_text("utf-8")
    house = house_rules_from(suite, load(written, "mine.yaml"))
    assert house.joined(suite).rules.cells(house.ruleset.id)
    golden_among(REPORTS, written, name, "rules")


@pytest.mark.parametrize("name", ENGINES)
def test_many_failures_have_a_rule_that_explains_them(
    hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setattr(process, "Process", SlowStart)
    ruleset, without_a_rule = ENGINES[name]
    record = tmp_path / "run.jsonl"
    words = ("check", "-r", ruleset, "--timeout", str(HANGS), "--record", str(record))
    done = hoyle(*words, "--", *command(name))
    assert done.returncode == 1
    many = [each for each in causes_in(record) if len(each["checks"]) > MANY]
    assert {each["what"] for each in many if "cell" not in each} == without_a_rule


def causes_in(record: Path) -> list[dict[str, Any]]:
    """Return the causes of failures that a run has recorded in its footer."""
    footer = json.loads(record.read_text("utf-8").splitlines()[-1])
    return list(footer["causes"])


@pytest.mark.parametrize("rule", LACKS)
def test_the_rule_that_an_evaluator_lacks_is_the_cause(suite: Suite, rule: str) -> None:
    done = run_in_topics(suite, ADAPTERS[f"evaluates-without-{rule}"](), IN_THE_HAND)
    assert done.causes[0].cell == LACKS[rule]
    assert len(done.causes) == 1 or rule == "order-of-cards"  # no table has a sequence with gaps


def test_five_mistakes_of_an_evaluator_are_not_one_cause(suite: Suite) -> None:
    done = run_in_topics(suite, ADAPTERS["evaluates-without-five-rules"](), IN_THE_HAND)
    assert {"reckoning.repique.points", "classes.point.values", "classes.sequence.best"} <= {
        cause.cell for cause in done.causes
    }
    assert len(done.causes[0].checks) * 3 < len(done.failures) * 2


def test_every_report_is_of_an_engine() -> None:
    assert goldens(REPORTS).keys() == ENGINES.keys()
