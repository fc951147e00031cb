"""Options and extending rulesets inherit outcomes: by the committed file, which is proved, and which nothing plays."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Done
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite, bases
from hoyle_conformance.tools.validate import inherit as inheriting
from hoyle_conformance.tools.validate.inherit import clauses_at_work, inheritance_faults, lint_at_work, updated_at_work

ACE, BASE, OPTION = "brisques.ace", "bezique-hoyle", "bezique-hoyle+brisques-at-end"
#: An option that changes one cell.
MORE = """\
  forty-for-a-brisque:
    title: Forty for each brisque
    cells: {score: {brisques: {points: {is: 40, cites: [hoyle/bezique/brisques-as-won]}}}}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A spec with all rules, and few scenarios."""
    for part in ("sources", "rulesets", "schemas"):
        shutil.copytree(ROOT / "spec" / part, tmp_path / "spec" / part)
    for name in ("brisques", "cut"):
        shutil.copytree(ROOT / "spec/scenarios" / name, tmp_path / "spec/scenarios" / name)
    for name in ("VERSION", "ids.lock"):
        shutil.copy(ROOT / "spec" / name, tmp_path / "spec")
    lines = (ROOT / "spec/at-work.jsonl").read_text("utf-8").splitlines(keepends=True)
    few = [line for line in lines if line.startswith(('{"rulesets"', '{"scenario": "brisques.', '{"scenario": "cut.'))]
    (tmp_path / "spec/at-work.jsonl").write_text("".join(few), "utf-8")
    return tmp_path / "spec"


def loaded(spec: Path) -> Suite:
    return load_suite(spec, positions=False)


def lines(spec: Path) -> dict[str, dict[str, dict[str, list[str]]]]:
    found = map(json.loads, (spec / "at-work.jsonl").read_text("utf-8").splitlines())
    return {each["scenario"]: each for each in found if "scenario" in each}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.slow
def test_the_file_lists_what_is_inherited(suite: Suite) -> None:
    assert [str(fault) for fault in lint_at_work(suite)] == []


def test_an_option_is_named_only_where_it_differs(suite: Suite) -> None:
    """In each entry no ruleset is named that would inherit the same."""
    for scenario in suite.scenarios.values():
        entries = [*scenario.outcomes, *scenario.followed_by]
        of = {name: at for at, entry in enumerate(entries) for name in entry.rulesets if name in scenario.named}
        for name, at in of.items():
            nearest = next((base for base in bases(suite.rulesets, name) if base in of), "")
            assert not nearest or of[nearest] != at, (scenario.id, name)


def test_the_same_option_of_an_extended_ruleset_is_the_nearest(suite: Suite) -> None:
    assert bases(suite.rulesets, "piquet-rubicon-parlett+nought") == [
        "piquet-saunt-parlett+nought",
        "piquet-rubicon-parlett",
        "piquet-saunt-parlett",
    ]
    assert bases(suite.rulesets, "eight-deck-h2g2") == ["six-deck-h2g2", "rubicon-h2g2", "bezique-h2g2"]


@pytest.mark.whole
def test_loading_plays_nothing(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(inheriting, "trace_acts")
    suite = loaded(spec)
    assert f"{ACE}@bezique-hoyle+ten-at-whist-rank" not in suite.index.checks
    assert "cut.equal-cards@piquet-rubicon-hoyle" in suite.index.checks
    assert "piquet-rubicon-hoyle" not in suite.scenarios["cut.equal-cards"].named


@pytest.mark.whole
def test_a_new_option_edits_no_scenario(hoyle: Callable[..., Done], spec: Path) -> None:
    path = spec / "rulesets/bezique-hoyle.ruleset.yaml"
    path.write_text(f"{path.read_text('utf-8')}{MORE}", "utf-8")
    before, name = lines(spec), f"{BASE}+forty-for-a-brisque"
    (told,) = lint_at_work(loaded(spec))
    assert (told.code, str(told.remedy)) == ("at-work-stale", "Run 'hoyle validate --lock' and commit the file.")
    done = hoyle(
        "validate", "--lock", "--spec", str(spec), "spec/scenarios/cut/equal-cards.scenario.yaml", cwd=spec.parent
    )
    assert done.returncode == 0, done.stderr
    text, faults, _ = updated_at_work(loaded(spec))
    assert faults == []
    (spec / "at-work.jsonl").write_text(text, "utf-8")
    assert list(lint_at_work(loaded(spec))) == []
    after = lines(spec)
    assert name in after[ACE]["differs"][BASE]
    assert "cut.equal-cards" in after
    assert after["cut.equal-cards"] == before["cut.equal-cards"]
    added = [each for each in after if name in after[each].get("checks", {}).get(BASE, ())]
    assert {f"{each}@{name}" for each in added} <= loaded(spec).index.checks.keys()


@pytest.mark.whole
def test_an_outcome_that_does_not_hold_is_reported_once(hoyle: Callable[..., Done], spec: Path) -> None:
    """Of an option that the file knows: it gets an outcome, or is left out."""
    path = spec / "scenarios/brisques/ace.scenario.yaml"
    text = (spec / "at-work.jsonl").read_text("utf-8")
    (spec / "at-work.jsonl").write_text("".join(each for each in text.splitlines(True) if ACE not in each), "utf-8")
    assert OPTION in inheritance_faults(loaded(spec), path)
    done = hoyle("validate", "--spec", str(spec), str(path))
    assert done.returncode == 5
    assert f"the outcome does not hold for {OPTION}, which inherits it: under {OPTION}, at step 1" in done.stderr
    assert f"Give {OPTION} an outcome of its own, or name it under 'but_not'." in done.stderr
    for name in inheritance_faults(loaded(spec), path):
        base = next(each for each in bases(loaded(spec).rulesets, name) if each in loaded(spec).scenarios[ACE].named)
        entry = next(each for each in path.read_text("utf-8").splitlines() if "rulesets:" in each and base in each)
        more = f"{entry}\n    but_not: [{name}]"
        if f"{entry}\n    but_not: [" in path.read_text("utf-8"):
            entry, more = f"{entry}\n    but_not: [", f"{entry}\n    but_not: [{name}, "
        edit(path, entry, more)
    done = hoyle("validate", "--lock", "--spec", str(spec), str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "differs" not in lines(spec).get(ACE, {})


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "code"), [("piquet-rubicon-hoile", "unknown-ruleset"), ("bezique-bicycle", "inherits-nothing")]
)
def test_only_what_would_inherit_can_be_left_out(spec: Path, name: str, code: str) -> None:
    path = spec / "scenarios/cut/equal-cards.scenario.yaml"
    edit(
        path,
        "rulesets: [rubicon-hoyle, piquet-hoyle, piquet-rubicon-cavendish]",
        f"rulesets: [rubicon-hoyle, piquet-hoyle, piquet-rubicon-cavendish]\n    but_not: [{name}]",
    )
    with pytest.raises(Invalid) as raised:
        loaded(spec)
    assert [each.code for each in raised.value.diagnostics] == [code]


@pytest.mark.whole
@pytest.mark.parametrize("line", ['{"scenario": ', '{"scenario": "cut.equal-cards"}'])
def test_a_damaged_file_is_reported_with_its_line(spec: Path, line: str) -> None:
    with (spec / "at-work.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    with pytest.raises(Invalid) as raised:
        loaded(spec)
    (told,) = raised.value.diagnostics
    assert (told.file, told.code) == ("spec/at-work.jsonl", "damaged-at-work")
    assert told.line == len((spec / "at-work.jsonl").read_text("utf-8").splitlines())


@pytest.mark.whole
def test_an_option_that_is_gone_is_reported_and_does_not_stop_the_suite(spec: Path) -> None:
    path = spec / "rulesets/piquet-hoyle.ruleset.yaml"
    text = path.read_text("utf-8")
    path.write_text(text[: text.index("\noptions:")] + "\n", "utf-8")
    edit(spec / "rulesets/piquet-rubicon-hoyle.ruleset.yaml", "  without_options: [hundred-and-one]\n", "")
    suite = loaded(spec)
    assert "cut.ace-above-king@piquet-rubicon-hoyle" in suite.index.checks
    (told,) = lint_at_work(suite)
    assert told.code == "at-work-stale"
    assert "hundred-and-one" in told.message


@pytest.mark.whole
def test_a_clause_that_decides_nothing_is_tested_where_it_is_at_work(suite: Suite) -> None:
    decided = {clause for check in suite.index.headings.values() for clause in check.cites}
    assert suite.at_work_in
    for clause, names in suite.at_work_in.items():
        assert clause not in decided
        assert len({name.partition("@")[0] for name in names}) == len(names)
        assert [heading.id for heading in suite.index.cites(clause)] == sorted(
            names, key=list(suite.index.headings).index
        )
        for name in names:
            assert clause in clauses_at_work(suite, suite.index.checks[name])


def test_checks_are_found_by_a_clause_that_decides_nothing(hoyle: Callable[..., Done], suite: Suite) -> None:
    clause, names = next(iter(suite.at_work_in.items()))
    said = hoyle("suite", "list", "checks", clause).stdout
    assert "This clause decides no outcome, but is at work in these checks:" in said
    assert all(name.partition("@")[0] in said for name in names)
    (line,) = (
        each for each in hoyle("suite", "list", "clauses", clause).stdout.splitlines() if each.startswith(f"{clause} ")
    )
    assert line.endswith(f"at work in {len(names)} checks")
