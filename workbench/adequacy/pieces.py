"""The pieces in which the work is shared: each is done by one process."""

import gc
from collections import Counter
from collections.abc import Sequence
from functools import cache

from adequacy import crossings, evidence, silence
from adequacy.code_mutants import CodeMutant, CodeVerdict, verdicts
from adequacy.measure import Measurement, measure
from adequacy.mutant_bench import MutantBench
from adequacy.mutants import Detector
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.suite.suite import Suite


def measures(ruleset: str) -> list[Measurement]:
    return measure(Detector(suite(), ruleset))


def other_values(ruleset: str) -> list[evidence.Evidence]:
    return evidence.collect_evidence(Detector(suite(), ruleset))


def choices(ruleset: str) -> list[silence.Choice]:
    return silence.choices(Detector(suite(), ruleset))


def crossings_in_games(ruleset: str, seeds: range) -> Counter[crossings.Crossing]:
    return crossings.in_games(suite(), ruleset, seeds)


def crossings_in_checks(ruleset: str) -> Counter[crossings.Crossing]:
    return crossings.in_checks(suite(), ruleset)


def code_verdicts(rulesets: tuple[str, ...], mutants: Sequence[CodeMutant]) -> list[CodeVerdict]:
    return list(verdicts(_bench(rulesets), mutants))


@cache
def suite() -> Suite:
    """Return the suite, opened once in each process."""
    return open_suite(positions=False)


@cache
def _bench(rulesets: tuple[str, ...]) -> MutantBench:
    """Return the checks and games of some rulesets, recorded once in each process."""
    bench = MutantBench(suite(), rulesets)
    gc.freeze()  # copies of this process share what they do not collect
    return bench
