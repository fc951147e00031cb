"""Completing a position of a game that is drawn for: every card not given is put into a hand, the stock, or among the
cards won."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hoyle_reference.chapters.carte_blanche import CarteBlancheRules
from hoyle_reference.chapters.deal import SEVEN
from hoyle_reference.chapters.declare.declaring import DeclareRules
from hoyle_reference.chapters.seven import SevenRules
from hoyle_reference.rules import Rules
from hoyle_reference.table.cards import RANKS, SUITS, Card, name, rank_of, read_card, suit_of
from hoyle_reference.table.seats import SEATS
from hoyle_reference.table.states import Blank

from .filling import Pool, least_important_first
from .given import REST, Given, Incomplete, Places, combinations, side, trumps_of


@dataclass(frozen=True, slots=True)
class _Frame:
    """What is known of a position before any card is filled in."""

    rules: Rules
    given: Given
    places: Places
    letters: str
    leader: str
    trumps: str | None
    #: The cards that steps speak of, in all their copies: none of them is dealt out by chance if it can be helped.
    wanted: frozenset[Card]

    @property
    def drawing(self) -> bool:
        """Whether cards are still drawn after a trick."""
        return self.given.get("stock") != [] or "turn_up" in self.given

    @property
    def played(self) -> str:
        """Who has played to the trick in progress."""
        at = self.letters.index(self.leader)
        return (self.letters[at:] + self.letters[:at])[: len(self.given.get("trick", ()))]


def complete(
    rules: Rules, given: Given, places: Places, dealer: str, wanted: frozenset[Card], variant: int
) -> dict[str, Any]:
    """The position of the deal; raises Incomplete where the cards given cannot be those of one."""
    leader = given.get("leads") or given["has_won"]
    frame = _Frame(rules, given, places, SEATS[: rules.players], leader, trumps_of(given), wanted)
    return _position(frame, dealer, variant)


def _position(frame: _Frame, dealer: str, variant: int) -> dict[str, Any]:
    given, letters = frame.given, frame.letters
    won = _known_to_be_won(frame)
    placed = {*frame.places, *(read_card(text) for pile in won.values() for text in pile)}
    fillers = least_important_first(frame.rules.pack, frame.trumps, variant)
    pool = Pool([card for card in fillers if card not in placed])
    turn_up = _turn_up(frame, pool) if frame.drawing and frame.rules.deal.a_card_is_turned_up.value else None
    sizes = _hand_sizes(frame)
    hands = {letter: _fill(frame, letter, sizes[letter], pool) for letter in letters}
    _fill_tricks(frame, won, _tricks_won(frame, won, dealer), pool)
    stock = _stock(frame, won, pool, turn_up)
    laid = _laid(frame)
    position = {
        "phase": "declare" if "has_won" in given else "play",
        "turn": letters[(letters.index(frame.leader) + len(frame.played)) % len(letters)],
        "leader": frame.leader,
        "trumps": frame.trumps,
        "turn_up": turn_up,
        "hands": hands,
        "shown": {letter: [text for text in hands[letter] if (letter, text) in laid] for letter in letters},
        "stock": stock,
        "trick": list(given.get("trick", ())),
        "won": won,
        **_blanks(frame),
        "scored": {letter: list(given.get("scored", {}).get(letter, ())) for letter in letters},
        "kept": {letter: list(given.get("kept", {}).get(letter, ())) for letter in letters},
        "claimed": _claimed(given, turn_up),
        "combinations_since_trick": 0,
        "sevens_since_trick": 0,
        **({"last_trick_won_by": given["last_trick_won_by"]} if "last_trick_won_by" in given else {}),
    }
    known = {field.name for field in frame.rules.fields}
    return {key: value for key, value in position.items() if key in known}


def _blanks(frame: _Frame) -> dict[str, Any]:
    """Who has scored carte blanche, in a game that knows it."""
    if "carte_blanche" not in frame.rules.chapters:
        return {}
    shown = frame.given.get("blanks", ())
    return {"blanks": {letter: str(Blank.SCORED if letter in shown else Blank.UNSPOKEN) for letter in frame.letters}}


def _claimed(given: Given, turn_up: str | None) -> list[str]:
    """The sevens that have scored: those given, and one that is turned up."""
    turned = [turn_up] if turn_up and turn_up[0] == RANKS[SEVEN] else []
    return [*given.get("claimed", ()), *(text for text in turned if text not in given.get("claimed", ()))]


def _laid(frame: _Frame) -> set[tuple[str, str]]:
    """The cards that lie open, if they are still held, and whose they are: those of combinations, and sevens shown."""
    if not frame.drawing and frame.rules.of(DeclareRules).taken_up_after_the_stock.value:
        return set()
    laid = {
        (letter, text)
        for seat, each in _combinations(frame.given)
        for letter in side(frame.rules, seat)
        for text in each["cards"]
    }
    seven = frame.rules.get(SevenRules)
    if frame.drawing and seven is not None and seven.lies_on_the_table.value:
        laid |= {(seat, text) for seat in frame.letters for text in frame.given.get("claimed", ())}
    return laid


def _combinations(given: Given) -> Iterable[tuple[str, Mapping[str, Any]]]:
    return ((seat, each) for key in ("scored", "kept") for _, seat, each in combinations(given, key))


def _turn_up(frame: _Frame, pool: Pool) -> str:
    if "turn_up" in frame.given:
        return str(frame.given["turn_up"])
    fit = [card for card in pool.cards if SUITS[suit_of(card)] == frame.trumps and card not in frame.wanted]
    if not fit:
        raise Incomplete("no trump is left to be turned up", "Give the turn-up.", "trumps")
    pool.cards.remove(fit[0])
    return name(fit[0])


def _hand_sizes(frame: _Frame) -> dict[str, int]:
    """How many cards each player holds: a full hand, less the card that is played or not yet drawn."""
    if frame.drawing:
        full = frame.rules.deal.hand_size - ("has_won" in frame.given)
    else:
        given = frame.given.get("hands", {}).items()
        exact = [len(cards) + (letter in frame.played) for letter, cards in given if REST not in cards]
        full = max(exact, default=frame.rules.deal.hand_size)
    return {letter: full - (letter in frame.played) for letter in frame.letters}


def _fill(frame: _Frame, letter: str, size: int, pool: Pool) -> list[str]:
    """One hand."""
    cards = frame.given.get("hands", {}).get(letter, [REST])
    known = [text for text in cards if text != REST]
    if len(known) > size or (REST not in cards and len(known) != size):
        given, more = len(known), "or more " if REST in cards else ""
        remedy = "Remove some." if len(known) > size else f"Add {REST} for the cards that do not matter."
        raise Incomplete(f"{given} cards {more}in a hand that holds {size} here", remedy, "hands", letter)
    return known + pool.take(size - len(known), frame.wanted | _not_in(frame, letter))


def _not_in(frame: _Frame, letter: str) -> frozenset[Card]:
    """The cards that a hand cannot hold: those that carte blanche does not have."""
    if letter not in frame.given.get("blanks", ()):
        return frozenset()
    without = frame.rules.of(CarteBlancheRules).without.value
    return frozenset(card for card in frame.rules.pack if rank_of(card) in without)


def _is_open(frame: _Frame, letter: str) -> bool:
    """Whether a player may have won more cards than are given."""
    return REST in frame.given.get("won", {}).get(letter, [REST])


def _known_to_be_won(frame: _Frame) -> dict[str, list[str]]:
    """The cards each player has won for certain: those given, and those that have scored and lie nowhere else."""
    piles = frame.given.get("won", {})
    won = {letter: [text for text in piles.get(letter, ()) if text != REST] for letter in frame.letters}
    for path, seat, combination in combinations(frame.given, "scored"):
        for text in combination["cards"]:
            if read_card(text) in frame.places or any(text in pile for pile in won.values()):
                continue
            pile = next((letter for letter in (seat, *frame.letters) if _is_open(frame, letter)), None)
            if pile is None:
                raise Incomplete(f"where does {text} lie now?", "Put it into a hand, or among the cards won.", *path)
            won[pile].append(text)
    return won


def _tricks_won(frame: _Frame, won: Mapping[str, Sequence[str]], dealer: str) -> dict[str, int]:
    """How many tricks each player has won at least: those of the cards known to be won, those after which something
    was scored, and the last, which the leader has won."""
    rules, given, leader = frame.rules, frame.given, frame.leader
    least = {}
    for letter in frame.letters:
        scored = len(given.get("scored", {}).get(letter, ()))
        earlier = max(scored, int(letter in given.get("kept", {})))
        least[letter] = max(_up(len(won[letter]), rules.players), earlier + (given.get("has_won") == letter))
    first = (
        dealer
        if rules.deal.dealer_leads.value
        else frame.letters[(frame.letters.index(dealer) + 1) % len(frame.letters)]
    )
    if any(least.values()) or given.get("claimed") or leader != first or not frame.drawing:
        least[leader] = max(1, least[leader])
    missing = _tricks_played(frame, won) - sum(least.values())
    if missing > 0:
        winner = next((letter for letter in (leader, *frame.letters) if _is_open(frame, letter)), leader)
        least[winner] += missing
    return least


def _tricks_played(frame: _Frame, won: Mapping[str, Sequence[str]]) -> int:
    """How many tricks there must have been: one for each card that a player has scored and played, and one after which
    a seven was exchanged or shown."""
    gone = {text for pile in won.values() for text in pile}
    played = (
        len({text for seat, each in _combinations(frame.given) if seat == letter for text in each["cards"]} & gone)
        for letter in frame.letters
    )
    return max(*played, int("claimed" in frame.given) + ("has_won" in frame.given))


def _up(count: int, step: int) -> int:
    """How many steps it takes to reach a count."""
    return -(-count // step)


def _fill_tricks(frame: _Frame, won: dict[str, list[str]], least: Mapping[str, int], pool: Pool) -> None:
    """Fill up what each player has won to so many whole tricks."""
    players = frame.rules.players
    for letter, pile in won.items():
        missing = least[letter] * players - len(pile)
        if _is_open(frame, letter) and missing <= len(pool.cards):
            pile.extend(pool.take_last(missing))
        elif len(pile) < least[letter] * players:
            message = f"{letter} must have won at least {least[letter] * players} cards here, not {len(pile)}"
            remedy = f"Add {REST} for those that do not matter; or take cards from elsewhere."
            raise Incomplete(message, remedy, "won", letter)
        elif len(pile) % players:
            raise Incomplete(f"tricks have {players} cards each", f"Add a card, or {REST}.", "won", letter)


def _stock(frame: _Frame, won: dict[str, list[str]], pool: Pool, turn_up: str | None) -> list[str]:
    """What is still to be drawn, the top card first; where that is given, what is left over has been won."""
    given = frame.given.get("stock", [REST])
    at = given.index(REST) if REST in given else len(given)
    stock = [*given[:at], *(pool.take(len(pool.cards)) if REST in given else ()), *given[at + 1 :]]
    if (len(stock) + (turn_up is not None)) % frame.rules.players:
        what = "With the turn-up it must hold as many cards for each player."
        raise Incomplete("the stock does not last for a whole number of tricks", what, _first(frame, "stock", "won"))
    _share_out(frame, won, pool)
    return stock


def _share_out(frame: _Frame, won: dict[str, list[str]], pool: Pool) -> None:
    """Put all the cards left into the won piles that are open, in whole tricks."""
    open_ = [letter for letter in won if _is_open(frame, letter)]
    share = _up(len(pool.cards), frame.rules.players * max(1, len(open_))) * frame.rules.players
    for letter in open_:
        won[letter] += pool.take_last(share)
    if pool.cards:
        message = f"cards without a place ({len(pool.cards)}): the stock and the cards won are all given"
        remedy = f"Add {REST} to the stock or to the cards a player has won."
        raise Incomplete(message, remedy, _first(frame, "won", "stock"))


def _first(frame: _Frame, *keys: str) -> str:
    """The first of these keys that the scenario has."""
    return next((key for key in keys if key in frame.given), keys[-1])
