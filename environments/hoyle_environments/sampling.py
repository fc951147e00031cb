"""Sampling what a player cannot see: another game that looks the same to one player."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

from hoyle import Action, Game, NotationError, Rules
from hoyle._positions import position_of, table_from
from hoyle._views import seen_act, seen_fields
from hoyle_reference import Game as Machine
from hoyle_reference import Malformed, Refusal, Table
from hoyle_reference.acts import Act, Deal, Irregular
from hoyle_reference.cards import Card, name, read_card
from hoyle_reference.questions import visible
from hoyle_reference.seats import Seat

#: So many deals are tried before the true one is changed card by card.
_TRIES: Final = 40
#: Then so many exchanges of two cards are tried for each card that the player has not seen.
_EXCHANGES: Final = 3

Moved = Mapping[Card, Card]


def determinise(game: Game, seat: str, rng: Random) -> Game:
    """Return a game that the player in a seat cannot tell from this one: what that player has not seen of this deal
    lies in other places.

    All actions are the same but for the cards in them that the player does not see, and all of them are legal. The
    information state of the player is the same. Deals that fit are drawn at random, each with the same probability.
    If few of them fit, many exchanges of two cards change the true deal instead. How likely it is that the other
    players would have acted so is not considered. Raises UnknownNameError if nobody sits there.
    """
    who, actions = game._seat(seat), game.actions
    began = next((at for at in range(len(actions), 0, -1) if actions[at - 1].kind == "deal"), 1) - 1
    hidden = Hidden(game.rules, game._table_after(began), [each._act for each in actions[began:]], who)
    other = game.clone()
    begins, other._machine, acts = hidden.sample(rng)
    other._actions[began:] = map(Action, acts)
    other._kept = {**{at: table for at, table in game._kept.items() if at < began}, began: begins}
    other._start = position_of(game.rules, begins) if game._start and not began else game._start
    other._recalled.clear()
    return other


class Sample(NamedTuple):
    """Another deal: the table at which it began, the game as it stands, and the acts between."""

    begins: Table
    machine: Machine
    acts: list[Act]


class Hidden:
    """The cards of the present deal that one player has not seen, and the acts since it began."""

    def __init__(self, rules: Rules, begins: Table, acts: Sequence[Act], seat: Seat) -> None:
        self._rules, self._begins, self._acts, self._seat = rules, begins, acts, seat
        self._in_a_deal = not (acts and isinstance(acts[0], Deal))
        machine, known = Machine(begins.copy()), set(visible(begins, seat) if self._in_a_deal else ())
        self._seen = [seen_fields(begins, seat)]
        for act in acts:
            machine.apply(act)
            known.update(visible(machine.table, seat), _named(seen_act(act, seat)))
            self._seen.append(seen_fields(machine.table, seat))
        self._unseen = [card for card in begins.rules.pack if card not in known]

    def sample(self, rng: Random) -> Sample:
        """Return the deal with its unseen cards in other places, such that the player has seen and done the same."""
        for _ in range(_TRIES):
            shuffled = rng.sample(self._unseen, len(self._unseen))
            played = self._played_with(dict(zip(self._unseen, shuffled, strict=True)))
            if played is not None:
                return played
        return self._exchanged(rng)

    def _exchanged(self, rng: Random) -> Sample:
        """Return the true deal after many exchanges of two unseen cards, each of which the player cannot notice."""
        cards = list(self._unseen)
        found = self._played_with({})
        assert found is not None, "the true deal is one that the player cannot tell from itself"
        for _ in range(_EXCHANGES * len(cards)):
            one, other = rng.randrange(len(cards)), rng.randrange(len(cards))
            cards[one], cards[other] = cards[other], cards[one]
            played = self._played_with(dict(zip(self._unseen, cards, strict=True)))
            if played is None:
                cards[one], cards[other] = cards[other], cards[one]
            else:
                found = played
        return found

    def _played_with(self, moved: Moved) -> Sample | None:
        """Return the deal with cards in the places of others, or None if the rules or the player would notice."""
        acts = [_with_cards(act, moved) for act in self._acts]
        begins = _moved_table(self._rules, self._begins, moved) if self._in_a_deal else self._begins
        if begins is None or not _are_legal(begins, acts):
            return None
        machine = Machine(begins.copy())
        for act, seen in zip([None, *acts], self._seen, strict=True):
            if act is not None:
                machine.apply(act)
            if seen_fields(machine.table, self._seat) != seen:
                return None
        machine.log.clear()
        return Sample(begins, machine, acts)


def _are_legal(begins: Table, acts: Iterable[Act]) -> bool:
    """Whether these acts can be done from a table: most deals that do not fit fail here, which takes less time than to
    compare what the player sees."""
    machine = Machine(begins.copy())
    try:
        return not any(isinstance(machine.attempt(act), Refusal) for act in acts)
    except Malformed:
        return False


def _moved_table(rules: Rules, table: Table, moved: Moved) -> Table | None:
    """Return a table with cards in the places of others, or None if there is no such position."""
    names = {name(card): name(other) for card, other in moved.items()}
    try:
        return table_from(rules, _renamed(position_of(rules, table).to_json(), names))
    except NotationError:
        return None


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return plain data with cards renamed, wherever they are."""
    if isinstance(value, dict):
        return {key: _renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def _with_cards(act: Act, moved: Moved) -> Act:
    """Return an act with cards in the places of others."""
    if isinstance(act, Irregular):
        return replace(act, act=_with_cards(act.act, moved))
    changes: dict[str, Any] = {}
    for key in ("cards", "deck"):
        if hasattr(act, key):
            changes[key] = tuple(moved.get(card, card) for card in getattr(act, key))
    if hasattr(act, "card"):
        changes["card"] = moved.get(act.card, act.card)
    return replace(act, **changes) if changes else act  # type: ignore[type-var]  # every act is a dataclass


def _named(spelt: Any) -> Iterator[Card]:
    """Yield the cards that are named in an act as it is spelled."""
    if isinstance(spelt, str):
        card = read_card(spelt)
        if card is not None:
            yield card
    elif isinstance(spelt, (dict, list)):
        for each in spelt.values() if isinstance(spelt, dict) else spelt:
            yield from _named(each)
