"""Build the views of failures and of their causes, which every report format prints.

    view = failure_view(context, failure, cell)
    lines = failure_lines(view)

The module has the views of failures, the views of causes, their lines for the terminal, and their words in a record.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import NOTHING_REPORTED, Adapted, Claims
from hoyle_conformance.checks.rewrites import adapt
from hoyle_conformance.protocol.messages import FAULTS, AdapterInfo
from hoyle_conformance.reports import words as report_words
from hoyle_conformance.reports.words import explain_exit, phrase, reason, remedy
from hoyle_conformance.runner.features import (
    MISSING,
    ONE_SCORES,
    Single,
    has_rules,
    kind_of,
    place_of,
    reference_steps,
    simplify_reason,
    single_of,
    telling_line,
)
from hoyle_conformance.runner.interrupts import Stop
from hoyle_conformance.runner.record import IN_PROCESS, Teller
from hoyle_conformance.runner.results import ANSWER, Failure, FailureGroup, Mismatch, Result, Run, Status
from hoyle_conformance.runner.results import OWN_FAULT as BROKEN_JUDGING
from hoyle_conformance.runner.select import is_game
from hoyle_conformance.suite.capabilities import LEGAL_ACTS
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import definitions, parameter_schema
from hoyle_conformance.system.processes import join_command
from hoyle_conformance.wording import explain, words
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.failure_view import (
    CauseView,
    FailureStep,
    FailureView,
    RuleAtWork,
    RuleLine,
    failure_lines,
    house_rules_view,
    to_record,
)
from hoyle_conformance.wording.rulebook_entries import rule_sentence
from hoyle_conformance.wording.text import cut, join_and, plural, sanitize, sentence, with_label
from hoyle_reference.refusals import MESSAGES

#: The maximum numbers of steps shown up to the one that went wrong, and of clauses.
_STEPS: Final = 12
_CLAUSES: Final = 4
#: The maximum number of characters of an observed value: three times the longest expected value.
_OBSERVED: Final = 3_000
#: The observables that have a hint under any rules.
_HINTS: Final = frozenset({"unchanged", "cards", "players"})


@dataclass(frozen=True, slots=True)
class FailureContext:
    """The run of a failure.

    It has the suite, the engine's name, the words that begin the command to repeat a check, the adapter's command that
    completes it, and the adapter's introduction, if known.
    """

    suite: Suite
    engine: str
    again: Sequence[str]
    command: Sequence[str]
    ready: AdapterInfo | None = None


def _run_again(context: FailureContext, check: str) -> str:
    """Return the command that repeats a check, or the call if the engine is in this process."""
    if tuple(context.again) == IN_PROCESS:
        return f"hoyle.check(engine, select={[check]})"
    return join_command([*context.again, "-s", check, *context.command])


def failure_view(context: FailureContext, failure: Failure, cell: str = "") -> FailureView:
    """Return everything that a report shows about a failure; `cell` is the rule at work in all failures of its
    cause."""
    suite, result, mismatch = context.suite, failure.result, failure.mismatch
    check, scenario = result.check, result.check.scenario
    view = FailureView(
        status=str(result.status),
        check=check.id,
        title=scenario.title,
        file=scenario.file,
        line=failure.line,
        expected_status=result.expected_status,
        reason=sanitize(reason(result)),
        remedy=remedy(result),
        again=sanitize(_run_again(context, check.id)),
        page="census.html" if is_game(check) else f"scenarios/{scenario.id.replace('.', '/')}.html",
    )
    if mismatch is None:
        return replace(view, readings=_both_readings(suite, result))
    singles = reference_steps(suite, check)
    single = single_of(suite, check, singles, mismatch)[1] if singles else None
    expected, observed = _compare(context, single, check, mismatch)
    readings = phrase("failure.undecided", readings=join_and(sorted(set(check.branches)), "or"), follows=check.follows)
    alone = bool(check.origins) and check.origins[mismatch.step - 1].derived
    return replace(
        view,
        turned=tuple(line.removeprefix("Relabelled: ") for line in words.relabelling(check.turned)),
        given=() if alone else tuple(_given(suite, result, mismatch)),
        reached=_prelude(context, check),
        steps=tuple(_steps(suite, check, mismatch))[-1 if alone else 0 :],
        in_file=_in_file(suite, check, mismatch),
        expected=expected,
        observed=observed,
        also=_other_steps(result, mismatch),
        hint="" if alone and mismatch.observed != NOTHING_REPORTED else result.remedy or _hint(suite, check, mismatch),
        house=house_rules_view(suite, check),
        rules=tuple(_clause(suite, each) for each in _cited(suite, cell, check, single, mismatch)[:_CLAUSES]),
        defined=", ".join(f"spec/{each}" for each in definitions(suite, _about(suite, cell, check, single, mismatch))),
        readings=readings if check.follows else "",
    )


def _given(suite: Suite, result: Result, mismatch: Mismatch) -> Iterator[str]:
    """Yield the position given in a check; in a game, what was observed before the first step that is shown."""
    given, first = result.check.scenario.given, mismatch.step - _STEPS
    if result.sent and is_game(result.check) and first > 0:
        shown = ("dealer", "trumps", "hands", "score")
        seen = {key: each for key, each in result.sent.observed[first - 1].items() if key in shown and each}
        given = {"before": "steps below", **seen}
    yield from words.position(given, suite.rules.meld_names(result.check.ruleset))
    yield from words.partners(suite.rules.of(result.check.ruleset))


def _both_readings(suite: Suite, result: Result) -> str:
    """Return the rule under each reading that an engine mixes; empty for another failure."""
    if result.contradiction is None:
        return ""
    path, named = result.contradiction.path, {*result.contradiction.here, *result.contradiction.there}
    cell, schema = suite.rules.cells(result.check.ruleset)[path], parameter_schema(suite, path)
    return "\n".join(
        f"'{each.name}': {rulebook.sentence(schema, each.value)}" for each in cell.readings if each.name in named
    )


def _prelude(context: FailureContext, check: Check) -> str:
    """Return the number of acts that led from a deal to the position, if any, and the command that shows them."""
    if not context.ready or check.origins or is_game(check):
        return ""
    adapted = adapt(Claims(context.suite, context.ready), check)
    prelude = adapted.plan.message.get("prelude") if isinstance(adapted, Adapted) else None
    return phrase("failure.prelude", acts=plural(len(prelude), "act"), check=check.id) if prelude else ""


def _steps(suite: Suite, check: Check, mismatch: Mismatch) -> Iterator[FailureStep]:
    """Yield the steps up to the one that went wrong; if there are many, only the last ones."""
    melds, first = suite.rules.meld_names(check.ruleset), max(0, mismatch.step - _STEPS)
    for number, step in enumerate(check.scenario.steps[first : mismatch.step], start=first + 1):
        wrong = number == mismatch.step and not mismatch.afterwards
        said = words.step(step, melds)
        yield _wrong_step(suite, check, mismatch, said) if wrong else FailureStep(said, number)
    if act := mismatch.afterwards:
        acts = [{**act, **each} for each in act["melds"]] if "melds" in act else [act]
        yield FailureStep("; ".join(words.step(each, melds) for each in acts), wrong=True)


def _in_file(suite: Suite, check: Check, mismatch: Mismatch) -> str:
    """Return the position and the step that went wrong, with the seats and suits of the file; empty for a check that
    was sent as written."""
    if not words.relabelling(check.turned):
        return ""
    scenario, melds = suite.scenarios[check.scenario.id], suite.rules.meld_names(check.ruleset)
    number = check.origins[mismatch.step - 1].step if check.origins else mismatch.step
    step = phrase("failure.step-in-file", number=number, step=words.step(scenario.steps[number - 1], melds))
    return " ".join([*words.position(scenario.given, melds), step])


def _wrong_step(suite: Suite, check: Check, mismatch: Mismatch, said: str) -> FailureStep:
    """Return the step that went wrong, with the step of the file that a question was made from, and the act in it that
    was refused."""
    asked = act = ""
    if check.origins:
        origin = check.origins[mismatch.step - 1]
        asked = phrase("failure.derived" if origin.derived else "failure.asked", step=origin.step)
    plan = planner_of(suite).request(check)
    if mismatch.what == "accepted" and plan.ends[mismatch.step - 1] - plan.start(mismatch.step) > 1:
        act = words.step(plan.message["steps"][place_of(suite, check, mismatch)], suite.rules.meld_names(check.ruleset))
    return FailureStep(said, mismatch.step, wrong=True, asked=asked, act=act)


def _compare(context: FailureContext, single: Single | None, check: Check, mismatch: Mismatch) -> tuple[str, str]:
    """Return the expected and the observed value; for a refusal, also who refused and why."""
    melds = context.suite.rules.meld_names(check.ruleset)
    what = words.value_key(check.scenario.steps[mismatch.step - 1], mismatch.what)
    expected, observed = (words.value(what, value, melds) for value in (mismatch.expected, mismatch.observed))
    if mismatch.observed == NOTHING_REPORTED:
        observed = NOTHING_REPORTED
    said = f": {words.printable(repr(mismatch.reason))}" if mismatch.reason else ""
    engine = sanitize(context.engine).replace("\n", " ")
    match kind_of(mismatch):
        case "refused":  # an irregular act may be sent as a plain act, which is not legal here
            why = expected.removeprefix("refused") if single is None or single.refusal else ""
            expected = phrase("failure.refused-by-rules", why=why)
            observed = phrase("failure.observed-by", observed=observed, engine=engine)
        case "accepted":
            expected, observed = phrase("failure.legal"), phrase("failure.refused-by", engine=engine, said=said)
        case _ if said:
            observed = phrase("failure.and-refused", observed=observed, said=said)
    return expected, cut(observed, _OBSERVED)


def _other_steps(result: Result, mismatch: Mismatch) -> str:
    """Return a sentence about the other steps that went wrong; empty if there are none."""
    others = [each.step for each in result.mismatches if each is not mismatch]
    if not others:
        return ""
    count = len(result.check.scenario.steps)
    if all(each.what == ANSWER for each in result.mismatches):
        every = join_and([str(each.step) for each in result.mismatches])
        return phrase("failure.steps-wrong", steps=every, count=count)
    name = "failure.also-step" if len(others) == 1 else "failure.also-steps"
    return phrase(name, step=others[0], others=len(others), count=count)


def _hint(suite: Suite, check: Check, mismatch: Mismatch) -> str:
    """Return a hint: one for any rules, the scenario's reason, or the events of the step under the rules."""
    if mismatch.observed == NOTHING_REPORTED:
        return phrase("hint.not-reported")
    kind = mismatch.what.partition(" ")[0]
    if kind in _HINTS and mismatch.what != "cards lie":
        return phrase(f"hint.{kind}")
    why = "" if mismatch.afterwards else _why(check)
    if kind == "accepted":
        return why or phrase("hint.legal")
    return why or ("" if mismatch.afterwards or kind in {"refused", ANSWER} else _happenings(suite, check, mismatch))


