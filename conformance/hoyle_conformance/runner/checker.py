"""Check the answers of one adapter: the questions that replace unsupported checks, and the checker of a run.

`choose_questions` finds questions that need no position and that the adapter claims. `Checker` adapts each check to the
claims of the adapter and judges the observations. `compose_messages` writes the messages that an adapter would be sent.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.combinations import judged_by_cards
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import Adapted, CannotSetUp, Claims, RunRequest, Step, Unsupported, is_irregular
from hoyle_conformance.checks.rewrites import adapt, as_sent, partial_verdict
from hoyle_conformance.checks.setup.trace import StandaloneKeys, Traced, answer_standalone, observations, trace
from hoyle_conformance.protocol.messages import AdapterInfo, Wire, encode
from hoyle_conformance.runner.consensus import Consensus, comparable, face, other_ways
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Guard, Mismatch, Result, Status, or_else
from hoyle_conformance.suite.capabilities import Capabilities
from hoyle_conformance.suite.model import Check, Expectation, Expected, Origin
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import ClassRules, Game, Malformed, Phase, Rules
from hoyle_reference.acts import CLASSES, Reckoning, TrickPoints, in_order_of_calling
from hoyle_reference.events import TrickWon

# ---- questions in place of an unsupported check
#
# The questions are those that the check itself asks, and those derived from its acts. A question is derived only from
# what the check is about: a play refused for a duty, a play that uses a freedom cited by the check, or one from a hand
# that may not play every card; and a trick, a declaration, a class or the points of tricks for which the check expects
# something.
#
# The outcome of a scenario is derived from the source, but the answer to a derived question comes from the reference.
# So such a question is sent only if the reference plays the scenario as expected and every reading of every disputed
# rule gives the same answer.


#: The refusals that require another card of the hand to be played, and the prefixes of the cells for duties and
#: freedoms; the refusals about what makes a combination, and about what the hands hold of a class.
_DUTIES: Final = frozenset({"must-follow-suit", "must-win", "must-trump", "must-overtrump"})
_OF_DUTIES: Final = ("tricks.while_drawing.", "tricks.without_drawing.")
_NO_COMBINATION: Final = "not-a-combination"
_NOTHING_AS_GOOD: Final = frozenset({"nothing-better-held", "nothing-equal-held"})
#: The keys of an expectation about points, and those about the winner of a trick.
_POINTS: Final = frozenset({"scores", "total"})
_WHO_WINS: Final = frozenset({"trick_won_by", "turn"})
#: The questions that can be derived from each act.
_MAY_LEAD_TO: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "play": frozenset({"playable", "winner", "trick-points"}),
        "declare": frozenset({"worth", "worth-of-cards", "declarable-from-hand", "reckoning"}),
        "hold": frozenset({"worth", "worth-of-cards", "declarable-from-hand"}),
        "answer": frozenset({"class-winner"}),
    }
)
#: Marks a question to which different readings give different answers.
_DIFFERENT: Final = object()
#: The cards of a question that have no order, and the questions that do not depend on the player.
_IN_NO_ORDER: Final = frozenset(
    {("playable", "hand"), ("worth", "cards"), ("counted", "cards"), ("declarable", "hand")}
)
_OF_ANYBODY: Final = frozenset({"playable", "winner", "declarable"})


class Question(NamedTuple):
    """A question with its origin and the answer that each branch of its check expects."""

    asks: Step
    answers: Mapping[str, Any]
    origin: Origin


#: The questions sent in place of unsupported checks, by check id; None if Hoyle failed to find them.
Questions = dict[str, Sequence[Question] | None]


def choose_questions(claims: Claims, adapted: Iterable[tuple[Check, Adapted | Unsupported | None]]) -> Questions:
    """Return the questions to send in place of unsupported checks, in the order of the checks. Each question is sent
    once under a ruleset, and not at all if a check that is sent asks it."""
    before: defaultdict[str, set[str]] = defaultdict(set)
    others: list[Check] = []
    for check, request in adapted:
        if isinstance(request, Adapted):
            before[check.ruleset].update(_alike(step) for step in request.steps if "ask" in step)
        elif request and claims.plays(check.ruleset):
            others.append(check)
    found = ((check, or_else(None, _new, claims, check, before[check.ruleset])) for check in others)
    return {check.id: questions for check, questions in found if questions is None or questions}


def _new(claims: Claims, check: Check, before: set[str]) -> Sequence[Question]:
    """Return the questions of a check that are not in `before`, and add them to it."""
    plan, words = planner_of(claims.suite).request(check), claims.info.claims
    if question_words(claims.suite.capabilities, plan.message["steps"]).isdisjoint(words):
        return []
    return find_questions(claims.suite, check, plan, words, before)


def question_words(capabilities: Capabilities, steps: Sequence[Step]) -> frozenset[str]:
    """Return the words for the questions among these steps, and for those that can be derived from the acts."""
    asked = {capabilities.word(step) for step in steps if "ask" in step}
    return frozenset(asked).union(*(_MAY_LEAD_TO.get(step.get("do", ""), ()) for step in steps))


def pose_questions(claims: Claims, check: Check, questions: Questions) -> Adapted:
    """Return a check rewritten as the questions sent in its place."""
    suite, found = claims.suite, questions[check.id]
    plan = planner_of(suite).request(check)
    if found is None:  # Hoyle fails again here, so the error is charged to this check alone
        found = find_questions(suite, check, plan, claims.info.claims, set())
    steps = [each.asks for each in found]
    branches: dict[str, Expected] = {
        name: {at: {"answer": each.answers[name]} for at, each in enumerate(found, start=1)} for name in check.branches
    }
    scenario = replace(
        check.scenario,
        steps=tuple(steps),
        outcomes=tuple(
            replace(each, rulesets=(check.ruleset,), expect=branches[""])
            for each in check.scenario.outcomes
            if not check.follows and check.ruleset in each.rulesets
        ),
        readings=tuple(replace(each, expect=branches[each.name]) for each in check.readings if check.follows),
    )
    origins = tuple(each.origin for each in found)
    needs = suite.capabilities.needed({}, steps, (), steps)
    message = {**plan.message, "steps": steps, "observe": []}
    plan = RunRequest(message, tuple(range(1, len(steps) + 1)), needs, plan.seats, plan.turned)
    return Adapted(replace(check, scenario=scenario, branches=branches, origins=origins), plan)


def find_questions(
    suite: Suite, check: Check, plan: RunRequest, words: frozenset[str], before: set[str]
) -> list[Question]:
    """Return the standalone questions of a check that are among these words but not in `before`, and add them to it.
    Return none if the reference does not play the check as expected."""
    keys, fresh, word = StandaloneKeys(suite.schemas), suite.rules.fresh_game(check.ruleset), suite.capabilities.word
    traced = trace(fresh.rules, plan.message)
    result = judge(check, plan, [each.observation for each in traced], trusted=True)
    if check.follows not in result.readings:
        return []
    course = _course(check, plan, traced)
    own = ((step, ask) for step, ask in _own_questions(keys, fresh.rules, course) if word(ask) in words)
    derived = ((step, ask) for step, ask in _derived_questions(keys, fresh, check, course) if word(ask) in words)
    found = [
        *(_as_expected(suite, check, step, ask) for step, ask in own),
        *(_as_agreed(suite, check, step, ask) for step, ask in derived),
    ]
    new = []
    for each in sorted(filter(None, found), key=lambda each: each.origin.step):
        if (key := _alike(each.asks)) not in before:
            before.add(key)
            new.append(each)
    return new


def _as_expected(suite: Suite, check: Check, step: int, ask: Step) -> Question | None:
    """Return a question that the check asks, with the answers it expects; None if a reading leads to another position,
    for which these answers may be wrong."""
    ways = {each.name: each.cells for each in check.readings} if check.follows else {"": {}}
    answers = {name: expected[step]["answer"] for name, expected in check.branches.items()}
    for name, answer in answers.items():
        if comparable(_answer(suite.rules.fresh_game(check.ruleset, ways[name]), ask)) != comparable(answer):
            return None
    return Question(ask, answers, Origin(step, derived=False))


def _as_agreed(suite: Suite, check: Check, step: int, ask: Step) -> Question | None:
    """Return a question derived from an act, with the reference's answer; None unless all readings of all disputed
    rules agree on it."""
    named = [dict(each.cells) for each in check.readings if check.follows]
    known, key = suite.derived(_agreed_answers), (check.ruleset, json.dumps([named, ask]))
    if key not in known:
        known[key] = _agreed_answer(suite, check, ask)
    answers = dict.fromkeys(check.branches, known[key])
    return None if known[key] is _DIFFERENT else Question(ask, answers, Origin(step, derived=True))


def _agreed_answers(_suite: Suite) -> dict[tuple[str, str], Any]:
    """Return a new cache of the answers that all readings give, by ruleset and question."""
    return {}


def _agreed_answer(suite: Suite, check: Check, ask: Step) -> Any:
    """Return the answer that all readings give, or the marker for different answers."""
    answer = _answer(suite.rules.fresh_game(check.ruleset), ask)
    others = (_answer(suite.rules.fresh_game(check.ruleset, way), ask) for way in other_ways(suite, check))
    return _DIFFERENT if any(comparable(other) != comparable(answer) for other in others) else answer


def _answer(fresh: Game, ask: Step) -> Any:
    """Return the reference's answer, or `{"malformed": …}` if the rules have no such question."""
    try:
        return answer_standalone(fresh, ask)
    except Malformed as error:
        return {"malformed": str(error)}


