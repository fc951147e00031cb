"""One failure as a value: made in `reports/failure.py` or read from a record, printed by every report format.

Also its form as lines of text, and its form in a record.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any, Final

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import JoinedRules, Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.text import with_label
from hoyle_reference import Malformed

#: How a question is said to be derived from a step.
MADE_OF: Final = "a question made of"
_AFTERWARDS: Final = "(Sent after the last step, so that every good combination is declared.)"


@dataclass(frozen=True, slots=True)
class FailureStep:
    """A step up to the one that went wrong, by its number, in words; without a number, what was sent after the last.

    `asked` says which step of the file a question was made of, `act` which act of the step went wrong.
    """

    said: str
    step: int = 0
    wrong: bool = False
    asked: str = ""
    act: str = ""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule behind a step, in words: a clause, by its id and where it stands; or a cell of house rules, and why."""

    says: str
    clause: str = ""
    where: str = ""
    cell: str = ""
    because: str = ""

    @property
    def place(self) -> str:
        """The id of the clause with its place in the source, or the cell with the reason for it."""
        return f"{self.clause}: {self.where}" if self.clause else f"{self.cell}: {self.because}"


@dataclass(frozen=True, slots=True)
class HouseRulesView:
    """How house rules bear on a check, in words, and those of them that do."""

    says: str
    rules: tuple[RuleLine, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureView:
    """All that a report shows of a failure.

    The heading is as in a record's result: the status, the check, its scenario's title, file and line, the status that
    the baseline expects if it names the check, and reason and remedy where nothing was compared.

    Then: how the position was relabelled, what was given of it and how it was reached; the last steps; if it was
    relabelled, the position and the step that went wrong as in the file; what was expected and observed, which other
    steps went wrong, and a hint; the rules behind it, the paragraph that defines what failed, and the readings where no
    source decides; the command that repeats the check, and its page on the site. Of a conversation that broke only
    these two.
    """

    status: str
    check: str
    title: str
    file: str
    line: int = 0
    expected_status: str | None = None
    reason: str = ""
    remedy: str = ""

    turned: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    reached: str = ""
    steps: tuple[FailureStep, ...] = ()
    in_file: str = ""
    expected: str = ""
    observed: str = ""
    also: str = ""
    hint: str = ""
    house: HouseRulesView | None = None
    rules: tuple[RuleLine, ...] = ()
    defined: str = ""
    readings: str = ""
    again: str = ""
    page: str = ""

    @property
    def stands_alone(self) -> bool:
        """Whether it is a question that was derived from an act, and sent without the scenario's position."""
        return bool(self.steps) and MADE_OF in self.steps[-1].asked


@dataclass(frozen=True, slots=True)
class RuleAtWork:
    """The rule behind a cause, in words, by its cell in a ruleset."""

    says: str
    cell: str
    ruleset: str


@dataclass(frozen=True, slots=True)
class CauseView:
    """All that a report shows of one cause of failures.

    By its id: what went wrong in words, the checks that fail for it, the simplest first, the causes that it may come
    from, the rule at work, and the failure of the first check; `example` is None if none is recorded. They are
    `unexplained` if no other value of a rule explains them.
    """

    id: str
    says: str
    checks: tuple[str, ...]
    comes_from: tuple[str, ...] = ()
    rule: RuleAtWork | None = None
    example: FailureView | None = None
    unexplained: bool = False


# ---- as text


def failure_lines(failure: FailureView) -> Iterator[str]:
    """Yield a failure line by line, as the terminal shows it."""
    yield f"  {failure.status.upper()}  {failure.check}"
    if not failure.stands_alone:
        yield f"  {failure.title}"
    yield f"  {failure.file}:{failure.line}"
    if failure.expected_status:
        yield f"  The baseline expects: {failure.expected_status}"
    yield ""
    if failure.steps:
        for each in failure.turned:
            yield from with_label("sent", f"relabelled: {each}")
        for each in failure.given:
            yield from with_label("given", each)
        yield from with_label("reached", failure.reached, whole=True)
        yield from _step_lines(failure)
        yield from with_label("in file", failure.in_file)
        yield ""
        yield from with_label("expected", failure.expected)
        yield from with_label("observed", failure.observed)
        yield from with_label("also", failure.also)
        yield from with_label("hint", failure.hint)
        yield ""
        yield from house_rule_lines(failure.house)
        for rule in failure.rules:
            yield from with_label("rule", rule.says)
            yield from with_label("", rule.place)
        yield from with_label("defined", failure.defined, whole=True)
        yield from with_label("readings", failure.readings)
    else:
        yield from with_label("reason", failure.reason or "none given")
        yield from with_label("readings", failure.readings)
        yield from with_label("remedy", failure.remedy)
    yield from with_label("again", failure.again, whole=True)
    yield from with_label("page", f"{failure.page} on the site", whole=True)


def _step_lines(failure: FailureView) -> Iterator[str]:
    """Yield the steps up to the one that went wrong, which is marked; of many, the last."""
    if (left_out := max(0, failure.steps[0].step - 1)) and not failure.stands_alone:
        scenario = failure.check.partition("@")[0]
        yield from with_label("before", f"{left_out} steps; 'hoyle explain {scenario}' shows them all.")
    for each in failure.steps:
        mark = "> " if each.wrong else ""
        name = "question" if failure.stands_alone else f"step {each.step}"
        name, more = (name, "") if each.step else ("then", f". {_AFTERWARDS}")
        yield from with_label(f"{mark}{name}", f"{each.said}{more}")
        yield from with_label("asked", each.asked, whole=True)
        yield from with_label("", each.act and f"of this: {each.act}")


def house_rule_lines(house: HouseRulesView | None) -> Iterator[str]:
    """Yield the changed rules that are at work in a check, line by line, if there are any."""
    if house is None:
        return
    yield from with_label("rule", f"{house.says}:")
    for rule in house.rules:
        yield from with_label("", rule.says)
        yield from with_label("", rule.place)


# ---- in a record

#: The fields that stand in the result itself, beside what is recorded of the failure.
_HEADING: Final = ("status", "check", "title", "file", "line", "expected_status", "reason", "remedy")


def to_record(failure: FailureView) -> dict[str, Any]:
    """Return what a record keeps of a failure beside its heading, without what is empty."""
    return {name: each for name, each in _plain(failure).items() if name not in _HEADING}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if not isinstance(value, (FailureView, FailureStep, RuleLine, HouseRulesView)):
        return value
    return {field.name: _plain(each) for field in fields(value) if (each := getattr(value, field.name))}


def from_record(result: Mapping[str, Any], recorded: Mapping[str, Any]) -> FailureView:
    """Return the failure of a result, a line of a record, with what is `recorded` of it; both fit their schema."""
    house = recorded.get("house")
    heading = {name: result[name] for name in _HEADING if name in result}
    return FailureView(
        **{
            **heading,
            "line": int(result.get("line", 0)),
            **recorded,
            "turned": tuple(recorded.get("turned", ())),
            "given": tuple(recorded.get("given", ())),
            "steps": tuple(FailureStep(**each) for each in recorded.get("steps", ())),
            "house": house and HouseRulesView(house["says"], _rule_lines(house)),
            "rules": _rule_lines(recorded),
        }
    )


def _rule_lines(recorded: Mapping[str, Any]) -> tuple[RuleLine, ...]:
    return tuple(RuleLine(**each) for each in recorded.get("rules", ()))


# ---- house rules


#: So many rules that are changed are named where none of them shows itself at work.
_MOST = 3


def house_rules_view(suite: Suite, check: Check) -> HouseRulesView | None:
    """Return the changed rules that are at work in a check, or None where there are none.

    Of a computed check in which none shows itself, these are the first of all.
    """
    house = suite.house
    if house is None or check.ruleset != house.ruleset.id:
        return None
    at_work = _at_work(suite, house, check) or (list(house.changed[:_MOST]) if check.computed else [])
    whence = "Computed from your rules, not from a source" if check.computed else "Your rules are at work in it"
    return HouseRulesView(whence, tuple(_rule(suite, house, path) for path in at_work)) if at_work else None


def _rule(suite: Suite, house: JoinedRules, path: str) -> RuleLine:
    cell = suite.rules.cells(house.ruleset.id)[path]
    says = rulebook.sentence(rulebook.parameter_schema(suite, path), cell.value)
    return RuleLine(says, cell=path, because=cell.because.removesuffix("."))


def _at_work(suite: Suite, house: JoinedRules, check: Check) -> list[str]:
    """Return the changed rules that are at work in what happens, as they are now or as they were before."""
    message, grounds = planner_of(suite).request(check).message, set[str]()
    for ruleset in (check.ruleset, house.base):
        with suppress(Malformed):  # a position may be none by the rules as they were
            grounds.update(path for each in trace(suite.rules.of(ruleset), message) for path in each.grounds)
    return [path for path in house.changed if path in grounds]