def _why(check: Check) -> str:
    """Return the scenario's reason for the outcome of this ruleset.

    A reason for all outcomes is used only if there is one outcome, since it may otherwise be about another ruleset.
    """
    scenario = check.scenario
    of_all = scenario.why if len(scenario.outcomes) == 1 and not scenario.readings else ""
    return scenario.why_under(check.ruleset) or of_all


def _happenings(suite: Suite, check: Check, mismatch: Mismatch) -> str:
    """Return the events of the step under the rules of this ruleset, without those that only restate the step."""
    happenings = explain.steps(suite, check)[mismatch.step - 1].happenings
    said = " ".join(each.said for each in happenings if not each.restates)
    return phrase("failure.by-the-rules", happenings=said) if said else ""


def _clause(suite: Suite, name: str) -> RuleLine:
    clause, source = suite.clauses[name], suite.sources[name.partition("/")[0]]
    return RuleLine(clause.says, clause=name, where=f"{source.title}, {clause.where}")


def _cited(suite: Suite, cell: str, check: Check, single: Single | None, mismatch: Mismatch) -> list[str]:
    """Return the clauses at work in the step that went wrong: first deciding clauses, then those of the rule that
    failed. Return none if no rule is needed to see that the step is wrong."""
    if mismatch.afterwards:
        return []
    if single is None:
        return list(check.cites)
    if not _rests_on_rules(mismatch):
        return []
    about, cells = _about(suite, cell, check, single, mismatch), suite.rules.cells(check.ruleset)
    own, of_the_rule = cells.clauses(single.taken.grounds), cells.clauses(about)
    first = [each for each in check.cites if each in of_the_rule]
    then = [each for each in check.cites if each in own and each not in first]
    return [*first, *then, *(() if first else sorted(of_the_rule.difference(then)))] or list(check.cites)