def _alike(question: Step) -> str:
    """Return a key that is equal for questions that differ only in the copies and the order of cards."""

    def plain(value: Any, *, in_order: bool) -> Any:
        if isinstance(value, Mapping):
            return {key: plain(each, in_order=False) for key, each in value.items()}
        if isinstance(value, list):
            return list(map(face, value)) if in_order else sorted(map(face, value))
        return value

    ask = question["ask"]
    plain_question = {key: plain(each, in_order=(ask, key) not in _IN_NO_ORDER) for key, each in question.items()}
    plain_question["by"] = "" if ask in _OF_ANYBODY else plain_question.get("by", "")
    return json.dumps(plain_question, sort_keys=True)


class CourseStep(NamedTuple):
    """An act or question as the reference plays it in a check: its step of the scenario, the expectation if it is the
    last of that step, the position before it, and the trace."""

    step: int
    expected: Expectation
    before: Mapping[str, Any]
    traced: Traced

    @property
    def sent(self) -> Step:
        """The act or question."""
        return self.traced.step

    @property
    def refused_for(self) -> str | None:
        """The reason why the reference refuses the act; None if the reference accepts it."""
        return self.traced.refusal.code if self.traced.refusal else None

    @property
    def wins(self) -> bool:
        """Whether the act completed a trick."""
        return any(isinstance(event, TrickWon) for event in self.traced.events)

    def does(self, act: str) -> bool:
        """Return whether the step is this act."""
        return self.sent.get("do") == act


