"""Files of transcripts: found in folders, recognized by their first character, and read."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.read import LARGEST_OF_LINES, files_below, read_text
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.json_lines import read_json_lines
from hoyle_conformance.tools.transcript.model import Transcript
from hoyle_conformance.tools.transcript.notation import MeldNames
from hoyle_conformance.tools.transcript.plain_text import read_plain_text

#: The endings of the files that are read in a folder.
_ENDINGS: Final = (".jsonl", ".txt")
_WHAT: Final = "transcript"


def load_transcripts(suite: Suite, paths: Iterable[Path], ruleset: str = "") -> tuple[Transcript, ...]:
    """Return the games of files and of the files in folders; raises Invalid with a mistake of each invalid file."""
    games: list[Transcript] = []
    faults: list[Diagnostic] = []
    for path in _files(paths):
        try:
            games += read_transcripts(suite, _text(path), shown_path(path), ruleset)
        except Invalid as invalid:
            faults += invalid.diagnostics
    if faults:
        raise Invalid(faults)
    return tuple(games)


def read_transcripts(suite: Suite, text: str, file: str, ruleset: str = "") -> tuple[Transcript, ...]:
    """Return the games of a text in either form; raises Invalid with the first mistake of it."""
    if text.lstrip()[:1] == "{":
        games = read_json_lines(suite.schemas, text, file)
    else:
        games = read_plain_text(suite.schemas, text, file, MeldNames.of(suite, ruleset))
    if not any(game.acts for game in games):
        message, remedy = "the file has no act", "Write down the acts of a game, one on each line."
        raise Invalid([Diagnostic(file, 1, 1, "empty", message, remedy)])
    return games


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = [each for each in files_below(path, shown_path(path), within=path) if each.suffix in _ENDINGS]
        if not found:
            message = f"the folder has no file that ends with {' or '.join(_ENDINGS)}"
            raise Invalid([Diagnostic(shown_path(path), 1, 1, "empty", message, "Name the files themselves.")])
        yield from found


def _text(path: Path) -> str:
    return read_text(path, shown_path(path), what=_WHAT, within=path.parent, largest=LARGEST_OF_LINES)
