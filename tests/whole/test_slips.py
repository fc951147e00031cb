"""Mistakes that few questions find: each engine fails, and the report says what it does."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faulty_adapters"))

import slips_through
from faults import ADAPTERS
from in_topics import run_in_topics

from hoyle_conformance.reports.failure import FailureContext, failure_view
from hoyle_conformance.runner.results import Exit, Failure, Run
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.failure_view import failure_lines

pytestmark = pytest.mark.slow

#: The checks in which each engine must fail, and what the report must show of the first of them.
SLIPS: Mapping[str, tuple[tuple[str, ...], tuple[str, str, str]]] = {
    "pays-any-sequence-150": (
        ("melds.a-name-that-another-book-has@bezique-hoyle",),
        ("score as plain-sequence", "no such combination", "150 points"),
    ),
    "loses-a-second-sequence-in-a-suit": (
        ("sequence.elder-scores-the-lesser-too@piquet-saunt-parlett", "sinking.lesser-sequences@piquet-saunt-parlett"),
        ("What does each score before the play", "17", "13"),
    ),
    "stamps-cards": (
        ("reuse.a-queen-that-lies-there-while-another-scores@bezique-hoyle",),
        ("bézique", "accepted", "refused"),
    ),
}
#: The topics of the checks that each is held against.
TOPICS: Mapping[str, tuple[str, ...]] = {
    "pays-any-sequence-150": ("melds", "declare"),
    "loses-a-second-sequence-in-a-suit": ("sequence", "sinking", "calling"),
    "stamps-cards": ("reuse",),
}


def held(suite: Suite, name: str) -> Run:
    """An engine that is run against every check of its topics."""
    return run_in_topics(suite, ADAPTERS[name](), TOPICS[name])


def test_every_one_of_them_is_here() -> None:
    assert set(slips_through.slips()) == SLIPS.keys()


@pytest.mark.parametrize("name", SLIPS)
def test_an_engine_with_one_mistake_fails_with_a_clear_message(suite: Suite, name: str) -> None:
    names, said = SLIPS[name]
    done = held(suite, name)
    assert done.exit is Exit.UNEXPECTED_RESULT
    failed = {each.check.id: each for each in done.failures}
    assert set(names) <= failed.keys()
    first = failed[names[0]]
    assert first.mismatch
    context = FailureContext(suite, name, ["hoyle"], ["x"])
    lines = "\n".join(failure_lines(failure_view(context, Failure(first, first.mismatch))))
    assert all(each in lines for each in said), lines
