"""Rewrites of a request for an adapter that does not claim everything, or that plays in its own way.

The parts are: rewrites for unclaimed words, and the list of rewrites. `adapt` applies those in `REWRITES` from top to
bottom, each to the result of the one before. If nothing of a check remains, `as_sent` substitutes the questions that
`runner/checker.py` found in it. Finally, `as_sent` applies `SENT_AS`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from hoyle_conformance.checks.combinations import Observed, PartialVerdict, judge_own_declarations
from hoyle_conformance.checks.group_acts import (
    WITH_THE_DECLARATION,
    declare_as_sets,
    declares_once_a_trick,
    drawn,
    group_draws,
)
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import (
    Adapted,
    Claims,
    Prelude,
    RequestSteps,
    RunRequest,
    Step,
    Unsupported,
    observing,
    under_the_name,
)
from hoyle_conformance.checks.setup.trace import StandaloneKeys, observation_before, observations
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.suite.capabilities import (
    IRREGULAR_ACTS,
    IRREGULAR_FIELDS,
    LEGAL_ACTS,
    Capabilities,
    observed_as,
    refusal_of,
)
from hoyle_conformance.suite.model import Check, Expectation, Expected, Reading
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import CHANCE, Game, Phase, Rules, read_act, read_position, write_act
from hoyle_reference.acts import by
from hoyle_reference.table import FIELDS

# ---- unclaimed acts, questions, refusals and observables
#
# Questions and refused acts change nothing, so the rest of a check is valid without those that an adapter does not
# claim. The same is true of observations. An adapter that cannot be set up in a position is led to it from a deal. An
# adapter may book points when the trick is complete or when the deal is over. Until then it leaves the score out, but
# if it reports a score, this must include all points made.


#: The missing capability of an adapter that can neither be set up in a position nor play a prelude to it.
POSITION: Final = "any position"
#: The missing capability of an adapter that has booked nothing by the end of a check.
AT_ONCE: Final = "the score at once"
#: The expected reason for refusing an irregular act; it is not compared.
_REASON: Final = "not-now"
#: The observables that may be undefined, and those of them that may be undefined in any phase, not only while a player
#: chooses.
MAY_MEAN_NOTHING: Final = frozenset({"turn", "choices", "dealer"})
_IN_ANY_PHASE: Final = frozenset({"turn", "choices"})
#: The phases before any card is dealt.
_BEFORE_THE_DEAL: Final = frozenset({"cut", "choose", "deal"})
_SCORE: Final = frozenset({"scores", "total"})
#: The phases in which all points must have been booked.
_BOOKED: Final = frozenset({Phase.DEAL, Phase.OVER})
_OF_ANY_GAME: Final = frozenset(each.name for each in FIELDS)


def expect_refusals(request: Adapted, claims: Claims) -> Adapted:
    """Cut a check after its first irregular act, and expect an adapter that supports no irregular acts to refuse it.

    The check is unchanged if the act cannot be written as a regular one (such as drawing more than one card), or if
    some reading accepts it.
    """
    steps, check = request.steps, request.check
    at = next((at for at, step in enumerate(steps) if "irregular" in step), None)
    if IRREGULAR_ACTS not in request.plan.needs - claims.info.claims or at is None or "count" in steps[at]:
        return request
    last = next(number for number, end in enumerate(request.plan.ends, start=1) if at < end)
    refused = any("refused" in expected.get(last, {}) for expected in check.branches.values())
    if refused or not IRREGULAR_FIELDS.isdisjoint(check.scenario.given):
        return request  # some reading accepts the act
    rest = request.cut_after(last)
    rest = rest.sending([*steps[:at], {key: value for key, value in steps[at].items() if key != "irregular"}])
    branches = {name: {**expected, last: {"refused": _REASON}} for name, expected in rest.check.branches.items()}
    return _with_needs(rest.expecting(branches), claims)


def _with_needs(request: Adapted, claims: Claims) -> Adapted:
    return replace(request, plan=replace(request.plan, needs=request.needs(claims.suite.capabilities)))


def drop_unclaimed(request: Adapted, claims: Claims) -> Adapted | Unsupported:
    """Drop the questions, refusals and observations that are not claimed; and everything after the last expectation, if
    it needs more claims."""
    never_refused = {"refuse-declare"} if claims.info.declares == "by-itself" else set()
    words = claims.info.claims - never_refused
    unclaimed = request.plan.needs - words
    if not unclaimed:
        return request
    silent = frozenset(_unclaimed_places(request, words, claims.suite.capabilities))
    rest = request.without(silent).revised(
        lambda _, each: {key: value for key, value in each.items() if observed_as(key) in {None, *words}}
    )
    numbers = [number for expected in rest.check.branches.values() for number in expected]
    if numbers and not rest.needs(claims.suite.capabilities) <= words:
        rest = rest.cut_after(max(numbers))
    rest = _with_needs(rest, claims)
    lacks = tuple(sorted(unclaimed))
    return replace(rest, partly=lacks) if numbers and rest.plan.needs <= words else Unsupported(lacks)


def _unclaimed_places(request: Adapted, words: frozenset[str], capabilities: Capabilities) -> Iterator[int]:
    """Yield the indexes of unclaimed steps that change nothing: questions, and acts that every branch refuses."""
    refused = request.refused_in(all)
    for step, end in zip(request.check.scenario.steps, request.plan.ends, strict=False):
        if "ask" in step:
            if capabilities.word(step) not in words:
                yield end - 1
        elif end - 1 in refused and refusal_of(step) not in words:
            yield end - 1


def drop_turns(request: Adapted, claims: Claims) -> Adapted | Unsupported:
    """Drop expectations about the turn where no claimed act can follow.

    If no claimed act leads through a phase, the engine does not have that phase. Nobody's turn in it is then defined,
    nor is the dealer while the dealer is to be chosen.
    """
    capabilities, message, lacks = claims.suite.capabilities, request.plan.message, set[str]()
    if capabilities.acts <= claims.info.claims:
        return request

    @cache
    def at(number: int) -> tuple[frozenset[str], frozenset[str]]:
        end = request.plan.ends[number - 1]
        return meaningless(capabilities, claims.info.claims, claims.rules(request), message, end)

    def meaning(number: int, expected: Expectation) -> Expectation:
        if MAY_MEAN_NOTHING.isdisjoint(expected):
            return expected
        keys, words = at(number)
        lacks.update(() if keys.isdisjoint(expected) else words)
        return {key: value for key, value in expected.items() if key not in keys}

    rest = request.revised(meaning)
    if not lacks:
        return request
    return rest if any(rest.check.branches.values()) else Unsupported(tuple(sorted(lacks)))


def meaningless(
    capabilities: Capabilities, words: frozenset[str], rules: Rules, message: Mapping[str, Any], end: int
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the observables that are undefined after this many steps of a message, because no act that can follow is
    claimed; and the words of these acts."""
    game = Game(read_position(rules, message["position"]))
    for step in (*message.get("prelude", ()), *message["steps"][:end]):
        if "do" in step:
            game.attempt(read_act(rules, step))
    phase = game.table.phase
    if phase in CHANCE:
        on = {str(phase)}
    else:  # none once the game is over
        firsts = (next((act for act in part if by(act) == game.table.turn), None) for part in game.legal_actions.parts)
        on = {capabilities.word(write_act(act)) for act in firsts if act is not None}
    if not on or not on.isdisjoint(words):
        return frozenset(), frozenset()
    return (MAY_MEAN_NOTHING if phase is Phase.CHOOSE else _IN_ANY_PHASE), frozenset(on)


