"""One player's knowledge of the present deal, and games that look the same to that player.

The player remembers every card won in a trick, since all players have seen it, and the acts since cards were last drawn
or put away. All other knowledge is the player's present view. This is less than the information state, and enough to
play.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final

from hoyle._actions import Action, action_of
from hoyle._errors import NotationError
from hoyle._game import Game
from hoyle._notation import ONE_CARD, canonical, read_json
from hoyle._opponents import Opponent
from hoyle._positions import position_of, table_from
from hoyle._rules import Rules
from hoyle._views import seen_fields
from hoyle_reference import Game as Machine
from hoyle_reference import Malformed, Refusal, Table, write_position
from hoyle_reference.acts import Announce, Answer, CarteBlanche, Declare, Hold, Play, Show
from hoyle_reference.cards import name
from hoyle_reference.seats import Seat
from hoyle_reference.table import BlankState

#: The number of random layouts of the hidden cards to try first, and then of exchanges of two hidden cards.
_TRIES: Final = 40
_EXCHANGES: Final = 400
#: The places of each player's cards that others see as a number, and the places of no player.
_OF_SEATS: Final = ("hands", "discards")
_OF_NOBODY: Final = ("stock", "undrawn")
#: The combinations scored or kept by a side: those of their cards not shown or played are in hand.
_SCORED: Final = ("scored", "kept")
#: Acts that everybody sees, and after which each hidden card remains in its place.
_OPEN: Final = (Play, Declare, Hold, Show, Announce, Answer, CarteBlanche)
_MOST_ACTS: Final = 400
_HOW: Final = "It is made by knowledge(), and read again as it was written."


def knowledge(game: Game, seat: str) -> dict[str, Any]:
    """Return the knowledge of the player in a seat as plain data; raise UnknownNameError if nobody sits there.

    It is the observation before the last acts, these acts, and the observation now, both with the cards that each
    player has won."""
    who, actions = game._seat(seat), game.actions
    began = len(actions)
    while began and isinstance(actions[began - 1]._act, _OPEN):
        began -= 1
    return {
        "before": _remembered(game._table_after(began), who),
        "acts": [action.to_json() for action in actions[began:]],
        "now": _remembered(game._machine.table, who),
    }


def _remembered(table: Table, who: Seat) -> dict[str, Any]:
    """Return the position as a player sees it, with the cards won."""
    seen = seen_fields(table, who)
    return {**seen, "won": write_position(table)["won"]} if "won" in seen else seen


class Sampler:
    """A sampler of deals that are consistent with a player's knowledge, each as a game in the present position.

    If no deal is found that fits the last acts, the deals fit only the present position. Raise NotationError if there
    are none of these either.
    """

    def __init__(self, rules: Rules, seat: str, knows: object, rng: Random) -> None:
        self._rules, self._rng = rules, rng
        self._table: Table | None = None
        self._fits = -1
        data = read_json(knows, "what the player knows")
        with suppress(KeyError, TypeError, ValueError, AttributeError, IndexError):
            self._who = Seat(rules.players.index(seat))
            acts = [action_of(rules._compiled, act, "an act") for act in data["acts"][:_MOST_ACTS]]
            for before, since in ((data["before"], acts), (data["now"], [])):
                self._begins = _Begins(rules, seat, before, data["now"], since)
                self._now, self._acts, self._cards = canonical(data["now"]), since, self._begins.hidden
                self._whole = len(since) + 1  # all acts fit, and then the present view
                if self._search():
                    return
        raise NotationError("bad-view", "this is not what a player can know", str(rules), _HOW)

    def next(self) -> Game:
        """Return a deal: a random one, or the last one after many exchanges of two cards."""
        last = list(self._cards), self._table, self._fits
        self._shuffle()
        if self._fits < self._whole:
            self._cards, self._table, self._fits = last
            for _ in self._cards:
                self._exchange()
        assert self._table is not None, "a deal that fits was found before"
        game = Game(self._rules, position_of(self._rules, self._table))
        for action in self._acts:
            game.apply_action(action)
        return game

    def _search(self) -> bool:
        """Search for a first deal, at random and then card by card, and return whether it fits."""
        for tries in range(_TRIES + _EXCHANGES):
            (self._shuffle if tries < _TRIES else self._exchange)()
            if self._fits == self._whole:
                return True
        return False

    def _shuffle(self) -> None:
        self._rng.shuffle(self._cards)
        self._table, self._fits = self._tried()

    def _exchange(self) -> None:
        """Exchange two hidden cards, unless the deal then fits less well."""
        cards = self._cards
        one, other = self._rng.randrange(len(cards)), self._rng.randrange(len(cards))
        cards[one], cards[other] = cards[other], cards[one]
        table, fits = self._tried()
        if fits < self._fits:
            cards[one], cards[other] = cards[other], cards[one]
        else:
            self._table, self._fits = table, fits

    def _tried(self) -> tuple[Table | None, int]:
        """Return the first table of the deal, and the number of acts that fit; -1 if there is no such table."""
        try:
            table = table_from(self._rules, self._begins.with_cards(self._cards))
        except NotationError:
            return None, -1
        machine = Machine(table.copy())
        for number, action in enumerate(self._acts):
            try:
                if isinstance(machine.attempt(action._act), Refusal):
                    return table, number
            except Malformed:
                return table, number
        return table, len(self._acts) + (canonical(_remembered(machine.table, self._who)) == self._now)


class _Begins:
    """A position before some acts, partly known to one player; `hidden` are the cards that may be in any place hidden
    from the player."""

    def __init__(
        self, rules: Rules, seat: str, before: dict[str, Any], now: Mapping[str, Any], acts: Iterable[Action]
    ) -> None:
        self._before, self._seat = before, seat
        played = [(action.player, action.cards[0]) for action in acts if action.kind == "play"]
        others = (each for each, hand in before.get("hands", {}).items() if isinstance(hand, int))
        self._held = {
            each: list(dict.fromkeys([*_held(before, each, now), *(card for by, card in played if by == each)]))
            for each in others
        }
        known = {*_lying(before), *(card for cards in self._held.values() for card in cards)}
        self.hidden = [each for each in map(name, rules._compiled.pack) if each not in known] if self._held else []

    def with_cards(self, hidden: Sequence[str]) -> dict[str, Any]:
        """Return the position with the hidden cards in this order; raise NotationError if there are too few."""
        left, laid = list(hidden), dict(self._before)
        for key in _OF_SEATS:
            if key in laid:
                held = self._held if key == "hands" else {}
                laid[key] = {seat: _laid(left, pile, held.get(seat, ())) for seat, pile in laid[key].items()}
        for key in _OF_NOBODY:
            if key in laid:
                laid[key] = _laid(left, laid[key], ())
        if "drawn" in laid:
            laid["blanks"] = {
                seat: blank if seat == self._seat else _as_known(blank) for seat, blank in laid["blanks"].items()
            }
        return laid


def _held(seen: Mapping[str, Any], seat: str, now: Mapping[str, Any]) -> list[str]:
    """Return the cards that another player is known to hold: those on the table, and those scored but not played."""
    shown = [card for each in (seen, now) for card in _cards_in(each.get("shown", {}).get(seat, ()))]
    scored = [card for each in (seen, now) for key in _SCORED for card in _cards_in(each.get(key, {}).get(seat, ()))]
    elsewhere = {*_lying(seen), *_cards_in(seen.get("shown")), *_cards_in(now.get("shown"))}
    return [*shown, *(card for card in scored if card not in elsewhere)]


def _lying(seen: Mapping[str, Any]) -> list[str]:
    """Return the cards in the places that the player sees."""
    return _cards_in([seen.get(key) for key in (*_OF_SEATS, *_OF_NOBODY, "won", "trick", "turn_up")])


def _cards_in(value: Any) -> list[str]:
    """Return the cards named in plain data."""
    return [card[0] for card in ONE_CARD.finditer(canonical(value))]


def _laid(left: list[str], pile: Any, held: Sequence[str]) -> list[str]:
    """Return a visible pile, or a pile with the given number of cards: those known to be held first, then the next
    remaining ones."""
    if not isinstance(pile, int):
        return list(pile)
    count = pile - len(held)
    if not 0 <= count <= len(left):
        raise NotationError("bad-view", "there are not so many cards", "", _HOW)
    taken, left[:] = left[:count], left[count:]
    return [*held, *taken]


def _as_known(blank: str) -> str:
    """Return the state of another player's carte blanche, without the unknown card drawn to it."""
    return BlankState.OVER.value if blank == BlankState.SCORED.value else blank


def chosen(rules: Rules, seat: str, knows: object, opponent: Opponent, rng: Random) -> Action:
    """Return the action of an opponent in a seat with only this knowledge; raise NotationError if that player is not to
    act."""
    deals = Sampler(rules, seat, knows, rng)
    game = deals.next()
    if game.current_player() != seat:
        raise NotationError("not-to-act", f"{seat} is not to act", str(rules), "Ask another player.")
    return opponent.choose(game, seat, deals.next)
