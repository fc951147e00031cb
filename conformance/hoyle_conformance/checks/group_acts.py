"""Group the acts of a check for adapters that do several in one step, and insert acts that such adapters need.

In some adapters all players draw in one act, or as part of a declaration; in some, a player at Piquet declares
everything good of a class at once. Such an adapter cannot stop between these acts. If a check stops between them, the
missing acts are inserted, unless they change the outcome of others.

The parts are: grouping, insertion, draws, and declarations of a class as a set.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from hoyle_conformance.checks.request import Adapted, Claims, Step, Unsupported, is_irregular
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.model import Expectation
from hoyle_reference import ClassRules, Game, Phase, Refusal, Rules, read_act, read_position, write_act
from hoyle_reference.acts import CLASSES, EQUAL_TO, GOOD, NOT_GOOD, QUESTION, Act, Announce, Answer, Declare, Play
from hoyle_reference.seats import SEATS, seat_name

Score = Mapping[str, int]

#: The missing capabilities of an adapter in which nobody draws alone, or that declares a class as a whole.
_DRAWS_ONE_BY_ONE: Final = "draws one by one"
_DECLARATIONS_ONE_BY_ONE: Final = "declarations one by one"
#: The claim of an adapter that draws as part of a declaration, and the act by which all players draw.
WITH_THE_DECLARATION: Final = "with-the-declaration"
_ALL_DRAW: Final = "draw-all"
#: The acts by which a player declares after winning a trick.
_DECLARATIONS: Final = frozenset({"declare", "hold", "exchange", "show"})
#: The observables that are the same between the acts of a group and after them; points are added up.
_ANY_TIME: Final = frozenset({"scores", "total", "shown", "trumps"})
#: The answers in order of preference; the first legal one is a true statement about the best combination held.
_TRULY: Final = (NOT_GOOD, EQUAL_TO, *QUESTION.values(), GOOD)


@dataclass(frozen=True, slots=True)
class StepGroup:
    """One step to be sent, and the indexes of the first and last acts of the check that it replaces."""

    step: Step
    first: int
    last: int


def group_steps(request: Adapted, groups: Sequence[StepGroup], lacks: str) -> Adapted | Unsupported:
    """Send the acts of a check in these groups. Return Unsupported, with the capability that the adapter `lacks`, if
    the check observes or expects a refusal inside a group."""
    plan = request.plan
    owners = [
        next((number for number, end in enumerate(plan.ends, start=1) if group.first < end), len(plan.ends) + 1)
        for group in groups
    ]
    branches: dict[str, dict[int, Expectation]] = {}
    for name, expected in request.check.branches.items():
        moved: defaultdict[int, Expectation] = defaultdict(dict)
        for number, each in sorted(expected.items()):
            at = plan.ends[number - 1] - 1
            group, owner = next(both for both in zip(groups, owners, strict=True) if both[0].last >= at)
            inside = at < group.last and not _ANY_TIME.issuperset(each)
            if inside or (group.first < group.last and "refused" in each):
                return Unsupported((lacks,))
            moved[owner] = _merge(moved[owner], each)
        branches[name] = dict(moved)
    ends = tuple(sum(owner <= number for owner in owners) for number in range(1, len(plan.ends) + 1))
    course = plan.reference_steps
    course = replace(course, at=tuple(course.at[group.last] for group in groups))
    return request.sending((group.step for group in groups), ends=ends, course=course).expecting(branches)


def _merge(one: Expectation, other: Expectation) -> Expectation:
    """Merge the expectations of two steps: points are added, and for anything else the later value is kept."""
    scored = Counter[str](one.get("scores", {}))
    scored.update(other.get("scores", {}))
    return {**one, **other, **({"scores": dict(scored)} if scored else {})}


def insert_acts(rules: Rules, request: Adapted, more: Mapping[int, Sequence[Step]]) -> Adapted | None:
    """Insert acts after the steps at these indexes. Return None if this changes whether another act is accepted, its
    points, its answer, or anything else expected where acts are inserted."""
    ends, steps, places = request.plan.ends, list[Step](), list[int]()
    for at, step in enumerate(request.steps):
        places.append(len(steps))
        steps += [step, *more.get(at, ())]
    moved = tuple(places[end - 1] + 1 + len(more.get(end - 1, ())) if end else 0 for end in ends)
    rest = request.sending(steps, ends=moved)
    keys = {
        key
        for expected in request.check.branches.values()
        for number, each in expected.items()
        if more.get(ends[number - 1] - 1)
        for key in each.keys() - _ANY_TIME
    }
    was, now = (_Played(rules, each, keys) for each in (request, rest))
    if any(was.came(one) != now.came(other) for one, other in enumerate(places)) or any(
        more.get(one - 1) and was.shown(one - 1, keys) != now.shown(other - 1, keys)
        for one, other in zip(ends, moved, strict=True)
    ):
        return None
    added = [
        Counter(now.points(places[one - 1] + 1, other) if one else {}) for one, other in zip(ends, moved, strict=True)
    ]

    def with_points(number: int, expected: Expectation) -> Expectation:
        each, so_far = dict(expected), sum(added[:number], Counter[str]())
        if "scores" in each:
            each["scores"] = dict(Counter(each["scores"]) + added[number - 1])
        if "total" in each:
            each["total"] = {seat: points + so_far[seat] for seat, points in each["total"].items()}
        return each

    return rest.revised(with_points)


class _Played:
    """The steps of a request as the reference plays them; `scores` has the score before the first step and after
    each."""

    def __init__(self, rules: Rules, request: Adapted, observe: Iterable[str] = ()) -> None:
        message = request.plan.message
        self._seen = observations(rules, {**message, "observe": sorted({"score", *observe})})
        self.scores: list[Score] = [message["position"]["score"]]
        for each in self._seen:
            self.scores.append(each.get("score", self.scores[-1]))

    def came(self, at: int) -> tuple[Any, ...]:
        """Return whether the step at an index was accepted, its answer, and its points."""
        seen = self._seen[at]
        return seen.get("accepted"), seen.get("answer"), self.points(at, at + 1)

    def shown(self, at: int, keys: Iterable[str]) -> list[Any]:
        """Return the observations under these keys after the step at an index."""
        return [self._seen[at].get(key) for key in keys]

    def points(self, first: int, last: int) -> Score:
        """Return the points, by seat, of the steps from one index up to, but not including, another."""
        before, after = self.scores[first], self.scores[last]
        return {seat: points - before[seat] for seat, points in after.items()}


def group_draws(request: Adapted, claims: Claims) -> Adapted | Unsupported:
    """Group the draws as an adapter makes them; return Unsupported if the check stops or observes between two draws."""
    draws, rules = claims.info.draws, claims.rules(request)
    if draws == WITH_THE_DECLARATION and rules.draws:
        return _draw_with_declarations(request, rules)
    if draws != WITH_THE_DECLARATION and any(step.get("do") == "draw" for step in request.steps):
        return _send_rounds(request, draws)
    return request


def _send_rounds(request: Adapted, draws: str) -> Adapted | Unsupported:
    groups, lacks = drawn(request.steps, len(request.plan.seats), draws, request.refused_in(any)), _DRAWS_ONE_BY_ONE
    return Unsupported((lacks,)) if groups is None else group_steps(request, groups, lacks)


def drawn(
    steps: Sequence[Step], players: int, draws: str, refused: frozenset[int] = frozenset()
) -> list[StepGroup] | None:
    """Return the steps with each round of plain draws grouped as an adapter makes it: as one act, or as part of the
    declaration before it unless that is refused. Return None if somebody draws alone."""
    groups: list[StepGroup] = []
    while (at := groups[-1].last + 1 if groups else 0) < len(steps):
        last = at + players - 1
        before = groups[-1] if groups and draws == WITH_THE_DECLARATION else None
        if draws == "one-by-one" or not _is_round(steps[at : last + 1], players):
            groups.append(StepGroup(steps[at], at, at))
        elif before and before.step.get("do") in _DECLARATIONS and before.last not in refused:
            groups[-1] = StepGroup({**before.step, "then": _ALL_DRAW}, before.first, last)
        else:
            groups.append(StepGroup({"by": steps[at]["by"], "do": _ALL_DRAW}, at, last))
    alone = draws != "one-by-one" and any(group.step.get("do") == "draw" for group in groups)
    return None if alone else groups


def _is_round(steps: Sequence[Step], players: int) -> bool:
    """Return whether each player draws one card in these steps."""
    return len({step["by"] for step in steps if step.get("do") == "draw" and step.keys() == {"by", "do"}}) == players


def _draws_after(rules: Rules, position: Mapping[str, Any], steps: Sequence[Step]) -> dict[int, Sequence[Step]]:
    """Return the draws of all players that could follow each declaration by the winner of a trick, by the index of the
    declaration. There are none if it is refused or somebody could not draw."""
    found: dict[int, Sequence[Step]] = {}
    game = Game(read_position(rules, position))
    for at, step in enumerate(steps):
        if "do" in step:
            declares = game.table.phase is Phase.DECLARE and step["do"] in _DECLARATIONS
            refused = isinstance(game.attempt(read_act(rules, step)), Refusal)
            if declares:
                found[at] = () if refused else _draws(game)
    return found


def _draws(game: Game) -> Sequence[Step]:
    """Return the draws of all players in order, starting with the winner of the trick; empty if somebody cannot
    draw."""
    drawing, seats = game.clone(), SEATS[: game.rules.players]
    first = seats.index(seat_name(game.table.leader))
    draws = [{"by": seat, "do": "draw"} for seat in (*seats[first:], *seats[:first])]
    if any(isinstance(drawing.attempt(read_act(game.rules, draw)), Refusal) for draw in draws):
        return []
    return draws


def _missing_draws(rules: Rules, position: Mapping[str, Any], steps: Sequence[Step]) -> dict[int, Sequence[Step]]:
    """Return the draws that could follow declarations but do not, by the index of the declaration."""
    return {
        at: draws
        for at, draws in _draws_after(rules, position, steps).items()
        if draws and not _is_round(steps[at + 1 : at + 1 + len(draws)], len(draws))
    }


def declares_once_a_trick(rules: Rules, position: Mapping[str, Any], acts: Sequence[Step]) -> bool:
    """Return whether all players draw directly after every declaration among these acts, as far as they can."""
    return not _missing_draws(rules, position, acts)


def _draw_with_declarations(request: Adapted, rules: Rules) -> Adapted | Unsupported:
    """Let all players draw with every declaration, unless this changes the outcome of other steps.

    If readings disagree on whether a declaration is refused, the check ends with it, because the draws after it are
    then undecided.
    """
    position = request.plan.position
    disputed = request.refused_in(any) - request.refused_in(all)
    declarations = _draws_after(rules, position, request.steps)
    last = next((at for at in declarations if at in disputed), None)
    if last is not None:
        request = _end_with(request, sum(end <= last for end in request.plan.ends) + 1)
        declarations = {at: draws for at, draws in declarations.items() if at < last}
    request = _without_acts_before_draws(request, declarations)
    more = _missing_draws(rules, position, request.steps if last is None else request.steps[:-1])
    whole = insert_acts(rules, request, more) if more else request
    if whole is None:
        return Unsupported((_DRAWS_ONE_BY_ONE,))
    sent = _send_rounds(whole, WITH_THE_DECLARATION)
    if last is None or isinstance(sent, Unsupported):
        return sent
    return replace(sent, plan=replace(sent.plan, undecided=frozenset({len(sent.steps) - 1})))


def _end_with(request: Adapted, step: int) -> Adapted:
    """Cut a check after a step, and remove every expectation for that step that draws could change."""
    lasting = _ANY_TIME | {"refused"}
    return request.cut_after(step).revised(
        lambda number, each: {key: each[key] for key in each if number != step or key in lasting}
    )


def _without_acts_before_draws(request: Adapted, declarations: Mapping[int, Sequence[Step]]) -> Adapted:
    """Drop the questions and refused acts between a declaration and the draws after it."""
    steps, refused = request.steps, request.refused_in(all)
    dropped: set[int] = set()
    for at, could_follow in declarations.items():
        following = range(at + 1, len(steps))
        draws = next((at for at in following if "do" in steps[at] and at not in refused), len(steps))
        if could_follow and _is_round(steps[draws : draws + len(could_follow)], len(could_follow)):
            dropped.update(range(at + 1, draws))
    return replace(request.without(dropped), partly=(*request.partly, _DRAWS_ONE_BY_ONE)) if dropped else request


def declare_as_sets(request: Adapted, claims: Claims) -> Adapted | Unsupported:
    """Let a player declare everything good of a class at Piquet at once, unless this changes what the check is about.

    Such an adapter plays from the first call to younger's declarations without stopping while something good is left to
    declare. So acts are sent after the last step until nothing is left: both players call their best, and elder leads
    any card. These acts belong to no step of the scenario and are judged by the consensus of readings. They are sent
    only if all of them are claimed, and never after an irregular act.
    """
    rules = claims.rules(request)
    classes = rules.get(ClassRules)
    if classes is None:
        return request
    more = _remaining_of_classes(rules, classes, request)
    whole = insert_acts(rules, request, more) if any(more.values()) else request
    if whole is None:
        return Unsupported((_DECLARATIONS_ONE_BY_ONE,))
    afterwards = list(_remaining_acts(rules, classes, whole))
    if afterwards and all(map(claims.takes, afterwards)):
        whole = whole.sending([*whole.steps, *afterwards])
    if all(step.get("do") != "declare" for step in whole.steps):
        return request
    groups = [_as_a_set(classes, whole.steps, run) for run in _runs(classes, whole)]
    return group_steps(_expect_every_point(rules, whole, groups), groups, _DECLARATIONS_ONE_BY_ONE)


def _class_of(classes: ClassRules, step: Step) -> str | None:
    """Return the class of the combination that a step declares; None if it declares nothing."""
    return classes.by_id[step["meld"]].class_ if step.get("do") == "declare" else None


def _runs(classes: ClassRules, request: Adapted) -> list[list[int]]:
    """Return the indexes of the steps, grouped where one player declares one class."""
    steps, refused = request.steps, request.refused_in(any)

    def declared(at: int) -> Any:
        class_ = None if at in refused else _class_of(classes, steps[at])
        return at if class_ is None else (steps[at]["by"], class_)

    return [list(run) for _, run in groupby(range(len(steps)), declared)]


def _as_a_set(classes: ClassRules, steps: Sequence[Step], run: Sequence[int]) -> StepGroup:
    step = steps[run[0]]
    if class_ := _class_of(classes, step):
        melds = [{key: steps[at][key] for key in ("meld", "cards")} for at in run]
        step = {"by": step["by"], "do": "declare", "class": class_, "melds": melds}
    return StepGroup(step, run[0], run[-1])


def _expect_every_point(rules: Rules, request: Adapted, groups: Sequence[StepGroup]) -> Adapted:
    """Expect the points of every act in a group if the check expects points of some of these acts, and the score after
    the group."""
    ends = request.plan.ends
    group_of = {at: group for group in groups if group.first < group.last for at in range(group.first, group.last + 1)}
    inside = {number: group_of[end - 1] for number, end in enumerate(ends, start=1) if end - 1 in group_of}
    if not inside:
        return request
    played, branches = _Played(rules, request), {}
    for name, expected in request.check.branches.items():
        branches[name] = dict(expected)
        said = any("scores" in expected.get(number, {}) for number in inside)
        for number, group in inside.items():
            each = dict(expected.get(number, {}))
            if said:
                each.setdefault("scores", played.points(request.plan.start(number), ends[number - 1]))
            if "total" in each:
                each["total"] = played.scores[group.last + 1]
            if each:
                branches[name][number] = each
    return request.expecting(branches)


def _remaining_of_classes(rules: Rules, classes: ClassRules, request: Adapted) -> dict[int, list[Step]]:
    """Return the remaining good declarations of each class, by the index of the last declaration of that class."""
    game = Game(read_position(rules, request.plan.message["position"]))
    last = {run[-1] for run in _runs(classes, request)}
    more: dict[int, list[Step]] = {}
    for at, step in enumerate(request.steps):
        if "do" in step:
            refused = isinstance(game.attempt(read_act(rules, step)), Refusal)
            if step["do"] == "declare" and at in last and not refused:
                more[at] = list(_remaining_of_class(game, classes, step))
    return more


def _remaining_of_class(game: Game, classes: ClassRules, step: Step) -> Iterator[Step]:
    """Play and yield the declarations of the class that the player can still make, the longest first."""
    class_ = _class_of(classes, step)
    while open_ := [
        act
        for act in game.legal_actions
        if isinstance(act, Declare) and seat_name(act.by) == step["by"] and classes.by_id[act.meld].class_ == class_
    ]:
        longest = max(open_, key=lambda act: len(act.cards))
        game.apply(longest)
        yield write_act(longest)


def _remaining_acts(rules: Rules, classes: ClassRules, request: Adapted) -> Iterator[Step]:
    """Play a check and yield the acts that follow until nothing good is left to declare."""
    if all("ask" in step for step in request.steps) or any(map(is_irregular, request.steps)):
        return
    game = Game(read_position(rules, request.plan.message["position"]))
    for step in request.steps:
        if "do" in step:
            game.attempt(read_act(rules, step))
    while game.table.phase in {Phase.ANNOUNCE, Phase.PLAY} and (act := _next(game, classes)):
        game.apply(act)
        yield write_act(act)


def _next(game: Game, classes: ClassRules) -> Act | None:
    """Return the next act if something good can be declared now or after elder's lead; None otherwise."""
    open_, table = list(game.legal_actions), game.table
    if good := [act for act in open_ if isinstance(act, Declare)]:
        return min(good, key=lambda act: (CLASSES.index(classes.by_id[act.meld].class_), -len(act.cards)))
    younger_waits = not table.trick and not table.a_trick_is_won and table.dealer in table.called.decided
    return _lead_on(open_) if younger_waits else None


def _lead_on(open_: Sequence[Act]) -> Act:
    """Return an act that leads on towards elder's lead when there is nothing to declare."""
    if calls := [act for act in open_ if isinstance(act, Announce)]:
        return next((act for act in calls if act.count != 0), calls[0])
    if answers := [act for act in open_ if isinstance(act, Answer)]:
        return min(answers, key=lambda act: _TRULY.index(act.says))
    return next(act for act in open_ if isinstance(act, Play))
