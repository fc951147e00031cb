"""A target with a defect: it refuses any content of some length."""

from pathlib import Path
from typing import Final

from .target import Input, Read

VARIANTS: Final = ("any",)
_LONGEST: Final = 8  # bytes


def prepare(_suite: object, _folder: Path) -> Read:
    """Return a function that raises for longer content."""

    def read(given: Input) -> None:
        if len(given.content) > _LONGEST:
            raise LookupError("the defect")

    return read
