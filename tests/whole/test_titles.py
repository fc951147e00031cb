"""Scenario titles: short enough for a line of a list, and distinct within a topic."""

from collections import Counter

import pytest

from conftest import ROOT
from hoyle_conformance.suite.suite import Suite

#: The longest title, in characters.
LONGEST = 70
TOPICS = sorted(path.name for path in (ROOT / "spec/scenarios").iterdir())


@pytest.fixture(params=TOPICS)
def titles(suite: Suite, request: pytest.FixtureRequest) -> dict[str, str]:
    """The titles of a topic by the ids of their scenarios."""
    return {name: each.title for name, each in suite.scenarios.items() if name.split(".")[0] == request.param}


def test_titles_are_short(titles: dict[str, str]) -> None:
    assert {name: len(title) for name, title in titles.items() if len(title) > LONGEST} == {}


def test_titles_differ_within_a_topic(titles: dict[str, str]) -> None:
    assert [title for title, times in Counter(titles.values()).items() if times > 1] == []


def test_titles_end_without_a_full_stop(titles: dict[str, str]) -> None:
    assert [name for name, title in titles.items() if title.endswith(".")] == []
