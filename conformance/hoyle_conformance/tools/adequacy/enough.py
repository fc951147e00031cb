"""Enough: on how many positions it must rest what value a rule has; `enough.yaml` says where fewer will do, and why."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

from hoyle_conformance.files.strict_yaml import read_file
from hoyle_reference.frozen import frozen

FILE: Final = Path(__file__).with_name("enough.yaml")
#: How many it are where nothing else is said.
FIVE: Final = 5


@frozen
class Fewer:
    """Where fewer positions are enough, and why: patterns of the rulesets, of the rules' paths, and of what the other
    value says."""

    rulesets: Sequence[str]
    rules: Sequence[str]
    others: Sequence[str]
    enough: int
    because: str

    def fits(self, ruleset: str, rule: str, other: str) -> bool:
        """Whether it is said of this."""
        matched = ((ruleset, self.rulesets), (rule, self.rules), (other, self.others))
        return all(any(fnmatchcase(text, pattern) for pattern in patterns) for text, patterns in matched)


@cache
def fewer() -> Sequence[Fewer]:
    """All of these, in the order of their file."""
    return [Fewer(**{"rulesets": ["*"], "others": ["*"], **each}) for each in read_file(FILE, FILE.name).data]


def enough(ruleset: str, rule: str, other: str) -> tuple[int, str]:
    """How many positions are enough to tell a ruleset from an engine whose rule says something other, and why, if they
    are fewer than five."""
    fitting = min(
        (each for each in fewer() if each.fits(ruleset, rule, other)), key=lambda each: each.enough, default=None
    )
    return (fitting.enough, fitting.because) if fitting else (FIVE, "")
