"""Walks: a layout carried through one ruleset, step by step, as far as possible; results are cached."""

import json
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hoyle_conformance.checks.plan import complete, singles
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.fill import named_in_steps
from hoyle_conformance.checks.setup.trace import TracedAct, take
from hoyle_conformance.web.explorer.layout import Layout
from hoyle_conformance.web.explorer.problems import Problem, broken, incomplete, malformed
from hoyle_conformance.web.explorer.rulesets import AskedRuleset
from hoyle_reference import Game, Malformed, Table, read_position

#: The observables after every step: all that a scenario may expect, except those only for comparing whole games.
OBSERVED: Final = (
    *("score", "trick_won_by", "turn", "dealer", "trumps", "turn_up", "hands", "shown", "stock_left"),
    *("game_won_by", "seen", "deals_left", "settled", "choices"),
)
#: The exceptions by which the interpreter reports that changed rules are incompatible.
BROKEN: Final = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
#: The maximum number of positions and steps in the cache.
_MOST: Final = 4_000


@dataclass(frozen=True, slots=True)
class Stage:
    """One completed step: its acts or questions, the effect of each, and the table after it."""

    step: Mapping[str, Any]
    acts: tuple[Mapping[str, Any], ...]
    taken: tuple[TracedAct, ...]
    after: Table


@dataclass(frozen=True, slots=True)
class TableWalk:
    """A layout under one ruleset: its first table, the steps as far as possible, and the problem of the position or of
    the next step, if any."""

    asked: AskedRuleset
    begins: Table | None
    stages: tuple[Stage, ...]
    problem: Problem | None

    @property
    def table(self) -> Table | None:
        """The table at the end."""
        return self.stages[-1].after if self.stages else self.begins


@dataclass(slots=True)
class Walks:
    """A cache of walks through rulesets; an added step costs only that step."""

    cache: OrderedDict[tuple[str, ...], Any] = field(default_factory=OrderedDict)

    def walk(self, asked: AskedRuleset, layout: Layout) -> TableWalk:
        """Return the walk of a layout under one ruleset."""
        begins = self._begins(asked, layout)
        if isinstance(begins, Problem):
            return TableWalk(asked, None, (), begins)
        position, table = begins
        stages: list[Stage] = []
        key: tuple[str, ...] = (asked.key, position)
        for number, step in enumerate(layout.steps):
            key = (*key, _text(step))
            stage = self._cached(key) or self._store(key, _stage(asked, table, step, number))
            if isinstance(stage, Problem):
                return TableWalk(asked, begins[1], tuple(stages), stage)
            stages.append(stage)
            table = stage.after
        return TableWalk(asked, begins[1], tuple(stages), None)

    def _begins(self, asked: AskedRuleset, layout: Layout) -> tuple[str, Table] | Problem:
        """Return the whole position as text and as a table, or the problem with it."""
        try:
            wanted = sorted(named_in_steps(asked.rules, layout.steps))
        except BROKEN as error:
            return broken(error)
        key = (asked.key, _text(layout.given), _text(wanted))
        found: tuple[str, Table] | Problem
        found = self._cached(key) or self._store(key, _position(asked, layout))
        return found

    def _cached(self, key: tuple[str, ...]) -> Any:
        if key in self.cache:
            self.cache.move_to_end(key)
        return self.cache.get(key)

    def _store(self, key: tuple[str, ...], value: Any) -> Any:
        self.cache[key] = value
        if len(self.cache) > _MOST:
            self.cache.popitem(last=False)
        return value


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=False)


def _position(asked: AskedRuleset, layout: Layout) -> tuple[str, Table] | Problem:
    try:
        position = complete(asked.rules, layout.given, layout.steps)
        return _text(position), read_position(asked.rules, position)
    except CannotSetUp as error:
        return incomplete(error, asked.rules)
    except Malformed as error:
        return malformed(error, asked.rules)
    except BROKEN as error:
        return broken(error)


def _stage(asked: AskedRuleset, table: Table, step: Mapping[str, Any], number: int) -> Stage | Problem:
    game = Game(table.copy())
    path = ("steps", number)
    try:
        acts = tuple(singles(step, asked.rules, number, 0))
        taken: Sequence[TracedAct] = [take(game, act, OBSERVED) for act in acts]
    except CannotSetUp as error:
        return incomplete(error, asked.rules)
    except Malformed as error:
        return malformed(error, asked.rules, path)
    except BROKEN as error:
        return broken(error, path)
    return Stage(step, acts, tuple(taken), game.table)
