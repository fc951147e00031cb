"""What no source decides once something irregular has happened.

After an irregularity an engine is compared with the reference as everywhere else, except in what the sources leave
open: they may say nothing of a ruling, and they seldom say where every card lies after one. An observable
that is open after an act stays open to the end of the check. An expectation of the scenario is compared all the same.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.request import is_irregular
from hoyle_conformance.checks.setup.trace import TracedAct
from hoyle_reference import Cell
from hoyle_reference.events.referee import (
    CardTakenUp,
    Claimed,
    DealCancelled,
    HandCompleted,
    SurplusReturned,
    TakenBack,
    TricksForfeited,
)

Observation = Mapping[str, Any]

#: The fields of a position that must be observed too, in games that have them.
NEEDED: Final = frozenset({"surplus", "errors"})
#: What must be observed too, in every game.
ALWAYS_NEEDED: Final = frozenset({"score", "stock_left"})
#: What shows that a game has ended.
_END_AT_ONCE: Final = frozenset({"turn", "game_won_by", "settled"})
#: What a hand with a card too many or too few does not change.
_WHATEVER_THE_HANDS: Final = frozenset({"dealer", "trumps", "shown", "deals_left"})
#: Where the cards are. Between a deal that is given up and the next they may be anywhere.
_PLACES: Final = frozenset({"hands", "position"})
_ALL_PLACES: Final = _PLACES | {"shown", "stock_left", "trumps", "turn_up"}


def open_from(
    referee: Mapping[str, Cell], before: Observation, steps: Sequence[Mapping[str, Any]], acts: Sequence[TracedAct]
) -> Mapping[str, int]:
    """Return for each observable that an act leaves open the index of the first such act.

    `referee` has the referee's cells by their paths, and `before` is what is observed before the first act; the
    observations are complete.
    """
    found: dict[str, int] = {}
    for at, act in enumerate(acts):
        if act.events:
            for key in _open_by_the_position(before, steps[at]) | _open_by_the_ruling(referee, before, steps[at], act):
                found.setdefault(key, at)
            before = act.observation
    return found


def _open_by_the_position(before: Observation, step: Mapping[str, Any]) -> set[str]:
    """Return what an act leaves open because of the position before it.

    With hands of a wrong size, no source says how the draws and the last tricks go on, or whether a ruling ends the
    game at once; and none says which of several errors a claim means.
    """
    found: set[str] = set()
    if any(before.get("surplus", {}).values()):
        goes_on = step["do"] == "draw" or before["stock_left"] == 0
        found |= before.keys() - _WHATEVER_THE_HANDS if goes_on else _END_AT_ONCE if step["do"] == "claim" else set()
    if step["do"] == "claim":
        meant = [each for each in before.get("errors", ()) if each["irregularity"] == step["irregularity"]]
        found |= before.keys() if len(meant) > 1 else set()
    return found


def _open_by_the_ruling(
    referee: Mapping[str, Cell], before: Observation, step: Mapping[str, Any], act: TracedAct
) -> set[str]:
    """Return what an act leaves open because it is irregular, or by the ruling that follows."""
    now, kinds = act.observation, Counter(map(type, act.events))
    rests_on = [referee[path] for path in act.grounds if path in referee]
    changed = {key for key in before if before[key] != now[key]}
    is_ruled_on = "irregular" not in step or kinds[Claimed] > 0
    reasons = [
        (is_irregular(step), {"seen"}),  # who has looked
        (step["do"] == "mishap" or kinds[CardTakenUp] > 0, {"shown"}),
        ("irregular" in step and step["do"] == "declare" and now.get("trumps") is None, {"trumps"}),
        (any(points < 0 for points in now["score"].values()), {"score"}),
        (is_ruled_on and any(cell.status == "supplied" for cell in rests_on), changed),
        (kinds[HandCompleted] > 1, _PLACES),
        # where in the stock the cards lie
        (kinds[HandCompleted] + kinds[SurplusReturned] > 0 and any(map(_leaves_a_part_open, rests_on)), _PLACES),
        (kinds[DealCancelled] > 0, _ALL_PLACES),
        (kinds[TakenBack] > 0, {"shown"} | (changed & {"score"})),
        (kinds[TricksForfeited] > 0, before.keys()),
    ]
    return {key for holds, keys in reasons if holds for key in keys}


def _leaves_a_part_open(cell: Cell) -> bool:
    """Whether the source of a rule states it but for a part."""
    return cell.open is not None and cell.open.scope == "part"