def _rests_on_rules(mismatch: Mismatch) -> bool:
    """Return whether single rules are needed to see that a step is wrong; the number of legal acts rests on all."""
    kind = kind_of(mismatch)
    return kind.startswith("unchanged ") or (has_rules(kind) and kind != LEGAL_ACTS)


def _about(suite: Suite, cell: str, check: Check, single: Single | None, mismatch: Mismatch) -> list[str]:
    """Return the cell of the rule that failed in the step that went wrong; none if no rule is needed to see that the
    step is wrong."""
    if mismatch.afterwards or single is None or not _rests_on_rules(mismatch):
        return []
    return [cell] if cell in suite.rules.cells(check.ruleset) else list(single.cells(kind_of(mismatch), mismatch)[:1])


# ---- causes
#
# The causes of a run's failures: each as a `CauseView`, as lines for the terminal, and in a record, all in short.


#: The maximum numbers of other checks named, and of causes in the list at the end, unless all are requested.
_OTHERS: Final = 6
_IN_SHORT: Final = 20
_SHORT: Final = 90  # characters
#: Match the parts of an implementation's messages that vary, as `simplify_reason` writes them.
_VARYING: Final = re.compile(r"\b(CARD|WORD|N(,N)*)\b")


def cause_view(context: FailureContext, cause: FailureGroup) -> CauseView:
    """Return everything that a report shows about a cause, with the failure that is easiest to understand."""
    rule = _rule_at_work(context.suite, cause)
    unexplained = "cause.partly" if cause.change else "cause.unexplained" if rule else "cause.no-rule"
    return CauseView(
        id=cause.id,
        says=what_went_wrong(context.suite, cause),
        unexplained=phrase(unexplained) if cause.unexplained else "",
        checks=cause.checks,
        comes_from=cause.comes_from,
        rule=rule,
        example=failure_view(context, cause.example, cause.cell),
    )