def lead_to_position(request: Adapted, claims: Claims) -> Adapted | Unsupported:
    """Lead an adapter by a prelude to a position in which it cannot be set up; or add the data that standalone
    questions need."""
    keys, rules = StandaloneKeys(claims.suite.schemas), claims.rules(request)
    if all(keys.can_stand_alone(rules, step) for step in request.steps):
        return request
    if claims.info.position != "none":
        return _from_deal(request, claims)
    if any("do" in step for step in request.steps):
        return Unsupported((POSITION,))
    position = request.plan.message["position"]
    asked = [keys.complete_if_alone(rules, step, position) for step in request.steps]
    rest = request.sending(each or step for each, step in zip(asked, request.steps, strict=True))
    rest = rest.without([at for at, each in enumerate(asked) if each is None])
    return rest if any(rest.check.branches.values()) else Unsupported((POSITION,))


def _from_deal(request: Adapted, claims: Claims) -> Adapted | Unsupported:
    """Begin a check with a deal and the acts that lead to its position, if the adapter claims all these acts."""
    from hoyle_conformance.checks.preludes.store import prelude_of  # imports all modules of preludes

    whole_games, position = claims.info.position == "deal", request.plan.message["position"]
    if position["phase"] in _BEFORE_THE_DEAL and "hands" not in position:
        return request if not whole_games or is_new(position) else Unsupported((POSITION,))
    prelude = (claims.preludes or prelude_of)(claims.suite, request.check)
    if not isinstance(prelude, Prelude) or prelude.rests_on or (whole_games and not prelude.from_new_game):
        return Unsupported((POSITION,))
    begins, acts = (prelude.before, (prelude.deal, *prelude.acts)) if whole_games else (prelude.start, prelude.acts)
    sent = _prelude_as_sent(request, claims, begins, acts)
    if sent is None:
        return Unsupported((POSITION,))
    # An adapter that begins with a pack can make the deal from that pack without claiming it.
    if lacks := {claims.suite.capabilities.word(act) for act in acts} - claims.info.claims - {whole_games and "deal"}:
        return Unsupported(tuple(sorted(lacks)))
    course = request.plan.reference_steps
    whole = {**course.message, "position": begins, "steps": [*acts, *course.message["steps"]]}
    course = RequestSteps(whole, tuple(len(acts) + each for each in course.at), prelude.reached)
    message = {**request.plan.message, "position": begins, "prelude": sent}
    return replace(request, plan=replace(request.plan, message=message, course=course))


