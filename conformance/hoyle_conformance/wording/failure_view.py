"""A failure as a value, made in `reports/failure.py` or read from a record, and printed by every report format.

The module has the values, their form as text, their form in a record, and the house rules at work in a check.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Final

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import trace_acts
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import JoinedRules, Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.text import with_label
from hoyle_reference import Malformed

#: The phrase for how a question is derived from a step.
MADE_OF: Final = "a question made of"
_AFTERWARDS: Final = "(Sent after the last step, so that every good combination is declared.)"


@dataclass(frozen=True, slots=True)
class FailureStep:
    """A step up to the one that went wrong, in words, with its number; an act sent after the last step has no number.

    `asked` names the step of the file from which a question was made, and `act` the act of the step that went wrong.
    """

    said: str
    step: int = 0
    wrong: bool = False
    asked: str = ""
    act: str = ""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule behind a step, in words: a clause, with its id and place; or a cell of house rules, with its reason."""

    says: str
    clause: str = ""
    where: str = ""
    cell: str = ""
    because: str = ""

    @property
    def place(self) -> str:
        """The id of the clause with its place in the source; or the cell with its reason."""
        return f"{self.clause}: {self.where}" if self.clause else f"{self.cell}: {self.because}"


@dataclass(frozen=True, slots=True)
class HouseRulesView:
    """The effect of house rules on a check, in words, and the house rules at work in it."""

    says: str
    rules: tuple[RuleLine, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureView:
    """Everything that a report shows about a failure.

    The heading has the fields of a result in a record: the status; the check; the title, file and line of its scenario;
    the status that the baseline expects, if any; and, if nothing was compared, the reason and the remedy.

    The body has the relabelling, the given position and the acts that led to it; the last steps; for a relabelled
    check, the position and the failed step as in the file; the expected and observed values, the other failed steps,
    and a hint; the rules behind the failure, the paragraph that defines them, and the readings if no source decides;
    and the command that repeats the check, with its page on the site. If the conversation broke, the body has only the
    command and the page.
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
        """Whether the failed step is a question derived from an act, and sent without the scenario's position."""
        return bool(self.steps) and MADE_OF in self.steps[-1].asked


@dataclass(frozen=True, slots=True)
class RuleAtWork:
    """The rule behind a cause, in words, by its cell in a ruleset."""

    says: str
    cell: str
    ruleset: str


@dataclass(frozen=True, slots=True)
class CauseView:
    """Everything that a report shows about one cause of failures.

    The fields are the id; the cause in words; the checks that fail for it, starting with the simplest; the causes that
    it may follow from; the rule at work; and the failure of the first check, where `example` is None if none is
    recorded. `unexplained` says if no other value of a rule explains the failures, or not all of them.
    """

    id: str
    says: str
    checks: tuple[str, ...]
    comes_from: tuple[str, ...] = ()
    rule: RuleAtWork | None = None
    example: FailureView | None = None
    unexplained: str = ""


# ---- text


def failure_lines(failure: FailureView) -> Iterator[str]:
    """Yield the lines of a failure, as the terminal shows them."""
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
    """Yield the steps up to the one that went wrong, which is marked; if there are many, only the last ones."""
    if (left_out := max(0, failure.steps[0].step - 1)) and not failure.stands_alone:
        scenario = failure.check.partition("@")[0]
        how = "--log FILE writes" if scenario.startswith("census.") else f"'hoyle explain {scenario}' shows"
        yield from with_label("before", f"{left_out} steps; {how} them all.")
    for each in failure.steps:
        name = "question" if failure.stands_alone else f"step {each.step}"
        name, more = (name, "") if each.step else ("then", f". {_AFTERWARDS}")
        yield from with_label(f"{'> ' if each.wrong else ''}{name}", f"{each.said}{more}")
        yield from with_label("asked", each.asked, whole=True)
        yield from with_label("", each.act and f"of this: {each.act}")


def house_rule_lines(house: HouseRulesView | None) -> Iterator[str]:
    """Yield the changed rules that are at work in a check, one line each, if there are any."""
    if house is None:
        return
    yield from with_label("rule", f"{house.says}:")
    for rule in house.rules:
        yield from with_label("", rule.says)
        yield from with_label("", rule.place)


# ---- records

#: The fields that a record has in the result itself, not in the recorded failure.
_HEADING: Final = ("status", "check", "title", "file", "line", "expected_status", "reason", "remedy")


def to_record(failure: FailureView) -> dict[str, Any]:
    """Return the recorded fields of a failure: those that are neither in its heading nor empty."""
    filled = asdict(failure, dict_factory=lambda fields: {name: each for name, each in fields if each})
    return {name: each for name, each in filled.items() if name not in _HEADING}


def from_record(result: Mapping[str, Any], recorded: Mapping[str, Any]) -> FailureView:
    """Return the failure of a result, which is a line of a record, with the fields `recorded` for it; both have been
    validated."""
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


#: The maximum number of changed rules that are named if none is at work.
_MOST = 3


def house_rules_view(suite: Suite, check: Check) -> HouseRulesView | None:
    """Return the changed rules at work in a check; None if there are none.

    For a computed check in which no changed rule is at work, return the first of all changed rules.
    """
    house = suite.house
    if house is None or check.ruleset != house.ruleset.id:
        return None
    cells = cells_at_work(suite, house, check, planner_of(suite).request(check))
    at_work = [path for path in house.changed if path in cells] or house.changed[: _MOST * check.computed]
    whence = "Computed from your rules, not from a source" if check.computed else "Your rules are at work in it"
    return HouseRulesView(whence, tuple(_rule(suite, house, path) for path in at_work)) if at_work else None


def _rule(suite: Suite, house: JoinedRules, path: str) -> RuleLine:
    cell = suite.rules.cells(house.ruleset.id)[path]
    says = rulebook.sentence(rulebook.parameter_schema(suite, path), cell.value)
    return RuleLine(says, cell=path, because=cell.because.removesuffix("."))


def cells_at_work(suite: Suite, house: JoinedRules, check: Check, plan: RunRequest) -> set[str]:
    """Return the cells at work in what is sent for a check, up to its last expectation, either under the house rules or
    under those that they extend."""
    cells = set[str]()
    for ruleset in (check.ruleset, house.base):
        with suppress(Malformed):  # a position may be invalid under the old rules
            acts = trace_acts(suite.rules.of(ruleset), plan.message)[: plan.ends[max(check.expect, default=0) - 1]]
            cells.update(path for each in acts for path in each.grounds)
    return cells