def what_went_wrong(suite: Suite, cause: FailureGroup) -> str:
    """Return a phrase for the cause."""
    if cause.change:
        before = suite.rules.cells(cause.example.result.check.ruleset)
        after, path = cause.change.apply_to(before), cause.change.path
        if path not in after:
            return phrase("cause.without-rule", rule=rule_sentence(suite, before, path))
        return phrase("cause.another-rule", rule=rule_sentence(suite, after, path))
    return _difference(cause)


def _difference(cause: FailureGroup) -> str:
    """Return a phrase for the difference in failures that no other rule explains."""
    what = f"'{cause.word}'" if cause.word else phrase("cause.a-question" if cause.asks else "cause.an-act")
    if cause.kind == f"{ANSWER}{MISSING}":
        return phrase("cause.no-answer", it=what)
    if cause.kind.endswith(MISSING):
        return phrase("cause.not-reported", it=what, kind=cause.kind.removesuffix(MISSING))
    if cause.kind.startswith("unchanged "):
        it, kind = what.removeprefix("an "), cause.kind.removeprefix("unchanged ")
        return phrase("cause.unchanged", it=it, kind=kind)
    if cause.example.result.code in {*FAULTS, BROKEN_JUDGING} and cause.kind != "crash":
        return _reason(cause)
    name = f"wrong.{cause.kind}" if f"wrong.{cause.kind}" in report_words.phrases() else "wrong.other"
    wrong = phrase(name, it=what, kind=cause.kind)
    if cause.kind in {"refused", "reason"} and cause.refusal:
        return f"{wrong}: {MESSAGES[cause.refusal]}"
    return f"{wrong}: {found}" if (found := _points_off(cause) or (cause.reason and _reason(cause))) else wrong


