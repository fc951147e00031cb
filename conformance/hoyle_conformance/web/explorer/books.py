"""A moment of a game as a layout that every book of the form can answer, with all cards or with those that one player
knows."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from hoyle._actions import Action
from hoyle._game import Game
from hoyle._views import seen_act
from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.given import REST, not_given
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.game_state import GameState
from hoyle_conformance.web.explorer.layout import HOUSE, Wrong, written_layout
from hoyle_reference import Malformed, Phase, Rules, Table, write_position
from hoyle_reference.acts import POINT, SEQUENCE, in_order_of_calling
from hoyle_reference.seats import Seat
from hoyle_reference.table import BlankState

Position = Mapping[str, Any]

#: For each phase, the key by which a layout names the player to act, and the field of the position with that player.
_STANDS: Final = {
    Phase.PLAY: ("leads", "leader"),
    Phase.DECLARE: ("has_won", "leader"),
    Phase.EXCHANGE: ("exchanges", "turn"),
    Phase.ANNOUNCE: ("announces", "turn"),
}
#: The fields that a layout takes unchanged from the position, unless they are empty.
_AS_IT_IS: Final = ("dealer", "score", "trick", "turn_up", "packets", "last_trick_won_by", "last_tricks")
#: The fields in which the position made from a layout must equal that of the game.
_COMPARED: Final = ("phase", "turn", "leader", "score", "trick", "trumps", "turn_up", "called", "shown")
_NOBODY: Final = "nobody"
_CANNOT: Final = "This moment of the game cannot be set up as a position."
_REMEDY: Final = "Ask after the next act."


def layout_for_books(suite: Suite, state: GameState, game: Game, seat: str | None) -> dict[str, Any]:
    """Return the game as a layout for all books of its form, with all cards or with those that the player in a seat
    knows. Raise Wrong if the moment cannot be set up."""
    number, given = _last_that_stands(state.asked.rules, game, seat)
    who = Seat(state.rules.players.index(seat)) if seat else None
    steps = [action.to_json() if who is None else seen_act(action._act, who) for action in game.actions[number:]]
    readings = {state.asked.id: dict(state.readings)} if state.readings else {}
    house = {"house": state.house} if state.house else {}
    books = _books(suite, state)
    return written_layout(
        {"rulesets": books, "drawn_by": state.asked.id, "given": given, "steps": steps, "readings": readings, **house}
    )


def _books(suite: Suite, state: GameState) -> list[str]:
    """Return the rulesets of the same form, that of the game first."""
    base = state.house["extends"] if state.house else state.asked.id
    name = base.partition("+")[0]
    form = suite.rulesets[name].form or suite.rulesets[name].title
    others = (each.id for each in suite.rulesets.values() if (each.form or each.title) == form)
    own = [HOUSE, base] if state.house else [base]
    return [*own, *(each for each in others if each != name)]


def _last_that_stands(rules: Rules, game: Game, seat: str | None) -> tuple[int, dict[str, Any]]:
    """Return the last moment of the present deal that a layout can describe with a player's knowledge: the number of
    acts before it, and the layout's `given`. Raise Wrong if there is none."""
    for number in range(len(game.actions), -1, -1):
        table = game._table_after(number)
        if _stands(table):
            given = _given(rules, table, seat)
            if _makes(rules, table, given, seat):
                return number, given
        if number and _hides(game.actions[number - 1], seat):
            break
    raise Wrong(_CANNOT, _REMEDY)


#: Acts that move cards unseen by some player.
_HIDE: Final = ("deal", "discard", "choose", "peep")


def _hides(action: Action, seat: str | None) -> bool:
    """Whether a layout cannot begin before this act, because it would not know the cards that the player drew."""
    if seat is None:
        return action.kind == "deal"
    return action.kind in _HIDE or (action.kind == "draw" and action.player == seat)


def _stands(table: Table) -> bool:
    """Whether a layout can name the player to act here."""
    if table.phase is not Phase.ANNOUNCE:
        return table.phase in _STANDS
    return table.turn == table.leader and not table.called.count and not table.called.asked


