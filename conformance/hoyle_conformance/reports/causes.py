"""The causes of a run's failures: each with its rule in words and an example, and all of them in short."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from hoyle_conformance.protocol.errors import FAULTS
from hoyle_conformance.reports.failure import Telling, example
from hoyle_conformance.runner.features import MISSING, plainly, telling
from hoyle_conformance.runner.guard import CODE as BROKEN_JUDGING
from hoyle_conformance.runner.results import ANSWER, FailureGroup
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.cards import listed
from hoyle_conformance.wording.text import counted, harmless, labelled, sentence
from hoyle_reference.frozen import frozen
from hoyle_reference.table.refusals import MESSAGES

#: How many of the other checks are named, and how many causes stand in the list at the end, unless all are asked for.
_OTHERS: Final = 6
_IN_SHORT: Final = 20
_SHORT: Final = 90  # characters
#: What is another each time in what an implementation says, as `plainly` writes it.
_ANOTHER: Final = re.compile(r"\b(CARD|N(,N)*)\b")

#: What went wrong, by what was compared; `{it}` is the act or question.
_WRONG: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accepted": "{it} is refused, though the rules allow it",
        "refused": "{it} is accepted, though the rules refuse it",
        "reason": "{it} is refused for another reason",
        "answer": "{it} is answered otherwise",
        "score": "after {it} the score is another",
        "cards": "after {it} a card is lost, or lies in two places",
        "cards lie": "after {it} cards lie elsewhere",
        "players": "after {it} the score is not that of every player",
        "fail": "one rule is read in two ways",
        "unexpected-pass": "the baseline expects a failure, and it passes",
        "crash": "the adapter ended",
        "error": "it answers with an error",
    }
)


def title(cause: FailureGroup, number: int) -> str:
    """What went wrong, and how often, on one line."""
    where = f" in {counted(len(cause.rulesets), 'ruleset')}" if len(cause.rulesets) > 1 else ""
    return f"{number}. {sentence(wrong(cause))} {counted(len(cause.checks), 'check')}{where}."


def in_full(telling: Telling, cause: FailureGroup, numbers: Mapping[str, int], *, verbose: bool) -> Iterator[str]:
    """One cause below its title: by what rule it went wrong, an example in full, and the names of the others."""
    yield from _rule(telling.suite, cause)
    if sources := _sources(cause, numbers):
        yield from labelled("perhaps", f"This may come from {sources}: mend that first.")
    yield ""
    yield from example(telling, cause)
    yield from _others(cause, verbose=verbose)


def wrong(cause: FailureGroup) -> str:
    """What went wrong, in words."""
    what = f"'{cause.word}'" if cause.word else "a question" if cause.asks else "an act"
    if cause.kind == f"{ANSWER}{MISSING}":
        return f"{what} is not answered"
    if cause.kind.endswith(MISSING):
        return f"after {what} '{cause.kind.removesuffix(MISSING)}' is not reported"
    if cause.kind.startswith("unchanged "):
        return f"a refused {what.removeprefix('an ')} changes '{cause.kind.removeprefix('unchanged ')}'"
    if cause.example.result.code in {*FAULTS, BROKEN_JUDGING} and cause.kind != "crash":
        return _said(cause)
    said = _WRONG.get(cause.kind, f"after {{it}} '{cause.kind}' is another").format(it=what)
    if cause.kind in {"refused", "reason"} and cause.refusal:
        return f"{said}: {MESSAGES[cause.refusal]}"
    return f"{said}: {_said(cause)}" if cause.reason else said


def _said(cause: FailureGroup) -> str:
    """What the implementation said, in its own words where they were always the same."""
    said = {telling(each.mismatch.reason if each.mismatch else each.result.reason) for each in cause.failures}
    own = next(iter(said))
    return harmless(own if len(said) == 1 and plainly(own) == cause.reason else _ANOTHER.sub("…", cause.reason))


def in_short(causes: Sequence[FailureGroup], numbers: Mapping[str, int], *, verbose: bool) -> Iterator[str]:
    """All causes, a line each: how many checks fail for it, what went wrong, the cell, and what it may come from."""
    failures = {check for each in causes for check in each.checks}
    yield f"{counted(len(failures), 'failure')}, {counted(len(causes), 'cause')}:"
    shown = causes if verbose else causes[:_IN_SHORT]
    most = max(len(f"{len(each.checks):,}") for each in causes)
    for cause in shown:
        said = wrong(cause)
        said = said if len(said) <= _SHORT else f"{said[: _SHORT - 1]}…"
        cell = f"  [{cause.cell}]" if cause.cell else ""
        sources = f"  (perhaps from {_sources(cause, numbers)})" if cause.comes_from else ""
        yield f"  {numbers[cause.id]:>3}. {len(cause.checks):>{most},} x {said}{cell}{sources}"
    if len(shown) < len(causes):
        yield f"  and {len(causes) - len(shown)} more (-v lists them)"


@frozen
class RuleAtWork:
    """The rule that has to do with a cause, in words, by its cell in a ruleset."""

    says: str
    cell: str
    ruleset: str


def rule_of(suite: Suite, cause: FailureGroup) -> RuleAtWork | None:
    """The rule that has to do with it, as its example's ruleset has it; none where no cell is at work."""
    if not cause.cell:
        return None
    ruleset = cause.example.result.check.ruleset
    cell, schema = suite.cells(ruleset)[cause.cell], rulebook.parameter(suite, cause.cell)
    says = f"{rulebook.heading(cell, schema)}. {rulebook.sentence(schema, cell.value)}"
    return RuleAtWork(says, cause.cell, ruleset)


def _rule(suite: Suite, cause: FailureGroup) -> Iterator[str]:
    if rule := rule_of(suite, cause):
        yield from labelled("rule", rule.says)
        yield from labelled("", f"{rule.cell} of {rule.ruleset}")


def _sources(cause: FailureGroup, numbers: Mapping[str, int]) -> str:
    return listed([str(number) for number in sorted(numbers[each] for each in cause.comes_from)], "or")


def _others(cause: FailureGroup, *, verbose: bool) -> Iterator[str]:
    """The other checks that fail for it, by name; on the screen each scenario once, and of many the first."""
    others = [check for check in cause.checks if check != cause.example.result.check.id]
    named = others if verbose or len(cause.rulesets) == 1 else _scenarios(others)
    shown = named if verbose else named[:_OTHERS]
    for number, name in enumerate(shown):
        yield from labelled("" if number else "others", name, whole=True)
    if len(shown) < len(named):
        yield from labelled("", f"and {len(named) - len(shown)} more (-v names them)")


def _scenarios(checks: Sequence[str]) -> list[str]:
    """The scenarios of some checks, with the number of rulesets where there are several."""
    counts = Counter(check.partition("@")[0] for check in checks)
    first = {check.partition("@")[0]: check for check in reversed(checks)}
    return [first[name] if count == 1 else f"{name} in {count} rulesets" for name, count in counts.items()]
