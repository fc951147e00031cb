"""The causes of a run's failures: each as a `CauseView`, as lines for the terminal, and in a record; all in short."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hoyle_conformance.protocol.messages import FAULTS, AdapterInfo
from hoyle_conformance.reports import words
from hoyle_conformance.reports.failure import FailureContext, failure_view
from hoyle_conformance.reports.words import explain_exit
from hoyle_conformance.runner.features import MISSING, simplify_reason, telling_line
from hoyle_conformance.runner.interrupts import Stop
from hoyle_conformance.runner.record import Teller
from hoyle_conformance.runner.results import ANSWER, Failure, FailureGroup, Result, Run, Status
from hoyle_conformance.runner.results import OWN_FAULT as BROKEN_JUDGING
from hoyle_conformance.runner.rule_changes import RuleChange
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import parameter_schema
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.departures import rule_sentence
from hoyle_conformance.wording.failure_view import CauseView, RuleAtWork, failure_lines, to_record
from hoyle_conformance.wording.text import join_and, plural, sanitize, sentence, with_label
from hoyle_reference.refusals import MESSAGES

#: How many of the other checks are named, and how many causes stand in the list at the end, unless all are asked for.
_OTHERS: Final = 6
_IN_SHORT: Final = 20
_SHORT: Final = 90  # characters
#: What differs each time in what an implementation says, as `plainly` writes it.
_VARYING: Final = re.compile(r"\b(CARD|WORD|N(,N)*)\b")


def cause_view(context: FailureContext, cause: FailureGroup) -> CauseView:
    """Return all that a report shows of a cause, with the failure that is easiest to understand."""
    return CauseView(
        id=cause.id,
        says=what_went_wrong(context.suite, cause),
        unexplained=cause.unexplained,
        checks=cause.checks,
        comes_from=cause.comes_from,
        rule=_rule_at_work(context.suite, cause),
        example=failure_view(context, cause.example, cause.cell),
    )


def what_went_wrong(suite: Suite, cause: FailureGroup) -> str:
    """Return what went wrong, as a phrase."""
    if cause.change:
        return _departure(suite, cause.example.result.check.ruleset, cause.change)
    return _difference(cause)


def _difference(cause: FailureGroup) -> str:
    """Return what differs in failures that no other rule explains, as a phrase."""
    what = f"'{cause.word}'" if cause.word else words.phrase("cause.a-question" if cause.asks else "cause.an-act")
    if cause.kind == f"{ANSWER}{MISSING}":
        return words.phrase("cause.no-answer", it=what)
    if cause.kind.endswith(MISSING):
        return words.phrase("cause.not-reported", it=what, kind=cause.kind.removesuffix(MISSING))
    if cause.kind.startswith("unchanged "):
        it, kind = what.removeprefix("an "), cause.kind.removeprefix("unchanged ")
        return words.phrase("cause.unchanged", it=it, kind=kind)
    if cause.example.result.code in {*FAULTS, BROKEN_JUDGING} and cause.kind != "crash":
        return _reason(cause)
    name = f"wrong.{cause.kind}" if f"wrong.{cause.kind}" in words.phrases() else "wrong.other"
    wrong = words.phrase(name, it=what, kind=cause.kind)
    if cause.kind in {"refused", "reason"} and cause.refusal:
        return f"{wrong}: {MESSAGES[cause.refusal]}"
    return f"{wrong}: {_reason(cause)}" if cause.reason else wrong


def _departure(suite: Suite, ruleset: str, change: RuleChange) -> str:
    """Return the rule that an engine plays instead of a ruleset's, as a phrase."""
    before = suite.rules.cells(ruleset)
    after = change.apply_to(before)
    if change.path not in after:
        return words.phrase("cause.without-rule", rule=rule_sentence(suite, before, change.path))
    return words.phrase("cause.another-rule", rule=rule_sentence(suite, after, change.path))


def _reason(cause: FailureGroup) -> str:
    """Return the implementation's reason, in its own words where they were always the same."""
    result = cause.example.result
    if result.status is Status.UNEXPECTED_PASS:
        return words.reason(result)
    given = [each.mismatch or each.result for each in cause.failures]
    reasons = {telling_line(each.reason, getattr(each, "output", "")) for each in given}
    own = next(iter(reasons))
    same = len(reasons) == 1 and simplify_reason(own) == cause.reason
    said = sanitize(own if same else _VARYING.sub("…", cause.reason))
    return words.phrase("result.own-fault", error=said) if result.code == BROKEN_JUDGING else said


def _rule_at_work(suite: Suite, cause: FailureGroup) -> RuleAtWork | None:
    """Return the rule behind a cause, as its example's ruleset has it, or None where no cell is at work."""
    if not cause.cell:
        return None
    ruleset = cause.example.result.check.ruleset
    cells, schema = suite.rules.cells(ruleset), parameter_schema(suite, cause.cell)
    if cause.cell not in cells:  # only the engine has the rule
        return None
    cell = cells[cause.cell]
    says = f"{rulebook.heading(cell, schema)}. {rulebook.sentence(schema, cell.value)}"
    return RuleAtWork(says, cause.cell, ruleset)


# ---- for the terminal


def title_line(suite: Suite, cause: FailureGroup, number: int) -> str:
    """Return what went wrong, and how often, on one line."""
    rulesets, checks = plural(len(cause.rulesets), "ruleset"), plural(len(cause.checks), "check")
    where = words.phrase("cause.where", rulesets=rulesets) if len(cause.rulesets) > 1 else ""
    says = sentence(what_went_wrong(suite, cause))
    return words.phrase("cause.title", number=number, says=says, checks=checks, where=where)


