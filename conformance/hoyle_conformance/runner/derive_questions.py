"""Questions that stand alone, derived from the acts of a check.

A question is derived only about what the check is about: a play that is refused for a duty, that makes use of a freedom
which the check cites, or where not every card of the hand may be played; a trick, a declaration, a class, or points of
tricks of which something is expected.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.request import RunRequest, is_irregular
from hoyle_conformance.checks.setup.standalone import StandaloneKeys, answer_standalone
from hoyle_conformance.checks.setup.trace import Traced
from hoyle_conformance.runner.compare import comparable
from hoyle_conformance.suite.model import Check, Expectation
from hoyle_reference import ClassRules, Game, Phase, Rules
from hoyle_reference.acts import CLASSES, Reckoning, TrickPoints
from hoyle_reference.events import TrickWon

Step = Mapping[str, Any]

#: The refusals by which another card of the hand must be played, and the cells of duties and freedoms; and those that
#: say what makes a combination, or what the hands hold of a class.
_DUTIES: Final = frozenset({"must-follow-suit", "must-win", "must-trump", "must-overtrump"})
_OF_DUTIES: Final = ("tricks.while_drawing.", "tricks.without_drawing.")
_NO_COMBINATION: Final = "not-a-combination"
_NOTHING_AS_GOOD: Final = frozenset({"nothing-better-held", "nothing-equal-held"})
#: The keys of an expectation about points, and about who wins a trick.
_POINTS: Final = frozenset({"scores", "total"})
_WHO_WINS: Final = frozenset({"trick_won_by", "turn"})


_NO_WORDS: Final[frozenset[str]] = frozenset()
#: The questions that an act may lead to.
_MAY_PUT: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "play": frozenset({"playable", "winner", "trick-points"}),
        "declare": frozenset({"worth", "worth-of-cards", "declarable-from-hand", "reckoning"}),
        "hold": frozenset({"worth", "worth-of-cards", "declarable-from-hand"}),
        "answer": frozenset({"class-winner"}),
    }
)


def question_words(word: Callable[[Step], str], steps: Sequence[Step]) -> frozenset[str]:
    """Return the words for the questions that these acts may lead to, and those that are asked among them, each of
    which has a `word`."""
    found = (frozenset({word(step)}) if "ask" in step else _MAY_PUT.get(step["do"], _NO_WORDS) for step in steps)
    return _NO_WORDS.union(*found)


class CourseStep(NamedTuple):
    """An act or question of a check's course: the step of the scenario that it belongs to, the expectation if it is the
    last of that step, the position before it, and the trace."""

    step: int
    expected: Expectation
    before: Mapping[str, Any]
    traced: Traced

    @property
    def sent(self) -> Step:
        """The act or question."""
        return self.traced.step


class StandaloneQuestion(NamedTuple):
    """A question that stands alone, and the step of the scenario that it comes from."""

    step: int
    question: Step


def course_steps(check: Check, plan: RunRequest, traced: Sequence[Traced]) -> list[CourseStep]:
    """Return the steps that the reference takes in a check, up to what is irregular."""
    found: list[CourseStep] = []
    before = plan.message["position"]
    for step, end in enumerate(plan.ends, start=1):
        for at in range(plan.start(step), end):
            single = traced[at]
            if is_irregular(single.step):
                return found
            found.append(CourseStep(step, check.expect.get(step, {}) if at == end - 1 else {}, before, single))
            before = single.position
    return found


def own_questions(
    standalone_keys: StandaloneKeys, rules: Rules, taken: Sequence[CourseStep]
) -> Iterator[StandaloneQuestion]:
    """Yield the questions that the check itself asks."""
    for each in taken:
        standalone = standalone_keys.complete(rules, each.sent, each.before) if "ask" in each.sent else None
        if standalone is not None:
            yield StandaloneQuestion(each.step, standalone)


def derived_questions(
    standalone_keys: StandaloneKeys, fresh: Game, cites: Sequence[str], taken: Sequence[CourseStep]
) -> Iterator[StandaloneQuestion]:
    """Yield the questions that its acts lead to, in a check that rests on these clauses; a fresh game answers them."""
    rules = fresh.rules
    for each in taken:
        for question in _ACTS.get(each.sent.get("do", ""), _nothing)(each):
            standalone = standalone_keys.complete(rules, question, each.before)
            if standalone is not None and (
                question["ask"] != "playable" or _is_a_question(fresh, cites, each, standalone)
            ):
                yield StandaloneQuestion(each.step, standalone)
    yield from _classes(fresh, taken)
    if TrickPoints in rules.procedure.asks:
        yield from _tricks(taken)
    if Reckoning in rules.procedure.asks:
        yield from _reckonings(taken)


def _nothing(_taken: CourseStep) -> Iterator[Step]:
    return iter(())


def _play(taken: CourseStep) -> Iterator[Step]:
    """Yield the questions which cards could be played, and who wins the trick."""
    card, by, before, refusal = taken.sent["card"], taken.sent["by"], taken.before, taken.traced.refusal
    if refusal is None or refusal.code in _DUTIES:
        yield {"ask": "playable", "by": by, "hand": before["hands"][by], "led": before["trick"]}
    if _wins(taken) and not _WHO_WINS.isdisjoint(taken.expected):
        yield {"ask": "winner", "by": before["leader"], "cards": [*before["trick"], card]}


def _wins(taken: CourseStep) -> bool:
    """Whether the act has completed a trick."""
    return any(isinstance(event, TrickWon) for event in taken.traced.events)


def _is_a_question(fresh: Game, cites: Sequence[str], taken: CourseStep, standalone: Step) -> bool:
    """Whether it is worth asking which cards could be played: not all, or all by a freedom that the check cites."""
    freedoms = [path for path in taken.traced.grounds if path.startswith(_OF_DUTIES)]
    cited = not fresh.rules.cells.clauses(freedoms).isdisjoint(cites)
    return cited or comparable(answer_standalone(fresh, standalone)) != comparable(standalone["hand"])


def _declare(taken: CourseStep) -> Iterator[Step]:
    """Yield the questions how the cards score as this combination and as any, and what the hand contains if nothing has
    scored."""
    refusal, by, before = taken.traced.refusal, taken.sent["by"], taken.before
    concerned = not _POINTS.isdisjoint(taken.expected) if refusal is None else refusal.code == _NO_COMBINATION
    if not (concerned and taken.sent["cards"]):
        return
    yield {"ask": "worth", "meld": taken.sent["meld"], "cards": taken.sent["cards"]}
    if "shown" in before:
        yield {"ask": "worth", "cards": taken.sent["cards"]}
        if not any(before["scored"].values()):
            yield {"ask": "declarable", "by": by, "hand": before["hands"][by]}


_ACTS: Final[Mapping[str, Callable[[CourseStep], Iterator[Step]]]] = MappingProxyType(
    {"play": _play, "declare": _declare, "hold": _declare}
)


def _classes(fresh: Game, taken: Sequence[CourseStep]) -> Iterator[StandaloneQuestion]:
    """Yield the question who wins each class that is called, if the check is about it and both call their best."""
    of_each = [(_class_of(fresh.rules, each), each) for each in taken]
    concerned = {class_ for class_, each in of_each if class_ in CLASSES and each.expected}
    for class_, each in of_each:
        if class_ not in concerned or each.sent.get("do") != "answer":
            continue
        hands = each.before["hands"]
        question = {"ask": "class-winner", "by": each.before["leader"], "class": class_, "hands": hands}
        if _is_decided_so(each, answer_standalone(fresh, question)):
            yield StandaloneQuestion(each.step, question)


def _class_of(rules: Rules, taken: CourseStep) -> str:
    """Return the class that an act of calling or declaring is about; empty for other acts."""
    of = rules.get(ClassRules)
    match taken.sent.get("do"):
        case "answer" if taken.before["phase"] == Phase.ANNOUNCE:
            return CLASSES[len(taken.before["called"]["decided"])]
        case "announce":
            return str(taken.sent["class"])
        case "declare" if of is not None:
            return of.by_id[taken.sent["meld"]].class_
        case _:
            return ""


def _is_decided_so(taken: CourseStep, winner: str | None) -> bool:
    """Whether an answer decides the class so, or is refused because of what the hands hold."""
    refusal = taken.traced.refusal
    if refusal is not None:
        return refusal.code in _NOTHING_AS_GOOD
    was, now = (position["called"]["decided"] for position in (taken.before, taken.traced.position))
    return len(now) > len(was) and now[-1] == winner


def _reckonings(taken: Sequence[CourseStep]) -> Iterator[StandaloneQuestion]:
    """Yield the question what two hands score before the play, if the check is about what one of them scores."""
    calling = [each for each in taken if each.before["phase"] == Phase.ANNOUNCE]
    declared = [each for each in taken if each.sent.get("do") == "declare" and each.expected]
    if not (calling and declared) or "scored" in calling[0].before["blanks"].values():
        return
    before = calling[0].before
    yield StandaloneQuestion(declared[0].step, {"ask": "reckoning", "by": before["leader"], "hands": before["hands"]})


def _tricks(taken: Sequence[CourseStep]) -> Iterator[StandaloneQuestion]:
    """Yield the question how the tricks of a deal score, up to the last one of which the check expects points."""
    plays = [each for each in taken if each.sent.get("do") == "play" and each.traced.refusal is None]
    if not plays:
        return
    first, cards, concerned = plays[0].before, list(plays[0].before["trick"]), StandaloneQuestion(0, {})
    for each in plays:
        cards.append(each.sent["card"])
        if _wins(each) and not _POINTS.isdisjoint(each.expected):
            concerned = StandaloneQuestion(
                each.step, {"ask": "trick-points", "by": first["leader"], "cards": list(cards)}
            )
        if each.traced.position["phase"] != Phase.PLAY:  # the deal is over, or the game
            break
    if concerned.step:
        yield concerned