def is_new(position: Mapping[str, Any]) -> bool:
    """Return whether a position is the beginning of a game: nobody has scored, and nothing has been dealt."""
    return not any(position["score"].values()) and not position.get("deals")


def _prelude_as_sent(
    request: Adapted, claims: Claims, begins: Mapping[str, Any], acts: Sequence[Step]
) -> list[Step] | None:
    """Return the acts of a prelude in the form that the adapter takes; None if they cannot lead it to the position."""
    info = claims.info
    declares = any(act["do"] == "declare" for act in acts)
    if declares and (info.declares, info.declarations) != ("as-asked", "one-by-one"):
        return None
    if info.draws == WITH_THE_DECLARATION and not declares_once_a_trick(claims.rules(request), begins, acts):
        return None
    groups = drawn(acts, len(request.plan.seats), info.draws)
    return None if groups is None else [group.step for group in groups]


def book_later(request: Adapted, claims: Claims) -> Adapted:
    """Expect the whole score, whenever it is reported, from the first step for which a check expects points."""
    first = _first(request, _SCORE)
    readings = {each.name: each for each in request.check.readings}
    seen = {name: _reference_scores(claims, request, readings.get(name)) for name in request.check.branches}
    totals = {name: _totals(request, each, seen[name], first) for name, each in request.check.branches.items()}
    unbooked = (
        at for at in range(len(request.steps)) if any(each[at].get("phase") not in _BOOKED for each in seen.values())
    )
    rest = request.expecting(totals)
    return replace(rest, plan=replace(rest.plan, unbooked=frozenset(unbooked)))


def _first(request: Adapted, keys: frozenset[str]) -> int:
    """Return the number, from 1, of the first step with an expectation under one of these keys; 0 if there is none."""
    expected = (each for branch in request.check.branches.values() for each in branch.items())
    return min((number for number, each in expected if not keys.isdisjoint(each)), default=0)