#: A question, and the step of the scenario that it is derived from.
_Asked = tuple[int, Step]


def _course(check: Check, plan: RunRequest, traced: Sequence[Traced]) -> list[CourseStep]:
    """Return the steps of a check as the reference plays them, up to the first irregular one."""
    found: list[CourseStep] = []
    before = plan.message["position"]
    for step, end in enumerate(plan.ends, start=1):
        for at in range(plan.start(step), end):
            if is_irregular(traced[at].step):
                return found
            found.append(CourseStep(step, check.expect.get(step, {}) if at == end - 1 else {}, before, traced[at]))
            before = traced[at].position
    return found


def _own_questions(keys: StandaloneKeys, rules: Rules, course: Sequence[CourseStep]) -> Iterator[_Asked]:
    """Yield the questions that the check itself asks."""
    for each in course:
        ask = keys.complete(rules, each.sent, each.before) if "ask" in each.sent else None
        if ask is not None:
            yield each.step, ask


def _derived_questions(
    keys: StandaloneKeys, fresh: Game, check: Check, course: Sequence[CourseStep]
) -> Iterator[_Asked]:
    """Yield the questions derived from the acts of a check; a fresh game answers them."""
    rules = fresh.rules
    for each in course:
        for question in _of_act(each):
            ask = keys.complete(rules, question, each.before)
            if ask is not None and (ask["ask"] != "playable" or _is_a_choice(fresh, check, each, ask)):
                yield each.step, ask
    yield from _class_winners(fresh, course)
    if TrickPoints in rules.procedure.asks:
        yield from _trick_points(course)
    if Reckoning in rules.procedure.asks:
        yield from _reckonings(course)


