"""Whose turn it is, only where the game goes on by an act that an adapter claims.

In a phase that no claimed act leads through, an engine has no such phase: nobody's turn in it means anything, nor does
who deals while this is to be chosen.
"""

from collections.abc import Mapping
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported, unsupported, with_expectations
from hoyle_conformance.suite.capabilities import Capabilities
from hoyle_reference import CHANCE, Game, Phase, Rules, read_act, read_position, write_act
from hoyle_reference.acts import by

#: The observables that may mean nothing, and those that do in any phase and not only while a player chooses.
MAY_MEAN_NOTHING: Final = frozenset({"turn", "choices", "dealer"})
_IN_ANY_PHASE: Final = frozenset({"turn", "choices"})


def drop_turns(
    capabilities: Capabilities, claims: frozenset[str], rules: Rules, adapted: Adapted
) -> Adapted | Unsupported:
    """Drop what is expected of whose turn it is where no claimed act leads on; return the words of the acts that do if
    nothing else is expected."""
    branches = adapted.check.branches.values()
    numbers = {
        number for each in branches for number, expected in each.items() if not MAY_MEAN_NOTHING.isdisjoint(expected)
    }
    if not numbers or capabilities.acts <= claims:
        return adapted
    open_keys, lacking = {}, set[str]()
    for number in sorted(numbers):
        keys, words = meaningless(capabilities, claims, rules, adapted.plan.message, adapted.plan.ends[number - 1])
        if any(not keys.isdisjoint(each.get(number, {})) for each in branches):
            open_keys[number] = keys
            lacking |= words
    if not open_keys:
        return adapted
    left = {
        name: {
            number: rest
            for number, each in expected.items()
            if (rest := {key: value for key, value in each.items() if key not in open_keys.get(number, ())})
        }
        for name, expected in adapted.check.branches.items()
    }
    return with_expectations(adapted, left) if any(left.values()) else unsupported(lacking)


def meaningless(
    capabilities: Capabilities, claims: frozenset[str], rules: Rules, message: Mapping[str, Any], end: int
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the observables that mean nothing after so many steps of a message, since none of the acts that lead on is
    claimed, and the words of these acts."""
    game = Game(read_position(rules, message["position"]))
    for step in (*message.get("prelude", ()), *message["steps"][:end]):
        if "do" in step:
            game.attempt(read_act(rules, step))
    words = _words_that_lead_on(capabilities, game)
    if not words or not words.isdisjoint(claims):
        return frozenset(), frozenset()
    return (MAY_MEAN_NOTHING if game.table.phase is Phase.CHOOSE else _IN_ANY_PHASE), words


def _words_that_lead_on(capabilities: Capabilities, game: Game) -> frozenset[str]:
    """Return the words of the acts that are open to the player whose turn it is; none once the game is over."""
    if game.table.phase in CHANCE:
        return frozenset({str(game.table.phase)})
    firsts = (next((act for act in part if by(act) == game.table.turn), None) for part in game.legal_actions.parts)
    return frozenset(capabilities.word(write_act(act)) for act in firsts if act is not None)
