"""Transcripts as JSON lines: each line begins a game, is an act with what was observed, or only adds observations."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.files.strict_json import read_json
from hoyle_conformance.tools.transcript.model import (
    FACTS,
    MOST_ACTS,
    MOST_GAMES,
    START_FACTS,
    LoggedAct,
    Transcript,
    join_facts,
)
from hoyle_conformance.tools.transcript.shorthands import SHORTHANDS, number_copies
from hoyle_reference.table.cards import RANKS, SUITS

_SCHEMA: Final = "transcript"
_STEP: Final = "common#/$defs/step"
_GAME_KEYS: Final = frozenset({"game", "ruleset", "engine", *START_FACTS})
_ANY_DECK: Final = [f"{rank}{suit}" for suit in SUITS for rank in RANKS]
_LONGEST_LINE: Final = 100_000  # characters
_SEE: Final = "See docs/transcripts.md for the keys of a line."


class LineFault(Exception):
    """A line that cannot be used: the code, the message and the remedy."""

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(message)
        self.code, self.message, self.remedy = code, message, remedy


def read_json_lines(schemas: Schemas, text: str, file: str) -> tuple[Transcript, ...]:
    """Return the games of a text; raises Invalid with the first mistake of it."""
    games: list[Transcript] = []
    acts: list[LoggedAct] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            content = _content(schemas, line)
            if "game" in content:
                games, acts = [*_with_acts(games, acts), _game(content, file, number)], []
                refuse_too_many(games, MOST_GAMES, "games", "Split the file.")
            else:
                games = games or [Transcript((), file=file, line=number)]
                _add(acts, content, number)
                refuse_too_many(acts, MOST_ACTS, "acts in one game", "Begin a game with a line that has 'game'.")
        except LineFault as fault:
            raise Invalid([Diagnostic(file, number, 1, fault.code, fault.message, fault.remedy, line)]) from fault
    return tuple(_with_acts(games, acts))


def read_act_line(schemas: Schemas, line: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the act and the facts of a line that begins no game; raises LineFault."""
    content = _content(schemas, line)
    if "game" in content:
        raise LineFault("schema", "a line with 'game' cannot stand here", "Begin a game with 'Game: 2'.")
    return _act_and_facts(content)


def _content(schemas: Schemas, line: str) -> dict[str, Any]:
    """Return the object in a line; raises LineFault."""
    if len(line) > _LONGEST_LINE:
        raise LineFault("too-large", f"the line is too long ({len(line):,} characters)", "Write one act on each line.")
    try:
        content = read_json(line)
    except ValueError as error:
        raise LineFault("json", f"the line cannot be read: {error}", "Write one JSON object on each line.") from error
    if not isinstance(content, dict):
        raise LineFault("json", "the line is no JSON object", 'Write an object, such as {"by": "A", ...}.')
    refuse_bad_line(schemas, content)
    return content


def refuse_bad_line(schemas: Schemas, content: Mapping[str, Any]) -> None:
    """Raise LineFault unless a line is as the schema has it, and its act too."""
    if complaint := schemas.complaint(_SCHEMA, content, "the line"):
        raise _schema_fault(complaint)
    if "game" not in content and "do" in content:
        _refuse_bad_act(schemas, content)


def _refuse_bad_act(schemas: Schemas, content: Mapping[str, Any]) -> None:
    """Raise LineFault unless the keys of an act are those that it must have."""
    act = {key: value for key, value in content.items() if key not in FACTS}
    if act["do"] in SHORTHANDS:
        complaint = SHORTHANDS[act["do"]].complaint(act)
    else:
        if act["do"] == "deal" and "deck" not in act:
            act["deck"] = _ANY_DECK  # where the cards lie is said by the facts, or inferred
        complaint = schemas.complaint(_STEP, number_copies(act), "the act")
    if complaint:
        raise _schema_fault(complaint)


def _schema_fault(complaint: str) -> LineFault:
    """Return a complaint of the schemas, which may have several sentences, as the fault of a line."""
    return LineFault("schema", f"{complaint}." if ". " in complaint else complaint, _SEE)


def _game(content: Mapping[str, Any], file: str, number: int) -> Transcript:
    if other := sorted(content.keys() - _GAME_KEYS):
        raise LineFault("schema", f"a line with 'game' cannot have '{other[0]}'", "Write the act on the next line.")
    facts = {key: content[key] for key in START_FACTS if key in content}
    name, ruleset, engine = str(content["game"]), content.get("ruleset", ""), content.get("engine", "")
    return Transcript((), name, ruleset, engine, facts, file, number)


def _act_and_facts(content: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the act of a line, which may be empty, and its facts; raises LineFault if it names no act."""
    facts = {key: value for key, value in content.items() if key in FACTS}
    act = {key: value for key, value in content.items() if key not in facts}
    if act and "do" not in act:
        raise LineFault("schema", f"the line has '{min(act)}', but no act", "Name the act: 'do'.")
    return act, facts


def _add(acts: list[LoggedAct], content: Mapping[str, Any], number: int) -> None:
    """Add a line to the acts of a game: an act, or facts that belong to the act before."""
    act, facts = _act_and_facts(content)
    if act:
        acts.append(LoggedAct(act, facts, number))
    elif acts:
        acts[-1] = join_facts(acts[-1], facts)
    else:
        message = "the line has observations, but no act is before it"
        raise LineFault("order", message, "Write them in the line of the act, or after it.")


def refuse_too_many(entries: Sequence[object], most: int, noun: str, remedy: str) -> None:
    """Raise LineFault if there are too many games or acts."""
    if len(entries) > most:
        raise LineFault("too-large", f"there are more than {most:,} {noun}", remedy)


def _with_acts(games: Sequence[Transcript], acts: Sequence[LoggedAct]) -> list[Transcript]:
    """Return the games, the last with its acts."""
    return [*games[:-1], replace(games[-1], acts=tuple(acts))] if games else []


def write_json_lines(games: Sequence[Transcript]) -> str:
    """Return games as JSON lines."""
    return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for game in games for line in _lines(game))


def _lines(game: Transcript) -> Iterator[Mapping[str, Any]]:
    named = {"ruleset": game.ruleset, "engine": game.engine}
    yield {"game": game.name or "1", **{key: value for key, value in named.items() if value}, **game.facts}
    yield from ({**act.step, **act.facts} for act in game.acts)
