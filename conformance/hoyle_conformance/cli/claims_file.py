"""What an engine says of itself, in a file: its answer to hello."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from hoyle_conformance.protocol.messages import AdapterInfo

_HOLDS: Final = "It holds what your adapter answers to 'hello'."


def message_in(path: Path) -> Any:
    """The message in a file; raises UsageError where it cannot be read, or is none."""
    from hoyle_conformance.files.diagnostics import Invalid, shown_path
    from hoyle_conformance.files.read import read_text
    from hoyle_conformance.files.strict_json import read_json

    try:
        return read_json(read_text(path, shown_path(path), within=path.parent))
    except Invalid as invalid:
        raise click.UsageError(str(invalid)) from invalid
    except ValueError as error:
        raise click.UsageError(f"{shown_path(path)}: {error}. {_HOLDS}") from error


def said_in(suite: Suite, path: Path, message: Any) -> "AdapterInfo":
    """What an engine says of itself; raises UsageError where its file holds no such message."""
    from hoyle_conformance.files.safe_text import printable
    from hoyle_conformance.protocol.errors import ProtocolError
    from hoyle_conformance.protocol.messages import Wire

    try:
        return Wire(suite.schemas).ready(message)
    except ProtocolError as fault:
        raise click.UsageError(f"{path}: {printable(fault.message)}. {_HOLDS}") from fault
