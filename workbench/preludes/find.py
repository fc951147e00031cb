"""The search for the prelude of a check.

Nothing is left to chance, and the search is bounded by numbers of steps, so it always finds the same.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from hoyle_conformance.checks.preludes import follow as histories
from hoyle_conformance.checks.request import NoPrelude, Why
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Malformed, Refusal, Rules, Table
from hoyle_reference.table import new_table
from preludes import drawing_games as drawn
from preludes import exchange_games as exchanged

#: The ways in which the position is completed, one after the other, and how many histories are tried with each.
_VARIANTS: Final = (0, 1, 3)
_HISTORIES: Final = 8
#: After so many that rest on a reading no other is looked for.
_RESTING: Final = 3
#: How the tricks lie that were won: what readings make of it, and nothing legal depends on.
_HEAP: Final = "heap"


def find(suite: Suite, check: Check) -> histories.FoundHistory | NoPrelude:
    """Return a history of a check's position, preferring one that rests on no reading; or why none was found."""
    if none := histories.never(check):
        return none
    reasons, resting = [histories.NO_HISTORY], []
    for variant in _VARIANTS:
        trying = histories.tried(suite, check, variant)
        if trying is None:
            continue
        for course in _courses(trying):
            outcome = histories.follow(trying, course)
            if isinstance(outcome, NoPrelude):
                reasons.append(outcome)
                continue
            rests_on = disputed(suite, check, outcome.played)
            if not rests_on:
                return outcome
            resting.append(replace(outcome, rests_on=rests_on))
            if len(resting) == _RESTING:
                break
        if resting:
            return min(resting, key=lambda each: len(each.rests_on))
    return max(reasons, key=lambda each: list(Why).index(each.why))


def _courses(trying: histories.TriedVariant) -> Iterator[histories.PlayedHistory]:
    game = exchanged if "talon" in trying.rules.chapters else drawn
    return islice(game.histories(trying.sought), _HISTORIES)


def disputed(suite: Suite, check: Check, played: histories.Played) -> tuple[str, ...]:
    """Return the disputed cells by another reading of which a history is illegal, or leads to something else."""
    paths = dict.fromkeys(
        path
        for path, name in histories.other_readings(suite, check.ruleset)
        if not _is_like(played.reached, _comes_to(suite.rules.of(check.ruleset, {path: name}), played))
    )
    return tuple(paths)


def _is_like(one: Table, other: Table | None) -> bool:
    """Whether two tables show the same, whatever the order of the tricks won."""
    if other is None:
        return False
    fields = (each for each in one.fields_in_use if each.name != _HEAP)
    return all(each.kind.same(each.get(one)) == each.kind.same(each.get(other)) for each in fields)


def _comes_to(rules: Rules, played: histories.Played) -> Table | None:
    """Return the table to which the same acts lead under other rules; None if one of them is refused."""
    table = new_table(rules)
    for field in (each.name for each in rules.fields if each.of == "game"):
        setattr(table, field, getattr(played.before, field))
    game = Game(table.copy())
    try:
        for act in (played.deal, *played.acts):
            if game.is_over or isinstance(game.attempt(act), Refusal):
                return None
    except Malformed:
        return None
    return game.table
