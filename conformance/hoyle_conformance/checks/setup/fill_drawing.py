"""A position of a game with a stock, completed: every card not given goes to a hand, the stock, or the cards won."""

from collections.abc import Iterator, Sequence

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.fill import Filling, HandSize
from hoyle_conformance.checks.setup.given import REST, Given, nothing_is_left_to_draw, read_seat
from hoyle_reference import Phase, Table, rules_of
from hoyle_reference.cards import SEVEN, Card, name, rank_of, suit_of
from hoyle_reference.questions import brisque_points
from hoyle_reference.seats import Seat, seat_name
from hoyle_reference.table import Combination


def fill(filling: Filling) -> None:
    """Fill in the deal; raises CannotSetUp if the cards given cannot be those of a deal."""
    table, rules = filling.table, rules_of(filling.table)
    deal = rules.deal
    drawing = not nothing_is_left_to_draw(filling.given)
    _put_away_what_has_scored(filling)
    if drawing and deal.a_card_is_turned_up.value:
        _turn_up(filling)
    full = deal.hand_size - (table.phase is Phase.DECLARE) if drawing else filling.cards_each
    if full > deal.hand_size:
        message = f"the hands hold {full} cards, but {deal.hand_size} are dealt under {table.rules.id}"
        remedy = "Take some out of the hands, or give 'surplus' and 'last_tricks'."
        raise CannotSetUp(message, remedy, "hands", table=("", "Take some out of the hands."))
    filling.fill_hands(_hand_size(filling, full, drawing=drawing))
    _fill_tricks(filling, _tricks_won(filling, drawing=drawing))
    _fill_stock(filling)
    _share_out(filling)
    _lay_open(table, drawing=drawing)
    won = [card for pile in table.won for card in pile]
    if rules.tricks.all_open and "heap" not in filling.given and not brisque_points(table, won):
        table.referee.heap = won
    if not drawing and "last_tricks" not in filling.given:
        table.referee.last_tricks[table.leader] = deal.hand_size - full


def _hand_size(filling: Filling, full: int, *, drawing: bool) -> HandSize:
    """Return the size of every hand, and the reason in the words of what is given."""
    table, dealt = filling.table, rules_of(filling.table).deal.hand_size
    if not drawing:
        return HandSize(full, "with the stock gone, every hand is as large as the largest hand given in full")
    winner = seat_name(table.leader)
    if table.phase is Phase.DECLARE:
        why = f"{winner} has won a trick and nobody has drawn since ('has_won: {winner}')"
        return HandSize(full, why, {dealt: f"; or, if all have drawn, write 'leads: {winner}'"})
    unless = f"; or, if {winner} has won a trick and nobody has drawn since, write 'has_won: {winner}'"
    return HandSize(full, f"every hand has {dealt} cards while there are cards to draw", {dealt - 1: unless})


def _put_away_what_has_scored(filling: Filling) -> None:
    """Put cards that have scored and have no other place among the cards won."""
    table = filling.table
    for seat in map(read_seat, filling.given.get("scored", ())):
        for at, combination in enumerate(table.scored[seat]):
            for card in combination.cards:
                if card not in filling.cards:
                    continue
                pile = next((each for each in (seat, *filling.seats) if filling.is_open("won", each)), None)
                if pile is None:
                    remedy, path = "Put it into a hand, or among the cards won.", ("scored", seat_name(seat), at)
                    raise CannotSetUp(f"the position does not say where {name(card)} is", remedy, *path)
                table.won[pile].append(card)
                filling.cards.remove(card)


def _turn_up(filling: Filling) -> None:
    """Turn up a low trump if no turn-up is given; a seven has scored by itself."""
    table = filling.table
    if table.turn_up is None:
        fit = (card for card in filling.cards if suit_of(card) == table.trumps and card not in filling.wanted)
        table.turn_up = next(fit, None)
        if table.turn_up is None:
            raise CannotSetUp("no trump is left to turn up", "Give the turn-up.", "trumps")
        filling.cards.remove(table.turn_up)
    if rank_of(table.turn_up) == SEVEN:
        table.claimed.add(table.turn_up)


