"""After any edits, a suite is the same with the cache of the suite before as without; after edits of scenarios, only
these are read and linted again."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from checks.cache.test_cached_suite import KEPT_IN, few, opened, spec, stored  # noqa: F401 -- fixtures
from hoyle_conformance.checks import load
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow

ADDED = "tricks.added-by-an-edit"


class Edit(NamedTuple):
    """One edit of a file of a spec: by its kind, on one of the files of that kind."""

    kind: str
    number: int

    def make(self, root: Path) -> None:
        """Edit a file; nothing where the edit is there already."""
        scenarios = sorted((root / "scenarios").rglob("*.yaml"))
        scenario = scenarios[self.number % len(scenarios)]
        text = scenario.read_text("utf-8")
        match self.kind:
            case "comment":
                scenario.write_text(f"{text}# a comment\n", "utf-8")
            case "title":
                scenario.write_text(text.replace("\ntitle: ", "\ntitle: Now ", 1), "utf-8")
            case "remove" if len(scenarios) > 3:
                scenario.unlink()
            case "faulty":
                scenario.write_text(f"{text}unknown: key\n", "utf-8")
            case "no-clause":
                scenario.write_text(text.replace("cites: [", "cites: [hoyle/no/such-clause, ", 1), "utf-8")
            case "copied-with-its-id":
                shutil.copy(scenario, scenario.with_name(f"a-copy-{scenario.name}"))
            case "add":
                topic, name = ADDED.split(".")
                added = text.replace(f"id: {scenario_id(scenario)}", f"id: {ADDED}", 1)
                (root / "scenarios" / topic / f"{name}.scenario.yaml").write_text(added, "utf-8")
            case kind if kind in IN_RULES:
                self._rewrite(root)

    def _rewrite(self, root: Path) -> None:
        """Replace the text of this kind of edit in one of the files that have it."""
        among, old, new = IN_RULES[self.kind]
        files = [each for each in sorted(root.glob(among)) if old in each.read_text("utf-8")]
        for path in files[self.number % max(1, len(files)) :][:1]:
            path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")


#: The beginning of the line of one scenario in the file of the rulesets that inherit outcomes.
HEIRS = '"to-score.the-example", "checks": {"bezique-h2g2": ["'
#: Edits of rules: the files among which one is edited, the text that is replaced, and what stands there then.
IN_RULES = {
    "ruleset": ("rulesets/*", "\nsources:", "\n# A comment.\nsources:"),
    "lock": ("ids.lock", "scenario to-score.the-example\n", ""),
    "cites-nothing": ("rulesets/*", "cites: [", "cites: [hoyle/no/such-clause, "),
    "option-renamed": ("rulesets/*", "  brisques-at-end:", "  brisques-late:"),
    "clause-renamed": ("sources/*", "id: hoyle/bezique/to-score-example", "id: hoyle/bezique/the-example"),
    "heirs": ("at-work.jsonl", f"{HEIRS}rubicon-h2g2", f"{HEIRS}three-handed-h2g2"),
    "damaged-heirs": ("at-work.jsonl", '{"scenario": ', '{"szenario": '),
}
OF_SCENARIOS = ("comment", "title", "remove", "faulty", "no-clause", "copied-with-its-id", "add")
KINDS = (*OF_SCENARIOS, *IN_RULES)
EDITS = st.lists(st.builds(Edit, st.sampled_from(KINDS), st.integers(0, 50)), min_size=1, max_size=4)


def scenario_id(path: Path) -> str:
    return f"{path.parent.name}.{path.name.removesuffix('.scenario.yaml')}"


def look(root: Path, *, drafts: bool, with_cache: bool) -> object:
    """What a suite is, or its mistakes."""
    try:
        suite = (open_suite if with_cache else load.load_suite)(root, drafts=drafts, positions=False)
    except Invalid as invalid:
        return [str(each) for each in invalid.diagnostics]
    return described(suite)


def described(suite: Suite) -> object:
    scenarios = [(name, each.file, each.document.data, each.inherited) for name, each in suite.scenarios.items()]
    rules = [(name, each.document.data) for name, each in (*suite.rulesets.items(), *suite.sources.items())]
    checks = [(name, check.cites, check.branches, check.follows) for name, check in suite.index.checks.items()]
    headings = list(suite.index.headings.items())
    return suite.digest, scenarios, rules, checks, headings, [str(each) for each in suite.left_out]


@example(rounds=[[Edit("faulty", 0), Edit("copied-with-its-id", 1)]], drafts=False)
@example(rounds=[[Edit("faulty", 0), Edit("option-renamed", 0)]], drafts=True)
@example(rounds=[[Edit("faulty", 0), Edit("no-clause", 1)]], drafts=True)
@given(rounds=st.lists(EDITS, min_size=1, max_size=2), drafts=st.booleans())
@settings(
    deadline=None, max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_after_any_edits_the_suite_is_as_without_a_cache(
    rounds: Sequence[Sequence[Edit]],
    drafts: bool,
    few: Path,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    here = tmp_path_factory.mktemp("edits")
    root = shutil.copytree(few / "spec", here / "spec")
    shutil.copytree(few / "kept", here / "kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEPT_IN, str(here / "kept"))
        for edits in rounds:
            for edit in edits:
                edit.make(root)
            plain = look(root, drafts=drafts, with_cache=False)
            for _ in range(2):
                assert look(root, drafts=drafts, with_cache=True) == plain


@pytest.mark.parametrize("kind", IN_RULES)
def test_after_an_edit_of_rules_the_suite_is_as_without_a_cache(opened: Path, kind: str) -> None:  # noqa: F811
    before = {path: path.read_bytes() for path in opened.rglob("*") if path.is_file()}
    Edit(kind, 0).make(opened)
    assert [path for path in before if path.read_bytes() != before[path]]
    assert look(opened, drafts=False, with_cache=True) == look(opened, drafts=False, with_cache=False)


def test_only_an_edited_scenario_is_read_and_linted(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    read, linted = list[str](), list[str]()
    plain_read, plain_lint = load.read_document, load.lint_of_suite
    monkeypatch.setattr(load, "read_document", lambda *a, **k: (read.append(a[2].name), plain_read(*a, **k))[1])
    monkeypatch.setattr(load, "lint_of_suite", lambda suite, one: (linted.append(one.id), plain_lint(suite, one))[1])
    Edit("title", 3).make(opened)
    suite = open_suite(opened, positions=False)
    (name,) = [name for name, each in suite.scenarios.items() if each.title.startswith("Now ")]
    assert (len(read), linted) == (1, [name])
    again = open_suite(opened, positions=False)
    assert (len(read), linted) == (1, [name])
    assert described(suite) == described(again)
    assert planner_of(suite).cache_key == planner_of(again).cache_key != ""


def test_a_file_that_is_written_again_while_it_is_read_is_not_cached(
    opened: Path,  # noqa: F811
    kept: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, plain = stored(kept), load.lint_of_suite

    def meanwhile(suite: Suite, scenario: object) -> list[object]:
        Edit("comment", 3).make(opened)
        return plain(suite, scenario)  # type: ignore[arg-type, return-value]

    monkeypatch.setattr(load, "lint_of_suite", meanwhile)
    Edit("title", 3).make(opened)
    open_suite(opened, positions=False)
    assert stored(kept) == before