def _of_act(each: CourseStep) -> Iterator[Step]:
    """Yield the questions about one act.

    For a play, they are the playable cards and the winner of the trick. For a declaration, they are the points of its
    cards as this combination and as any, and the contents of the hand if nothing has scored.
    """
    by, before, why = each.sent.get("by"), each.before, each.refused_for
    if each.does("play"):
        if why is None or why in _DUTIES:
            yield {"ask": "playable", "by": by, "hand": before["hands"][by], "led": before["trick"]}
        if each.wins and not _WHO_WINS.isdisjoint(each.expected):
            yield {"ask": "winner", "by": before["leader"], "cards": [*before["trick"], each.sent["card"]]}
    if not (each.does("declare") or each.does("hold")):
        return
    concerned = not _POINTS.isdisjoint(each.expected) if why is None else why == _NO_COMBINATION
    if concerned and each.sent["cards"]:
        yield {"ask": "worth", "meld": each.sent["meld"], "cards": each.sent["cards"]}
        if "shown" in before:
            yield {"ask": "worth", "cards": each.sent["cards"]}
            if not any(before["scored"].values()):
                yield {"ask": "declarable", "by": by, "hand": before["hands"][by]}


def _is_a_choice(fresh: Game, check: Check, each: CourseStep, ask: Step) -> bool:
    """Return whether the playable cards are worth asking for: some cards are not playable, or a freedom that the check
    cites makes all of them playable. A check computed from house rules cites nothing."""
    freedoms = [path for path in each.traced.grounds if path.startswith(_OF_DUTIES)]
    is_about = bool(freedoms) if check.computed else not fresh.rules.cells.clauses(freedoms).isdisjoint(check.cites)
    return is_about or comparable(answer_standalone(fresh, ask)) != comparable(ask["hand"])


def _class_winners(fresh: Game, course: Sequence[CourseStep]) -> Iterator[_Asked]:
    """Yield a question for the winner of each called class, if the check is about that class and both players call
    their best."""
    of_each = [(_class_of(fresh.rules, each), each) for each in course]
    concerned = {class_ for class_, each in of_each if class_ in CLASSES and each.expected}
    for class_, each in of_each:
        if class_ in concerned and each.does("answer"):
            leader, hands = each.before["leader"], each.before["hands"]
            ask = {"ask": "class-winner", "by": leader, "class": class_, "hands": hands}
            if _is_decided_so(each, answer_standalone(fresh, ask)):
                yield each.step, ask


def _class_of(rules: Rules, each: CourseStep) -> str:
    """Return the class that a call or declaration is about; empty for other acts."""
    of = rules.get(ClassRules)
    match each.sent.get("do"):
        case "answer" if each.before["phase"] == Phase.ANNOUNCE:
            return in_order_of_calling("sets_first" in each.before)[len(each.before["called"]["decided"])]
        case "announce":
            return str(each.sent["class"])
        case "declare" if of is not None:
            return of.by_id[each.sent["meld"]].class_
        case _:
            return ""


def _is_decided_so(each: CourseStep, winner: str | None) -> bool:
    """Return whether an answer gives the class to this winner, or is refused because of the cards held."""
    if each.refused_for is not None:
        return each.refused_for in _NOTHING_AS_GOOD
    was, now = (position["called"]["decided"] for position in (each.before, each.traced.position))
    return len(now) > len(was) and now[-1] == winner


