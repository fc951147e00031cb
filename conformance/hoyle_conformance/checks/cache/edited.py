"""The scenarios that were edited since the suite was compiled, read and linted again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hoyle_conformance.checks.cache.compiled import Compiled, compiled_scenarios, file_of
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.at_work import known_names, read_at_work
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.scenarios import lint_of_suite
from hoyle_conformance.suite.load import existing, read_document
from hoyle_conformance.suite.paths import tree
from hoyle_conformance.suite.suite import Suite

#: Of so few scenarios, the lines about them are looked for in the file of the rulesets that inherit outcomes.
_FEW: Final = 10


def compile_edited(suite: Suite, files: Sequence[str]) -> tuple[Compiled, list[Diagnostic]] | None:
    """Return what the scenarios in some files are compiled to by the rules of a suite, and the faults of those that are
    left out; None where a file is not named after its scenario, so that two may have one id."""
    documents, faults = [], list[Diagnostic]()
    for name in files:
        path = suite.root / name
        try:
            document = read_document(suite.schemas, "scenario", path, suite.shown(path), within=tree(suite.root))
        except Invalid as invalid:
            faults += invalid.diagnostics
        else:
            if file_of(document.data["id"]) != name:
                return None
            documents.append(document)
    known, scenarios = known_names(suite.rulesets), []
    for document in documents:
        name = document.data["id"]
        at_work = read_at_work(suite.root, suite.schemas, name if len(files) < _FEW else "")
        scenarios.append(scenario_from(document, existing(at_work.of(name).checks, known)))
    faults = faults or [fault for each in scenarios for fault in lint_of_suite(suite, each)]
    broken = {fault.file for fault in faults}
    return compiled_scenarios(
        replace(suite, scenarios={each.id: each for each in scenarios if each.file not in broken})
    ), faults
