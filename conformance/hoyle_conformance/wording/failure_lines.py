"""What is told of a failure, as values: the terminal, the record of a run and all that is made of it show the same."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final, Protocol

from hoyle_conformance.wording.text import labelled
from hoyle_reference.frozen import frozen

_MARK: Final = ">"
_AFTERWARDS: Final = "(Sent after the last step, so that all that is good is declared.)"


@frozen
class FailureStep:
    """A step up to the one that went wrong, by its number, in words; without a number, what was sent after the last.

    `asked` says which step of the file a question was made of, `act` which act of the step went wrong.
    """

    said: str
    step: int = 0
    wrong: bool = False
    asked: str = ""
    act: str = ""


@frozen
class RuleLine:
    """A rule behind a step, in words: a clause, by its id and where it stands; or a cell of house rules, and why."""

    says: str
    clause: str = ""
    where: str = ""
    cell: str = ""
    because: str = ""

    @property
    def place(self) -> str:
        """The clause or the cell, and what is said of it."""
        return f"{self.clause}: {self.where}" if self.clause else f"{self.cell}: {self.because}"


@frozen
class HouseRulesView:
    """What house rules have to do with a check, and those that are at work in it."""

    says: str
    rules: tuple[RuleLine, ...] = ()


@frozen
class FailureView:
    """All that a person needs to know of a failure, beside its check, what became of it and why.

    How the position was turned, what was given of it and how it was reached; the last steps; what was expected beside
    what was observed, which other steps went wrong, and a hint; the rules behind it, and the readings where no source
    decides; the command that repeats it, and its page on the site. Of a conversation that broke only these two.
    """

    turned: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    reached: str = ""
    steps: tuple[FailureStep, ...] = ()
    expected: str = ""
    observed: str = ""
    also: str = ""
    hint: str = ""
    house: HouseRulesView | None = None
    rules: tuple[RuleLine, ...] = ()
    readings: str = ""
    again: str = ""
    page: str = ""


class Failed(Protocol):
    """A check that failed: what became of it, its id and title, its file with the line, and why it did, and what to do,
    where nothing was compared; and the status that the baseline expects, if it names the check."""

    @property
    def status(self) -> str: ...  # noqa: D102 -- all are said above
    @property
    def check(self) -> str: ...  # noqa: D102
    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def file(self) -> str: ...  # noqa: D102
    @property
    def line(self) -> int: ...  # noqa: D102
    @property
    def reason(self) -> str: ...  # noqa: D102
    @property
    def remedy(self) -> str: ...  # noqa: D102
    @property
    def expected_status(self) -> str | None: ...  # noqa: D102


def in_full(failed: Failed, told: FailureView) -> Iterator[str]:
    """All of it, line by line."""
    yield f"  {failed.status.upper()}  {failed.check}"
    yield f"  {failed.title}"
    yield f"  {failed.file}:{failed.line}"
    if failed.expected_status:
        yield f"  The baseline expects: {failed.expected_status}"
    yield ""
    if told.steps:
        yield from _position(told)
        yield from _steps(failed, told)
        yield ""
        yield from _compared(told)
        yield ""
        yield from _rules(told)
    else:
        yield from labelled("reason", failed.reason or "none given")
        yield from labelled("remedy", failed.remedy)
    yield from labelled("again", told.again, whole=True)
    yield from labelled("page", f"{told.page} on the site", whole=True)


def _position(told: FailureView) -> Iterator[str]:
    for each in told.turned:
        yield from labelled("turned", each)
    for each in told.given:
        yield from labelled("given", each)
    yield from labelled("reached", told.reached, whole=True)


def _steps(failed: Failed, told: FailureView) -> Iterator[str]:
    """The steps up to the one that went wrong, which is marked; of many, the last."""
    if left_out := max(0, told.steps[0].step - 1):
        scenario = failed.check.partition("@")[0]
        yield from labelled("before", f"{left_out} steps; 'hoyle explain {scenario}' shows them all.")
    for each in told.steps:
        mark = f"{_MARK} " if each.wrong else ""
        name, more = (f"step {each.step}", "") if each.step else ("then", f". {_AFTERWARDS}")
        yield from labelled(f"{mark}{name}", f"{each.said}{more}")
        yield from labelled("asked", each.asked, whole=True)
        yield from labelled("", each.act and f"of this: {each.act}")


def _compared(told: FailureView) -> Iterator[str]:
    yield from labelled("expected", told.expected)
    yield from labelled("observed", told.observed)
    yield from labelled("also", told.also)
    yield from labelled("hint", told.hint)


def _rules(told: FailureView) -> Iterator[str]:
    yield from of_the_house(told.house)
    for rule in told.rules:
        yield from labelled("rule", rule.says)
        yield from labelled("", rule.place)
    yield from labelled("readings", told.readings)


def of_the_house(house: HouseRulesView | None) -> Iterator[str]:
    """The changed rules that are at work in a check, line by line; nothing where there are none."""
    if house is None:
        return
    yield from labelled("rule", f"{house.says}:")
    for rule in house.rules:
        yield from labelled("", rule.says)
        yield from labelled("", rule.place)


# ---- as it stands in a record


def written(value: Any) -> Any:
    """These values as plain mappings and lists, without what is empty."""
    if isinstance(value, tuple):
        return [written(each) for each in value]
    if not isinstance(value, (FailureView, FailureStep, RuleLine, HouseRulesView)):
        return value
    return {field.name: written(each) for field in fields(value) if (each := getattr(value, field.name))}


def read(data: Mapping[str, Any]) -> FailureView:
    """What is told, of what stands in a record that fits its schema."""
    house = data.get("house")
    return FailureView(
        **{
            **data,
            "turned": tuple(data.get("turned", ())),
            "given": tuple(data.get("given", ())),
            "steps": tuple(FailureStep(**each) for each in data.get("steps", ())),
            "house": house and HouseRulesView(house["says"], _read_rules(house)),
            "rules": _read_rules(data),
        }
    )


def _read_rules(data: Mapping[str, Any]) -> tuple[RuleLine, ...]:
    return tuple(RuleLine(**each) for each in data.get("rules", ()))
