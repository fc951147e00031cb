"""A failure on one screen: what was checked, where it stands, expected against observed in words, the clauses of the
step that went wrong, a hint, and the command that repeats it."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapt import put
from hoyle_conformance.checks.adapt.adapted import Adapted
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.protocol.split_command import written
from hoyle_conformance.runner.features import Single, course, has_rules, kind_of, single_of, where
from hoyle_conformance.runner.judge import NOTHING_REPORTED
from hoyle_conformance.runner.results import ANSWER, Failure, FailureGroup, Mismatch, Result
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import explain, words
from hoyle_conformance.wording import house_rules as house
from hoyle_conformance.wording.failure_lines import FailureStep, FailureView, RuleLine, in_full
from hoyle_conformance.wording.text import counted, harmless
from hoyle_reference.frozen import frozen

#: So many steps before the one that went wrong are told, and so many clauses.
_STEPS: Final = 12
_CLAUSES: Final = 4
_ON_THE_WAY: Final = "What your engine does wrong on the way shows only here:"
#: How a question of which a check was made comes from a step: asked there, or derived from the act.
_QUESTION: Final = ("the question of", "a question made of")
#: So many characters of what was observed: three times the longest that is expected.
_OBSERVED: Final = 3_000
#: What helps whatever the rules.
_HINTS: Final = MappingProxyType(
    {
        "unchanged": "A refused act must leave everything as it was: check before you change.",
        "cards": "Each card of the pack must lie in exactly one place after every step.",
        "players": "The score is given for every player, also one who has none; for partners once, under the first.",
    }
)


@frozen
class Telling:
    """How failures are told: of what `engine`, by its name, with what the command that repeats one begins and
    ends, and what it has said of itself."""

    suite: Suite
    engine: str
    again: Sequence[str]
    command: Sequence[str]
    ready: AdapterInfo | None = None


@frozen
class _Failed:
    """A failure, as it is told of which check it is."""

    failure: Failure

    @property
    def status(self) -> str:
        return str(self.failure.result.status)

    @property
    def check(self) -> str:
        return self.failure.result.check.id

    @property
    def title(self) -> str:
        return self.failure.result.check.scenario.title

    @property
    def file(self) -> str:
        return self.failure.result.check.scenario.file

    @property
    def line(self) -> int:
        return self.failure.line

    @property
    def reason(self) -> str:
        return harmless(self.failure.result.reason)

    @property
    def remedy(self) -> str:
        return self.failure.result.remedy

    @property
    def expected_status(self) -> str | None:
        return self.failure.result.expected_status


def example(telling: Telling, cause: FailureGroup) -> Iterator[str]:
    """Everything a person needs to know about the failure that stands for the others, line by line."""
    yield from in_full(_Failed(cause.example), told(telling, cause.example, cause.cell))


def told(telling: Telling, failure: Failure, cell: str = "") -> FailureView:
    """What is told of a failure; by the rule at work in all that fails with it, if that is known."""
    check, mismatch = failure.result.check, failure.mismatch
    repeat = written([*telling.again, "-s", check.id, *telling.command])
    page = f"scenarios/{check.scenario.id.replace('.', '/')}.html"
    if mismatch is None:
        return FailureView(again=harmless(repeat), page=page)
    suite = telling.suite
    singles = course(suite, check)
    single = single_of(suite, check, singles, mismatch)[1] if singles else None
    expected, observed = _compared(telling, single, check, mismatch)
    return FailureView(
        turned=tuple(line.removeprefix("Turned, ") for line in words.turned(check.turned)),
        given=_given(suite, check),
        reached=_reached(telling, check),
        steps=tuple(_steps(suite, check, mismatch)),
        expected=expected,
        observed=observed,
        also=_also(failure.result, mismatch),
        hint=_hint(suite, check, mismatch),
        house=house.behind(suite, check),
        rules=_clauses(suite, _cited(suite, cell, check, single, mismatch)),
        readings=_readings(check),
        again=harmless(repeat),
        page=page,
    )


def _reached(telling: Telling, check: Check) -> str:
    """How it got into the position, if it was led there from a deal."""
    if not telling.ready or check.origins:
        return ""
    asked = put(telling.suite, telling.ready, check)
    prelude = asked.plan.message.get("prelude") if isinstance(asked, Adapted) else None
    if not prelude:
        return ""
    shown = f"hoyle explain {check.id} --prelude"
    return f"By {counted(len(prelude), 'act')} from a deal. {_ON_THE_WAY}\n{shown}"


def _given(suite: Suite, check: Check) -> tuple[str, ...]:
    given = words.position(check.scenario.given, suite.meld_names(check.ruleset))
    return (*given, *words.partners(suite.rules(check.ruleset)))


def _steps(suite: Suite, check: Check, mismatch: Mismatch) -> Iterator[FailureStep]:
    """The steps up to the one that went wrong; of many, the last."""
    melds, first = suite.meld_names(check.ruleset), max(0, mismatch.step - _STEPS)
    for number, step in enumerate(check.scenario.steps[first : mismatch.step], start=first + 1):
        wrong = number == mismatch.step and not mismatch.afterwards
        said = words.step(step, melds)
        yield _wrong(suite, check, mismatch, said) if wrong else FailureStep(said, number)
    if mismatch.afterwards:
        yield FailureStep("; ".join(words.step(each, melds) for each in _one_by_one(mismatch.afterwards)), wrong=True)


def _wrong(suite: Suite, check: Check, mismatch: Mismatch, said: str) -> FailureStep:
    """The step that went wrong, with where it comes from and which act of it is meant."""
    asked = act = ""
    if check.origins:
        origin = check.origins[mismatch.step - 1]
        asked = f"as {_QUESTION[origin.derived]} step {origin.step}"
    plan = suite.plan(check)
    if mismatch.what == "accepted" and plan.ends[mismatch.step - 1] - plan.start(mismatch.step) > 1:
        act = words.step(plan.message["steps"][where(suite, check, mismatch)], suite.meld_names(check.ruleset))
    return FailureStep(said, mismatch.step, wrong=True, asked=asked, act=act)


def _one_by_one(act: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """An act, or the declarations that it stands for."""
    return [{**act, **each} for each in act["melds"]] if "melds" in act else [act]


def _compared(telling: Telling, single: Single | None, check: Check, mismatch: Mismatch) -> tuple[str, str]:
    """What was expected and what was observed, and if it was refused, by whom and why."""
    melds = telling.suite.meld_names(check.ruleset)
    what = words.asked(check.scenario.steps[mismatch.step - 1], mismatch.what)
    expected, observed = (words.value(what, value, melds) for value in (mismatch.expected, mismatch.observed))
    if mismatch.observed == NOTHING_REPORTED:
        observed = NOTHING_REPORTED
    said = f": {words.printable(repr(mismatch.reason))}" if mismatch.reason else ""
    match kind_of(mismatch):
        case "refused":  # what would be irregular may be put as a plain act, which has no place here
            why = expected.removeprefix("refused") if single is None or single.refusal else ""
            expected, observed = f"refused by the rules{why}", f"{observed} by it"
        case "accepted":
            expected, observed = "accepted, as the rules allow it", f"refused by it{said}"
        case _:
            observed += f"  (it refused the act{said})" if said else ""
    engine = harmless(telling.engine).replace("\n", " ")
    observed = observed if len(observed) <= _OBSERVED else f"{observed[: _OBSERVED - 1]}…"
    return expected, observed.replace(" by it", f" by {engine}", 1)


def _also(result: Result, mismatch: Mismatch) -> str:
    """Which other steps went wrong."""
    others = [each.step for each in result.mismatches if each is not mismatch]
    if not others:
        return ""
    count = len(result.check.scenario.steps)
    if all(each.what == ANSWER for each in result.mismatches):
        every = sorted(each.step for each in result.mismatches)
        return f"Wrong are steps {printed.listed(list(map(str, every)))} of {count}."
    steps = f"step {others[0]}" if len(others) == 1 else f"{len(others)} other steps"
    return f"Wrong too, perhaps because of this: {steps} of {count}."


def _hint(suite: Suite, check: Check, mismatch: Mismatch) -> str:
    """What may help, of the ruleset that fails."""
    if mismatch.observed == NOTHING_REPORTED:
        return "What is claimed is asked for: report it after every step, or do not claim it."
    kind = mismatch.what.partition(" ")[0]
    if kind in _HINTS and mismatch.what != "cards lie":
        return _HINTS[kind]
    said = "" if mismatch.afterwards else _of_this_ruleset(check)
    if kind == "accepted":
        return said or "The act is legal here, and the steps after it depend on it."
    return said or ("" if mismatch.afterwards or kind in {"refused", ANSWER} else _happens(suite, check, mismatch))


def _of_this_ruleset(check: Check) -> str:
    """What a scenario says of the outcome of this ruleset alone; or of its outcome, if that is the same for every
    ruleset: else it may speak of another."""
    scenario = check.scenario
    if own := scenario.why_under(check.ruleset):
        return own
    return scenario.why if len(scenario.outcomes) == 1 and not scenario.readings else ""


def _happens(suite: Suite, check: Check, mismatch: Mismatch) -> str:
    """What happens in a step by the rules of the ruleset that fails, beyond what the step says itself."""
    step = explain.steps(suite, check)[mismatch.step - 1]
    said = " ".join(each.said for each in step.happenings if not each.restates)
    return f"By the rules: {said}" if said else ""


def _clauses(suite: Suite, cited: Sequence[str]) -> tuple[RuleLine, ...]:
    return tuple(_clause(suite, each) for each in cited[:_CLAUSES])


def _clause(suite: Suite, name: str) -> RuleLine:
    clause, source = suite.clauses[name], suite.sources[name.partition("/")[0]]
    return RuleLine(clause.says, clause=name, where=f"{source.title}, {clause.where}")


def _cited(suite: Suite, cell: str, check: Check, single: Single | None, mismatch: Mismatch) -> list[str]:
    """The clauses at work in the step that went wrong: first those that decide the outcome, then those of the rule that
    failed; none where it needs no rule to see that it is wrong."""
    kind, cells = kind_of(mismatch), suite.cells(check.ruleset)
    if mismatch.afterwards:
        return []
    if single is None:
        return list(check.cites)
    if not (has_rules(kind) or kind.startswith("unchanged ")):
        return []
    about = [cell] if cell else single.cells(kind, mismatch)[:1]
    own, of_the_rule = cells.clauses(single.taken.grounds), cells.clauses(about)
    first = [each for each in check.cites if each in of_the_rule]
    then = [each for each in check.cites if each in own and each not in first]
    others = () if first else sorted(of_the_rule.difference(then))
    return [*first, *then, *others] or list(check.cites)


def _readings(check: Check) -> str:
    if not check.follows:
        return ""
    others = printed.listed(sorted(set(check.branches)), "or")
    return f"The source does not decide; any of {others} would do. Shown is {check.follows}."
