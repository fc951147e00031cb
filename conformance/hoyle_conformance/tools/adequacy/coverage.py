"""Reach: what may be done in which phase, and what comes of it, in random play and in the scenarios.

What random play comes upon and no scenario does is missing.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hoyle_conformance.tools.adequacy import random_play as played
from hoyle_conformance.tools.adequacy.detect import Noticing
from hoyle_reference import Game, Refusal, read_act, read_position
from hoyle_reference.table.acts import Act, word_of


class Met(NamedTuple):
    """A kind of act in a phase, and what has come of it: accepted, or the word for the refusal."""

    phase: str
    act: str
    outcome: str

    def __str__(self) -> str:
        return f"{self.act} in {self.phase}: {self.outcome}"


def by_random_play(noticing: Noticing) -> frozenset[Met]:
    """What deals chosen by counting come upon."""
    met: set[Met] = set()
    played.play(noticing.rules, lambda game, act: met.add(_met(game, act)))
    return frozenset(met)


def by_scenarios(noticing: Noticing) -> frozenset[Met]:
    """What the checks of the ruleset come upon."""
    return frozenset(met for asked in noticing.asked for met in _of_steps(noticing, asked.plan.message))


def _of_steps(noticing: Noticing, message: Mapping[str, Any]) -> Iterator[Met]:
    game = Game(read_position(noticing.rules, message["position"]))
    for step in message["steps"]:
        if "do" in step:
            act = read_act(game.rules, step)
            yield _met(game, act)
            game.attempt(act)


def _met(game: Game, act: Act) -> Met:
    refusal: Refusal | None = game.check(act)
    return Met(game.table.phase.value, word_of(type(act)), refusal.code if refusal else "accepted")
