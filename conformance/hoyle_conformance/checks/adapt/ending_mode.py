"""Runs that are played on until everything good is declared.

An adapter that takes a class as a set plays from the first call to younger's declarations in one go: it cannot be
stopped while something good is still to be declared. So the run goes on until nothing is, both players calling their
best, and elder leading any card.

These acts belong to no step of the scenario, and are judged by what all readings agree on. They are sent only to an
engine that claims all of them, and never after an irregular act.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, with_steps
from hoyle_reference import Game, Phase, Rules, read_act, read_position, write_act
from hoyle_reference.chapters.calling.announcements import EQUAL_TO, GOOD, NOT_GOOD, QUESTION
from hoyle_reference.chapters.calling.classes import CLASSES, ClassRules
from hoyle_reference.table.acts import Act, Announce, Answer, Declare, Play
from hoyle_reference.table.table import Table

Step = Mapping[str, Any]

#: Whoever answers so has said how good the best is that is held: what is possible of these comes first.
_TRULY: Final = (NOT_GOOD, EQUAL_TO, *QUESTION.values(), GOOD)
#: From here on a ruling decides, and not only the rules of play.
_RULED_ON: Final = frozenset({"claim", "mishap"})


def play_to_the_end(rules: Rules, classes: ClassRules, adapted: Adapted, takes: Callable[[Step], bool]) -> Adapted:
    """Append the acts that declare everything good after the last step; return the check unchanged if the adapter does
    not take all of these acts."""
    steps = adapted.plan.message["steps"]
    if all("ask" in step for step in steps) or any(map(_is_irregular, steps)):
        return adapted
    game = Game(read_position(rules, adapted.plan.message["position"]))
    for step in steps:
        if "do" in step:
            game.attempt(read_act(rules, step))
    more = list(_remaining_acts(game, classes))
    if not more or not all(map(takes, more)):
        return adapted
    return replace(adapted, plan=replace(adapted.plan, message=with_steps(adapted.plan.message, [*steps, *more])))


def _is_irregular(step: Step) -> bool:
    return "irregular" in step or step.get("do") in _RULED_ON


def _remaining_acts(game: Game, classes: ClassRules) -> Iterator[Step]:
    """Play and yield acts until nothing good is left to declare."""
    while game.table.phase in {Phase.ANNOUNCE, Phase.PLAY} and (act := _next(game, classes)):
        game.apply(act)
        yield write_act(act)


def _next(game: Game, classes: ClassRules) -> Act | None:
    """Return the next act if something good is open, or will be after elder's lead; None otherwise."""
    open_ = list(game.legal_actions)
    good = [act for act in open_ if isinstance(act, Declare)]
    if good:
        return min(good, key=lambda act: (CLASSES.index(classes.by_id[act.meld].class_), -len(act.cards)))
    return _lead_on(open_) if _younger_waits(game.table) else None


def _younger_waits(table: Table) -> bool:
    """Whether elder has yet to lead and a class is younger's."""
    return not table.trick and not table.a_trick_is_won and table.dealer in table.called.decided


def _lead_on(open_: Sequence[Act]) -> Act:
    """Return an act that leads on to elder's lead, if nothing is to be declared."""
    calls = [act for act in open_ if isinstance(act, Announce)]
    answers = [act for act in open_ if isinstance(act, Answer)]
    if calls:
        return next((act for act in calls if act.count != 0), calls[0])
    if answers:
        return min(answers, key=lambda act: _TRULY.index(act.says))
    return next(act for act in open_ if isinstance(act, Play))