def _given(rules: Rules, table: Table, seat: str | None) -> dict[str, Any]:
    """Return the `given` of a layout for a table, as far as one player knows it."""
    position = write_position(table)
    key, field = _STANDS[table.phase]
    given: dict[str, Any] = {key: position[field]}
    given |= {each: position[each] for each in _AS_IT_IS if position.get(each) not in ({}, [], None)}
    for each, make in _MADE.items():
        if (made := make(position, seat)) not in ({}, [], None):
            given[each] = made
    if rules.draws and not table.drawing:
        given["stock"] = []
    lacking = {*not_given(rules)}
    lacking |= set() if "made_of" in lacking else {"scored"}  # where made_of is counted, it replaces the combinations
    return {each: value for each, value in given.items() if each not in lacking}


def _hands(position: Position, seat: str | None) -> dict[str, list[str]]:
    """Return the hands, limiting another player's hand to its cards on the table and those scored but
    not yet played."""
    if seat is None:
        return dict(position["hands"])
    return {
        each: list(hand) if each == seat else [*(card for card in hand if card in _open(position)), REST]
        for each, hand in position["hands"].items()
    }


def _open(position: Position) -> set[str]:
    """Return the cards in hands that everybody knows."""
    shown = [card for cards in position.get("shown", {}).values() for card in cards]
    scored = [
        card
        for key in ("scored", "kept")
        for made in position.get(key, {}).values()
        for each in made
        for card in each["cards"]
    ]
    return {*shown, *scored, *position.get("claimed", ())}


def _discarded(position: Position, seat: str | None) -> dict[str, list[str]]:
    piles = position.get("discards", {})
    return {each: list(pile) for each, pile in piles.items() if pile and seat in {None, each}}


def _combinations(key: str) -> Callable[[Position, str | None], dict[str, Any]]:
    return lambda position, _seat: {each: made for each, made in position.get(key, {}).items() if made}


def _called(position: Position, _seat: str | None) -> dict[str, str]:
    decided = position.get("called", {}).get("decided", ())
    classes = in_order_of_calling("sets_first" in position)
    return {class_: who or _NOBODY for class_, who in zip(classes, decided, strict=False)}


def _announced(position: Position, _seat: str | None) -> dict[str, Any]:
    announced = position.get("called", {}).get("announced", ())
    classes = in_order_of_calling("sets_first" in position)
    return {class_: _announcement(class_, each) for class_, each in zip(classes, announced, strict=False)}


def _announcement(class_: str, made: Mapping[str, Any]) -> dict[str, Any]:
    if not made["height"]:
        return {"count": made["count"]}
    if class_ == POINT:
        return {"count": made["count"], "value": int(made["height"])}
    return {"count": made["count"], "top" if class_ == SEQUENCE else "rank": made["height"]}


def _made_of(position: Position, _seat: str | None) -> dict[str, dict[str, int]]:
    made = {
        each: {cause: points for cause, points in causes.items() if points}
        for each, causes in position.get("made_of", {}).items()
    }
    return {each: causes for each, causes in made.items() if causes}


def _blanks(position: Position, _seat: str | None) -> list[str]:
    spoken = {BlankState.SCORED.value, BlankState.DRAWN.value, BlankState.OVER.value}
    return [each for each, blank in position.get("blanks", {}).items() if blank in spoken]


#: The keys of a layout that are derived from fields of a position.
_MADE: Final[Mapping[str, Callable[[Position, str | None], Any]]] = {
    "trumps": lambda position, _seat: position.get("trumps") or "none",
    "deal": lambda position, _seat: position.get("deals"),
    "hands": _hands,
    "stock": lambda position, seat: list(position["stock"]) if seat is None else [],
    "discarded": _discarded,
    "won": _combinations("won"),
    "scored": _combinations("scored"),
    "kept": _combinations("kept"),
    "claimed": lambda position, _seat: list(position.get("claimed", ())),
    "called": _called,
    "announced": _announced,
    "made_of": _made_of,
    "blanks": _blanks,
}


def _makes(rules: Rules, table: Table, given: Mapping[str, Any], seat: str | None) -> bool:
    """Whether a layout yields the position of the game, as far as a player can see."""
    try:
        made = complete(rules, given, [])
    except (CannotSetUp, Malformed):
        return False
    return not any(_parting(write_position(table), made, seat))


def _parting(position: Position, made: Position, seat: str | None) -> Iterator[str]:
    """Yield the fields in which the two positions differ, as far as a player can see."""
    yield from (key for key in _COMPARED if position.get(key) != made.get(key))
    for letter, hand in position["hands"].items():
        other = made["hands"][letter]
        if len(hand) != len(other) or (seat in {None, letter} and set(hand) != set(other)):
            yield f"hands.{letter}"
