"""Coverage: which outcomes of which acts in which phase occur in random play, and which in the scenarios.

An outcome that occurs in random play and in no scenario is missing from the suite. Random play chooses acts through a
hash, so that it is reproducible; at every point it also tries acts that were legal elsewhere, so that refusals occur.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final, NamedTuple

from adequacy.mutants import Detector
from hoyle_reference import Game, Malformed, Phase, Refusal, Rules, new_game, read_act, read_position
from hoyle_reference.acts import Act, Cut, Deal, word_of
from hoyle_reference.cards import Card

#: The number of deals, and of acts that are kept to be tried elsewhere.
DEALS: Final = 30
_TRIED: Final = 60
#: The greatest number of acts in a deal.
_LONGEST: Final = 400


class ActOutcome(NamedTuple):
    """A kind of act in a phase, with its outcome: ``accepted``, or the code of the refusal."""

    phase: str
    act: str
    outcome: str

    def __str__(self) -> str:
        return f"{self.act} in {self.phase}: {self.outcome}"


def random_play_outcomes(rules: Rules, deals: int = DEALS) -> frozenset[ActOutcome]:
    """Return the outcomes that occur in so many deals of random play, tried acts included."""
    met: set[ActOutcome] = set()
    elsewhere: list[Act] = []
    game = new_game(rules)
    for deal in range(deals):
        game = new_game(rules) if game.is_over else game
        for number, act in enumerate(_deal_acts(game, f"{rules.id}/{deal}"), start=deal * _LONGEST):
            for other in elsewhere:
                with suppress(Malformed):
                    met.add(_act_outcome(game, other))
            met.add(_act_outcome(game, act))
            game.apply(act)
            if len(elsewhere) < _TRIED:
                elsewhere.append(act)
            elif number % 3 == 0:
                elsewhere[_hash(f"{number}") % _TRIED] = act
    return frozenset(met)


def _deal_acts(game: Game, seed: str) -> Iterator[Act]:
    """Yield the acts of one deal, with the cut before it in a new game; the caller carries each out."""
    dealt = False
    for number in range(_LONGEST):
        phase, here = game.table.phase, f"{seed}/{number}"
        if game.is_over or (phase is Phase.DEAL and dealt):
            return
        if phase is Phase.CUT:
            yield Cut(_shuffled_pack(game.rules, here)[: game.rules.players])
        elif phase is Phase.DEAL:
            dealt = True
            yield _deal_act(game, here)
        else:
            legal = game.legal_actions
            yield legal[_hash(here) % len(legal)]


def _deal_act(game: Game, seed: str) -> Deal:
    """Return a legal deal, in one of the packet sizes that the rules offer."""
    assert game.table.dealer is not None, "somebody deals"
    ways = game.rules.deal.packets.value
    sizes = [way[0] for way in ways] if len(ways) > 1 else [None]
    first = _hash(seed) % len(sizes)
    deals = [
        Deal(game.table.dealer, _shuffled_pack(game.rules, seed), size) for size in (*sizes[first:], *sizes[:first])
    ]
    return next(deal for deal in deals if game.check(deal) is None)


def _shuffled_pack(rules: Rules, seed: str) -> tuple[Card, ...]:
    return tuple(sorted(rules.pack, key=lambda card: sha256(f"{seed}/{card}".encode()).digest()))


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:6], "big")


def scenario_outcomes(detector: Detector) -> frozenset[ActOutcome]:
    """Return the outcomes that occur in the checks of the ruleset."""
    return frozenset(
        met for detection in detector.checks for met in _step_outcomes(detector, detection.request.message)
    )


def _step_outcomes(detector: Detector, message: Mapping[str, Any]) -> Iterator[ActOutcome]:
    game = Game(read_position(detector.rules, message["position"]))
    for step in message["steps"]:
        if "do" in step:
            act = read_act(game.rules, step)
            yield _act_outcome(game, act)
            game.attempt(act)


def _act_outcome(game: Game, act: Act) -> ActOutcome:
    refusal: Refusal | None = game.check(act)
    return ActOutcome(game.table.phase.value, word_of(type(act)), refusal.code if refusal else "accepted")