def _points_off(cause: FailureGroup) -> str:
    """Return a phrase for the points by which the answers of a cause are wrong; empty if they are not wrong alike."""
    points = f"{plural(abs(cause.points_off), 'point')} too {'many' if cause.points_off > 0 else 'few'}"
    one_amount = points if cause.kind == ANSWER and cause.points_off else ""
    return phrase("cause.both-score") if cause.part == ONE_SCORES else one_amount


def _reason(cause: FailureGroup) -> str:
    """Return the implementation's reason, quoted exactly if it was always the same."""
    result = cause.example.result
    if result.status is Status.UNEXPECTED_PASS:
        return report_words.reason(result)
    given = [each.mismatch or each.result for each in cause.failures]
    reasons = {telling_line(each.reason, getattr(each, "output", "")) for each in given}
    own = next(iter(reasons))
    same = len(reasons) == 1 and simplify_reason(own) == cause.reason
    said = sanitize(own if same else _VARYING.sub("…", cause.reason))
    return phrase("result.own-fault", error=said) if result.code == BROKEN_JUDGING else said


def _rule_at_work(suite: Suite, cause: FailureGroup) -> RuleAtWork | None:
    """Return the rule behind a cause, as the ruleset of its example states it; None if no cell is at work."""
    if not cause.cell or cause.kind == LEGAL_ACTS:
        return None
    ruleset = cause.example.result.check.ruleset
    cells, schema = suite.rules.cells(ruleset), parameter_schema(suite, cause.cell)
    if cause.cell not in cells:  # only the engine has the rule
        return None
    cell = cells[cause.cell]
    return RuleAtWork(f"{rulebook.heading(cell, schema)}. {rulebook.sentence(schema, cell.value)}", cause.cell, ruleset)


# ---- causes for the terminal


def title_line(suite: Suite, cause: FailureGroup, number: int) -> str:
    """Return a cause and its number of checks on one line."""
    rulesets, checks = plural(len(cause.rulesets), "ruleset"), plural(len(cause.checks), "check")
    where = phrase("cause.where", rulesets=rulesets) if len(cause.rulesets) > 1 else ""
    says = sentence(what_went_wrong(suite, cause))
    return phrase("cause.title", number=number, says=says, checks=checks, where=where)


def cause_lines(cause: CauseView, numbers: Mapping[str, int], *, verbose: bool) -> Iterator[str]:
    """Yield a cause below its title: the rule at work, the whole example, and the names of the other checks.

    `numbers` are those of all causes, by id.
    """
    if cause.rule:
        yield from with_label("rule", cause.rule.says)
        yield from with_label("", phrase("cause.rule-of", cell=cause.rule.cell, ruleset=cause.rule.ruleset))
    yield from with_label("" if cause.rule else "rule", cause.unexplained)
    if sources := _sources(cause, numbers):
        yield from with_label("perhaps", phrase("cause.follows", causes=sources))
    yield ""
    if cause.example:
        yield from failure_lines(cause.example)
    yield from _other_checks(cause.checks, verbose=verbose)


def _sources(cause: CauseView | FailureGroup, numbers: Mapping[str, int]) -> str:
    return join_and([str(number) for number in sorted(numbers[each] for each in cause.comes_from)], "or")


