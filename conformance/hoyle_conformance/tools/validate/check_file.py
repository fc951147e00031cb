"""Checks of a single file, in the suite or intended for it, and of a scenario file that only proposes outcomes."""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.load import in_this_suite, lint_position
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic, Invalid, shown_path
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.build import census_from, ruleset_from, scenario_from, source_from
from hoyle_conformance.suite.lint.ids import CONFIRM, as_if_confirmed, lint_open, lint_uncited
from hoyle_conformance.suite.lint.references import lint_ledger
from hoyle_conformance.suite.lint.scenarios import lint_scenario
from hoyle_conformance.suite.lint.tables import lint_table
from hoyle_conformance.suite.load import id_in_use
from hoyle_conformance.suite.model import Check, Filed, Proposal, Scenario
from hoyle_conformance.suite.paths import kind_of, tree
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census import prove_census
from hoyle_conformance.tools.house_rules import read_house_rules
from hoyle_conformance.tools.validate.prove import prove_scenario
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import plural

_YAML: Final = frozenset({".yaml", ".yml"})


def check_file(suite: Suite, path: Path) -> list[Diagnostic]:
    """Return the mistakes in one file, wherever it is; if there are very many, only the first ones."""
    return list(islice(_file_faults(suite, path), COUNTED))


def _file_faults(suite: Suite, path: Path) -> Iterable[Diagnostic]:
    name = shown_path(path)
    kind = kind_of(path)
    if kind is None and _holds_house_rules(path, name):
        try:
            read_house_rules(suite, path)
        except Invalid as invalid:
            return invalid.diagnostics
        return ()
    if kind is None:
        remedy = "A file of the suite ends in .scenario.yaml, .ruleset.yaml, .source.yaml or .census.yaml."
        return [Diagnostic(name, 1, 1, "file-name", "this is not a file of the suite", remedy)]
    try:
        document = read_file(path, name, within=_link_boundary(suite, path))
    except Invalid as invalid:
        return invalid.diagnostics
    if found := suite.schemas.complaints(kind, document.data):
        about = in_this_suite if kind == "scenario" else lambda _suite, _data, complaint: complaint
        return [document.complain(about(suite, document.data, each)) for each in found]
    return _check_document(suite, kind, document, path)


def _holds_house_rules(path: Path, name: str) -> bool:
    """Whether a file of any name is intended as house rules: it names the ruleset that they extend."""
    if path.suffix not in _YAML:
        return False
    try:
        return "extends" in read_file(path, name, within=path.parent).data
    except Invalid:
        return False


def _link_boundary(suite: Suite, path: Path) -> Path | None:
    """Return the folder that links must not leave: the spec that holds the file, or else the file's own folder."""
    lies, spec = (Path(os.path.abspath(each)) for each in (path, suite.root))  # noqa: PTH100 -- no link is followed
    return tree(suite.root) if lies.is_relative_to(spec) else lies.parent


def _is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths are the same file; some systems ignore capitals."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def _check_document(suite: Suite, kind: str, document: Document, path: Path) -> Iterable[Diagnostic]:
    known: Mapping[str, Mapping[str, Filed]] = {
        "source": suite.sources,
        "ruleset": suite.rulesets,
        "scenario": suite.scenarios,
        "census": suite.censuses,
    }
    other = known[kind].get(document.data["id"])
    if other and not _is_same_file(suite.root.parent / other.document.file, path):
        return [id_in_use(document, other.document.file)]
    if kind == "source":
        source = source_from(document)
        return [*lint_ledger(suite, source), *lint_open(suite, source), *lint_uncited(suite, source)]
    if kind == "ruleset":
        return lint_table(suite, ruleset_from(document))
    if kind == "census":
        return prove_census(suite, census_from(document))
    of_the_suite = suite.scenarios.get(document.data["id"])
    scenario = scenario_from(document, of_the_suite.inherited if of_the_suite else {})
    if scenario.proposals:
        return lint_scenario(suite, scenario) or list(lint_position(suite, as_if_confirmed(scenario)))
    return lint_scenario(suite, scenario) or list(lint_position(suite, scenario)) or prove_scenario(suite, scenario)


def is_proposal(path: Path) -> bool:
    """Whether a scenario, valid or not, only proposes outcomes."""
    return "proposals" in _scenario_data(path)


def proposal_in(path: Path) -> Scenario | None:
    """Return the scenario in a valid file if it only proposes outcomes; None otherwise."""
    return scenario_from(read_file(path, str(path))) if is_proposal(path) else None


def _scenario_data(path: Path) -> Mapping[str, Any]:
    if kind_of(path) != "scenario":
        return {}
    try:
        data = read_file(path, str(path)).data
    except Invalid:
        return {}
    return data if isinstance(data, dict) else {}


def proposal_lines(suite: Suite, scenario: Scenario) -> Iterator[str]:
    """Yield a note that a scenario only proposes outcomes, the next step, and the differences from the reference
    interpreter."""
    count = plural(len(scenario.proposals), "proposal")
    yield f"{scenario.id} has {count} but no outcomes: nobody has confirmed them, and they make no checks."
    yield f"  {CONFIRM}"
    differences = list(differing_proposals(suite, scenario))
    if not differences:
        yield "  The reference interpreter agrees with the proposals. That proves nothing."
    yield from (f"  {each}" for each in differences)


def differing_proposals(suite: Suite, scenario: Scenario) -> Iterator[str]:
    """Yield the places where the reference interpreter no longer gives the proposed outcome."""
    plain = as_if_confirmed(scenario)
    for proposal in scenario.proposals:
        for ruleset in proposal.rulesets:
            check = Check(plain, ruleset, proposal.cites, {"": proposal.expect}, "", computed=True)
            if difference := _difference(suite, check, proposal):
                yield difference


def _difference(suite: Suite, check: Check, proposal: Proposal) -> str:
    request = planner_of(suite).request(check)
    observed = observations(suite.rules.of(check.ruleset, proposal.cells), request.message)
    mismatch = judge(check, request, observed, trusted=True).mismatch
    if mismatch is None:
        return ""
    melds = suite.rules.meld_names(check.ruleset)
    expected = words.value(mismatch.what, mismatch.expected, melds)
    given = words.value(mismatch.what, mismatch.observed, melds)
    where = f"under {check.ruleset}, at step {mismatch.step}"
    return (
        f"The reference interpreter now gives a different result {where}: {given}, where the file proposes: {expected}."
    )
