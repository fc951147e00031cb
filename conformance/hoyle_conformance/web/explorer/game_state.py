"""The state of a game on a page: the rules, the seats of people, a seed and the acts. The seed decides the cut and
every deal, so the state omits the cards and is small enough for a link."""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any, Final

from hoyle._errors import HoyleError, NotNowError
from hoyle._game import Game
from hoyle._rules import Rules, rules_of
from hoyle_conformance.files.diagnostics import printable
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.layout import HOUSE, VERSION, Wrong, pack, read_layout, unpack
from hoyle_conformance.web.explorer.rulesets import AskedRuleset, asked
from hoyle_conformance.web.explorer.shapes import Shapes
from hoyle_reference import Phase

#: The beginning of the link of a game, after the #.
PREFIX: Final = "g="
#: The acts of chance, which follow from the seed.
CUT: Final = "cut"
DEAL: Final = "deal"
_GREATEST_SEED: Final = 2**53 - 1
#: The form of a game.
_FORM: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "v": {"const": VERSION},
        "ruleset": {"type": "string"},
        "readings": {"type": "object"},
        "house": {"type": "object"},
        "deals": {"type": "integer", "minimum": 1, "maximum": 1_000},
        "people": {"type": "array"},
        "seed": {"type": "integer", "minimum": 0, "maximum": _GREATEST_SEED},
        "acts": {"type": "array", "items": {"type": "string", "maxLength": 400}, "maxItems": 6_000},
    },
    "required": ["v", "ruleset", "seed"],
    "additionalProperties": False,
}
#: The maximum number of games in the cache.
_MOST: Final = 24
#: The factor that separates the deal seeds of one game from those of the next.
_APART: Final = 1_000_003


@dataclass(frozen=True, slots=True)
class GameState:
    """A game as a page stores it. `asked` describes its rules, and `rules` are the rules of play."""

    asked: AskedRuleset
    rules: Rules
    readings: Mapping[str, str] = field(hash=False)
    house: Mapping[str, Any] | None = field(hash=False)
    deals: int | None
    people: tuple[str, ...]
    seed: int
    acts: tuple[str, ...]

    @property
    def written(self) -> dict[str, Any]:
        """The state as plain data, with its keys in their order."""
        optional = {"readings": dict(self.readings), "house": self.house, "deals": self.deals}
        return {
            "v": VERSION,
            "ruleset": self.asked.id,
            **{key: value for key, value in optional.items() if value},
            "people": list(self.people),
            "seed": self.seed,
            "acts": list(self.acts),
        }

    @property
    def link(self) -> str:
        """The link that opens the game; "" if the game is too long for one."""
        try:
            return PREFIX + pack(self.written)
        except Wrong:
            return ""

    @property
    def dealt(self) -> int:
        """The number of deals so far."""
        return self.acts.count(DEAL)

    def with_act(self, act: str) -> "GameState":
        """Return the state after one more act."""
        return replace(self, acts=(*self.acts, act))

    def until(self, number: int) -> "GameState":
        """Return the state with only its first `number` acts."""
        return replace(self, acts=self.acts[:number])

    def is_over(self, game: Game) -> bool:
        """Whether the game, or the last of its deals, has ended."""
        if game.is_terminal():
            return True
        return self.deals is not None and self.dealt >= self.deals and game._machine.table.phase is Phase.DEAL