def _tricks_won(filling: Filling, *, drawing: bool) -> list[int]:
    """Return the least number of tricks that each player has won: those of the cards known to be won, those after which
    something was scored, and the last, which the leader has won."""
    table, given, leader = filling.table, filling.given, filling.table.leader
    least = []
    for seat in filling.seats:
        earlier = max(len(table.scored[seat]), int(seat_name(seat) in given.get("kept", ())))
        has_won = table.phase is Phase.DECLARE and seat == leader
        least.append(max(_up(len(table.won[seat]), table.players), earlier + has_won))
    first = table.dealer if rules_of(table).deal.dealer_leads.value else table.elder
    if any(least) or given.get("claimed") or leader != first or not drawing:
        least[leader] = max(1, least[leader])
    missing = _tricks_played(table, given) - sum(least)
    if missing > 0:
        winner = next((seat for seat in (leader, *filling.seats) if filling.is_open("won", seat)), leader)
        least[winner] += missing
    return least


def _tricks_played(table: Table, given: Given) -> int:
    """Return the least number of tricks played: one for each card that a player has scored and played, and one after
    which a seven was exchanged or shown."""
    gone = {card for pile in table.won for card in pile}
    played = (len(gone & _cards_of(_combinations(table, Seat(seat)))) for seat in range(table.players))
    return max(*played, ("claimed" in given) + (table.phase is Phase.DECLARE))


def _combinations(table: Table, seat: Seat) -> Iterator[Combination]:
    """Yield the combinations that a player has scored or holds to score."""
    yield from table.scored[seat]
    yield from table.kept[seat]


def _cards_of(combinations: Iterator[Combination]) -> set[Card]:
    return {card for each in combinations for card in each.cards}


def _up(count: int, step: int) -> int:
    """Return the number of steps up to the next multiple of a count."""
    return -(-count // step)


def _fill_tricks(filling: Filling, least: Sequence[int]) -> None:
    """Fill up the cards that each player has won to a number of whole tricks."""
    players = filling.table.players
    for seat in filling.seats:
        pile, letter, whole = filling.table.won[seat], seat_name(seat), least[seat] * players
        missing = whole - len(pile)
        if filling.is_open("won", seat) and missing <= len(filling.cards):
            pile += filling.take_last(missing)
        elif missing > 0:
            message = f"{letter} must have won at least {whole} cards here, not {len(pile)}"
            remedy = f"Add {REST} for cards that do not matter, or move cards from elsewhere."
            cards = "Let the rest of them be any cards, or move cards from elsewhere."
            raise CannotSetUp(message, remedy, "won", letter, table=("", cards))


def _fill_stock(filling: Filling) -> None:
    """Put all the cards that are left into the stock, if that is open."""
    filling.fill_stock(len(filling.cards))
    odd = (filling.table.left_to_draw + sum(filling.table.referee.surplus)) % filling.table.players
    if odd and nothing_is_left_to_draw(filling.given):
        filling.table.referee.undrawn = filling.take_last(odd)
    elif odd:
        what = "With the turn-up, it must hold the same number of cards for each player."
        where = "stock" if "stock" in filling.given else "won"
        raise CannotSetUp("the stock runs out before every player has drawn", what, where)


def _share_out(filling: Filling) -> None:
    """Put all the cards left into the won piles that are open, in whole tricks."""
    players, won = filling.table.players, filling.table.won
    open_ = [seat for seat in filling.seats if filling.is_open("won", seat)]
    share = _up(len(filling.cards), players * max(1, len(open_))) * players
    for seat in open_:
        won[seat] += filling.take_last(share)
    if filling.cards:
        message = f"cards without a place ({len(filling.cards)}): the stock and the cards won are given in full"
        remedy = f"Add {REST} to the stock or to the cards a player has won."
        cards = "Let the stock, or the cards a player has won, include any other cards."
        raise CannotSetUp(message, remedy, "won" if "won" in filling.given else "stock", table=("", cards))


def _lay_open(table: Table, *, drawing: bool) -> None:
    """Lay open the cards of combinations that are still held, and sevens that were shown."""
    rules = rules_of(table)
    if not drawing and rules.declare.taken_up_after_the_stock.value:
        return
    lie_open = drawing and "seven" in rules.chapters and rules.seven.lies_on_the_table.value
    sevens = table.claimed if lie_open else set()
    for seat, hand in enumerate(table.hands):
        laid = {card for each in rules.side(Seat(seat)) for card in _cards_of(_combinations(table, each))}
        table.shown[seat] = (laid | sevens) & set(hand)