def _reference_scores(claims: Claims, request: Adapted, reading: Reading | None) -> Sequence[Mapping[str, Any]]:
    """Return the phase and the score after each sent step, as the reference observes them under a reading."""
    course, check = request.plan.reference_steps, request.check
    cells = reading.cells if reading and check.follows else None
    shown = observations(claims.suite.rules.of(check.ruleset, cells), {**course.message, "observe": ["phase", "score"]})
    return [shown[at] for at in course.at]


def _totals(request: Adapted, expected: Expected, seen: Sequence[Mapping[str, Any]], first: int) -> Expected:
    """Replace the points of each step by the whole score after it."""
    totals: dict[int, Any] = {}
    for number, end in enumerate(request.plan.ends, start=1):
        each = {key: value for key, value in expected.get(number, {}).items() if key not in _SCORE}
        sent = end > request.plan.start(number) and "score" in seen[end - 1]
        if 0 < first <= number and sent and "refused" not in each:
            each["total"] = seen[end - 1]["score"]
        if each:
            totals[number] = each
    return totals


def judge_booked(request: Adapted, _claims: Claims, observed: Observed) -> PartialVerdict | None:
    """Return a verdict that leaves out points if points were expected and no score was reported by the end."""
    first = _first(request, frozenset({"total"}))
    if not first or any("score" in each for each in observed[request.plan.start(first) :]):
        return None
    expected = (each for branch in request.check.branches.values() for each in branch.values())
    lacks_all = all(each.keys() == {"total"} for each in expected)
    return PartialVerdict(request, AT_ONCE, unsupported=lacks_all)


def leave_declarations_open(request: Adapted, _claims: Claims) -> Adapted:
    """Leave the choice of declarations to the adapter; there is no choice within a class declared as a set."""
    steps = (
        {key: step[key] for key in ("by", "do", "then") if key in step}
        if step.get("do") == "declare" and "melds" not in step
        else step
        for step in request.steps
    )
    return request.sending(steps, course=request.plan.reference_steps)


def observe_all_claimed(suite: Suite, check: Check, plan: RunRequest, words: frozenset[str]) -> RunRequest:
    """Return the request with every observable that is claimed and that the game has; the number of legal acts is
    observed only in whole games."""
    claimed = (words & suite.capabilities.observables) - {LEGAL_ACTS}
    observe = {*plan.message["observe"], *(claimed - not_in_the_game(suite.rules.of(check.ruleset)))}
    return replace(plan, message=observing(plan.message, sorted(observe)))


def not_in_the_game(rules: Rules) -> frozenset[str]:
    """Return the fields that no position of this game has."""
    return _OF_ANY_GAME.difference(each.name for each in rules.fields)


def observe_more(request: Adapted, claims: Claims) -> Adapted:
    """Observe everything that is claimed, unless the adapter is trusted."""
    if claims.trusted:
        return request
    plan = observe_all_claimed(claims.suite, request.check, request.plan, claims.info.claims)
    return replace(request, plan=plan)


def refuse_with_errors(request: Adapted, claims: Claims) -> Adapted:
    """Read an error in an act as a refusal, which leaves every observation as it was."""
    plan = request.plan
    before = observation_before(claims.rules(request), {"position": plan.position}, plan.message["observe"])
    return replace(request, plan=replace(plan, before=before))


def list_one_of_each(request: Adapted, _claims: Claims) -> Adapted:
    """Let the adapter list one choice of cards for each combination."""
    return replace(request, plan=replace(request.plan, one_of_each=True))


def claimed_name(suite: Suite, info: AdapterInfo, ruleset: str) -> str:
    """Return the name under which a claimed ruleset is sent; for house rules, this may be the ruleset that they extend,
    or the one that they name to send."""
    return ruleset if ruleset in info.rulesets else suite.rules.claimable_names(ruleset)[1]


def use_claimed_name(request: Adapted, claims: Claims) -> Adapted:
    """Send the ruleset under the name that is claimed."""
    message = under_the_name(request.plan.message, claimed_name(claims.suite, claims.info, request.check.ruleset))
    return replace(request, plan=replace(request.plan, message=message))


