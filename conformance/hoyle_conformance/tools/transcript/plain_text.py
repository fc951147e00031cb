"""Transcripts as plain text: one act on a line, in the notation of `hoyle explain`, with what was observed after it."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.tools.transcript.json_lines import LineFault, read_act_line, refuse_bad_line, refuse_too_many
from hoyle_conformance.tools.transcript.model import (
    MOST_ACTS,
    MOST_GAMES,
    START_FACTS,
    LoggedAct,
    Transcript,
    join_facts,
)
from hoyle_conformance.tools.transcript.notation import MeldNames, read_act, read_fact, write_act, write_facts
from hoyle_conformance.wording import cards as printed

#: The lines about a game, by the word before the colon, and the field that each fills.
_HEADINGS: Final = (("Game", "name"), ("Ruleset", "ruleset"), ("Engine", "engine"))
_SENTENCE_END: Final = re.compile(r"(?<=\.)\s+")
_LONGEST_LINE: Final = 20_000  # characters
_SEE: Final = "docs/transcripts.md shows what a line may be."


def read_plain_text(schemas: Schemas, text: str, file: str, melds: MeldNames) -> tuple[Transcript, ...]:
    """Return the games of a text; raises Invalid with the first mistake of it."""
    games = _Games(schemas, file, melds)
    for number, line in _joined_lines(text):
        try:
            games.read(line, number)
        except LineFault as fault:
            raise Invalid([Diagnostic(file, number, 1, fault.code, fault.message, fault.remedy, line)]) from fault
    return games.finished()


def _joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield every line that is no comment, with its number; indented lines belong to the line before."""
    first, line = 0, ""
    for number, each in enumerate(text.split("\n"), start=1):
        if not each.strip() or each.startswith("#"):
            continue
        if each[0] in " \t" and line:
            line = f"{line} {each.strip()}"
            continue
        if line:
            yield first, line
        first, line = number, each.strip()
    if line:
        yield first, line


class _Games:
    """The games of a text, as far as it was read."""

    def __init__(self, schemas: Schemas, file: str, melds: MeldNames) -> None:
        self._schemas, self._file, self._every = schemas, file, melds
        self._melds = melds
        self._games: list[Transcript] = []
        self._acts: list[LoggedAct] = []

    def finished(self) -> tuple[Transcript, ...]:
        """Return the games with all their acts."""
        self._close()
        return tuple(self._games)

    def _close(self) -> None:
        if self._games:
            self._games[-1] = replace(self._games[-1], acts=tuple(self._acts))
        self._acts = []

    def read(self, line: str, number: int) -> None:
        """Read one line; raises LineFault."""
        if len(line) > _LONGEST_LINE:
            message = f"the line is too long ({len(line):,} characters)"
            raise LineFault("too-large", message, "Write one act on each line.")
        heading = next(((name, key) for name, key in _HEADINGS if line.startswith(f"{name}:")), None)
        if heading:
            self._read_heading(heading[1], line[len(heading[0]) + 1 :].strip(), number)
            return
        if not self._games:
            self._games.append(Transcript((), file=self._file, line=number))
        if line.startswith("{"):
            act, facts = read_act_line(self._schemas, line)
        else:
            act, facts = self._read_sentences(line)
        self._add(act, facts, number)

    def _read_heading(self, key: str, value: str, number: int) -> None:
        """Read a line about the game; a game begins with the first of them after an act."""
        if key == "name" or self._acts or not self._games:
            self._close()
            self._games.append(Transcript((), file=self._file, line=number))
            refuse_too_many(self._games, MOST_GAMES, "games", "Split the file.")
        if not value:
            raise LineFault("notation", "the line says nothing", "Write a value after the colon.")
        field = {"name": "game"}.get(key, key)
        refuse_bad_line(self._schemas, {field: value})
        self._games[-1] = _with_heading(self._games[-1], key, value)
        self._melds = self._every.under(self._games[-1].ruleset)

    def _read_sentences(self, line: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the act and the observations that a line says."""
        act: dict[str, Any] = {}
        facts: dict[str, Any] = {}
        for place, said in enumerate(_SENTENCE_END.split(line)):
            phrase = said.removesuffix(".")
            fact = read_fact(phrase)
            if fact is not None:
                if fact[0] in facts and fact[0] != "scored":
                    raise LineFault("notation", f"the line says twice: '{phrase[:80]}'", "Say it once.")
                facts = dict(join_facts(LoggedAct({}, facts), dict([fact])).facts)
            elif place == 0:
                act, drew = self._read_act(phrase)
                facts |= drew
            else:
                raise LineFault("notation", f"no observation is written like this: '{phrase[:80]}'", _SEE)
        refuse_bad_line(self._schemas, {**act, **facts})
        return act, facts

    def _read_act(self, phrase: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the act that a phrase says; a card that is drawn may stand in it."""
        if drawn := re.fullmatch(r"([ABCD] draws) (?!no card|\d+ cards)(\S+)", phrase):
            fact = read_fact(f"drawn: {drawn[2]}")
            return read_act(drawn[1], self._melds), {"drew": fact[1] if fact else []}
        return read_act(phrase, self._melds), {}

    def _add(self, act: dict[str, Any], facts: dict[str, Any], number: int) -> None:
        """Add an act, or observations about the act before; before the first act they are of the start."""
        if act:
            self._acts.append(LoggedAct(act, facts, number))
            refuse_too_many(self._acts, MOST_ACTS, "acts in one game", "Begin the next game with 'Game: 2'.")
        elif self._acts:
            self._acts[-1] = join_facts(self._acts[-1], facts)
        elif other := sorted(facts.keys() - set(START_FACTS)):
            message = f"'{other[0]}' is observed before the first act"
            raise LineFault("order", message, "Before the first act, only the dealer and the score can be given.")
        else:
            self._games[-1] = replace(self._games[-1], facts={**self._games[-1].facts, **facts})


def _with_heading(game: Transcript, key: str, value: str) -> Transcript:
    if key == "name":
        return replace(game, name=value)
    return replace(game, ruleset=value) if key == "ruleset" else replace(game, engine=value)


def write_plain_text(games: Sequence[Transcript], melds: MeldNames) -> str:
    """Return games as plain text; an act or observation that has no sentence is written as a JSON object."""
    return "\n".join("".join(f"{line}\n" for line in _lines(game, melds.under(game.ruleset))) for game in games)


def _lines(game: Transcript, melds: MeldNames) -> Iterator[str]:
    yield f"Game: {game.name or 1}"
    yield from (f"{name}: {getattr(game, key)}" for name, key in _HEADINGS[1:] if getattr(game, key))
    yield from write_facts({key: value for key, value in game.facts.items() if value is not None})
    for act in game.acts:
        yield _line(act, melds)


def _line(act: LoggedAct, melds: MeldNames) -> str:
    """Return an act with what was observed as one line."""
    said, noted = write_act(act.step, melds), dict(act.facts)
    if act.step["do"] == "draw" and "count" not in act.step and len(noted.get("drew", ())) == 1:
        said = f"{said} {printed.card(noted.pop('drew')[0])}" if "irregular" not in act.step else ""
    facts = list(write_facts(noted))
    heard = [read_fact(each.removesuffix(".")) for each in facts]
    if not said or [each for each in heard if each] != list(noted.items()):
        return json.dumps({**act.step, **act.facts}, ensure_ascii=False)
    return " ".join([f"{said[:1].upper()}{said[1:]}.", *facts])
