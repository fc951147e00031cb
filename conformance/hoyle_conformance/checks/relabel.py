"""Relabelling of seats and suits: the same check with the players in other seats and the suits exchanged.

No rule names a seat, and none names a suit unless a cell names a card. So each check is sent under one of the
relabellings that leave its rules unchanged, chosen by the hash of its scenario's id and a seed. As a result, every seat
leads, deals and declares, which reveals an engine that takes the second seat for the first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from itertools import permutations
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.files.schemas import Lazily
from hoyle_conformance.suite.model import AS_WRITTEN, Check, Expected, Relabelling, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cells
from hoyle_reference.cards import SUITS
from hoyle_reference.seats import SEATS, sides

_CARD: Final = re.compile(r"[789TJQKA][CDHS](#[1-8])?")
#: The keys whose values are suits or ranks, not seats with the same letter.
_SUITS: Final = frozenset({"trumps", "suit"})
_RANKS: Final = frozenset({"top", "rank"})
#: The keys whose values belong to a side: a player, or two partners under the letter of the first.
_OF_SIDES: Final = frozenset({"score", "scores", "total", "brisques", "winner", "game_won_by"})
_BY_TRUMPS: Final = "cards_by_trumps"
#: The dealer if a scenario names none.
_DEALER: Final = "B"


class Relabeller:
    """Relabels the checks that are sent to an adapter, by the hash of a seed and the scenario's id."""

    def __init__(self, suite: Suite, seed: str = "") -> None:
        self._suite, self._seed = suite, seed
        self._turned: dict[tuple[str, Relabelling, str], tuple[Scenario, Scenario]] = {}
        self._chosen: dict[tuple[str, _Free], tuple[Scenario, Relabelling]] = {}

    def __call__(self, check: Check) -> Check:
        """Return the check as it is sent."""
        kept = None if self._seed else planner_of(self._suite).cached_request(check)
        return self.turned(check, kept.turned if kept else self._turn(check))

    def turned(self, check: Check, turn: Relabelling) -> Check:
        """Relabel a check in this way; the other checks of its scenario share the relabelled scenario."""
        put = check if turn == AS_WRITTEN else self._new(check, turn)
        planner_of(self._suite).note_relabelled(check, put)
        return put

    def _new(self, check: Check, turn: Relabelling) -> Check:
        key = check.scenario.id, turn, _sides(self._suite.rules.cells(check.ruleset))
        of, scenario = self._turned.get(key, (None, None))
        if scenario is None or of is not check.scenario:  # a file outside the suite may use the same id
            scenario = _turner(turn, key[2]).scenario(check.scenario)
            self._turned[key] = check.scenario, scenario
        branches, more = scenario.branches(check.ruleset), (check.origins, check.computed)
        return Check(scenario, check.ruleset, check.cites, branches, check.follows, turn, *more)

    def _turn(self, check: Check) -> Relabelling:
        scenario, cells = check.scenario, self._suite.rules.cells(check.ruleset)
        key = scenario.id, _free(cells)
        of, turn = self._chosen.get(key, (None, None))
        if turn is None or of is not scenario:
            allowed = turns(cells, scenario)
            number = int.from_bytes(sha256(f"{self._seed}:{scenario.id}".encode()).digest()[:8], "big")
            turn = replace(allowed[number % len(allowed)], seed=self._seed)
            self._chosen[key] = scenario, turn
        return turn


class _Free(NamedTuple):
    """The labels that can be exchanged under some rules: the letters of the seats, the faces of the cards that cells
    name, and the orders of the suits that leave every cell unchanged."""

    letters: str
    named: frozenset[str]
    orders: frozenset[str]


@cache
def _free(cells: Cells) -> _Free:
    """Return the labels that can be exchanged under these rules."""
    return _Free(SEATS[: int(cells["players.number"].value)], _faces(cells), _orders(cells))


def turns(cells: Cells, scenario: Scenario) -> list[Relabelling]:
    """Return all relabellings under which these rules mean the same for this scenario, starting with the identity.

    The players are rotated around the table. The suits are exchanged if every cell stays unchanged, or if no card named
    by a cell is in the scenario before or after the exchange.
    """
    letters, fixed, as_they_are = _free(cells)
    named = _named(scenario)
    orders = map("".join, permutations(SUITS))
    suits = [each for each in orders if each in as_they_are or fixed.isdisjoint(named | _moved(named, each))]
    return [Relabelling(letters[by:] + letters[:by], order) for by in range(len(letters)) for order in suits]


