"""The command of an adapter in a sandbox: the words that start it, and the limits that the supervisor watches."""

import marshal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.protocol.sandbox.protections import FOLDER, Sandbox

_CONFINE: Final = str(Path(__file__).with_name("confine.py"))


class ConfinedCommand(NamedTuple):
    """The words that start an adapter in a sandbox, and the limits for its supervisor: see `supervisor.py`."""

    words: Sequence[str]
    watched: str


def confined_command(sandbox: Sandbox, command: Sequence[str]) -> ConfinedCommand:
    """Create the temporary folder of an adapter, which the supervisor removes, and return how the adapter is started;
    raises OSError if the folder cannot be created."""
    if not sandbox.steps:
        return ConfinedCommand(command, "")
    folder = tempfile.mkdtemp(prefix="hoyle-sandbox-")
    limits = sandbox.limits
    watched = (limits.processes, limits.memory, limits.processor, limits.folder, int(bool(sandbox.begins)))
    return ConfinedCommand(confined_words(sandbox, folder, command), ":".join([*map(str, watched), folder]))


def confined_words(sandbox: Sandbox, folder: str, command: Sequence[str]) -> list[str]:
    """Return the words that start a command in a sandbox with this temporary folder."""
    begins = [folder if word == FOLDER else word for word in sandbox.begins]
    steps = marshal.dumps(_with_folder(sandbox.steps, folder)).hex()
    return [*begins, sys.executable, "-I", "-S", _CONFINE, steps, *command]


def _with_folder(value: Any, folder: str) -> Any:
    """Return the same value with the folder in its place."""
    if isinstance(value, tuple):
        return tuple(_with_folder(each, folder) for each in value)
    if isinstance(value, dict):
        return {key: _with_folder(each, folder) for key, each in value.items()}
    return folder if value == FOLDER else value
