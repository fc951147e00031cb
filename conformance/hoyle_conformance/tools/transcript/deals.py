"""The deck of a deal: given, made from the hands and the stock, or inferred from the cards that are named later."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.tools.transcript.go_on import by_force
from hoyle_conformance.tools.transcript.json_lines import LineFault
from hoyle_conformance.tools.transcript.model import LoggedAct
from hoyle_conformance.tools.transcript.take import BROKEN, Reader, tables_before, take, usable
from hoyle_conformance.wording import cards as printed
from hoyle_reference import Game, Malformed, Phase, Refusal, Table
from hoyle_reference.frozen import frozen
from hoyle_reference.table.acts import Deal
from hoyle_reference.table.cards import BY_NAME, Card, face_of, name, names
from hoyle_reference.table.seats import SEATS

#: Acts whose cards lie in the hand of the player.
_FROM_THE_HAND: Final = frozenset({"play", "declare", "hold", "exchange", "show", "discard"})
_WHOLE: Final = "Give the whole 'deck', or 'hands', 'stock' and 'turn_up'."


@frozen
class Deck:
    """The deck of a deal, top card first; the cards in it whose places nothing in the transcript decides; and whether
    the places of others were inferred from later acts."""

    cards: tuple[Card, ...]
    guessed: frozenset[Card]
    inferred: bool = False


@frozen
class _Places:
    """Where the cards of a deal come to lie: the indices in the deck of each hand, of the stock from the top, and of
    the turn-up, if there is one."""

    hands: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    turn_up: int | None


def deck_of(reader: Reader, table: Table, deal: LoggedAct, later: Sequence[LoggedAct]) -> Deck:
    """Return the deck of a deal; raises LineFault if the transcript does not say enough, or contradicts itself.

    `later` are the acts of the same deal: the cards that they name must be where they are named.
    """
    pack = table.rules.pack
    if "deck" in deal.step:
        return Deck(_whole_deck(reader, pack, deal.step["deck"]), frozenset())
    places = _places(table, deal)
    known = _Known(reader, pack)
    for seat, indices in enumerate(places.hands):
        hand = deal.facts.get("hands", {}).get(SEATS[seat], ())
        if hand and len(hand) != len(indices):
            message = f"{SEATS[seat]} has {len(hand)} cards, but these rules deal {len(indices)}"
            raise LineFault("deal", message, "Write the hands as they are after the deal.")
        known.put_all(indices, hand)
    if places.turn_up is not None:
        if not (turned := deal.facts.get("turn_up")):
            raise LineFault("deal", "the deal does not say which card was turned up", f"Add 'turn_up'. {_WHOLE}")
        known.put_all([places.turn_up], [turned])
    stock = deal.facts.get("stock", ())
    if len(stock) > len(places.stock):
        message = f"the stock has {len(stock)} cards, but these rules leave {len(places.stock)}"
        raise LineFault("deal", message, "Write the stock as it is after the deal, without the turn-up.")
    known.put_all(places.stock, stock)
    return _inferred(reader, table, deal, later, known)


def _whole_deck(reader: Reader, pack: Sequence[Card], deck: Sequence[str]) -> tuple[Card, ...]:
    known = _Known(reader, pack)
    if len(deck) != len(pack):
        message = f"the deck has {len(deck)} cards, but the pack of these rules has {len(pack)}"
        raise LineFault("deal", message, "Check that the ruleset is the right one: -r NAME.")
    known.put_all(range(len(pack)), deck)
    return tuple(known.at[index] for index in range(len(pack)))


class _Known:
    """The cards of a deck whose places are known, and the pack without them."""

    def __init__(self, reader: Reader, pack: Sequence[Card]) -> None:
        self._exact = reader.exact
        self.at: dict[int, Card] = {}
        self._left = dict.fromkeys(pack)

    def put_all(self, indices: Sequence[int], cards: Sequence[str]) -> None:
        """Put cards at the first of these places; raises LineFault if a card is used up."""
        for index, text in zip(indices, cards, strict=False):
            wanted = BY_NAME[-1][text]
            copies = (card for card in self._left if self._is(card, wanted))
            card = next(copies, None)
            if card is None:
                message = f"{printed.card(text)} is in the deal more often than in the pack"
                raise LineFault("deal", message, "Check the hands, the stock and the turn-up.")
            self.at[index] = card
            del self._left[card]

    def _is(self, card: Card, wanted: Card) -> bool:
        return card == wanted if self._exact else face_of(card) == face_of(wanted)

    def filled(self) -> dict[int, Card]:
        """Return the card at every place, the cards that are left in the order of the pack."""
        free = (index for index in range(len(self.at) + len(self._left)) if index not in self.at)
        return {**self.at, **dict(zip(free, self._left, strict=True))}


def _places(table: Table, deal: LoggedAct) -> _Places:
    """Return where the cards of a deal come to lie; raises LineFault if the deal cannot be."""
    game = Game(table.copy())
    act = _deal_act(table, deal.step, table.rules.pack)
    try:
        outcome = game.attempt(act)
    except Malformed as malformed:
        raise LineFault("deal", str(malformed), _WHOLE) from malformed
    if isinstance(outcome, Refusal):
        raise LineFault("deal", f"the deal is refused: {outcome.message}", "Give the whole 'deck'.")
    index = {card: at for at, card in enumerate(table.rules.pack)}
    dealt = game.table
    turn_up = None if dealt.turn_up is None else index[dealt.turn_up]
    hands = tuple(tuple(index[card] for card in hand) for hand in dealt.hands)
    return _Places(hands, tuple(index[card] for card in reversed(dealt.stock)), turn_up)


def _deal_act(table: Table, step: Mapping[str, Any], deck: Sequence[Card]) -> Deal:
    assert table.dealer is not None, "a deal is awaited of a dealer"
    return Deal(table.dealer, tuple(deck), step.get("packets"))


def _inferred(reader: Reader, table: Table, deal: LoggedAct, later: Sequence[LoggedAct], known: _Known) -> Deck:
    """Return a deck in which every card is where a later act names it.

    The deal is played with the cards that are not known in any places. A card that is not where an act names it is
    exchanged for one that no act has named yet: nothing that happened before depends on either of them.
    """
    deck, fixed = known.filled(), set(known.at)
    inferred = len(fixed) < len(deck)
    if inferred:
        _play_and_exchange(reader, table, deal, later, deck, fixed)
    cards = tuple(deck[index] for index in range(len(deck)))
    return Deck(cards, frozenset(card for index, card in enumerate(cards) if index not in fixed), inferred)


def _play_and_exchange(
    reader: Reader, table: Table, deal: LoggedAct, later: Sequence[LoggedAct], deck: dict[int, Card], fixed: set[int]
) -> None:
    """Play a deal as far as it goes, exchange cards in the deck, and note the places that are fixed by then."""
    game, place = Game(table.copy()), {card: index for index, card in deck.items()}
    game.apply(_deal_act(table, deal.step, [deck[index] for index in range(len(deck))]))
    now = game.table
    for act in later:
        now, used = _before_the_act(reader, now, act), list[Card]()
        for there, text in _wanted(now, act):
            same = [card for card in there if card not in used and _same(reader, card, text)]
            found = min(same, key=lambda card: place[card] not in fixed, default=None)
            if found is None:
                free = (card for card in there if place[card] not in fixed)
                elsewhere = (card for card in place if _same(reader, card, text) and place[card] not in fixed)
                one, found = next(free, None), next(elsewhere, None)
                if one is None or found is None:
                    continue
                _exchange(now, one, found)
                place[one], place[found] = place[found], place[one]
                deck[place[one]], deck[place[found]] = one, found
            used.append(found)
            fixed.add(place[found])
        after = _after_the_act(reader, now, _with_cards(act, used))
        if after is None or after.phase in {Phase.DEAL, Phase.OVER}:
            return
        now = after


def _with_cards(act: LoggedAct, cards: Sequence[Card]) -> LoggedAct:
    """Return an act with these very cards, if they are all that it names."""
    if act.step["do"] not in _FROM_THE_HAND:
        return act
    if "card" in act.step and cards:
        return replace(act, step={**act.step, "card": name(cards[0])})
    named = len(act.step.get("cards", ()))
    return replace(act, step={**act.step, "cards": names(cards[:named])}) if named <= len(cards) and named else act


def _exchange(table: Table, one: Card, other: Card) -> None:
    """Exchange two cards that lie in hands or in the stock."""
    instead = {one: other, other: one}
    table.hands = [[instead.get(card, card) for card in hand] for hand in table.hands]
    table.stock = [instead.get(card, card) for card in table.stock]


def _after_the_act(reader: Reader, table: Table, act: LoggedAct) -> Table | None:
    """Return the table after an act, which is carried out if only cards that are not known forbid it."""
    try:
        taken = take(replace(reader, exact=True), table, act)
    except BROKEN:
        return None
    if taken.unknown or (taken.refusal and taken.refusal.code in {"not-now", "not-your-turn"}):
        return None
    return taken.table if not taken.refusal else next(by_force(table, act, taken), None)


def _before_the_act(reader: Reader, table: Table, act: LoggedAct) -> Table:
    """Return the table before an act, after as many of the draws that are left out as it needs."""
    tables = list(tables_before(reader, table, act))
    agreeing = (each for each in tables if not take(replace(reader, draws_left_out=False), each, act).refusal)
    return next(agreeing, tables[0])


def _wanted(table: Table, act: LoggedAct) -> Iterator[tuple[Sequence[Card], str]]:
    """Yield where each card that an act names must lie, and its name."""
    seat = SEATS.find(act.step.get("by", "?"))
    if not 0 <= seat < table.players:
        return
    if act.step["do"] in _FROM_THE_HAND:
        for text in [act.step["card"]] if "card" in act.step else act.step.get("cards", ()):
            yield usable(table, seat), text
    if act.step["do"] in {"draw", "discard"}:
        drew = act.facts.get("drew", ())
        for card, text in zip(table.next_cards(len(drew)), drew, strict=False):
            yield [card], text


def _same(reader: Reader, card: Card, text: str) -> bool:
    wanted = BY_NAME[-1][text]
    return card == wanted if reader.exact else face_of(card) == face_of(wanted)


def deal_step(step: Mapping[str, Any], dealer: str, deck: Deck) -> dict[str, Any]:
    """Return a deal with its whole deck, as the interpreter takes it."""
    return {"by": dealer, **step, "do": "deal", "deck": names(deck.cards)}
