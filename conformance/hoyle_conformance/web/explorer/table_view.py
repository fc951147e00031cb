"""A table as the page draws it, with the next act awaited: after a walk, or as the player in one seat sees it. A
player's view never depends on cards that the player cannot see."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from hoyle._actions import Action, exchanges_in
from hoyle._game import Game
from hoyle._views import seen_act
from hoyle_conformance.checks.setup.trace import TracedAct
from hoyle_conformance.web.explorer.actions import acts_of
from hoyle_conformance.web.explorer.game_state import DEAL, GameState
from hoyle_conformance.web.explorer.layout import Layout
from hoyle_conformance.web.explorer.walk import TableWalk
from hoyle_conformance.wording import calls as calling
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import explain, rulings, words
from hoyle_conformance.wording.events import CardPlace, ShownTable, lay_out
from hoyle_conformance.wording.text import join_and, plural, sentence
from hoyle_conformance.wording.walkthrough import hide_other_cards
from hoyle_reference import CHANCE, Phase, Refusal, Table, rules_of, write_act, write_position
from hoyle_reference import Game as Machine
from hoyle_reference.acts import POINT, SEQUENCE, SET, Act, Announce, Declare, Draw, Exchange, Hold, Show, by
from hoyle_reference.cards import name
from hoyle_reference.events import Event, Scored, TrickWon
from hoyle_reference.questions import visible
from hoyle_reference.seats import Seat, seat_name

# ---- a table


#: Places and facts by their keys in a layout.
_KEYS: Final = {"hand": "hands", "discards": "discarded", "turn-up": "turn_up", "over": "game_won_by"}


def drawn(walk: TableWalk, layout: Layout) -> dict[str, Any] | None:
    """Return the table at the end of a walk; None if the position is invalid."""
    table = walk.table
    if table is None or walk.begins is None:
        return None
    known = layout.known
    laid = _laid_after(table, walk, known)
    if walk.stages:
        before = walk.stages[-2].after if len(walk.stages) > 1 else walk.begins
        laid = laid.since(_laid_after(before, walk, known))
    last = walk.stages[-1].taken if walk.stages else ()
    return shown(laid, walk.asked.rules.letters, table, [event for one in last for event in one.events])


def shown(
    laid: ShownTable, seats: Iterable[str], table: Table, last: Iterable[Event], seen_by: str | None = None
) -> dict[str, Any]:
    """Return a table as plain data, with the player to act and the trick that the `last` events completed; limited to
    one player's view, if a player is given."""
    turn, says = awaits(table, seen_by)
    return {
        "seats": list(seats),
        "turn": turn,
        "says": says,
        "over": turn is None and table.game_won_by is not None,
        "places": [*(_place(laid, place) for place in laid.cards), *_finished_trick(table, last)],
        "facts": [_fact(laid, place) for place in laid.facts],
    }


