"""The option `--json`: the answer of a command as one JSON document, which a schema of `spec/schemas` describes."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TextIO

import click

#: Each command that has the option, with the schemas of its outputs.
SCHEMAS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "doctor": ("doctor",),
        "check": ("check",),
        "fuzz": ("fuzz",),
        "identify": ("identify",),
        "report": ("report", "diff"),
        "ask": ("ask",),
        "rules": ("rules", "compare"),
        "explain": ("explain",),
        "validate": ("validate",),
        "suite list": ("list",),
        "suite census": ("census-report",),
        "suite what-if": ("what-if",),
    }
)

json_option: Callable[..., Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print the answer as JSON, for other programs."
)


def print_json(data: Any, stream: TextIO | None = None) -> None:
    """Print one JSON document, on standard output or on another stream."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2), file=stream)
