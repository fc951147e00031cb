"""A game: the rules, its first position, and its actions so far."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

from hoyle._actions import Action, act_fields, action_from, action_of, in_order
from hoyle._chance import Chance, ChanceOutcomes
from hoyle._errors import IllegalActionError, NotationError, NotNowError, UnknownNameError
from hoyle._notation import Reader, canonical, read_action, read_json
from hoyle._positions import Position, named_rules, position_of, read_fields, read_rules, table_from
from hoyle._questions import Answer, Questions
from hoyle._rules import Rules
from hoyle._views import InformationState, Observation, recalled, seen_fields
from hoyle_reference import CHANCE, Malformed, Refusal, Table
from hoyle_reference import Game as Machine
from hoyle_reference.seats import Seat

#: The number of actions between two stored tables, for `undo`.
_KEPT_EVERY: Final = 32
_KEYS: Final = frozenset({"ruleset", "options", "readings", "position", "steps"})
_HOW: Final = (
    "A game has 'ruleset', 'options', 'readings' and 'steps', and a 'position' if it does not begin with the cut."
)


class Game(Questions):
    """A game that is being played: it changes with `apply_action` and `undo`, and prints as a board.

    `rules` are rules, or the name of a ruleset. A game begins before the cut, or from a `position`. Games are equal if
    they have the same rules, the same beginning and the same actions. They can be copied and pickled, but not hashed,
    because they change; `position`, `observation` and `information_state` return values that can.
    """

    __slots__ = ("_actions", "_kept", "_machine", "_recalled", "_rules", "_start")
    __hash__ = None  # type: ignore[assignment]  # a game changes

    def __init__(self, rules: Rules | str, position: Position | None = None) -> None:
        if not isinstance(rules, Rules):
            rules = named_rules(rules, [], {})
        if position is not None and position.rules != rules:
            message = f"the position is one of '{position.rules}'"
            raise NotationError("other-rules", message, str(rules), "Give the rules of the position.")
        self._rules = rules
        self._start = None if position is None or position == position_of(rules, rules._table_asked) else position
        self._machine = Machine(table_from(rules, self._start.to_json()) if self._start else rules._table_asked)
        self._actions: list[Action] = []
        #: The tables before some of the actions, by the number of earlier actions; they never change.
        self._kept: dict[int, Table] = {0: self._machine.table.copy()}
        #: The observed actions of each player, as JSON, as far as they have been requested.
        self._recalled: dict[str, list[str]] = {}

    # ---- turn

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._rules

    @property
    def players(self) -> tuple[str, ...]:
        """The seats of the players, in turn: A, B, and so on."""
        return self._rules.players

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions so far."""
        return tuple(self._actions)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._machine.is_over

    def is_chance_node(self) -> bool:
        """Whether chance decides now: the cut or the deal."""
        return self._machine.table.phase in CHANCE

    def current_player(self) -> str | None:
        """Return the seat of the player who is to act; None if chance decides, or the game is over."""
        return None if self.is_terminal() or self.is_chance_node() else self.players[self._machine.table.turn]

    # ---- legal actions

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the legal actions, in an order that the position alone decides: kind by kind, and those of one kind by
        their words and cards.

        There are none when the game is over. Irregular acts are never listed, and neither is an announcement that
        repeats one. Raises NotNowError where chance decides: see `chance_outcomes`.
        """
        if self.is_chance_node():
            remedy = "Apply an outcome of chance_outcomes()."
            raise NotNowError("chance", "chance decides now, so no player has an action", self._place, remedy)
        return () if self.is_terminal() else tuple(map(Action, in_order(self._machine.legal_actions)))

    def is_legal(self, action: Action | str | Mapping[str, Any]) -> bool:
        """Return whether an action is legal now; that of a text or a mapping that spells none is not."""
        try:
            return self._machine.check(self.action(action)._act) is None
        except (Malformed, NotationError):
            return False

    def chance_outcomes(self) -> ChanceOutcomes:
        """Return the outcomes of the cut or the deal, which are equally likely and may be too many to list.

        Raises NotNowError where a player decides.
        """
        if not self.is_chance_node():
            raise NotNowError("not-chance", "chance does not decide now", self._place, "See legal_actions().")
        return ChanceOutcomes(self._machine.table)

    def sample_chance(self, rng: Chance) -> Action:
        """Return one of the outcomes of chance, each with the same probability; raises NotNowError likewise."""
        return self.chance_outcomes().sample(rng)

    def action(self, spelt: Action | str | Mapping[str, Any]) -> Action:
        """Return the action that a text (``A play KS``) or a mapping of the protocol spells; it need not be legal.

        Raises NotationError if it spells none.
        """
        return action_from(self._rules._compiled, spelt)

    def apply_action(self, action: Action | str | Mapping[str, Any]) -> None:
        """Carry out an action, or what spells one.

        Raises NotationError if it spells none, and IllegalActionError if the rules refuse it; then nothing changes.
        """
        done, count = self.action(action), len(self._actions)
        if count % _KEPT_EVERY == 0 and count not in self._kept:
            self._kept[count] = self._machine.table.copy()
        try:
            happened = self._machine.attempt(done._act)
        except Malformed as malformed:
            raise NotationError("bad-action", str(malformed), f"{self._place}, '{done}'") from malformed
        if isinstance(happened, Refusal):
            self._refuse(done, happened)
        self._machine.log.clear()
        self._actions.append(done)

    def undo(self) -> Action:
        """Take back the last action and return it; raises NotNowError if there is none."""
        if not self._actions:
            raise NotNowError("nothing-to-undo", "there is no action to take back", str(self._rules))
        undone, count = self._actions.pop(), len(self._actions)
        self._kept = {at: table for at, table in self._kept.items() if at <= count}
        self._kept[count] = self._table_after(count)
        self._machine = Machine(self._kept[count].copy())
        for steps in self._recalled.values():
            del steps[count + 1 :]
        return undone

    def _table_after(self, count: int) -> Table:
        """Return the table after a number of actions."""
        last = max(at for at in self._kept if at <= count)
        machine = Machine(self._kept[last].copy())
        for action in self._actions[last:count]:
            machine.apply(action._act)
        return machine.table

    # ---- results and views

    def scores(self) -> dict[str, int]:
        """Return the points of each player in this game so far; partners have the same."""
        table, rules = self._machine.table, self._rules._compiled
        return {self.players[seat]: table.score[side] for seat, side in enumerate(rules.side_of)}

    def returns(self) -> dict[str, int]:
        """Return what each player has won or lost: nothing before the end, or if nobody wins.

        Each loser loses the points that the game is settled for, or 1 if these rules settle it for none; the winners
        share the sum of that. So the returns of all players add up to 0.
        """
        table, rules = self._machine.table, self._rules._compiled
        if not self.is_terminal() or table.game_won_by is None:
            return dict.fromkeys(self.players, 0)
        points, won = 1 if table.settled is None else table.settled, rules.side(table.game_won_by)
        share = points * (rules.players - len(won)) // len(won)
        return {self.players[seat]: share if seat in won else -points for seat in map(Seat, range(rules.players))}

    def observation(self, seat: str) -> Observation:
        """Return the position as the player in a seat sees it; raises UnknownNameError if nobody sits there."""
        return Observation(seat, canonical(seen_fields(self._machine.table, self._seat(seat))))

    def information_state(self, seat: str) -> InformationState:
        """Return all that the player in a seat has seen and done; raises UnknownNameError if nobody sits there.

        The first call plays the game again; later calls only what has been played since.
        """
        own = self._seat(seat)
        steps = self._recalled.setdefault(seat, [])
        if not steps:
            steps.append(canonical({"observation": seen_fields(self._kept[0], own)}))
        done = len(steps) - 1
        if done < len(self._actions):
            acts = (action._act for action in self._actions[done:])
            steps += recalled(self._table_after(done), acts, own)
        return InformationState(seat, f"[{','.join(steps)}]")

    def exchangeable(self, by: str = "") -> Answer[tuple[str, ...]]:
        """Return the sevens of trumps that a player may exchange or show now."""
        return self._answer("exchangeable", by=by)

    def visible(self, by: str = "") -> Answer[tuple[str, ...]]:
        """Return the cards that a player may look at now."""
        return self._answer("visible", by=by)

    @property
    def _table_asked(self) -> Table:
        return self._machine.table

    def position(self) -> Position:
        """Return the present position, which a new game can begin from."""
        return position_of(self._rules, self._machine.table)

    # ---- copies

    def clone(self) -> "Game":
        """Return a game in the same position, with the same actions, that goes its own way."""
        other = object.__new__(Game)
        other._rules, other._start = self._rules, self._start
        other._machine = Machine(self._machine.table.copy())
        other._actions, other._kept = [*self._actions], dict(self._kept)
        other._recalled = {seat: [*steps] for seat, steps in self._recalled.items()}
        return other

    __copy__ = clone

    def __deepcopy__(self, _memo: object) -> "Game":
        return self.clone()

    def __reduce__(self) -> tuple[Any, tuple[Rules, Position | None, tuple[Action, ...]]]:
        return play_again, (self._rules, self._start, self.actions)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self._rules, self._start, self._actions) == (other._rules, other._start, other._actions)

    # ---- JSON and text

    def to_json(self) -> dict[str, Any]:
        """Return the game as plain data, in the words of the protocol: its rules, its beginning, and its steps."""
        rules = self._rules
        begins = {} if self._start is None else {"position": self._start.to_json()}
        named = {"ruleset": rules.ruleset, "options": list(rules.options), "readings": dict(rules.readings)}
        return {**named, **begins, "steps": [action.to_json() for action in self._actions]}

    @classmethod
    def from_json(cls, data: object, rules: Rules | None = None) -> "Game":
        """Return the game that plain data or a JSON text spells.

        Without `rules`, those of this installation are taken by name; games with house rules need them. Raises
        NotationError, UnknownNameError if there are no such rules, and IllegalActionError if a step is illegal.
        """
        spelt = read_json(data, "the game")
        if not isinstance(spelt, dict) or not {"ruleset", "steps"} <= spelt.keys() <= _KEYS:
            raise NotationError("bad-game", "this is no game", "the game", _HOW)
        rules = named_rules(spelt["ruleset"], spelt.get("options", []), spelt.get("readings", {}), rules)
        begins = position_of(rules, table_from(rules, spelt["position"])) if "position" in spelt else None
        if not isinstance(spelt["steps"], list):
            raise NotationError("bad-game", "'steps' is a list of acts", "the game", _HOW)
        steps = (action_of(rules._compiled, step, f"step {at}") for at, step in enumerate(spelt["steps"], start=1))
        return play_again(rules, begins, steps)

    def to_text(self) -> str:
        """Return the game in the text notation: its rules or first position, then each action after a semicolon."""
        begins = self._start.to_text() if self._start else str(self._rules)
        return "; ".join((begins, *map(str, self._actions)))

    def __str__(self) -> str:
        return str(self.position())

    def __repr__(self) -> str:
        return self._rules._written(self)

    @classmethod
    def from_text(cls, text: str, rules: Rules | None = None) -> "Game":
        """Return the game that a line of the text notation spells; `rules` and errors are as in `from_json`."""
        reader = Reader(text)
        rules = read_rules(reader, rules)
        fields = read_fields(reader)
        game = cls(rules, position_of(rules, table_from(rules, fields)) if fields else None)
        while not reader.is_done:
            reader.need("; ")
            act = read_action(reader, act_fields())
            game.apply_action(action_of(rules._compiled, act, f"action {len(game._actions) + 1}"))
        return game

    # ---- seats and errors

    def _seat(self, letter: str) -> Seat:
        if letter in self.players:
            return Seat(self.players.index(letter))
        remedy = f"The players are {', '.join(self.players)}."
        raise UnknownNameError("unknown-seat", f"no player {str(letter)[:20]!r}", str(self._rules), remedy)

    @property
    def _place(self) -> str:
        return f"{self._rules}, action {len(self._actions) + 1}"

    def _refuse(self, action: Action, refusal: Refusal) -> NoReturn:
        """Raise the error that the rules refuse an action."""
        clauses = tuple(sorted(self._rules._compiled.cells.clauses(refusal.grounds)))
        said = (refusal.code, refusal.message, f"{self._place}, '{action}'", "legal_actions() has the legal ones.")
        raise IllegalActionError(*said, action=str(action), clauses=clauses)


def play_again(rules: Rules, begins: Position | None, actions: Iterable[Action]) -> Game:
    """Return the game that these actions produce; raise NotationError or IllegalActionError."""
    game = Game(rules, begins)
    for action in actions:
        game.apply_action(action)
    return game
