"""One diagnosis: `check` and `identify` of engines with mistakes that engines have been seen to make."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

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


def test_every_report_is_of_an_engine() -> None:
    assert goldens(REPORTS).keys() == ENGINES.keys()
