"""Guarding: what goes wrong in Hoyle itself with one check is an error of that check, and the run goes on."""

import os
from collections.abc import Callable
from typing import Final, TypeVar

from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.model import Check

Made = TypeVar("Made")

CODE: Final = "broken-judging"
#: Where this is set, what went wrong is printed as it happens, with where.
DEBUG: Final = "HOYLE_DEBUG"
_REMEDY: Final = (
    "This is a fault of Hoyle itself, not of the adapter: please report it, with the name of the check and what is "
    f"printed when it is repeated with {DEBUG}=1."
)
_MOST: Final = 300  # characters that tell of it


def guarded(check: Check, make: Callable[[], Made]) -> Made | Result:
    """What is made of a check; its result, an error, where Hoyle itself fails in that."""
    try:
        return make()
    except OSError:  # a file or a line to another process, which is no matter of one check
        raise
    except Exception as error:  # noqa: BLE001 -- whatever it is, the other checks have nothing to do with it
        return broken(check, error)


def or_else(nothing: Made, make: Callable[[], Made]) -> Made:
    """What is made for a report; nothing, where Hoyle itself fails in it."""
    try:
        return make()
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 -- the rest of the report has nothing to do with it
        _debug(error)
        return nothing


def broken(check: Check, error: Exception) -> Result:
    """The result of a check in which Hoyle itself failed."""
    _debug(error)
    reason = f"Hoyle itself failed in this check: {type(error).__name__}: {error}"[:_MOST]
    return Result(check, Status.ERROR, code=CODE, reason=reason, remedy=_REMEDY)


def _debug(error: Exception) -> None:
    if os.environ.get(DEBUG):
        from traceback import print_exception

        print_exception(error)
