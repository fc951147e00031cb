"""The reference interpreter with changed rules or answers: what the faulty adapters are made of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.rule_changes import change_rules as with_values
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Rules

Message = dict[str, Any]
Respond = Callable[[Mapping[str, Any]], Message | None]

ADAPTERS: dict[str, Callable[[], Respond]] = {}


def adapter(make: Callable[[], Respond]) -> Callable[[], Respond]:
    ADAPTERS[make.__name__.replace("_", "-")] = make
    return make


def rules_of_the_suite() -> Suite:
    """The suite for its rules alone, as commands keep it: an adapter that crashes is started again and again."""
    return open_suite(positions=False)


def reference() -> Reference:
    """The reference, without a fault."""
    return Reference(rules_of_the_suite())


class Playing(Reference):
    """The reference, playing by other rules than those of the suite."""

    def __init__(self, suite: Suite, rules: Callable[[str], Rules]) -> None:
        super().__init__(suite)
        self._others = rules

    def rules(self, ruleset: str) -> Rules:
        return self._others(ruleset)


def otherwise(readings: Mapping[str, str]) -> Respond:
    """The reference with disputed cells of every table read in another way."""
    suite = rules_of_the_suite()
    return Playing(suite, lambda name: suite.rules.of(name, readings))


def with_cell(path: str, value: Any) -> Respond:
    """The reference with one rule of every table changed."""
    suite = rules_of_the_suite()

    def changed(name: str) -> Rules:
        rules = suite.rules.of(name)
        return with_values(rules, {path: value}) if path in rules.cells else rules

    return Playing(suite, changed)


def with_answers(change: Callable[[Message, Mapping[str, Any]], Message | None]) -> Respond:
    """The reference with changed answers to runs."""
    right = reference()

    def respond(message: Mapping[str, Any]) -> Message | None:
        answer = right(message)
        return change(answer, message) if message["type"] == "run" else answer

    return respond


def spoils(change: Callable[[Message, Mapping[str, Any]], Message | None]) -> Callable[..., Message | None]:
    """Make a change of the reference's answers to runs an adapter."""
    ADAPTERS[change.__name__.replace("_", "-")] = partial(with_answers, change)
    return change


def spoils_each_step(change: Callable[[Message, Mapping[str, Any]], None]) -> Callable[..., Message | None]:
    """Make a change of what the reference reports of each step an adapter."""

    @wraps(change)
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        for seen, step in zip(answer["steps"], message["steps"], strict=True):
            change(seen, step)
        return answer

    return spoils(spoil)


@dataclass(frozen=True)
class Patch:
    """Another value of an attribute in the interpreter."""

    thing: Any
    attribute: str
    value: Any

    @contextmanager
    def applied(self) -> Iterator[None]:
        was = getattr(self.thing, self.attribute)
        setattr(self.thing, self.attribute, self.value)
        try:
            yield
        finally:
            setattr(self.thing, self.attribute, was)


def with_faults(rulesets: Sequence[str], *faults: Patch, readings: Mapping[str, str] | None = None) -> Respond:
    """The reference that claims these rulesets, and has faults in its code while it answers."""
    right = otherwise(readings or {})

    def respond(message: Mapping[str, Any]) -> Message | None:
        with ExitStack() as stack:
            for fault in faults:
                stack.enter_context(fault.applied())
            answer = right(message)
        return {**answer, "rulesets": list(rulesets)} if answer and message["type"] == "hello" else answer

    return respond
