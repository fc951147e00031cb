"""Faults: what is wrong with an engine that is otherwise the reference."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final

from hoyle_reference import Rules
from hoyle_reference.frozen import frozen

#: What is measured: engines with changed cells, without a refusal, without a memory; what becomes of acts; and engines
#: that play another ruleset.
CELLS, REFUSALS, MEMORY, REACH, TOLD_APART = MEASURES = ("cells", "refusals", "memory", "reach", "told apart")


@frozen
class Mutant:
    """One thing that is wrong: of its kind, named by the rule, the refusal or the event it concerns and what becomes of
    that; `rules` are others than the table's, where the table itself is changed."""

    kind: str
    of: str
    becomes: str = ""
    rules: Rules | None = None
    patch: "Patch | None" = None

    @property
    def name(self) -> str:
        """How it is listed."""
        return f"{self.of}: {self.becomes}" if self.becomes else self.of

    def at_work(self) -> AbstractContextManager[None]:
        """While the interpreter has this fault."""
        return nullcontext() if self.patch is None else self.patch.made()


@frozen
class Patch:
    """Another value for an attribute of something in the interpreter."""

    thing: Any
    attribute: str
    value: Any

    @contextmanager
    def made(self) -> Iterator[None]:
        """While it is there."""
        was = getattr(self.thing, self.attribute, None)
        setattr(self.thing, self.attribute, self.value)
        try:
            yield
        finally:
            setattr(self.thing, self.attribute, was)


#: How an engine breaks off that its faults have brought where nothing makes sense.
BROKEN: Final = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
