"""Targets: what Hoyle reads from others, each as a function of bytes that raises only for a defect."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

if TYPE_CHECKING:
    from hoyle_conformance.suite.suite import Suite

#: Where the corpora, the logs and the inputs that failed are.
FOLDER: Final = Path(__file__).resolve().parents[2] / "build" / "fuzzers"


@dataclass(frozen=True, slots=True)
class Input:
    """An input: its first line names the variant of the target, and the rest is the content."""

    variant: str
    content: bytes

    @classmethod
    def of(cls, data: bytes) -> "Input":
        """Return the input that bytes are; any bytes are one."""
        variant, _, content = data.partition(b"\n")
        return cls(variant.decode("utf-8", "replace"), content)

    def __bytes__(self) -> bytes:
        return self.variant.encode() + b"\n" + self.content


#: Reads an input, and raises only for a defect.
Read = Callable[[Input], None]


class TargetModule(Protocol):
    """The module of a target. It imports the code under test, so it is imported late: after instrumentation began."""

    #: What the first line of an input may be; any other line counts as the first of these.
    VARIANTS: Sequence[str]

    def prepare(self, suite: "Suite", folder: Path) -> Read:
        """Return the function that reads inputs by a suite; it may write files below the folder, and nowhere else."""


@dataclass(frozen=True, slots=True)
class Target:
    """A target by its name: the code that it is meant to reach, and the longest input (bytes)."""

    name: str
    packages: tuple[str, ...]
    longest: int

    def load(self) -> TargetModule:
        """Import the module of the target."""
        return cast("TargetModule", import_module(f"fuzzers.{self.name}"))


def _below(package: str, *modules: str) -> tuple[str, ...]:
    """Return the full names of modules or packages of the harness."""
    return tuple(f"hoyle_conformance.{package}.{each}" for each in modules)


TARGETS: Final = (
    Target(
        "files",
        (
            *_below("files", "diagnostics", "document", "read", "schema_errors", "strict_yaml", "yaml_nodes"),
            *_below("suite", "build", "lint"),
            *_below("checks", "load", "setup"),
            *_below("tools", "house_rules", "validate.check_file", "validate.prove"),
            *_below("wording", "comparison", "rulebook", "rulebook_data", "rulebook_entries", "rulings", "words"),
        ),
        4_000,
    ),
    Target(
        "messages",
        (
            *_below("protocol", "messages"),
            *_below("checks", "combinations", "group_acts", "request", "rewrites"),
            *_below("runner", "answers", "checker", "consensus", "explain", "group_failures"),
            *_below("runner", "judge", "readings", "record", "results"),
            *_below("reports", "failure"),
        ),
        4_000,
    ),
    Target("table", _below("web", "explorer", "server"), 4_000),
    Target(
        "records",
        (
            *_below("reports", "badge", "diff", "html", "junit"),
            *_below("reports", "load_record", "markdown", "record", "side_by_side", "summary"),
        ),
        8_000,
    ),
    Target("transcripts", _below("tools", "transcript"), 4_000),
    Target(
        "settings",
        (
            *_below("cli", "configuration"),
            *_below("runner", "baseline"),
        ),
        2_000,
    ),
    Target(
        "texts",
        (
            *("hoyle._actions", "hoyle._game", "hoyle._notation", "hoyle._positions"),
            *_below("web.explorer", "books", "game_state", "layout"),
        ),
        2_000,
    ),
)
#: A target with a defect, for the tests of the fuzzers.
FAILING: Final = Target("failing", ("fuzzers.failing",), 100)


def target_named(name: str) -> Target:
    """Return the target of this name; raises KeyError."""
    return {each.name: each for each in (*TARGETS, FAILING)}[name]
