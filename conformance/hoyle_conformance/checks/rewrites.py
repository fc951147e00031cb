"""The rewrites of a request for an adapter that does not claim everything, or that plays in a way of its own.

`REWRITES` is the list: `adapt` applies them from top to bottom, each to what the one before has returned. If nothing is
left of a check, `as_sent` takes the questions that `runner/checker.py` has found in it. `SENT_AS` comes last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hoyle_conformance.checks.claimed import (
    book_later,
    drop_turns,
    drop_unclaimed,
    expect_refusals,
    judge_booked,
    lead_to_position,
    leave_declarations_open,
    observe_more,
    use_claimed_name,
)
from hoyle_conformance.checks.combinations import Observed, PartialVerdict, judge_own_declarations
from hoyle_conformance.checks.group_acts import declare_as_sets, group_draws
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import Adapted, Claims, Unsupported
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.suite.model import Check


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewrite: its name; the claims with which it applies, as `key: value, value` of the introduction, empty if it
    may apply to any adapter; what it returns for a request; an engine of the tests that needs it, and the test; and how
    it judges the response, if not as usual."""

    name: str
    claim: str
    rewrite: Callable[[Adapted, Claims], Adapted | Unsupported]
    engine: str
    test: str
    judge: Callable[[Adapted, Claims, Observed], PartialVerdict | None] | None = None

    def applies(self, info: AdapterInfo) -> bool:
        """Whether it applies to an adapter with this introduction."""
        key, _, values = self.claim.partition(": ")
        return not key or getattr(info, key) in values.split(", ")


_LAWS, _KINDS, _ODD = "checks/test_rewrites.py", "whole/test_engine_kinds.py", "whole/test_odd_engines.py"

#: Applied in this order: each takes what the one before has made of a check.
REWRITES: Final = (
    Rewrite("expect a refusal of what is irregular", "", expect_refusals, "carries-out-nothing-irregular", _LAWS),
    Rewrite("drop what is not claimed", "", drop_unclaimed, "keeps-the-score", _LAWS),
    Rewrite("drop turns that mean nothing", "", drop_turns, "has-no-phase-for-choosing-or-answering", _ODD),
    Rewrite("declare a class as a set", "declarations: as-a-set", declare_as_sets, "declares-in-one-go", _LAWS),
    Rewrite("draw together", "draws: together, with-the-declaration", group_draws, "draws-in-every-declaration", _ODD),
    Rewrite("lead to the position", "position: from-deal, deal, none", lead_to_position, "plays-in-one-loop", _KINDS),
    Rewrite(
        "expect the score later",
        "score: later",
        book_later,
        "books-points-when-the-trick-is-complete",
        "runner/test_checker.py",
        judge_booked,
    ),
    Rewrite(
        "leave declarations open",
        "declares: by-itself",
        leave_declarations_open,
        "declares-by-itself",
        "checks/test_combinations.py",
        judge_own_declarations,
    ),
)
#: Applied after those, also to the questions that are sent in place of a check.
SENT_AS: Final = (
    Rewrite("observe all that is claimed", "", observe_more, "keeps-the-score", "runner/test_checker.py"),
    Rewrite("use the claimed name", "", use_claimed_name, "", "tools/house_rules/test_house_rules.py"),
)


def adapt(claims: Claims, check: Check) -> Adapted | Unsupported:
    """Return a check rewritten for an adapter, or what the adapter lacks for it.

    Raises CannotSetUp if the position cannot be completed.
    """
    if not claims.plays(check.ruleset):
        return Unsupported((f"ruleset {' or '.join(claims.suite.rules.claimable_names(check.ruleset))}",))
    return _through(REWRITES, claims, Adapted(check, planner_of(claims.suite).request(check)))


def as_sent(claims: Claims, adapted: Adapted | Unsupported, questions: Adapted | None) -> Adapted | Unsupported:
    """Return a rewritten check, or the questions in place of one that is unsupported, as it is sent."""
    if isinstance(adapted, Unsupported) and questions:
        adapted = replace(questions, partly=adapted.words)
    return _through(SENT_AS, claims, adapted)


def _through(rewrites: Sequence[Rewrite], claims: Claims, request: Adapted | Unsupported) -> Adapted | Unsupported:
    for each in rewrites:
        if isinstance(request, Adapted) and each.applies(claims.info):
            request = each.rewrite(request, claims)
    return request


def partial_verdict(claims: Claims, request: Adapted, observed: Observed) -> PartialVerdict | None:
    """Return what the last rewrite with a judgement of its own says of a response; None if it is judged as usual."""
    own = [each.judge for each in REWRITES if each.judge and each.applies(claims.info)]
    return own[-1](request, claims, observed) if own else None
