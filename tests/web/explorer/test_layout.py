"""Layouts and their links: each link opens for ever, and any other text is refused in words."""

import json
import zlib
from base64 import urlsafe_b64encode
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.engine import Engine
from hoyle_conformance.web.explorer.layout import LONGEST, Wrong, link_of, open_link, pack

#: Links that have been given away: each must open for ever.
GIVEN_AWAY = json.loads((ROOT / "tests/table/links.json").read_text("utf-8"))

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text("abKS#", max_size=4), some, max_size=4),
    max_leaves=12,
)
MAPPINGS = st.dictionaries(st.text("abcKS_#2", max_size=4), VALUES, max_size=4)
LAYOUTS = st.fixed_dictionaries(
    {
        "v": st.just(1),
        "rulesets": st.lists(st.text("abz-+", max_size=8), min_size=1, max_size=4),
        "given": MAPPINGS,
        "steps": st.lists(MAPPINGS, max_size=3),
    },
    optional={
        "drawn_by": st.text("ab", min_size=1),
        "readings": st.dictionaries(TEXT, st.dictionaries(TEXT, TEXT), min_size=1, max_size=2),
        "house": st.fixed_dictionaries({"extends": TEXT, "rules": MAPPINGS}),
        "title": st.just("Würden K♠ 😀?"),
    },
)


@pytest.mark.slow
@given(LAYOUTS, st.none() | st.integers(0, 9))
def test_a_link_holds_its_layout(layout: dict[str, Any], at: int | None) -> None:
    shown = {} if at is None else {"at": at}
    assert open_link(f"https://example.org/table.html#{link_of(layout, at)}") == layout | shown


@pytest.mark.parametrize("each", GIVEN_AWAY)
def test_links_open_for_ever(each: dict[str, Any]) -> None:
    assert open_link(each["link"]) == each["layout"]


def packed(data: bytes) -> str:
    deflated = zlib.compress(data, 9, -15)
    return f"1.{urlsafe_b64encode(deflated).decode().rstrip('=')}"


SMALL = {"v": 1, "rulesets": ["a"], "given": {}, "steps": []}
WHOLE = link_of(SMALL)
NO_POSITION = "its content is not a position"
DAMAGED = "a part of it is missing or changed"
HOSTILE = {
    "nothing": ("", "it does not begin as it should"),
    "no version": (WHOLE[2:], "it does not begin as it should"),
    "a part of it": (WHOLE[:-6], DAMAGED),
    "one character": ("1.A", DAMAGED),
    "not packed": ("1.AAAA", DAMAGED),
    "too long": (f"1.{'A' * LONGEST}", "it is too long"),
    "a bomb": (packed(b" " * 20_000_000), "its content is too large"),
    "no JSON": (packed(b"{"), NO_POSITION),
    "no UTF-8": (packed(b'{"v":1,"rulesets":["\xff"],"given":{},"steps":[]}'), NO_POSITION),
    "very deep": (packed(b"[" * 60_000), NO_POSITION),
    "deep": (pack({**SMALL, "given": {"a": [[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}}), NO_POSITION),
    "another key": (pack({**SMALL, "x": 1}), NO_POSITION),
    "a key missing": (packed(b'{"v":1,"rulesets":["a"],"given":{}}'), NO_POSITION),
    "true for a step": (pack({**SMALL, "at": True}), NO_POSITION),
    "true for 1": (pack({**SMALL, "v": True}), NO_POSITION),
    "a great number": (pack({**SMALL, "given": {"deal": 10**400}}), NO_POSITION),
    "no number": (packed(b'{"v":1,"rulesets":["a"],"given":{"deal":NaN},"steps":[]}'), NO_POSITION),
    "half a pair": (packed(b'{"v":1,"rulesets":["a"],"given":{"a":"\\ud800"},"steps":[]}'), NO_POSITION),
    "a prototype": (packed(b'{"v":1,"rulesets":["a"],"given":{"__proto__":{"x":1}},"steps":[]}'), NO_POSITION),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_link_is_refused_in_words(what: str) -> None:
    link, why = HOSTILE[what]
    with pytest.raises(Wrong) as wrong:
        open_link(link)
    assert wrong.value.says == f"This link cannot be opened: {why}."
    assert wrong.value.remedy


def test_a_link_of_another_version_is_refused_in_words() -> None:
    with pytest.raises(Wrong, match="another version of the table"):
        open_link(f"2{WHOLE[1:]}")


@given(st.text(max_size=40) | st.binary(max_size=60).map(packed))
def test_any_link_is_read_or_refused(text: str) -> None:
    with suppress(Wrong):
        open_link(text)


def test_a_layout_that_is_too_large_has_no_link() -> None:
    with pytest.raises(Wrong, match="too large for a link"):
        link_of({**SMALL, "given": {"a": list(range(99_999))}})


def test_an_answer_has_the_link_that_opens_it(suite: Suite) -> None:
    engine = Engine(suite)
    layout = engine.ask({"ask": "position", "id": "to-score.the-example"})["layout"]
    link = engine.ask({"ask": "answer", "layout": layout})["link"]
    assert engine.ask({"ask": "open", "link": f"https://example.org/#{link}"}) == {"layout": layout}
    link = engine.ask({"ask": "answer", "layout": layout, "at": 1})["link"]
    assert engine.ask({"ask": "open", "link": link}) == {"layout": layout, "at": 1}