class _Turner:
    """Relabels the values of a scenario by their keys; `sides` has, for each seat, the letter of its score."""

    def __init__(self, turn: Relabelling, sides: str) -> None:
        self._seat = dict(zip(SEATS, turn.seats, strict=False))
        self._side = {seat: sides[SEATS.index(other)] for seat, other in self._seat.items()}
        self._suit = dict(zip(SUITS, turn.suits, strict=True))
        #: Cached, because the same few words occur under the same few keys.
        self._turned = lru_cache(maxsize=4096)(self._word)

    def scenario(self, scenario: Scenario) -> Scenario:
        """Relabel the position, the steps and the expectations of a scenario."""
        given = scenario.given if scenario.given.get("before") == "cut" else {"dealer": _DEALER, **scenario.given}
        return replace(
            scenario,
            given=Lazily(given, lambda key: self._turn(key, given[key])),  # seldom read if a request is cached
            steps=tuple(map(self._step, scenario.steps)),
            outcomes=tuple(replace(each, expect=self._expected(each.expect)) for each in scenario.outcomes),
            readings=tuple(replace(each, expect=self._expected(each.expect)) for each in scenario.readings),
        )

    def _expected(self, expected: Expected) -> Expected:
        return {number: self._turn("", each) for number, each in expected.items()}

    def _step(self, step: Mapping[str, Any]) -> Mapping[str, Any]:
        turned: dict[str, Any] = self._turn("", step)
        if step.get("do") == "cut":  # a card for each seat, in the order of the seats
            in_order = sorted(zip(self._seat.values(), turned["cards"], strict=True))
            turned["cards"] = [card for _, card in in_order]
        return turned

    def _turn(self, key: str, value: Any) -> Any:
        """Relabel the value of a key."""
        if isinstance(value, str):
            return self._turned(key, value)
        if isinstance(value, dict):
            letters = self._letters(key)
            return {
                letters.get(name, name): self._turn(key if name in self._seat else name, each)
                for name, each in value.items()
            }
        if isinstance(value, list):
            return [self._turn(key, each) for each in value]
        return value

    def _word(self, key: str, word: str) -> str:
        if key in _RANKS:
            return word
        if key in _SUITS:
            return self._suit.get(word, word)
        if _is_card(word):
            return f"{word[0]}{self._suit[word[1]]}{word[2:]}"
        return self._letters(key).get(word, word)

    def _letters(self, key: str) -> Mapping[str, str]:
        """Return the relabelled letter of each seat, or of its side, under a key."""
        return self._side if key in _OF_SIDES else self._seat


@lru_cache(maxsize=4096)
def _is_card(word: str) -> bool:
    """Return whether a word names a card; cached, because the same few words recur."""
    return _CARD.fullmatch(word) is not None


#: The relabelling of values, made once for all scenarios.
_turner: Final = cache(_Turner)


@cache
def _sides(cells: Cells) -> str:
    """Return, for each seat, the letter of its score."""
    players = int(cells["players.number"].value)
    together = sides(players, partners="players.partners" in cells)
    return "".join(SEATS[together[seat % len(together)][0]] for seat in range(players))


def _named(scenario: Scenario) -> frozenset[str]:
    """Return the faces of all cards in a scenario."""
    branches = [*(each.expect for each in scenario.outcomes), *(each.expect for each in scenario.readings)]
    return frozenset(text[:2] for part in (scenario.given, scenario.steps, branches) for text in _cards(part))


def _cards(value: Any) -> Iterator[str]:
    """Yield the cards in a value, at any depth."""
    if isinstance(value, str):
        yield from [value] if _is_card(value) else []
    elif isinstance(value, dict):
        for each in value.values():
            yield from _cards(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _cards(each)


def _moved(cards: Iterable[str], order: str) -> frozenset[str]:
    """Return the faces of cards, with the suits in this order instead of C, D, H, S."""
    return frozenset(f"{card[0]}{order[SUITS.index(card[1])]}" for card in cards)


def _faces(cells: Cells) -> frozenset[str]:
    """Return the faces of the cards named by cells."""
    return frozenset(text[:2] for cell in cells for text in _cards(cell.value))


def _orders(cells: Cells) -> frozenset[str]:
    """Return the orders of the suits that leave every cell unchanged."""
    rows = [_by_trumps(cell.value) for cell in cells if isinstance(cell.value, Mapping) and any(_cards(cell.value))]
    return frozenset(order for order in map("".join, permutations(SUITS)) if all(_alike(row, order) for row in rows))


def _by_trumps(row: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the cards of a combination by the suit of trumps; those without trumps are under ""."""
    return {suit: frozenset(row.get(_BY_TRUMPS, {}).get(suit, row["cards"])) for suit in ("", *SUITS)}


def _alike(row: Mapping[str, frozenset[str]], order: str) -> bool:
    return all(_moved(cards, order) == row[suit and order[SUITS.index(suit)]] for suit, cards in row.items())
