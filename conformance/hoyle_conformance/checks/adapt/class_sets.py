"""Adapters that score all the good combinations of a class at Piquet by one act.

Such an adapter plays from the first call to younger's declarations in one go: it cannot be stopped while something good
is still to be declared. So the run goes on until nothing is, both players calling their best, and elder leading any
card. These acts belong to no step of the scenario, and are judged by what all readings agree on. They are sent only to
an engine that claims all of them, and never after an irregular act.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported, refused_places, with_expectations, with_steps
from hoyle_conformance.checks.adapt.grouping import StepGroup, group_steps
from hoyle_conformance.checks.adapt.insert import gain, insert_acts
from hoyle_conformance.checks.request import is_irregular
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.model import Expected
from hoyle_reference import ClassRules, Game, Phase, Refusal, Rules, Table, read_act, read_position, write_act
from hoyle_reference.acts import CLASSES, EQUAL_TO, GOOD, NOT_GOOD, QUESTION, Act, Announce, Answer, Declare, Play
from hoyle_reference.seats import seat_name

Step = Mapping[str, Any]

#: The word for what an adapter lacks that takes a class as a whole.
_ONE_BY_ONE: Final = "declarations one by one"
#: Answers in the order of preference: the first possible one truly says how good the best combination held is.
_TRULY: Final = (NOT_GOOD, EQUAL_TO, *QUESTION.values(), GOOD)


def declare_as_sets(rules: Rules, adapted: Adapted, takes: Callable[[Step], bool]) -> Adapted | Unsupported:
    """Let a player declare all that is good of a class at once, for an adapter that `takes` an act or does not.

    Returns Unsupported if this would change what the check is about.
    """
    classes = rules.get(ClassRules)
    if classes is None:
        return adapted
    whole = _complete_classes(rules, classes, adapted)
    if whole is None:
        return Unsupported((_ONE_BY_ONE,))
    whole = play_to_the_end(rules, classes, whole, takes)
    if all(step.get("do") != "declare" for step in whole.plan.message["steps"]):
        return adapted
    groups = list(_class_groups(classes, whole))
    return group_steps(_expect_every_point(rules, whole, groups), groups, _ONE_BY_ONE)


def _class_of(classes: ClassRules, step: Step) -> str | None:
    """Return the class of the combination that a step declares; None if the step declares nothing."""
    return classes.by_id[step["meld"]].class_ if step.get("do") == "declare" else None


def _declaration_runs(classes: ClassRules, adapted: Adapted) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of the steps in which one player declares one class; the same place twice for
    every other step."""
    steps, refused = adapted.plan.message["steps"], refused_places(adapted)
    first = 0
    for at, step in enumerate(steps):
        following = steps[at + 1] if at + 1 < len(steps) else {}
        on = _class_of(classes, step) is not None and _class_of(classes, following) == _class_of(classes, step)
        if not (on and following["by"] == step["by"] and refused.isdisjoint({at, at + 1})):
            yield first, at
            first = at + 1


def _class_groups(classes: ClassRules, adapted: Adapted) -> Iterator[StepGroup]:
    steps = adapted.plan.message["steps"]
    for first, last in _declaration_runs(classes, adapted):
        class_ = _class_of(classes, steps[first])
        if class_ is None:
            yield StepGroup(steps[first], first, last)
        else:
            melds = [{key: each[key] for key in ("meld", "cards")} for each in steps[first : last + 1]]
            yield StepGroup({"by": steps[first]["by"], "do": "declare", "class": class_, "melds": melds}, first, last)


def _expect_every_point(rules: Rules, adapted: Adapted, groups: Sequence[StepGroup]) -> Adapted:
    """Expect the points of every act of a group, if points of some of its acts are expected."""
    several = {at for group in groups if group.first < group.last for at in range(group.first, group.last + 1)}
    if not several:
        return adapted
    seen = observations(rules, {**adapted.plan.message, "observe": ["score"]})
    scores = [adapted.plan.position["score"], *(each.get("score") for each in seen)]
    steps = {number: end for number, end in enumerate(adapted.plan.ends, start=1) if end - 1 in several}
    gains = {number: gain(scores[: adapted.plan.start(number) + 1], scores[end]) for number, end in steps.items()}
    branches = {}
    for name, expected in adapted.check.branches.items():
        said = any("scores" in expected.get(number, {}) for number in steps)
        filled = {number: {"scores": gains[number], **expected.get(number, {})} for number in steps if said}
        branches[name] = {**expected, **filled}
        for group in groups:
            numbers = [number for number, end in steps.items() if group.first <= end - 1 <= group.last]
            branches[name] |= _move_total_to_the_end(branches[name], numbers, scores[group.last + 1])
    return with_expectations(adapted, branches)


def _move_total_to_the_end(expected: Expected, numbers: Sequence[int], score: Any) -> Expected:
    """Move the expected score to the last step of a group, if any of its steps expects one."""
    if all("total" not in expected.get(number, {}) for number in numbers):
        return {}
    without = {
        number: {key: value for key, value in expected.get(number, {}).items() if key != "total"} for number in numbers
    }
    return {**without, numbers[-1]: {**without[numbers[-1]], "total": score}}


def _complete_classes(rules: Rules, classes: ClassRules, adapted: Adapted) -> Adapted | None:
    """Declare whatever else of a class is good after its last declaration; return None if this changes the outcome of
    other steps."""
    game = Game(read_position(rules, adapted.plan.message["position"]))
    steps = adapted.plan.message["steps"]
    ends_a_run = {last for first, last in _declaration_runs(classes, adapted)}
    more: dict[int, list[Step]] = {}
    for at, step in enumerate(steps):
        if "ask" in step:
            continue
        taken = not isinstance(game.attempt(read_act(rules, step)), Refusal)
        if taken and step["do"] == "declare" and at in ends_a_run:
            more[at] = list(_remaining_declarations(game, classes, step))
    if not any(more.values()):
        return adapted
    return insert_acts(rules, adapted, more)


def _remaining_declarations(game: Game, classes: ClassRules, step: Step) -> Iterator[Step]:
    """Play and yield the declarations of the class that are still open to the player, the longest first."""
    while True:
        open_ = [
            act
            for act in game.legal_actions
            if isinstance(act, Declare)
            and seat_name(act.by) == step["by"]
            and classes.by_id[act.meld].class_ == _class_of(classes, step)
        ]
        if not open_:
            return
        longest = max(open_, key=lambda act: len(act.cards))
        game.apply(longest)
        yield write_act(longest)


def play_to_the_end(rules: Rules, classes: ClassRules, adapted: Adapted, takes: Callable[[Step], bool]) -> Adapted:
    """Append the acts that declare everything good after the last step; return the check unchanged if the adapter does
    not take all of these acts."""
    steps = adapted.plan.message["steps"]
    if all("ask" in step for step in steps) or any(map(is_irregular, steps)):
        return adapted
    game = Game(read_position(rules, adapted.plan.message["position"]))
    for step in steps:
        if "do" in step:
            game.attempt(read_act(rules, step))
    more = list(_remaining_acts(game, classes))
    if not more or not all(map(takes, more)):
        return adapted
    return replace(adapted, plan=replace(adapted.plan, message=with_steps(adapted.plan.message, [*steps, *more])))


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
