"""The file format of preludes: lines of JSON, one for each history of a scenario, with the rulesets that share it.

An act is a few words: `A KS` plays a card, `A draw-all` draws one, and then the others do; in any other act the word is
followed by its values, `A declare meld=bezique cards=QS,JD`.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hoyle_conformance.checks.preludes.prelude import NoPrelude, Why
from hoyle_conformance.suite.model import Check
from hoyle_reference import Game, Rules, read_act
from hoyle_reference.acts import Act
from hoyle_reference.cards import Card, read_card

#: How many digits of a digest are written down.
_DIGITS: Final = 12
DRAW: Final = "draw"
ALL_DRAW: Final = "draw-all"
_NUMBERS: Final = frozenset({"count", "value", "packets"})
_LISTS: Final = frozenset({"cards"})


@dataclass(frozen=True, slots=True)
class History:
    """A history as it is stored: the deck and the acts, as text; the number of tricks; the number of the variant that
    completed the position; whether it is one of a `later` deal, or of a game in which points were made before; and the
    cells on whose reading it rests."""

    deck: str
    acts: str
    tricks: int
    variant: int = 0
    later: bool = False
    rests_on: tuple[str, ...] = ()


def digest(check: Check) -> str:
    """Return the digest of what a history was found for: the position and the steps of a scenario as its file has
    them."""
    scenario = check.scenario
    text = json.dumps([scenario.given, scenario.steps], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def written_act(act: Mapping[str, Any]) -> str:
    """Return an act in a few words."""
    match act:
        case {"by": by, "do": "play", "card": card}:
            return f"{by} {card}"
        case {"by": by, "do": word, **rest}:
            return " ".join([by, word, *(f"{key}={_value(each)}" for key, each in rest.items())])
        case _:
            raise ValueError(f"not an act of a history: {act!r}")


def _value(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value)


def _act(words: str) -> dict[str, Any]:
    by, word, *rest = words.split(" ")
    if read_card(word) is not None:
        return {"by": by, "do": "play", "card": word}
    act: dict[str, Any] = {"by": by, "do": word}
    for each in rest:
        key, _, text = each.partition("=")
        act[key] = text.split(",") if text and key in _LISTS else [] if key in _LISTS else text
        if key in _NUMBERS:
            act[key] = int(text)
    return act


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored history, ready to be played: a `PlayedHistory`."""

    deck: tuple[Card, ...]
    script: tuple[Act, ...]
    tricks: int

    def acts(self, _game: Game) -> Iterator[Act]:
        """Return the acts in their order."""
        return iter(self.script)


def course(rules: Rules, kept: History) -> Kept:
    """Return a stored history, read under these rules; raises Malformed or ValueError if it makes no sense under
    them."""
    cards = [read_card(text, rules.packs) for text in kept.deck.split(" ")]
    known = tuple(card for card in cards if card is not None)
    if len(known) < len(cards):
        raise ValueError("the deck names a card that the game does not have")
    return Kept(known, tuple(read_act(rules, each) for each in spelt(kept, rules.letters)), kept.tricks)


def spelt(kept: History, letters: str) -> Iterator[dict[str, Any]]:
    """Yield the acts of a stored history, as the protocol writes them; `letters` are those of the players."""
    words = (each for text in kept.acts.split("; ") if text for each in _one_by_one(text, letters))
    return map(_act, words)


def _one_by_one(text: str, letters: str) -> Iterator[str]:
    """Yield an act; for `draw-all`, the draw of each player in turn."""
    by, _, word = text.partition(" ")
    if word != ALL_DRAW:
        yield text
        return
    at = letters.index(by)
    yield from (f"{letter} {DRAW}" for letter in letters[at:] + letters[:at])


@dataclass(frozen=True, slots=True)
class PreludeLine:
    """A line of a file: a scenario, the rulesets, the digest of what was sought, and its history or the reason for
    having none."""

    scenario: str
    rulesets: tuple[str, ...]
    of: str
    found: History | NoPrelude


def line(data: Mapping[str, Any]) -> PreludeLine:
    """Return a line from its (valid) JSON."""
    found: History | NoPrelude
    if "none" in data:
        found = NoPrelude(Why(data["none"]), data["reason"])
    else:
        own = {key: value for key, value in data.items() if key not in PreludeLine.__match_args__}
        found = History(**{**own, "rests_on": tuple(data.get("rests_on", ()))})
    return PreludeLine(data["scenario"], tuple(data["rulesets"]), data["of"], found)