def cause_lines(cause: CauseView, numbers: Mapping[str, int], *, verbose: bool) -> Iterator[str]:
    """Yield a cause below its title: the rule at work, the example in full, and the names of the other checks.

    `numbers` are those of all causes, by their ids.
    """
    if cause.rule:
        yield from with_label("rule", cause.rule.says)
        yield from with_label("", words.phrase("cause.rule-of", cell=cause.rule.cell, ruleset=cause.rule.ruleset))
    if cause.unexplained:
        name = "cause.unexplained" if cause.rule else "cause.no-rule"
        yield from with_label("" if cause.rule else "rule", words.phrase(name))
    if sources := _sources(cause, numbers):
        yield from with_label("perhaps", words.phrase("cause.follows", causes=sources))
    yield ""
    if cause.example:
        yield from failure_lines(cause.example)
    yield from _other_checks(cause.checks, verbose=verbose)


def _sources(cause: CauseView | FailureGroup, numbers: Mapping[str, int]) -> str:
    return join_and([str(number) for number in sorted(numbers[each] for each in cause.comes_from)], "or")


def _other_checks(checks: Sequence[str], *, verbose: bool) -> Iterator[str]:
    """Yield the names of the checks after the first; unless `verbose`, each scenario once, and of many the first."""
    named = checks[1:]
    if not verbose and len({check.partition("@")[2] for check in checks}) > 1:
        counts = Counter(check.partition("@")[0] for check in named)
        first = {check.partition("@")[0]: check for check in reversed(named)}
        named = [
            first[name] if count == 1 else words.phrase("cause.in-rulesets", check=name, count=count)
            for name, count in counts.items()
        ]
    shown = named if verbose else named[:_OTHERS]
    for number, name in enumerate(shown):
        yield from with_label("" if number else "others", name, whole=True)
    if len(shown) < len(named):
        yield from with_label("", words.phrase("cause.more-checks", count=len(named) - len(shown)))


def overview_lines(
    suite: Suite, causes: Sequence[FailureGroup], numbers: Mapping[str, int], *, verbose: bool
) -> Iterator[str]:
    """Yield all causes, a line each: how many checks fail for it, what went wrong, the cell, and possible sources."""
    failures = {check for each in causes for check in each.checks}
    explained = {check for each in causes if each.change for check in each.checks}
    count = plural(len(causes), "cause")
    yield words.phrase("overview.heading", failures=plural(len(failures), "failure"), causes=count)
    if explained:
        rules = plural(sum(each.change is not None for each in causes), "rule")
        name = "overview.explained.one" if len(explained) == 1 else "overview.explained.more"
        yield words.phrase(name, count=len(explained), rules=rules)
    shown = causes if verbose else causes[:_IN_SHORT]
    most = max(len(f"{len(each.checks):,}") for each in causes)
    for cause in shown:
        says = what_went_wrong(suite, cause)
        says = says if len(says) <= _SHORT else f"{says[: _SHORT - 1]}…"
        cell = f"  [{cause.cell}]" if cause.cell else ""
        sources = words.phrase("overview.perhaps", causes=_sources(cause, numbers)) if cause.comes_from else ""
        yield f"  {numbers[cause.id]:>3}. {len(cause.checks):>{most},} x {says}{cell}{sources}"
    if len(shown) < len(causes):
        yield words.phrase("more.lists", count=len(causes) - len(shown))


# ---- in a record


@dataclass(frozen=True, slots=True)
class RecordedWords:
    """The words that a record keeps of failures, of their causes, and of the run: those that the terminal shows."""

    context: FailureContext

    def result(self, result: Result) -> Mapping[str, str]:
        """Return what is recorded of a result: the reason and the remedy."""
        return {"reason": words.reason(result), "remedy": words.remedy(result)}

    def stopped(self, stop: Stop) -> str:
        """Return what is recorded of the early end of a run."""
        return words.stop_reason(stop)

    def failure(self, failure: Failure) -> Mapping[str, Any]:
        """Return what is recorded of a failure; its cause is not known yet."""
        return to_record(failure_view(self.context, failure))

    def cause(self, cause: FailureGroup) -> Mapping[str, Any]:
        """Return what is recorded of a cause: what went wrong, its example, and the rule at work, if any."""
        view = cause_view(self.context, cause)
        says = {"says": view.says, "told": to_record(view.example) if view.example else {}}
        if rule := view.rule:
            says["rule"] = {"says": rule.says, "cell": rule.cell, "ruleset": rule.ruleset}
        return says

    def run(self, run: Run) -> Mapping[str, Any]:
        """Return why the command does not end with 0, if it does not."""
        why = explain_exit(run)
        return {"explained": why} if why else {}


def recorded_words(suite: Suite, again: Sequence[str], adapter: Sequence[str] | None = None) -> Teller:
    """Return what makes the words for a record, given the adapter's introduction and its command.

    `again` are the words that begin the command that repeats a check; `adapter` are those that end it, by default the
    command of the adapter.
    """

    def teller(ready: AdapterInfo, command: Sequence[str]) -> RecordedWords:
        return RecordedWords(FailureContext(suite, ready.name, again, command if adapter is None else adapter, ready))

    return teller
