"""The only way in which Hoyle reads files, whoever wrote them.

Only regular files are read: no endless pipe, no device, and no link that leads out of the folder in which it was found.
No more than a limit is read, even if the file grows meanwhile.

The module also reads JSON as strictly as Hoyle reads YAML.
"""

import json
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from math import isinf
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.diagnostics import UNSEEN_IN_A_FILE, Diagnostic, Invalid, diagnostic_at, named
from hoyle_conformance.system.files import NO_LINKS, READ

# ---- strict JSON
#
# A key may occur only once, numbers must be valid, and nesting is limited. As in JSON Schema, a number without a
# fraction is an integer, however it is written.


_TOO_DEEP: Final = "it is nested too deeply"
#: The maximum number of characters of a number that are shown.
_SHOWN: Final = 40


def read_json(text: str) -> Any:
    """Return the value of a JSON text; raises ValueError, with the reason in words, if it is not valid."""
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON ({error.msg.lower()}, at character {error.pos + 1})") from error


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {json.dumps(twice)} appears twice")
    return data


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is not a number")


def _number(text: str) -> int | float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"the number {text[:_SHOWN]} is too large")
    return int(value) if value.is_integer() else value


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number, parse_float=_number)


LARGEST: Final = 1_000_000  # bytes
#: The preludes of a ruleset are in one file, one on each line.
LARGEST_OF_LINES: Final = 20_000_000  # bytes

_AT_ONCE: Final = 1 << 17  # bytes
_KINDS: Final = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_bytes(
    path: Path, file: str, *, what: str = "file", within: Path | None = None, largest: int = LARGEST
) -> bytes:
    """Return the content of a regular file, which messages call by the name `file` and the noun `what`.

    Raises Invalid, with one diagnostic, if the file is not regular, is larger than `largest` (bytes), or is a link that
    leads out of the folder `within`.
    """
    try:
        real = _real(path, file, within)
        _refuse_special(
            Path(real).stat(), file, what
        )  # checked first, because merely opening some devices has an effect
        opened = os.open(real, READ | NO_LINKS)
        try:
            status = os.fstat(opened)
            _refuse_special(status, file, what)
            content = b"".join(_pieces(opened, largest + 1))
        finally:
            os.close(opened)
    except OSError as error:
        raise _unreadable(file, (error.strerror or "unknown reason").lower(), what) from error
    if len(content) > largest:
        size = max(status.st_size, len(content))
        message, remedy = (
            f"the file is too large ({size:,} bytes)",
            f"A file may have up to {largest:,} bytes: split it.",
        )
        raise Invalid([Diagnostic(file, 1, 1, "too-large", message, remedy)])
    return content


def read_text(path: Path, file: str, *, what: str = "file", within: Path | None = None, largest: int = LARGEST) -> str:
    """Return the text of a regular file. Raises Invalid as `read_bytes` does, and if the text is not UTF-8 or has an
    invisible character."""
    text = decode(read_bytes(path, file, what=what, within=within, largest=largest), file)
    refuse_unseen(text, file)
    return text


def decode(raw: bytes, file: str) -> str:
    """Return bytes as text; raises Invalid if they are not UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8", "replace")
        source = raw.decode("utf-8", "replace").split("\n")[before.count("\n")]
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        if b"\0" in raw:
            source, message = "", f"{message}; the file looks like UTF-16"
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        raise Invalid(
            [Diagnostic(file, line, column, "encoding", message, "Save the file as UTF-8.", source)]
        ) from error


def refuse_unseen(text: str, file: str) -> None:
    """Raise Invalid if a text has an invisible character."""
    if found := re.search(UNSEEN_IN_A_FILE, text):
        line, column = text.count("\n", 0, found.start()), found.start() - (text.rfind("\n", 0, found.start()) + 1)
        message = f"the character {named(found[0])} is not allowed in this file"
        remedy = "End this line like the others." if found[0] == "\r" else "Remove it."
        raise Invalid([diagnostic_at(file, text, line, column, "character", message, remedy)])


def files_below(folder: Path, file: str, *, within: Path | None = None) -> Iterator[Path]:
    """Yield everything below a folder except folders, sorted by path; nothing if there is no such folder.

    Links to folders are yielded, not followed. Raises Invalid if a folder cannot be read, or is a link that leads out
    of `within`.
    """
    found: list[Path] = []
    try:
        folders = [_real(folder, file, within)] if folder.exists() else []
        top = folders[0] if folders else ""
        while folders:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        found.append(folder / os.path.relpath(entry.path, top))
    except OSError as error:
        raise _unreadable(file, (error.strerror or "unknown reason").lower(), "folder") from error
    yield from sorted(found)


def _real(path: Path, file: str, within: Path | None) -> str:
    """Return the path of a file with all links followed; raises Invalid if that is not `within` the folder."""
    real = os.path.realpath(path)
    if within is not None and not Path(real).is_relative_to(os.path.realpath(within)):
        message = "this link leads out of its folder"
        raise Invalid([Diagnostic(file, 1, 1, "leads-out", message, "Put the file itself here, or name that file.")])
    return real


def _refuse_special(status: os.stat_result, file: str, what: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise _unreadable(file, "is a directory", what)
    if not stat.S_ISREG(status.st_mode):
        kind = next((words for is_it, words in _KINDS if is_it(status.st_mode)), "something else")
        message = f"this is {kind}, not a regular file"
        raise Invalid([Diagnostic(file, 1, 1, "no-regular-file", message, "Write its content to a file.")])


def _pieces(opened: int, most: int) -> Iterator[bytes]:
    """Yield the content of an open file, up to this many bytes."""
    while most > 0 and (piece := os.read(opened, min(most, _AT_ONCE))):
        most -= len(piece)
        yield piece


def _unreadable(file: str, reason: str, what: str = "file") -> Invalid:
    return Invalid([Diagnostic(file, 1, 1, "unreadable", f"cannot read the {what}: {reason}")])
