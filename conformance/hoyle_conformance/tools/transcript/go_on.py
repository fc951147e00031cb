"""Ways to go on after an act that the rules have otherwise: under a changed rule, or by what the engine wrote."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from hoyle_conformance.tools.transcript.model import LoggedAct
from hoyle_conformance.tools.transcript.take import BROKEN, Reader, Taken, points_made, take
from hoyle_reference import Malformed, Phase, Rules, Table, read_act
from hoyle_reference.events.tricks import TrickWon
from hoyle_reference.frozen import frozen
from hoyle_reference.table.seats import SEATS, Seat
from hoyle_reference.table.table import FIELDS

#: The facts that are put into a table as they are, by the name of its field.
_PUT: Final = ("turn", "dealer", "trumps", "turn_up")
#: The facts on which no later act depends.
_OF_THE_SCORE: Final = frozenset({"score", "scored", "settled"})
_FIELDS: Final = {field.name: field for field in FIELDS if field.name in _PUT}


def under(rules: Rules, table: Table) -> Table:
    """Return the same table under other rules."""
    other = Table(rules)
    other.restore(table)
    return other


def taken_under(rules: Rules, reader: Reader, table: Table, act: LoggedAct) -> Table | None:
    """Return the table, under other rules, after an act that they have as the engine wrote it down; None if they do
    not."""
    try:
        taken = take(reader, under(rules, table), act)
    except (Malformed, *BROKEN):
        return None
    return None if taken.differences or taken.unknown else taken.table


@frozen
class LookAhead:
    """The acts of a game, and how many after a place are read to compare the ways to go on."""

    reader: Reader
    acts: Sequence[LoggedAct]
    most: int = 8

    def agreeing(self, table: Table, at: int) -> int:
        """Return how many acts from a place on agree with the rules of a table in all that was written down."""
        return self._count(table, at, lambda taken: not taken.differences)

    def possible(self, table: Table, at: int) -> int:
        """Return how many acts from a place on agree with the rules of a table but for the score."""
        return self._count(table, at, lambda taken: all(each.what in _OF_THE_SCORE for each in taken.differences))

    def _count(self, table: Table, at: int, agrees: Callable[[Taken], bool]) -> int:
        """Return how many acts from a place on agree, up to the next deal; `most` if all do."""
        for count, act in enumerate(self.acts[at : at + self.most]):
            if act.step["do"] in {"deal", "cut"} or table.phase is Phase.DEAL:
                return self.most if table.phase is Phase.DEAL else count
            try:
                taken = take(self.reader, table, act)
            except BROKEN:
                return count
            if not agrees(taken):
                return count
            table = taken.table
        return self.most


def best(ahead: LookAhead, tables: Iterable[Table], at: int) -> tuple[Table, int] | None:
    """Return the table from which most of the next acts are possible, the first of equals, with their number."""
    found: tuple[Table, int] | None = None
    for table in tables:
        count = ahead.possible(table, at)
        if found is None or count > found[1]:
            found = table, count
        if count == ahead.most:
            break
    return found


def by_force(before: Table, act: LoggedAct, taken: Taken) -> Iterator[Table]:
    """Yield the tables from which a game may go on after an act, likeliest first: what the engine wrote down is put
    into each."""
    if act.facts.get("accepted", True) is False:
        yield before
        return
    if taken.refusal or taken.unknown:
        for table in _carried_out(before, taken):
            yield _with_facts(before, table, act)
        yield _with_facts(before, before.copy(), act)
        return
    goes_on = any(each.what == "game_won_by" and each.observed is None for each in taken.differences)
    if not goes_on:
        yield _with_facts(before, taken.table.copy(), act, taken)
    if goes_on or taken.table.phase is Phase.OVER:
        for table in _carried_out(before, taken):
            yield _with_facts(before, _not_over(table), act)
    if goes_on:
        yield _with_facts(before, taken.table.copy(), act, taken)


def _carried_out(before: Table, taken: Taken) -> Iterator[Table]:
    """Yield the table after an act that the rules refuse, carried out all the same; and with the turn as it was."""
    with suppress(Malformed, *BROKEN):
        act, table = read_act(_rules(before), taken.step), before.copy()
        for event in _rules(before).procedure.moves[type(act)].follow(table, act):
            event.change(table)
        if len(set(table.cards())) == len(list(table.cards())) == len(table.rules.pack):
            yield table
            other = table.copy()
            other.phase, other.turn = before.phase, before.turn
            yield other


def _rules(table: Table) -> Rules:
    assert isinstance(table.rules, Rules), "a game is played by compiled rules"
    return table.rules


def _not_over(table: Table) -> Table:
    """Return a table at which the game goes on: with the next deal if no cards are left to play."""
    if table.phase is Phase.OVER:
        table.phase, table.game_won_by, table.settled = Phase.DEAL, None, None
        table.turn = table.dealer if table.dealer is not None else Seat(0)
        table.deals_left = max(1, table.deals_left)
    return table


def _with_facts(before: Table, table: Table, act: LoggedAct, taken: Taken | None = None) -> Table:
    """Return a table with the winner of the trick, the score and the other facts as the engine wrote them down."""
    winner = act.facts.get("trick_won_by")
    if taken and winner is not None:
        _give_the_trick(before, table, taken, Seat(SEATS.index(winner)))
    if "score" in act.facts:
        table.score = [act.facts["score"].get(letter, 0) for letter in table.rules.side_letters]
    elif "scored" in act.facts:
        made = act.facts["scored"]
        table.score = [
            was + made.get(letter, 0) for letter, was in zip(table.rules.side_letters, before.score, strict=False)
        ]
    for name, field in _FIELDS.items():
        if name in act.facts and act.facts[name] is not None:
            with suppress(Malformed):
                field.put(table, field.kind.read(table.rules, name, act.facts[name]))
    return table


def _give_the_trick(before: Table, table: Table, taken: Taken, winner: Seat) -> None:
    """Give the trick that an act completed to another player, with the points that it made, and the turn."""
    won = next((event for event in taken.events if isinstance(event, TrickWon)), None)
    if won is None or won.seat == winner or table.phase in {Phase.DEAL, Phase.OVER}:
        return
    table.won[won.seat] = [card for card in table.won[won.seat] if card not in won.cards]
    table.won[winner] = [*table.won[winner], *won.cards]
    if table.turn == won.seat:
        table.turn = winner
    table.leader = winner
    sides = table.rules.side_of
    made = points_made(before, table).get(SEATS[sides[won.seat]], 0)
    table.score[sides[won.seat]] -= made
    table.score[sides[winner]] += made
