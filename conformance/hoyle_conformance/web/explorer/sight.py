"""A game as the player in one seat sees it: the table, the own acts, what was done and how it stands. Nothing in it
depends on cards that this player cannot see."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hoyle._actions import Action
from hoyle._game import Game
from hoyle._inside import act_of, exchanges_in, machine_of, table_after, table_of
from hoyle._views import seen_act
from hoyle_conformance.checks.setup.trace import TracedAct
from hoyle_conformance.web.explorer.actions import acts_of
from hoyle_conformance.web.explorer.game_state import DEAL, GameState
from hoyle_conformance.web.explorer.position import shown
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import explain, words
from hoyle_conformance.wording.events import ShownTable, lay_out
from hoyle_conformance.wording.text import join_and, plural, sentence
from hoyle_conformance.wording.walkthrough import hide_other_cards
from hoyle_reference import CHANCE, Phase, Refusal, Table, write_position
from hoyle_reference import Game as Machine
from hoyle_reference.acts import Draw, by
from hoyle_reference.cards import name
from hoyle_reference.events import Event, TrickWon
from hoyle_reference.questions import visible
from hoyle_reference.seats import Seat, seat_name


@dataclass(frozen=True, slots=True)
class DoneAct:
    """An act that was carried out: its number in the game, the tables before and after it, and what happened."""

    number: int
    action: Action
    before: Table
    after: Table
    events: tuple[Event, ...]

    @property
    def traced(self) -> TracedAct:
        """The act as a step that is explained."""
        return TracedAct({}, self.events)


def done_act(number: int, game: Game, action: Action) -> DoneAct:
    """Return what an act does in a game, which stays as it is; the act is legal there."""
    machine = Machine(table_of(game).copy())
    happened = machine.attempt(act_of(action))
    assert not isinstance(happened, Refusal), "it has been carried out before"
    return DoneAct(number, action, table_of(game), machine.table, tuple(happened))


def sees_cards(table: Table, seat: Seat) -> frozenset[str]:
    """Return the cards that a player may look at."""
    return frozenset(map(name, visible(table, seat)))


def shown_table(state: GameState, game: Game, seat: str, done: Sequence[DoneAct]) -> dict[str, Any]:
    """Return the table as a layout's answer has it, with what is new since these acts."""
    table, who = table_of(game), Seat(state.rules.players.index(seat))
    laid = _laid(state, table, who)
    if done:
        laid = laid.since(_laid(state, done[0].before, who))
    return shown(laid, state.rules.players, table, [event for each in done for event in each.events], seat)


def _laid(state: GameState, table: Table, who: Seat) -> ShownTable:
    position, own = write_position(table), seat_name(who)
    if "seen" in position:
        position["seen"] = {own: position["seen"][own]}
    return lay_out(position, sees_cards(table, who), state.asked.melds)


def acts(state: GameState, game: Game, seat: str) -> dict[str, Any]:
    """Return the acts open to one player, and the cards that may be exchanged."""
    machine = machine_of(game)
    legal = [] if state.is_over(game) else acts_of(machine, state.asked.melds, seat)
    exchange = None if state.is_over(game) else _exchange(machine, seat)
    return {"by": game.current_player(), "legal": legal, "more": 0, "exchange": exchange}


def _exchange(machine: Machine, seat: str) -> dict[str, Any] | None:
    """Return how many cards a player may put away now, and of which; None if the player puts none away."""
    if machine.table.phase in CHANCE or machine.is_over:
        return None
    found = exchanges_in(machine.legal_actions.parts)
    if found is None or seat_name(found.by) != seat:
        return None
    sizes = [size for size in found.sizes if size]
    return {"least": min(found.sizes), "most": max(sizes, default=0), "cards": [name(card) for card in found.hand]}


def told(state: GameState, done: DoneAct, seat: str) -> dict[str, Any]:
    """Return an act as a player saw it, and what followed, in words."""
    who = Seat(state.rules.players.index(seat))
    step = seen_act(act_of(done.action), who)
    trick = {"trick": made} if (made := _trick(done)) else {}
    return {
        "number": done.number,
        "by": done.action.player if done.action.kind != DEAL else None,
        "step": step,
        "says": _says(state, done, step),
        "follows": list(follows(state, done, who)),
        **trick,
    }


