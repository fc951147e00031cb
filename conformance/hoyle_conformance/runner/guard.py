"""Faults of Hoyle itself: one that is met in a check is an error of that check, and the run goes on."""

import os
from collections.abc import Callable
from traceback import print_exception
from typing import Final, ParamSpec, Self, TypeVar

from hoyle_conformance.files.denied import DENIED, denied_in
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.model import Check

Made = TypeVar("Made")
P = ParamSpec("P")

OWN_FAULT: Final = "broken-judging"
#: The environment variable that has such faults printed with their tracebacks.
DEBUG: Final = "HOYLE_DEBUG"
_LONGEST: Final = 265  # characters of an error


class Guard:
    """A part of a check in which Hoyle itself may fail: then the rest of the part is left out, and `broken` is the
    result of the check."""

    def __init__(self, check: Check) -> None:
        self._check = check
        self.broken: Result | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> bool:
        """Take a fault of Hoyle; what the system denies and a schema that is invalid are no matter of one check."""
        if isinstance(error, Exception) and not (isinstance(error, Invalid) or denied_in(error)):
            self.broken = own_fault_result(self._check, error)
        return self.broken is not None


def or_else(otherwise: Made, make: Callable[P, Made], *args: P.args, **kwargs: P.kwargs) -> Made:
    """Return what `make` returns for a report, or `otherwise` if Hoyle itself fails; raises what the system denies."""
    try:
        return make(*args, **kwargs)
    except DENIED:
        raise
    except Exception as error:  # noqa: BLE001 -- the rest of the report has nothing to do with it
        _debug(error)
        return otherwise


def own_fault_result(check: Check, error: Exception) -> Result:
    """Return the result of a check in which Hoyle itself failed."""
    _debug(error)
    return Result(check, Status.ERROR, code=OWN_FAULT, reason=f"{type(error).__name__}: {error}"[:_LONGEST])


def _debug(error: Exception) -> None:
    if os.environ.get(DEBUG):
        print_exception(error)
