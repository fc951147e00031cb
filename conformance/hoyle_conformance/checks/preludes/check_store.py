"""Faults of the stored preludes: lines that cannot be read, that were found under other readings, or that no longer
lead to the position of their scenario."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of
from hoyle_conformance.checks.preludes.follow import FoundHistory, proved_impossible
from hoyle_conformance.checks.preludes.format import PreludeLine, digest, line
from hoyle_conformance.checks.preludes.prelude import NoPrelude
from hoyle_conformance.checks.preludes.store import ANEW, ENDING, FOLDER, again, lines_of
from hoyle_conformance.checks.preludes.verify import beside
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import files_below
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.paths import tree
from hoyle_conformance.suite.suite import Suite

_MAY_BE = "Change the position to one that can arise in play; most questions can be asked there too."


def check_preludes(suite: Suite) -> Iterator[Diagnostic]:
    """Yield everything that is wrong with the stored preludes; of a stale file, the first line that shows it."""
    for path in prelude_files(suite):
        yield from check_prelude_file(suite, path)


def prelude_files(suite: Suite) -> list[Path]:
    """Return the files of stored preludes; raises Invalid where their folder cannot be read."""
    folder = suite.root / FOLDER
    return list(files_below(folder, suite.shown(folder), within=tree(suite.root)))


def check_prelude_file(suite: Suite, path: Path, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield that a file is of no ruleset, or the first line that shows that it is damaged or stale."""
    table = path.name.removesuffix(ENDING)
    if not path.name.endswith(ENDING) or table not in suite.rulesets:
        message = f"no ruleset uses the preludes in {path.name}"
        yield Diagnostic(suite.shown(path), 1, 1, "surplus-preludes", message, "Remove the file.")
    else:
        yield from _of_a_file(suite, table, path, proofs)


def check_history(suite: Suite, scenario: Scenario) -> Iterator[Diagnostic]:
    """Yield a diagnostic if no legal history leads to the position of a scenario under any of its rulesets, as far as
    that is proved."""
    proved: list[NoPrelude] = []
    for check in suite.index.checks_of(scenario):
        none = proved_impossible(suite, check)
        if none is None:
            return
        proved.append(none)
    if proved:
        message = f"no legal history leads to this position; {proved[0].reason}"
        yield scenario.document.diagnose(["given"], "impossible-position", message, _MAY_BE)


def _of_a_file(suite: Suite, table: str, path: Path, proofs: Proofs) -> Iterator[Diagnostic]:
    """Yield the first mistake of a file."""
    try:
        for number, data in enumerate(lines_of(suite, path), start=1):
            stale = _is_stale_beside(suite, data) if "beside" in data else _is_stale(suite, data, proofs)
            if stale:
                yield Diagnostic(suite.shown(path), number, 1, "stale-prelude", stale, ANEW.format(table))
                return
    except Invalid as invalid:
        yield from invalid.diagnostics


def _is_stale_beside(suite: Suite, data: Mapping[str, Any]) -> str:
    ruleset = data["ruleset"]
    if not suite.rules.knows(ruleset):
        return f"ruleset {ruleset} no longer exists"
    if tuple(data["beside"]) != beside(suite, ruleset):
        return f"the readings of the disputed cells of {ruleset} have changed since its preludes were found"
    return ""


def _is_stale(suite: Suite, data: Mapping[str, Any], proofs: Proofs) -> str:
    """Return why a line no longer holds; empty if it still does."""
    inputs = partial(_inputs, suite, data)
    stale = "" if proofs.holds(inputs) else _played_again(suite, line(data))
    if not stale:
        proofs.note(inputs)
    return stale


def _inputs(suite: Suite, data: Mapping[str, Any]) -> Sequence[Any]:
    """Return what a line rests on: the scenario and the rulesets that it names, as far as they exist."""
    inputs, scenario = inputs_of(suite), suite.scenarios.get(data["scenario"])
    rulesets = [name for name in data["rulesets"] if name in suite.rules.names]
    return "prelude", data, scenario and inputs.scenario(scenario), inputs.rules(rulesets)


def _played_again(suite: Suite, kept: PreludeLine) -> str:
    """Return why a line no longer holds, for which its history is played; empty if it still does."""
    scenario = suite.scenarios.get(kept.scenario)
    if scenario is None:
        return f"scenario {kept.scenario} no longer exists"
    checks = {check.ruleset: check for check in suite.index.checks_of(scenario)}
    for ruleset in kept.rulesets:
        if ruleset not in checks:
            return f"{kept.scenario} no longer has an outcome for {ruleset}"
        if digest(checks[ruleset]) != kept.of:
            return f"the position of {kept.scenario} has changed since its prelude was found"
        if isinstance(kept.found, NoPrelude):
            continue
        if not isinstance(again(suite, checks[ruleset], kept.found), FoundHistory):
            return f"the prelude of {kept.scenario} no longer leads to its position under {ruleset}"
    return ""
