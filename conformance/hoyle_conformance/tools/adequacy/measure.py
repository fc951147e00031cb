"""Measuring: everything that is measured of the checks of one ruleset, as plain values that can travel."""

from collections.abc import Iterable, Iterator
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy import coverage as reach
from hoyle_conformance.tools.adequacy.cell_mutants import changed_cells
from hoyle_conformance.tools.adequacy.detect import MutantTrial, Noticing
from hoyle_conformance.tools.adequacy.mutants import CELLS, MEMORY, REACH, REFUSALS, TOLD_APART, Mutant
from hoyle_conformance.tools.adequacy.refusal_mutants import come_upon, names_of, permissive
from hoyle_conformance.tools.adequacy.state_mutants import forgetful
from hoyle_conformance.tools.adequacy.waivers import reason
from hoyle_reference.frozen import frozen

_NEVER: Final = "random play never comes upon it"


@frozen
class Missing:
    """Something that no check notices: what it is, and the reason why none need, if there is one."""

    what: str
    reason: str = ""


@frozen
class Measured:
    """One measure of the checks of a ruleset: of how many things how many are noticed, and what is not."""

    ruleset: str
    measure: str
    of: int
    missing: tuple[Missing, ...]

    @property
    def noticed(self) -> int:
        """How many things are noticed."""
        return self.of - len(self.missing)

    @property
    def lacking(self) -> tuple[Missing, ...]:
        """What is missing without a reason."""
        return tuple(each for each in self.missing if not each.reason)


class Void(Exception):
    """A measure that means nothing, since an engine without a fault is noticed too; the message says where."""


def measure(suite: Suite, ruleset: str) -> list[Measured]:
    """All measures of one ruleset, plain or with options; raises Void where they would mean nothing."""
    noticing = Noticing(suite, ruleset)
    if noticing.is_noticed(MutantTrial(Mutant(CELLS, "nothing"), noticing.asked)):
        raise Void(f"the reference itself fails a check of {ruleset}: see 'hoyle check -r {ruleset} hoyle suite serve'")
    with come_upon(noticing.rules) as hit:
        by_random_play = reach.by_random_play(noticing)
    refusals = list(permissive(noticing))
    never = frozenset(trial.fault.name for trial in refusals) - names_of(noticing.rules, hit)
    trials = {CELLS: changed_cells(noticing), REFUSALS: refusals, MEMORY: forgetful(noticing)}
    return [
        *(_of_faults(noticing, kind, tried, never) for kind, tried in trials.items()),
        _of_reach(noticing, by_random_play),
        _of_faults(noticing, TOLD_APART, _others(noticing), never),
    ]


def _of_faults(noticing: Noticing, kind: str, tried: Iterable[MutantTrial], never: frozenset[str]) -> Measured:
    """How many of the engines with one fault are noticed; `never` are the refusals that random play never meets."""
    count, missing = 0, []
    for trial in tried:
        count += 1
        if not noticing.is_noticed(trial):
            name = trial.fault.name
            idle = _NEVER if kind == REFUSALS and not trial.asked and name in never else ""
            missing.append(Missing(name, reason(kind, noticing.rules.id, name) or idle))
    return Measured(noticing.rules.id, kind, count, tuple(missing))


def _of_reach(noticing: Noticing, by_random_play: frozenset[reach.Met]) -> Measured:
    """How much of what random play comes upon the scenarios come upon too."""
    missed = sorted(by_random_play - reach.by_scenarios(noticing))
    missing = tuple(Missing(str(met), reason(REACH, noticing.rules.id, str(met))) for met in missed)
    return Measured(noticing.rules.id, REACH, len(by_random_play), missing)


def _others(noticing: Noticing) -> Iterator[MutantTrial]:
    """Engines that play other rulesets of the same game."""
    suite, own = noticing.suite, noticing.rules.id
    for other in suite.ruleset_names:
        if other != own and _game(suite, other) == _game(suite, own):
            yield MutantTrial(Mutant(TOLD_APART, other, rules=suite.rules(other)), noticing.asked)


def _game(suite: Suite, ruleset: str) -> str:
    return suite.rulesets[ruleset.partition("+")[0]].game