def _says(state: GameState, done: DoneAct, step: Mapping[str, Any]) -> str:
    if done.action.kind == DEAL:
        return f"{done.action.player} deals."
    if isinstance(step.get("cards"), int):
        return f"{done.action.player} puts away {plural(step['cards'], 'card') if step['cards'] else 'no cards'}."
    return sentence(words.step(step, state.asked.melds))


def follows(state: GameState, done: DoneAct, who: Seat) -> Iterable[str]:
    """Yield what follows from an act, in words, in which a card that the player does not see is only a card."""
    is_seen = done.action.kind not in _FACE_DOWN or by(act_of(done.action)) == who
    cards = sees_cards(done.before, who) | sees_cards(done.after, who) | {*(done.action.cards if is_seen else ())}
    faces = frozenset(map(printed.card, cards))
    for each in explain.happenings(state.asked.rules, done.action.to_json(), [done.traced], state.asked.melds):
        if not each.restates:
            yield hide_other_cards(each.said, faces)


#: Acts whose cards others do not see.
_FACE_DOWN: Final = frozenset({DEAL, "choose", "discard", "mishap"})


#: The rules on the card that may be played to a trick. Which of them let a player play it depends on the hand.
_BY_THE_HAND: Final = ("tricks.while_drawing.", "tricks.without_drawing.")


def shows_no_hand(done: DoneAct, cell: str, seat: str) -> bool:
    """Whether a player may see that this rule decided an act: the rule depends on no hand of another player."""
    return done.action.player == seat or not cell.startswith(_BY_THE_HAND)


def trick_won_by(done: DoneAct) -> str | None:
    """Return who won the trick that an act completed; None if it completed none."""
    return next((seat_name(event.seat) for event in done.events if isinstance(event, TrickWon)), None)


def _trick(done: DoneAct) -> dict[str, Any] | None:
    """Return the trick that an act completed, card by card, and who won it; None if it completed none."""
    won_by = trick_won_by(done)
    if won_by is None:
        return None
    cards = [*map(name, done.before.trick), *done.action.cards]
    return {"cards": cards, "leader": seat_name(done.before.leader), "won_by": won_by}


def waits_for(state: GameState, game: Game, own_acts: Mapping[str, Any], seat: str) -> dict[str, Any]:
    """Return whom the game waits for: a person, an opponent, the next deal, or nobody."""
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
    """Whether a person is to draw, and no person can do anything else."""
    if state.is_over(game) or game.is_chance_node() or game.current_player() not in state.people:
        return False
    machine = machine_of(game)
    if machine.table.phase not in {Phase.DRAW, Phase.DECLARE}:
        return False
    people = {Seat(state.rules.players.index(seat)) for seat in state.people}
    own = [act for act in machine.legal_actions if by(act) in people]
    return len(own) == 1 and isinstance(own[0], Draw)


def over(state: GameState, game: Game) -> dict[str, Any] | None:
    """Return how a deal or the game has ended; None while it is played."""
    ended = state.is_over(game)
    if not ended and (table_of(game).phase is not Phase.DEAL or not state.dealt):
        return None
    made = _made(state, game)
    says = f"Deal {state.dealt} is over: {join_and([f'{seat} made {points:,}' for seat, points in made.items()])}."
    returns = game.returns() if game.is_terminal() else None
    return {
        "what": "game" if ended else "deal",
        "deal": state.dealt,
        "says": says,
        "made": made,
        "returns": returns,
    }


def _made(state: GameState, game: Game) -> dict[str, int]:
    """Return the points that each side has made in the last deal."""
    began = max((at for at, act in enumerate(state.acts) if act == DEAL), default=0)
    before, now = table_after(game, began).score, table_of(game).score
    return {seat: now[side] - before[side] for side, seat in enumerate(state.asked.rules.side_letters)}
