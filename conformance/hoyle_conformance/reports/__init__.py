"""Reports of a run in every format; `FORMATS` lists those that are written to a file."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

#: For each format option, the functions of this package that write one record, and several side by side. Each is
#: imported when it is called.
FORMATS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "junit": ("junit:junit", ""),
        "markdown": ("markdown:markdown", "side_by_side:markdown"),
        "html": ("html.run:run_page", "html.run:side_by_side_page"),
        "endpoint": ("badge:endpoint", ""),
    }
)


def render(function: str, of: Any) -> str:
    """Import a function from a module of reports, and return the text that it makes of a record, or of several."""
    module, _, name = function.partition(":")
    text: str = getattr(import_module(f"{__name__}.{module}"), name)(of)
    return text