def _other_checks(checks: Sequence[str], *, verbose: bool) -> Iterator[str]:
    """Yield the names of the checks after the first. Unless `verbose`, each scenario is named once, and only the first
    ones if there are many."""
    named = checks[1:]
    if not verbose and len({check.partition("@")[2] for check in checks}) > 1:
        counts = Counter(check.partition("@")[0] for check in named)
        first = {check.partition("@")[0]: check for check in reversed(named)}
        named = [
            first[name] if count == 1 else phrase("cause.in-rulesets", check=name, count=count)
            for name, count in counts.items()
        ]
    shown = named if verbose else named[:_OTHERS]
    for number, name in enumerate(shown):
        yield from with_label("" if number else "others", name, whole=True)
    if len(shown) < len(named):
        yield from with_label("", phrase("cause.more-checks", count=len(named) - len(shown)))


def overview_lines(suite: Suite, causes: Sequence[FailureGroup], *, verbose: bool) -> Iterator[str]:
    """Yield all causes, one line each: the number of checks that fail for it, the cause, the cell, and possible
    sources."""
    numbers = {cause.id: number for number, cause in enumerate(causes, start=1)}
    failures = plural(sum(len(each.checks) for each in causes), "failure")
    yield phrase("overview.heading", failures=failures, causes=plural(len(causes), "cause"))
    if explained := [len(each.checks) for each in causes if each.change]:
        name = "overview.explained.one" if sum(explained) == 1 else "overview.explained.more"
        yield phrase(name, count=sum(explained), rules=plural(len(explained), "rule"))
    shown = causes if verbose else causes[:_IN_SHORT]
    most = max(len(f"{len(each.checks):,}") for each in causes)
    for cause in shown:
        says = cut(what_went_wrong(suite, cause), _SHORT)
        cell = f"  [{cause.cell}]" if cause.cell else ""
        sources = phrase("overview.perhaps", causes=_sources(cause, numbers)) if cause.comes_from else ""
        yield f"  {numbers[cause.id]:>3}. {len(cause.checks):>{most},} x {says}{cell}{sources}"
    if len(shown) < len(causes):
        yield phrase("more.lists", count=len(causes) - len(shown))


# ---- causes in a record


@dataclass(frozen=True, slots=True)
class RecordedWords:
    """The words that a record stores for failures, for their causes, and for the run; the terminal shows the same
    words."""

    context: FailureContext

    def result(self, result: Result) -> Mapping[str, str]:
        """Return the recorded words of a result: the reason and the remedy."""
        return {"reason": report_words.reason(result), "remedy": report_words.remedy(result)}

    def stopped(self, stop: Stop) -> str:
        """Return the recorded words for the early end of a run."""
        return report_words.stop_reason(stop)

    def failure(self, failure: Failure) -> Mapping[str, Any]:
        """Return the recorded words of a failure; its cause is not known yet."""
        return to_record(failure_view(self.context, failure))

    def cause(self, cause: FailureGroup) -> Mapping[str, Any]:
        """Return the recorded words of a cause: its title, its example, and the rule at work, if any."""
        view = cause_view(self.context, cause)
        says = {"says": view.says, "told": to_record(view.example) if view.example else {}}
        if rule := view.rule:
            says["rule"] = {"says": rule.says, "cell": rule.cell, "ruleset": rule.ruleset}
        return says

    def run(self, run: Run) -> Mapping[str, Any]:
        """Return the reason why the command does not exit with code 0, if any."""
        return {"explained": why} if (why := explain_exit(run)) else {}


def recorded_words(suite: Suite, again: Sequence[str], adapter: Sequence[str] | None = None) -> Teller:
    """Return a function that makes the words for a record from the adapter's introduction and its command.

    `again` are the words that begin the command to repeat a check; `adapter` are those that complete it, by default the
    command of the adapter.
    """

    def teller(ready: AdapterInfo, command: Sequence[str]) -> RecordedWords:
        return RecordedWords(FailureContext(suite, ready.name, again, command if adapter is None else adapter, ready))

    return teller
