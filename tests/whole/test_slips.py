"""Mistakes that few questions find: each engine fails in these alone."""

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faulty_adapters"))

import slips_through
from faults import ADAPTERS
from in_topics import run_in_topics

from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow

#: All checks of some topics in which an engine fails: no other notices it.
NOTICED: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "stamps-cards-and-cannot-draw": (
        ("declare", "melds", "reuse", "trumps", "seven"),
        ("reuse.a-queen-that-lies-there-while-another-has-just-scored@bezique-britannica",),
    ),
    "carries-out-any-illegal-act-by-any-name": (
        ("irregular",),
        (
            "irregular.a-lead-out-of-turn-is-no-revoke@bezique-britannica",
            "irregular.a-revoke-is-no-lead-out-of-turn@bezique-britannica",
            "irregular.no-draw-is-missed-without-a-stock@bezique-britannica",
            "irregular.piquet-a-lead-out-of-turn-is-no-revoke@piquet-hoyle",
            "irregular.two-cards-drawn-in-turn-are-not-drawn-out-of-turn@bezique-britannica",
            "irregular.two-lifted-before-a-trick-is-won@bezique-britannica",
        ),
    ),
    "takes-a-lead-out-of-turn-for-an-early-draw": (
        ("irregular",),
        ("irregular.the-draws-after-a-lead-out-of-turn@bezique-britannica",),
    ),
    "finds-nine-cards-before-the-play": (
        ("irregular",),
        (
            "irregular.nine-cards-of-the-dealer-before-and-after-the-lead@bezique-britannica",
            "irregular.too-many-cards-claimed-after-the-last-trick@bezique-britannica",
        ),
    ),
    "loses-what-is-kept-with-a-twin": (
        ("to-score",),
        (
            "to-score.kept-when-the-twins-of-its-cards-are-played@bezique-h2g2",
            "to-score.kept-when-the-twins-of-its-cards-are-played-at-four@four-handed-h2g2",
        ),
    ),
    "loses-what-is-kept-with-a-card-of-another": (
        ("to-score",),
        (
            "to-score.kept-when-another-kept-combination-loses-a-card@bezique-h2g2",
            "to-score.kept-when-another-kept-combination-loses-a-card-at-four@four-handed-h2g2",
        ),
    ),
    "forgets-what-is-kept-with-a-twin": (
        ("to-score",),
        ("to-score.the-twins-of-a-kept-marriage-and-then-the-sequence@bezique-bicycle",),
    ),
    "forgets-what-is-kept-with-a-card-of-another": (
        ("to-score",),
        ("to-score.the-sequence-after-a-card-of-a-kept-bezique-is-played@bezique-bicycle",),
    ),
    "scores-what-is-kept-without-its-cards": (
        ("partners", "to-score"),
        (
            "partners.kept-and-then-lost@four-handed-h2g2",
            "to-score.kept-is-lost-with-the-king-and-made-anew@bezique-h2g2",
        ),
    ),
    "keeps-a-marriage-in-its-twin": (
        ("to-score",),
        ("to-score.a-kept-marriage-is-not-that-of-its-twin@bezique-bicycle",),
    ),
    "leaves-a-seven-that-is-exchanged": (
        ("seven",),
        ("seven.exchanged-later-and-no-longer-before-its-player@bezique-hoyle",),
    ),
    "takes-a-point-for-the-better-sequence": (
        ("calling",),
        ("calling.the-better-one-first-after-the-point@piquet-hoyle",),
    ),
    "makes-a-pique-beside-a-repique": (
        ("calling", "pique", "repique"),
        (
            "pique.flat-points-after-a-repique@piquet-saunt-parlett+ten-for-the-last",
            "pique.flat-points-younger-after-a-repique@piquet-saunt-parlett+ten-for-the-last",
        ),
    ),
    "remembers-the-blank-of-the-last-deal": (
        ("blank", "next-deal"),
        ("next-deal.a-blank-in-both-deals@piquet-hoyle", "next-deal.a-blank-must-be-announced-again@piquet-hoyle"),
    ),
}


def test_every_one_of_them_is_here() -> None:
    reported = {"pays-any-sequence-150", "stamps-cards"}  # in full, in reports.yaml
    assert set(slips_through.slips()) == NOTICED.keys() | reported


@pytest.mark.parametrize("name", NOTICED)
def test_an_engine_with_one_mistake_fails_in_these_checks_alone(suite: Suite, name: str) -> None:
    topics, checks = NOTICED[name]
    done = run_in_topics(suite, ADAPTERS[name](), topics)
    assert done.exit is Exit.UNEXPECTED_RESULT
    assert sorted(each.check.id for each in done.failures) == sorted(checks)