class States:
    """The states of games by the rules of a suite; the most recent rules are cached."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._rules = lru_cache(_MOST)(self._rules_named)

    def read(self, value: Any) -> GameState:
        """Return the state that plain data describes; raise Wrong if it describes none."""
        if fault := next(Shapes({}).of_cell(_FORM, value), None):
            raise Wrong(f"This is not a game: {fault.says}.", "Reload the page, or begin a new game.")
        try:
            asked_by, rules = self._rules(json.dumps({key: value.get(key) for key in ("ruleset", "readings", "house")}))
        except (TypeError, ValueError, RecursionError):
            raise Wrong("The rules of this game cannot be read.", "Choose a book.") from None
        people = value.get("people", [])
        if any(seat not in rules.players for seat in people):
            raise Wrong(f"The players are {', '.join(rules.players)}.", "Choose the seats of people among them.")
        return GameState(
            asked=asked_by,
            rules=rules,
            readings=value.get("readings", {}),
            house=value.get("house"),
            deals=value.get("deals"),
            people=tuple(seat for seat in rules.players if seat in people),
            seed=value["seed"],
            acts=tuple(value.get("acts", ())),
        )

    def opened(self, link: str) -> GameState:
        """Return the state in the part of a game link after the #; raise Wrong if there is none."""
        return self.read(unpack(link.removeprefix(PREFIX)))

    def _rules_named(self, text: str) -> tuple[AskedRuleset, Rules]:
        """Return the rules that a JSON text names; raise Wrong if there are none."""
        named = json.loads(text)
        ruleset, readings = named["ruleset"], named["readings"] or {}
        layout = {"v": VERSION, "rulesets": [ruleset], "given": {}, "steps": [], "readings": {ruleset: readings}}
        read = read_layout({**layout, "house": named["house"]} if named["house"] else layout)
        if read.house and ruleset != HOUSE:
            raise Wrong("The game has two sets of rules.", "Choose a book, or your own rules.")
        found = asked(self._suite, read, ruleset)
        return found, rules_of(ruleset, found.title, found.rules.id, readings, found.rules.cells)


def read_seed(value: Any) -> int:
    """Return a seed for the acts of chance; raise Wrong for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _GREATEST_SEED:
        raise Wrong("The seed must be a whole number.", "Shuffle again.")
    return value


class Games:
    """A cache of the games of recent states; an added act costs only that act."""

    def __init__(self) -> None:
        self._cache: OrderedDict[tuple[Rules, int, tuple[str, ...]], Game] = OrderedDict()

    def game(self, state: GameState) -> Game:
        """Return the game of a state, which callers must not change; raise Wrong if it cannot be played."""
        acts, game = state.acts, self._begun(state)
        for number in range(len(game.actions), len(acts)):
            try:
                apply(game, acts[number], state.seed, acts[:number])
            except HoyleError as error:
                says = f"Act {number + 1} of this game cannot be done: {error.message}."
                raise Wrong(says, "Take the game back to before it, or begin a new game.") from error
        return self.store(state, game)

    def store(self, state: GameState, game: Game) -> Game:
        """Keep a game under its state, and return it."""
        self._cache[state.rules, state.seed, state.acts] = game
        if len(self._cache) > _MOST:
            self._cache.popitem(last=False)
        return game

    def _begun(self, state: GameState) -> Game:
        """Return a copy of the longest cached game that is a prefix of this one, or a new game."""
        begins = [
            key for key in self._cache if key[:2] == (state.rules, state.seed) and key[2] == state.acts[: len(key[2])]
        ]
        if not begins:
            return Game(state.rules)
        longest = max(begins, key=lambda key: len(key[2]))
        self._cache.move_to_end(longest)
        return self._cache[longest].clone()


def apply(game: Game, act: str, seed: int, before: Sequence[str]) -> None:
    """Carry out an act of a state; acts of chance follow from the seed and the acts before. Raise HoyleError if the act
    is not possible."""
    phase = game._machine.table.phase
    chance = CUT if phase is Phase.CUT else DEAL if phase is Phase.DEAL else ""
    if chance and act == chance:
        number = sum(each in {CUT, DEAL} for each in before)
        game.apply_action(game.sample_chance(Random(seed * _APART + number)))  # noqa: S311 -- a game, no secret
    elif chance or act in {CUT, DEAL}:
        said = f"'{printable(act)}' cannot be done now"
        raise NotNowError("not-now", said, str(game.rules), "Do what the game waits for.")
    else:
        game.apply_action(act)
