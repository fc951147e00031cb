"""Walks: a layout carried through one ruleset, step by step, as far as possible; results are cached. The problem of a
position or a step is in words for a card player."""

import json
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hoyle_conformance.checks.plan import complete, singles
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.fill import named_in_steps
from hoyle_conformance.checks.setup.trace import TracedAct, take
from hoyle_conformance.web.explorer.layout import Layout
from hoyle_conformance.web.explorer.rulesets import AskedRuleset
from hoyle_conformance.web.explorer.shapes import LayoutFault
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.text import sentence
from hoyle_reference import Game, Malformed, Rules, Table, read_position

# ---- problems in words


#: The message for a position in which nothing, or more than one thing, determines the stage of the game.
_STANDS: Final = (
    "The position must give the state of the game exactly once.",
    "Choose who leads, who has won the trick, or who is to exchange or announce; or begin before the deal.",
)
#: The message for an act or a question that a game does not have.
_NO_SUCH: Final = re.compile(r"no (act|question) '[\w-]+' in this game")
_CARD: Final = re.compile(r"\b[789TJQKA][CDHS](#[2-8])?(?![\w#])")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: its description, the remedy, and its place in the layout, under `given` or in the steps."""

    says: str
    remedy: str
    path: tuple[str | int, ...] = ()

    @property
    def cannot(self) -> dict[str, str]:
        """The description of the problem, as a page shows it."""
        return {"says": self.says, "remedy": self.remedy}


def _problem_of(error: Exception, rules: Rules, path: tuple[str | int, ...] = ()) -> Problem:
    """Return the problem of a position or step that cannot be completed or names something the game does not have, that
    makes no sense, whatever the rules, or after which the interpreter cannot play on."""
    if isinstance(error, CannotSetUp):
        says, remedy = error.at_the_table
        return Problem(_said(says, rules), _said(remedy, rules), error.path)
    if isinstance(error, Malformed):
        what, remedy = (
            ("this step", "Change or remove this step.") if path else ("this position", "Change the position.")
        )
        says = f"under these rules {what} makes no sense: {_NO_SUCH.sub(_none, error.message)}"
        return Problem(_said(says, rules), remedy, path)
    says = "The game cannot go on from here: these rules contradict each other in this position."
    return Problem(says, "Undo the last change to the rules or the position.", path)


def _none(found: re.Match[str]) -> str:
    return f"the game has no such {found[1]}"


def misshapen(fault: LayoutFault, path: tuple[str | int, ...] = ()) -> Problem:
    """Return the problem of a position or step with the wrong form."""
    whole = (*path, *fault.path)
    if not whole:
        return Problem(*_STANDS)
    remedy = "Remove this step, or state it again." if path else "Correct or remove it."
    return Problem(_pretty(fault.says), remedy, whole)


def together(found: Iterable[tuple[str, Problem]]) -> list[dict[str, Any]]:
    """Return the problems of rulesets, equal ones merged, each with its rulesets."""
    alike: dict[Problem, list[str]] = {}
    for ruleset, problem in found:
        alike.setdefault(problem, []).append(ruleset)
    return [{**problem.cannot, "path": list(problem.path), "rulesets": rulesets} for problem, rulesets in alike.items()]


def _said(words: str, rules: Rules) -> str:
    """Return words with the usual name of the ruleset, and with cards as printed."""
    return _pretty(words.replace(f"under {rules.id}", "under these rules"))


def _pretty(words: str) -> str:
    return sentence(_CARD.sub(lambda found: printed.card(found[0]), words)) if words else ""


# ---- walks


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
            return _problem_of(error, asked.rules)
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
    except (CannotSetUp, Malformed, *BROKEN) as error:
        return _problem_of(error, asked.rules)


def _stage(asked: AskedRuleset, table: Table, step: Mapping[str, Any], number: int) -> Stage | Problem:
    game = Game(table.copy())
    path = ("steps", number)
    try:
        acts = tuple(singles(step, asked.rules, number, 0))
        taken: Sequence[TracedAct] = [take(game, act, OBSERVED) for act in acts]
    except (CannotSetUp, Malformed, *BROKEN) as error:
        return _problem_of(error, asked.rules, path)
    return Stage(step, acts, tuple(taken), game.table)
