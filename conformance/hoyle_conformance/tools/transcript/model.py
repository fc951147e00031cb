"""A transcript as a value: the start of a game, and its acts, each with what the engine wrote down about it."""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_reference.frozen import frozen

#: The observables of the protocol that may stand beside an act, in the order in which they are written.
OBSERVED: Final = (
    *("trick_won_by", "score", "turn", "dealer", "trumps", "turn_up", "hands", "shown"),
    *("stock_left", "game_won_by", "settled"),
)
#: Facts of transcripts alone: whether the engine accepted the act, the points that it scored, the cards that were
#: drawn, and the stock after a deal with its top card first.
FACTS: Final = ("accepted", "scored", "drew", "stock", *OBSERVED)
#: The facts that may stand at the start of a game.
START_FACTS: Final = ("dealer", "score")
#: The longest transcript of a game, and the most games of a file.
MOST_ACTS: Final = 10_000
MOST_GAMES: Final = 10_000


@frozen
class LoggedAct:
    """An act as the engine wrote it down, the facts beside it, and the line of the file."""

    step: Mapping[str, Any]
    facts: Mapping[str, Any] = field(default_factory=dict)
    line: int = field(default=0, compare=False)


@frozen
class Transcript:
    """One game: its name, the ruleset and the engine if the file names them, the facts at the start, and the acts."""

    acts: tuple[LoggedAct, ...]
    name: str = ""
    ruleset: str = ""
    engine: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    file: str = field(default="", compare=False)
    line: int = field(default=1, compare=False)

    @property
    def title(self) -> str:
        """The game as messages name it."""
        return f"game {self.name}" if self.name else f"the game at line {self.line}"

    def diagnose(self, line: int, code: str, message: str, remedy: str) -> Diagnostic:
        """Return a diagnostic at a line of this game."""
        return Diagnostic(self.file, line, 1, code, message, remedy)

    def up_to(self, count: int) -> "Transcript":
        """Return the same game with its first acts alone."""
        return replace(self, acts=self.acts[:count])


def cards_in(value: Any) -> Iterator[str]:
    """Yield every card that an act or its facts name."""
    if isinstance(value, str):
        if len(value) in {2, 4} and value[0] in "789TJQKA" and value[1] in "CDHS":
            yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from cards_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from cards_in(each)


def join_facts(act: LoggedAct, facts: Mapping[str, Any]) -> LoggedAct:
    """Return an act with more facts; points that were scored later are added to those that were scored before."""
    both = {**act.facts, **facts}
    if "scored" in act.facts and "scored" in facts:
        before, more = act.facts["scored"], facts["scored"]
        both["scored"] = {seat: before.get(seat, 0) + more.get(seat, 0) for seat in sorted({*before, *more})}
    return replace(act, facts=both)
