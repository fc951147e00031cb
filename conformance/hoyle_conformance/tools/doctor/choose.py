"""Choosing what to ask an adapter: a few runs of what it claims, as `hoyle check` would send them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapt import Putting, plays
from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.protocol.messages import AdapterInfo, encode
from hoyle_conformance.runner.ask_questions import chosen, new_questions
from hoyle_conformance.runner.execute import for_all_that_is_claimed
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

#: So many runs are enough to see how an adapter talks.
RUNS: Final = 4
#: They are chosen from so many checks, taken from the whole of what is claimed; from all, where these hold none.
_SAMPLE: Final = 300


def runs_to_ask(suite: Suite, ready: AdapterInfo) -> list[Mapping[str, Any]]:
    """What a few runs say of all that can be asked of an implementation, all different: the shortest first and the
    longest among them; none where nothing can be."""
    claimed = [suite.checks[each.id] for each in suite.headings.values() if plays(suite, ready, each.ruleset)]
    sample = claimed[:: len(claimed) // _SAMPLE + 1]
    found = list(_bodies(suite, ready, sample)) or list(_bodies(suite, ready, claimed))
    by_length = sorted({encode(each): each for each in found}.items(), key=lambda each: (len(each[0]), each[0]))
    last = len(by_length) - 1
    places = sorted({round(last * place / (RUNS - 1)) for place in range(RUNS)}) if by_length else []
    return [by_length[at][1] for at in places]


def _bodies(suite: Suite, ready: AdapterInfo, checks: Sequence[Check]) -> Iterator[Mapping[str, Any]]:
    """What is sent for each of these checks that can be put to an implementation."""
    putting = Putting(suite, ready)
    questions = new_questions(putting, checks)
    for check in checks:
        try:
            asked = putting(check)
        except CannotSetUp:
            continue  # its position is a matter for 'hoyle validate'
        if isinstance(asked, Unsupported):
            asked = chosen(suite, ready, check, questions) if check.id in questions else asked
        if isinstance(asked, Adapted):
            yield dict(for_all_that_is_claimed(suite, asked.check, asked.plan, ready.claims).message)
