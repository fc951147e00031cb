"""Questions that carry all that decides them, so that they can be answered without a position."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.files.schemas import Schemas
from hoyle_reference import Game, Phase, Rules, read_question, write_answer

Step = Mapping[str, Any]
Position = Mapping[str, Any]

#: What a question tells where there is something to tell: only games in which cards are drawn have it.
_OF_DRAWING: Final = frozenset({"trumps", "drawing"})

#: The question whose answer depends on nothing but the hand, if it leaves that to the position.
_OF_ANY_HAND: Final = "playable"


class StandaloneKeys:
    """The questions that can be answered without a position, and the keys that they must have for it, as the schema
    says."""

    def __init__(self, schemas: Schemas) -> None:
        asks = schemas.documents["common"]["$defs"]["ask"]
        self._tells: Mapping[str, frozenset[str]] = MappingProxyType(
            {name: frozenset(ask["alone"]) for name, ask in asks.items() if "alone" in ask}
        )
        forms = (asks[name].get(kind, {}).values() for name in self._tells for kind in ("words", "words_without"))
        #: The words for questions that may stand alone.
        self.words: frozenset[str] = frozenset(self._tells).union(*forms)

    def can_stand_alone(self, rules: Rules, step: Step) -> bool:
        """Whether a step is a question that can be answered without a position."""
        return step.get("ask") in self._tells and self._missing(rules, step) == frozenset()

    def complete(self, rules: Rules, step: Step, position: Position) -> Step | None:
        """Return the same question with what it left to the position; None if it cannot stand alone, or asks for what
        cannot be done in the position."""
        if step.get("ask") not in self._tells:
            return None
        missing = self._missing(rules, step)
        if "hand" in missing and not (step["ask"] == _OF_ANY_HAND and _plays(step["by"], position)):
            return None
        return {**step, **{key: _TOLD[key](step, position) for key in sorted(missing)}}

    def complete_if_alone(self, rules: Rules, step: Step, position: Position) -> Step | None:
        """Return the same question as `complete` does, or as it is if it is not one that may stand alone."""
        return self.complete(rules, step, position) if step.get("ask") in self._tells else step

    def _missing(self, rules: Rules, step: Step) -> frozenset[str]:
        """Return the keys that the question leaves to the position."""
        tells = self._tells[step["ask"]]
        return tells.difference(step) - (frozenset() if rules.draws else _OF_DRAWING)


def _plays(seat: str, position: Position) -> bool:
    """Whether it is this player's turn to play a card."""
    return bool(position["phase"] == Phase.PLAY and position["turn"] == seat)


def _still_drawn(_step: Step, position: Position) -> bool:
    return bool(position.get("stock")) or position.get("turn_up") is not None


_TOLD: Final = MappingProxyType(
    {
        "hand": lambda step, position: position["hands"][step["by"]],
        "led": lambda _step, position: position["trick"],
        "trumps": lambda _step, position: position.get("trumps"),
        "drawing": _still_drawn,
    }
)


def answer_standalone(fresh_game: Game, step: Step) -> Any:
    """Return the reference's answer to a question that stands alone, in a game that nobody has begun; raises Malformed
    if the question makes no sense."""
    question = read_question(fresh_game.rules, step)
    return write_answer(question, fresh_game.ask(question))