def _reckonings(course: Sequence[CourseStep]) -> Iterator[_Asked]:
    """Yield a question for the scores of two hands before the play, if the check is about one of these scores."""
    calling = [each.before for each in course if each.before["phase"] == Phase.ANNOUNCE]
    declared = [each for each in course if each.does("declare") and each.expected]
    if calling and declared and "scored" not in calling[0]["blanks"].values():
        yield declared[0].step, {"ask": "reckoning", "by": calling[0]["leader"], "hands": calling[0]["hands"]}


def _trick_points(course: Sequence[CourseStep]) -> Iterator[_Asked]:
    """Yield a question for the points of a deal's tricks, up to the last trick whose points the check expects."""
    plays = [each for each in course if each.does("play") and each.refused_for is None]
    over = next((at for at, each in enumerate(plays, 1) if each.traced.position["phase"] != Phase.PLAY), len(plays))
    concerned = [at for at, each in enumerate(plays[:over]) if each.wins and not _POINTS.isdisjoint(each.expected)]
    if concerned:
        first, last = plays[0].before, concerned[-1]
        cards = [*first["trick"], *(each.sent["card"] for each in plays[: last + 1])]
        yield plays[last].step, {"ask": "trick-points", "by": first["leader"], "cards": cards}


# ---- the checker of a run


Observations = Sequence[Mapping[str, Any]]

#: The missing capability of an engine that accepted a combination under another name. The check is judged up to that
#: act.
ANOTHER_NAME: Final = "two names for what it has one for"
#: The claim of an engine that deals by itself, and so knows the state between two deals.
DEAL: Final = "deal"


@dataclass(frozen=True, slots=True)
class Checker:
    """The checks of a suite for an adapter with these claims, with the questions sent in place of unsupported
    checks."""

    claims: Claims
    questions: Questions = field(default_factory=Questions)
    _ahead: dict[str, tuple[Check, Adapted | Unsupported]] = field(default_factory=dict)

    @classmethod
    def with_questions(cls, claims: Claims, checks: Iterable[Check]) -> "Checker":
        """Return the checker for a run of these checks. If the adapter can be asked standalone questions, all checks
        are adapted in advance and stored."""
        checker = cls(claims)
        words = StandaloneKeys(claims.suite.schemas).words
        if not claims.trusted and not words.isdisjoint(claims.info.claims):
            adapted = ((check, or_else(None, checker._adapt_ahead, check)) for check in checks)
            checker.questions.update(choose_questions(claims, adapted))
        return checker

    def _adapt_ahead(self, check: Check) -> Adapted | Unsupported | None:
        """Adapt a check before its turn; return None if its position cannot be completed."""
        try:
            adapted = adapt(self.claims, check)
        except CannotSetUp:
            return None
        self._ahead[check.id] = check, adapted
        return adapted

    def adapt(self, check: Check) -> Adapted | Result:
        """Return the request for a check; or its result, unsupported or an error, if nothing is sent."""
        with Guard(check) as guard:
            of, adapted = self._ahead.pop(check.id, (None, None))
            try:
                if adapted is None or of is not check:
                    adapted = adapt(self.claims, check)
            except CannotSetUp as error:
                return Result(check, Status.ERROR, reason=error.message, remedy=error.remedy)
            questions = self.questions_of(check) if isinstance(adapted, Unsupported) else None
            request = as_sent(self.claims, adapted, questions)
            return (
                Result(check, Status.UNSUPPORTED, lacks=request.words) if isinstance(request, Unsupported) else request
            )
        assert guard.broken, "what is not returned is broken"
        return guard.broken

    def questions_of(self, check: Check) -> Adapted | None:
        """Return the questions sent in place of a check; None if there are none."""
        return pose_questions(self.claims, check, self.questions) if check.id in self.questions else None

    def judge(self, request: Adapted, observed: Observations) -> Result:
        """Return the result of a check from its observations, allowing for how the adapter books points and
        declares."""
        check = request.check
        if self.claims.trusted:
            return judge(check, request.plan, observed, trusted=True)
        own = partial_verdict(self.claims, request, observed)
        if own is None:
            return self._judge(request, observed)
        usual = Result(check, Status.PASS)
        if any(own.request.check.branches.values()):
            usual = self._judge(own.request, observed[: len(own.request.steps)])
        if usual.status is not Status.PASS:
            return replace(usual, check=check)
        if own.wrong:
            return Result(check, Status.FAIL, Mismatch(*own.wrong))
        if own.unsupported:
            return Result(check, Status.UNSUPPORTED, lacks=(own.lacks,))
        return replace(usual if own.request is request else Result(check, Status.PASS), partly=(own.lacks,))

    def _judge(self, request: Adapted, observed: Observations) -> Result:
        """Return the result without comparing reasons; compare every other observable with the consensus of
        readings."""
        claims = self.claims.info.claims
        agreed = Consensus(self.claims.suite, request.check, request.plan, deals=DEAL in claims, claims=claims)
        result = judge(request.check, request.plan, observed, trusted=False, agreed=agreed)
        if result.mismatch or result.reading:
            result = self._judge_by_cards(request, observed, agreed, result)
        return self._judge_joint_readings(request, observed, agreed) or result if result.mismatch else result

    def _judge_by_cards(self, request: Adapted, observed: Observations, agreed: Consensus, result: Result) -> Result:
        """Return the result after combinations are identified by their cards, since an engine may have one name for
        two. Add the readings that fit in this way; keep a failure that occurs at the same step either way."""
        by_cards = judged_by_cards(self.claims.suite, request, observed)
        if by_cards is None:
            return result
        check, plan = by_cards.request.check, by_cards.request.plan
        again = judge(check, plan, by_cards.observed, trusted=False, agreed=agreed)
        if result.status is Status.PASS:
            return replace(result, readings=again.readings or result.readings)
        if again.mismatch and result.mismatch and again.mismatch.step == result.mismatch.step:
            return result
        partly = (ANOTHER_NAME,) if by_cards.another_name and again.status is Status.PASS else ()
        return replace(again, check=request.check, partly=partly)

    @staticmethod
    def _judge_joint_readings(request: Adapted, observed: Observations, agreed: Consensus) -> Result | None:
        """Return a pass if the reference does the same under some other readings of the rules at work, taken together;
        None otherwise."""
        if len(observed) < len(request.plan.message["steps"]):
            return None
        joint = agreed.joint
        ways = (way for way in joint.ways(joint.at_work) if agreed.agrees_with(way, request.plan, observed))
        together = tuple(frozenset(way.items()) for way in ways)
        return Result(request.check, Status.PASS, together=together) if together else None