# ---- the list of rewrites


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewrite of requests.

    It has a name; the `claim` in the introduction that it applies to, as `key: value, value`, or empty if it may apply
    to any adapter; and the function that rewrites a request. `engine` and `test` name an engine of the tests that needs
    it, and that test. `judge` judges the response if it is not judged as usual.
    """

    name: str
    claim: str
    rewrite: Callable[[Adapted, Claims], Adapted | Unsupported]
    engine: str
    test: str
    judge: Callable[[Adapted, Claims, Observed], PartialVerdict | None] | None = None

    def applies(self, info: AdapterInfo) -> bool:
        """Return whether the rewrite applies to an adapter with this introduction."""
        key, _, values = self.claim.partition(": ")
        return not key or getattr(info, key) in values.split(", ")


_LAWS, _KINDS, _ODD = "checks/test_rewrites.py", "whole/test_engine_kinds.py", "whole/test_odd_engines.py"
_CHECKER = "runner/test_checker.py"

#: The rewrites in the order in which they are applied, each to the result of the one before.
REWRITES: Final = (
    Rewrite("expect a refusal of what is irregular", "", expect_refusals, "carries-out-nothing-irregular", _LAWS),
    Rewrite("drop what is not claimed", "", drop_unclaimed, "keeps-the-score", _LAWS),
    Rewrite("drop turns that mean nothing", "", drop_turns, "has-no-phase-for-choosing-or-answering", _ODD),
    Rewrite("declare a class as a set", "declarations: as-a-set", declare_as_sets, "declares-in-one-go", _LAWS),
    Rewrite("draw together", "draws: together, with-the-declaration", group_draws, "draws-in-every-declaration", _ODD),
    Rewrite("lead to the position", "position: from-deal, deal, none", lead_to_position, "plays-in-one-loop", _KINDS),
    Rewrite("book late", "score: later", book_later, "books-points-when-the-trick-is-complete", _CHECKER, judge_booked),
    Rewrite(
        "leave declarations open",
        "declares: by-itself",
        leave_declarations_open,
        "declares-by-itself",
        "checks/test_combinations.py",
        judge_own_declarations,
    ),
)
#: The rewrites applied after those, including to questions that replace a check.
SENT_AS: Final = (
    Rewrite("observe all that is claimed", "", observe_more, "keeps-the-score", _CHECKER),
    Rewrite("refuse with errors", "refuses: with-errors", refuse_with_errors, "raises-what-it-refuses", _ODD),
    Rewrite("list one of each", "lists: one-of-each", list_one_of_each, "finds-one-of-each-combination", _ODD),
    Rewrite("use the claimed name", "", use_claimed_name, "", "tools/test_house_rules.py"),
)


def adapt(claims: Claims, check: Check) -> Adapted | Unsupported:
    """Return a check rewritten for an adapter, or the words that the adapter lacks for it.

    Raises CannotSetUp if the position cannot be completed.
    """
    if not claims.plays(check.ruleset):
        return Unsupported((f"ruleset {' or '.join(claims.suite.rules.claimable_names(check.ruleset))}",))
    return _through(REWRITES, claims, Adapted(check, planner_of(claims.suite).request(check)))


def as_sent(claims: Claims, adapted: Adapted | Unsupported, questions: Adapted | None) -> Adapted | Unsupported:
    """Return a check as it is sent: rewritten, or replaced by questions if it is unsupported."""
    if isinstance(adapted, Unsupported) and questions:
        adapted = replace(questions, partly=adapted.words)
    return _through(SENT_AS, claims, adapted)


def _through(rewrites: Sequence[Rewrite], claims: Claims, request: Adapted | Unsupported) -> Adapted | Unsupported:
    for each in rewrites:
        if isinstance(request, Adapted) and each.applies(claims.info):
            request = each.rewrite(request, claims)
    return request


def partial_verdict(claims: Claims, request: Adapted, observed: Observed) -> PartialVerdict | None:
    """Return the verdict of the last rewrite that judges responses itself; None if the response is judged as usual."""
    own = [each.judge for each in REWRITES if each.judge and each.applies(claims.info)]
    return own[-1](request, claims, observed) if own else None
