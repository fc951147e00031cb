"""Trying: what becomes of checks when the rules are others than the sources have them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import Traced, trace
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Mismatch
from hoyle_conformance.suite.model import Check
from hoyle_reference import Cell, Malformed, Rules, compile_cells
from hoyle_reference.frozen import frozen


@frozen
class ChangedCheck:
    """What a check becomes under changed rules.

    `mismatch` is the first thing that comes out otherwise, and `refused` why, if an act that is to be accepted is not;
    `senseless` says why the position, or a step of it, is none under these rules; `broken` is how the interpreter broke
    off, where it cannot play by them.
    """

    check: Check
    mismatch: Mismatch | None = None
    refused: str = ""
    senseless: str = ""
    broken: Exception | None = None

    @property
    def noticed(self) -> bool:
        """Whether the check tells the changed rules from its own: not where they cannot be played at all."""
        return bool(self.mismatch or self.senseless)


def changed(rules: Rules, values: Mapping[str, Any], more: Iterable[Cell] = ()) -> Rules:
    """The rules with other values in some of their cells, and with `more` cells; raises Malformed where there is no
    such cell, and where the table cannot be so."""
    others = [replace(rules.cells[path], value=value) for path, value in values.items()]
    return compile_cells(rules.id, rules.cells.with_cells([*more, *others]))


def tried(rules: Rules, check: Check, prepared: RunRequest) -> ChangedCheck:
    """What becomes of a check, as it was prepared for its own ruleset, under these rules."""
    own = replace(check, branches={check.follows: check.expect})
    try:
        traced = trace(rules, prepared.message)
    except Malformed as malformed:
        return ChangedCheck(check, senseless=str(malformed))
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        return ChangedCheck(check, broken=error)
    mismatch = judge(own, prepared, [each.observation for each in traced], trusted=True).mismatch
    return ChangedCheck(check, mismatch, _refused(mismatch, prepared, traced))


def _refused(mismatch: Mismatch | None, prepared: RunRequest, traced: list[Traced]) -> str:
    """The word for the refusal where an act should have been accepted."""
    if mismatch is None or mismatch.what != "accepted":
        return ""
    return next((each.refusal.code for each in traced[prepared.start(mismatch.step) :] if each.refusal), "")
