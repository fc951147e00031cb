"""Transcripts as JSON lines: each line begins a game, records an act with its observations, or adds observations."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.read import LARGEST_OF_LINES, files_below, read_json, read_text
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.cards import RANKS, SUITS

#: The extension of the files that are read in a folder.
_ENDING: Final = ".jsonl"
#: The facts allowed in the line of an act, and at the start of a game.
FACTS: Final = (
    *("accepted", "scored", "drew", "stock", "trick_won_by", "score", "turn", "dealer", "trumps", "turn_up"),
    *("hands", "shown", "stock_left", "game_won_by", "settled"),
)
_START_FACTS: Final = ("dealer", "score")
_GAME_KEYS: Final = frozenset({"game", "ruleset", "engine", *_START_FACTS})
_STEP: Final = "common#/$defs/step"
_ANY_DECK: Final = [f"{rank}{suit}" for suit in SUITS for rank in RANKS]
_SEE: Final = "See docs/transcripts.md for the keys of a line."


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """An act as the engine recorded it, the facts in its line, and the line of the file."""

    step: Mapping[str, Any]
    facts: Mapping[str, Any] = field(default_factory=dict)
    line: int = 0


@dataclass(frozen=True, slots=True)
class Transcript:
    """One game: its name, the ruleset and the engine if the file names them, the facts at the start, and the acts."""

    acts: list[LoggedAct]
    name: str = ""
    ruleset: str = ""
    engine: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    file: str = ""
    line: int = 1

    @property
    def title(self) -> str:
        """The name of the game in messages."""
        return f"game {self.name}" if self.name else f"the game at line {self.line}"

    def invalid(self, line: int, code: str, message: str, remedy: str) -> Invalid:
        """Return the error for a mistake at a line of this game."""
        return Invalid([Diagnostic(self.file, line, 1, code, message, remedy)])


class _Fault(Exception):
    """An unusable line: the code, the message and the remedy."""


def load_transcripts(suite: Suite, paths: Iterable[Path]) -> list[Transcript]:
    """Return the games of files and of the files in folders; raise Invalid with a mistake of each invalid file."""
    games: list[Transcript] = []
    faults: list[Diagnostic] = []
    for path in _files(paths):
        shown = shown_path(path)
        try:
            text = read_text(path, shown, what="transcript", within=path.parent, largest=LARGEST_OF_LINES)
            games += read_transcripts(suite, text, shown)
        except Invalid as invalid:
            faults += invalid.diagnostics
    if faults:
        raise Invalid(faults)
    return games


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        found = [each for each in files_below(path, shown_path(path), within=path) if each.suffix == _ENDING]
        if not found:
            message = f"the folder has no file that ends with {_ENDING}"
            raise Invalid([Diagnostic(shown_path(path), 1, 1, "empty", message, "Name the files themselves.")])
        yield from found


def read_transcripts(suite: Suite, text: str, file: str) -> list[Transcript]:
    """Return the games of a text; raise Invalid with its first mistake."""
    games: list[Transcript] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                _add(games, _content(suite.schemas, line), file, number)
            except _Fault as fault:
                code, message, remedy = fault.args
                raise Invalid([Diagnostic(file, number, 1, code, message, remedy, line)]) from fault
    if not any(game.acts for game in games):
        message, remedy = "the file has no act", "Write down the acts of a game, one on each line."
        raise Invalid([Diagnostic(file, 1, 1, "empty", message, remedy)])
    return games


def _content(schemas: Schemas, line: str) -> dict[str, Any]:
    """Return the object in a line; raise _Fault if there is none."""
    try:
        content = read_json(line)
    except ValueError as error:
        raise _Fault("json", f"the line cannot be read: {error}", "Write one JSON object on each line.") from error
    if not isinstance(content, dict):
        raise _Fault("json", "the line is no JSON object", 'Write an object, such as {"by": "A", ...}.')
    complaint = schemas.complaint("transcript", content, "the line")
    if not complaint and "game" not in content and "do" in content:
        act = {key: numbered(value) if key in {"cards", "deck"} else value for key, value in _act(content).items()}
        if act["do"] == "deal":
            act = {"deck": _ANY_DECK, **act}  # the hands and the stock may give the places of the cards
        complaint = schemas.complaint(_STEP, act, "the act")
    if complaint:
        raise _Fault("schema", f"{complaint}." if ". " in complaint else complaint, _SEE)
    return content


def _act(content: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key not in FACTS}


def _add(games: list[Transcript], content: Mapping[str, Any], file: str, number: int) -> None:
    """Add a line to the games: a game, an act, or facts that belong to the act before; raise _Fault if
    it is invalid."""
    if "game" in content:
        if other := sorted(content.keys() - _GAME_KEYS):
            raise _Fault("schema", f"a line with 'game' cannot have '{other[0]}'", "Write the act on the next line.")
        facts = {key: content[key] for key in _START_FACTS if key in content}
        name, ruleset, engine = str(content["game"]), content.get("ruleset", ""), content.get("engine", "")
        games.append(Transcript([], name, ruleset, engine, facts, file, number))
        return
    if not games:
        games.append(Transcript([], file=file, line=number))
    act, acts = _act(content), games[-1].acts
    facts = {key: value for key, value in content.items() if key not in act}
    if act and "do" not in act:
        raise _Fault("schema", f"the line has '{min(act)}', but no act", "Name the act: 'do'.")
    if act:
        acts.append(LoggedAct(act, facts, number))
    elif acts:
        acts[-1] = replace(acts[-1], facts={**acts[-1].facts, **facts})
    else:
        message = "the line has observations, but no act is before it"
        raise _Fault("order", message, "Write them in the line of the act, or after it.")


def numbered(cards: Iterable[str]) -> list[str]:
    """Return cards, each with a unique name: the second card of a kind becomes ``QS#2``."""
    seen: dict[str, int] = {}
    named: list[str] = []
    for card in cards:
        seen[card] = seen.get(card, 0) + 1
        named.append(card if seen[card] == 1 or "#" in card else f"{card}#{seen[card]}")
    return named