def _finished_trick(table: Table, last: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the trick that the last step completed, as a place: it remains visible until the next step."""
    won = [event for event in last if isinstance(event, TrickWon) and not table.trick]
    if not won:
        return []
    cards = list(map(name, won[-1].cards))
    return [{"key": "last_trick", "title": f"{seat_name(won[-1].seat)} takes the trick", "cards": cards, "new": []}]


def _laid_after(table: Table, walk: TableWalk, known: frozenset[str]) -> ShownTable:
    return lay_out(write_position(table), known, walk.asked.melds)


def _place(laid: ShownTable, place: CardPlace) -> dict[str, Any]:
    seat = {"seat": place.seat} if place.seat else {}
    title = place.title if not place.seat else place.seat if place.kind == "hand" else f"{place.seat} {place.title}"
    new = sorted(laid.new_cards.get(place, ()))
    return {"key": _key(place), **seat, "title": title, "cards": list(laid.cards[place]), "new": new}


def _fact(laid: ShownTable, place: CardPlace) -> dict[str, Any]:
    seat = {"seat": place.seat} if place.seat else {}
    return {"key": _key(place), **seat, "says": laid.facts[place], "new": place in laid.new_facts}


def _key(place: CardPlace) -> str:
    return _KEYS.get(place.kind, place.kind)


# ---- a player's view of a game


@dataclass(frozen=True, slots=True)
class DoneAct:
    """An act that was carried out: its number in the game, the tables before and after it, and its events."""

    number: int
    action: Action
    before: Table
    after: Table
    events: tuple[Event, ...]

    @property
    def traced(self) -> TracedAct:
        """The act as a step to explain."""
        return TracedAct({}, self.events)


def done_act(number: int, game: Game, action: Action) -> DoneAct:
    """Return the effect of a legal act on a game, without changing the game."""
    machine = Machine(game._machine.table.copy())
    happened = machine.attempt(action._act)
    assert not isinstance(happened, Refusal), "it has been carried out before"
    return DoneAct(number, action, game._machine.table, machine.table, tuple(happened))


def sees_cards(table: Table, seat: Seat) -> frozenset[str]:
    """Return the cards that a player may look at."""
    return frozenset(map(name, visible(table, seat)))


def shown_table(state: GameState, game: Game, seat: str, done: Sequence[DoneAct]) -> dict[str, Any]:
    """Return the table in the form of a layout's answer, with its changes since these acts."""
    table, who = game._machine.table, Seat(state.rules.players.index(seat))
    laid = _laid_for(state, table, who)
    if done:
        laid = laid.since(_laid_for(state, done[0].before, who))
    return shown(laid, state.rules.players, table, [event for each in done for event in each.events], seat)


def _laid_for(state: GameState, table: Table, who: Seat) -> ShownTable:
    position, own = write_position(table), seat_name(who)
    if "seen" in position:
        position["seen"] = {own: position["seen"][own]}
    return lay_out(position, sees_cards(table, who), state.asked.melds)


def own_acts(state: GameState, game: Game, seat: str) -> dict[str, Any]:
    """Return the acts open to one player, and the cards that may be exchanged."""
    machine = game._machine
    legal = [] if state.is_over(game) else acts_of(machine, state.asked.melds, seat)
    exchange = None if state.is_over(game) else _exchange(machine, seat)
    return {"by": game.current_player(), "legal": legal, "exchange": exchange}


def _exchange(machine: Machine, seat: str) -> dict[str, Any] | None:
    """Return how many cards a player may discard now, and which; None if the player discards none."""
    if machine.table.phase in CHANCE or machine.is_over:
        return None
    found = exchanges_in(machine.legal_actions.parts)
    if found is None or seat_name(found.by) != seat:
        return None
    sizes = [size for size in found.sizes if size]
    return {"least": min(found.sizes), "most": max(sizes, default=0), "cards": [name(card) for card in found.hand]}


def told(state: GameState, done: DoneAct, seat: str) -> dict[str, Any]:
    """Return an act and its consequences in words, as a player saw them."""
    who = Seat(state.rules.players.index(seat))
    step = seen_act(done.action._act, who)
    return {"number": done.number, "says": _says(state, done, step), "follows": list(follows(state, done, who))}


def _says(state: GameState, done: DoneAct, step: Mapping[str, Any]) -> str:
    if done.action.kind == DEAL:
        return f"{done.action.player} deals."
    if isinstance(step.get("cards"), int):
        return f"{done.action.player} puts away {plural(step['cards'], 'card') if step['cards'] else 'no cards'}."
    return sentence(words.step(step, state.asked.melds))


def follows(state: GameState, done: DoneAct, who: Seat) -> Iterable[str]:
    """Yield the consequences of an act in words, without naming cards that the player does not see."""
    cards = sees_cards(done.after, who)
    if done.action.kind != DEAL:  # whoever deals, the cards of the deal before are no longer seen
        is_seen = done.action.kind not in _FACE_DOWN or by(done.action._act) == who
        cards |= sees_cards(done.before, who) | {*(done.action.cards if is_seen else ())}
    faces = frozenset(map(printed.card, cards))
    for each in explain.happenings(state.asked.rules, done.action.to_json(), [done.traced], state.asked.melds):
        if not each.restates:
            yield hide_other_cards(each.said, faces)


#: The acts whose cards other players do not see.
_FACE_DOWN: Final = frozenset({"choose", "discard", "mishap"})


#: The rules on the cards that may be played to a trick, and on combinations that are not called: which of them an act
#: rests on depends on the hand.
_BY_THE_HAND: Final = ("tricks.while_drawing.", "tricks.without_drawing.", "classes.sinking", "classes.nought")


def shows_no_hand(done: DoneAct, cell: str, seat: str) -> bool:
    """Whether a player may learn that this rule decided an act: it depends on no other player's hand."""
    return done.action.player == seat or not cell.startswith(_BY_THE_HAND)


def waits_for(state: GameState, game: Game, own_acts: Mapping[str, Any], seat: str) -> dict[str, Any]:
    """Return who is to act next: a person, an opponent, the next deal, or nobody."""
    if state.is_over(game):
        return {"kind": "nobody"}
    if game.is_chance_node():
        return {"kind": "deal"}
    turn = game.current_player()
    if turn in state.people:
        return {"kind": "person", "seat": turn}
    may = {"may_first": True} if seat in state.people and own_acts["legal"] else {}
    return {"kind": "opponent", "seat": turn, **may}


def is_quick(state: GameState, game: Game) -> bool:
    """Whether the only possible act of any person is to draw."""
    if state.is_over(game) or game.is_chance_node() or game.current_player() not in state.people:
        return False
    machine = game._machine
    if machine.table.phase not in {Phase.DRAW, Phase.DECLARE}:
        return False
    people = {Seat(state.rules.players.index(seat)) for seat in state.people}
    own = [act for act in machine.legal_actions if by(act) in people]
    return len(own) == 1 and isinstance(own[0], Draw)


def over(state: GameState, game: Game) -> dict[str, Any] | None:
    """Return the sheet of a deal that has ended, or of the last one: what each side made, by its name, and the score
    after every deal; None while a deal is played."""
    if not state.is_over(game) and (game._machine.table.phase is not Phase.DEAL or not state.dealt):
        return None
    sides, (made, scores) = state.asked.rules.side_letters, _made(state, game)
    before = scores[-2] if state.dealt > 1 else [0] * len(sides)
    total = [now - was for was, now in zip(before, scores[-1], strict=True)]
    told = [f"{seat} made {points:,}" for seat, points in zip(sides, total, strict=True)]
    named = [{"says": says, "points": points} for says, points in made.items()]
    says = f"Deal {state.dealt} is over: {join_and(told)}."
    return {"says": says, "made": named, "total": total, "scores": scores}


def _made(state: GameState, game: Game) -> tuple[dict[str, list[int]], list[list[int]]]:
    """Return what each side has scored in the last deal, by its name, and the score after every deal."""
    rules, melds, machine = state.asked.rules, state.asked.melds, Machine(game._table_after(0))
    made: dict[str, list[int]] = {}
    scores: list[list[int]] = []
    for action in game.actions:
        if action.kind == DEAL:
            made = {}
            scores.append([])
        happened = machine.attempt(action._act)
        assert not isinstance(happened, Refusal), "it has been carried out before"
        for event in happened:
            if isinstance(event, Scored):
                named = made.setdefault(rulings.titled(event.what, melds), [0] * len(rules.sides))
                named[rules.side_of[event.seat]] += event.points
        if scores:
            scores[-1] = list(machine.table.score)
    return made, scores


# ---- the next act


OpenKinds = frozenset[type[Act]]

#: The questions to elder about a class: first, and when younger asks for more.
_CALLS: Final[Mapping[str, str]] = MappingProxyType({POINT: "a point", SEQUENCE: "a sequence", SET: "a set"})
_HEIGHTS: Final = MappingProxyType({POINT: "value", SEQUENCE: "top", SET: "rank"})
_ASKED: Final[Mapping[str, str]] = MappingProxyType(
    {POINT: "what the point makes", SEQUENCE: "how high the sequence is"}
)


def awaits(table: Table, seen_by: str | None = None) -> tuple[str | None, str]:
    """Return the seat to act (None before the cut, and after the end), and the acts awaited, in words.

    If only one player's cards are visible, the words omit what other players could declare.
    """
    seat = None if table.phase in {Phase.CUT, Phase.OVER} else seat_name(table.turn)
    now = _open_kinds(table) if seen_by in {None, seat} else frozenset[type[Act]]()
    return seat, _SAID[table.phase](table, seat or "", now)


def _open_kinds(table: Table) -> frozenset[type[Act]]:
    """Return the kinds of acts that somebody may do now; none if chance decides, or the game is over."""
    if table.phase in CHANCE or table.phase is Phase.OVER:
        return frozenset()
    return frozenset(type(part[0]) for part in Machine(table).legal_actions.parts if part)


def _chooses(table: Table, who: str, _now: OpenKinds) -> str:
    return f"{who} may choose {join_and([rulings.choice(each) for each in table.choices], 'or')}."


def _announces(table: Table, who: str, now: OpenKinds) -> str:
    class_, called = table.classes[len(table.called.decided)], table.called
    if table.turn != table.leader:
        return f"{who} is to answer: {seat_name(table.leader)} has announced {_announced(table, class_)}."
    if called.asked:
        return f"{who} is to say {_ASKED[class_]}."
    either = called.decided and rules_of(table).classes.order.value
    what = "a sequence or a set" if either and len(called.decided) == 1 else _CALLS[class_]
    if Declare in now:
        return f"{who} may score what is good, and then announces {what}, or none."
    return f"{who} is to announce {what}, or to say that there is none."


def _announced(table: Table, class_: str) -> str:
    """Return the announcement of the class being called, with its height once that is known."""
    height = table.called.count and table.called.height
    value: dict[str, Any] = {_HEIGHTS[class_]: int(height) if class_ == POINT else height} if height else {}
    return calling.whole_call(write_act(Announce(table.leader, class_, table.called.count, **value)))


def _plays(table: Table, who: str, now: OpenKinds) -> str:
    to = f" to {printed.cards(map(name, table.trick))}" if table.trick else ""
    if Declare in now:
        return f"{who} may score what is good, and then {'plays' if to else 'leads'}{to}."
    return f"{who} is to {'play' if to else 'lead'}{to}."


#: The acts possible between winning a trick and drawing.
_BEFORE_DRAWING: Final[Mapping[type[Act], str]] = MappingProxyType(
    {
        Declare: "declare",
        Hold: "keep a combination to score",
        Exchange: "exchange the seven",
        Show: "show the seven",
    }
)


def _declares(_table: Table, who: str, now: OpenKinds) -> str:
    may = join_and([says for act, says in _BEFORE_DRAWING.items() if act in now], "or")
    does = f"may {may}, and then draws" if may else "and is to draw"
    return f"{who} has won the trick, {does}."


def _exchanges(table: Table, who: str, _now: OpenKinds) -> str:
    """Describe how many cards may be exchanged: a minimum, a maximum, or all that are left; or put away, if elder is
    still to show a carte blanche."""
    player = "elder" if table.turn == table.leader else "younger"
    shows_first = player == "younger" and not table.discards[table.leader]
    does = "put away" if shows_first and table.blanks[table.leader] == "announced" else "exchange"
    return f"{who}, {player}, is to {does} {_many(*rules_of(table).talon.numbers(table))}."


def _many(least: int, most: int) -> str:
    cards = "card" if most == 1 else "cards"
    if least == most:
        return f"{most} {cards}"
    return f"up to {most} {cards}" if least == 0 else f"{least} to {most} {cards}"


def _is_over(table: Table, _who: str, _now: OpenKinds) -> str:
    won, points = table.game_won_by, table.settled
    if won is not None:
        return f"The game is over: {seat_name(won)} has won {words.won_game(points, 'it')}."
    return "The game is over, and void." if points is None else "The game is over, and drawn."


#: The acts awaited in each phase.
_SAID: Final[Mapping[Phase, Callable[[Table, str, OpenKinds], str]]] = MappingProxyType(
    {
        Phase.CUT: lambda _t, _who, _now: "The players are to cut for the deal.",
        Phase.CHOOSE: _chooses,
        Phase.DEAL: lambda _t, who, _now: f"{who} is to deal.",
        Phase.EXCHANGE: _exchanges,
        Phase.ANNOUNCE: _announces,
        Phase.PLAY: _plays,
        Phase.DECLARE: _declares,
        Phase.DRAW: lambda _t, who, _now: f"{who} is to draw.",
        Phase.OVER: _is_over,
    }
)