def relabelled(suite: Suite, checks: Iterable[Check], seed: str) -> list[Check]:
    """Return the checks with seats and suits relabelled, and with other deals if there is a seed."""
    turned = map(Relabeller(suite, seed), checks)
    return [deal_by_seed(suite, each) if seed else each for each in turned]


def deal_by_seed(suite: Suite, check: Check) -> Check:
    """Return a relabelled check whose unspecified cards are dealt by its seed, or in the usual order if these cards
    matter."""
    as_usual = replace(check, turned=replace(check.turned, seed=""))
    only = replace(check, branches={check.follows: check.expect})
    try:
        plan = planner_of(suite).request(check)
        result = judge(only, plan, observations(suite.rules.of(check.ruleset), plan.message), trusted=True)
    except (CannotSetUp, Malformed):
        return as_usual
    return check if result.status is Status.PASS else as_usual


def compose_messages(suite: Suite, info: AdapterInfo, checks: Iterable[Check]) -> Iterator[bytes | Result]:
    """Yield, for each check, the line to send to an adapter with this introduction, numbered from 1; or the result that
    gives the reason why nothing is sent."""
    selected, wire = list(checks), Wire(suite.schemas, suite.version)
    checker = Checker.with_questions(Claims(suite, info), selected)
    number = 1
    for check in selected:
        request = checker.adapt(check)
        if isinstance(request, Result):
            yield request
        else:
            yield encode(wire.run(number, request.plan.message))
            number += 1


def claim_everything(suite: Suite) -> AdapterInfo:
    """Return the introduction of an adapter that claims everything and can be set up in any position."""
    return AdapterInfo("", "", "", frozenset(suite.rules.names), suite.capabilities.everything)
