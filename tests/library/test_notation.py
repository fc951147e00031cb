from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hoyle
from hoyle._notation import DEEPEST, LONGEST, Reader, read_json, write_value

#: JSON values, and their text.
VALUES: list[tuple[Any, str]] = [
    (None, "-"),
    (True, "yes"),
    (0, "0"),
    (-40, "-40"),
    ("7S#2", "7S#2"),
    ("", '""'),
    ("49", '"49"'),
    ("yes", '"yes"'),
    ("two words; and\nmore", '"two words; and\\nmore"'),
    (["KS", "7S#2", "7S"], "[KS7S#27S]"),
    ([None, 1, True], "[-,1,yes]"),
    ({"A": ["KS"], "B": []}, "{A:[KS],B:[]}"),
]


@pytest.mark.parametrize(("value", "text"), VALUES, ids=[text for _, text in VALUES])
def test_value_is_written_and_read(value: Any, text: str) -> None:
    assert write_value(value) == text
    reader = Reader(text)
    assert reader.value() == value
    assert reader.is_done


keys = st.from_regex(r"[A-Za-z_]{1,8}", fullmatch=True)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**17), 10**17), st.text(), st.sampled_from(["KS", "7S#2"])),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=6,
)


@given(value=values)
def test_any_value_is_one_line_that_is_read_as_the_same(value: Any) -> None:
    text = write_value(value)
    assert len(text.splitlines()) == 1
    reader = Reader(text)
    assert reader.value() == value
    assert reader.is_done


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a value is expected, not the end"),
        ("[KS", "',' is expected, not the end"),
        ("{A:1,A:2}", "'A' appears twice"),
        ('"\\q"', "it is not valid JSON"),
        ("9999999999999999999", "'9999999999999999999' is no value"),
        ("[" * (DEEPEST + 2), "nested too deeply"),
    ],
)
def test_text_that_is_no_value(text: str, said: str) -> None:
    with pytest.raises(hoyle.NotationError) as caught:
        Reader(text).value()
    assert said in str(caught.value)


def test_place_of_a_mistake_is_a_character() -> None:
    with pytest.raises(hoyle.NotationError) as caught:
        Reader("{A:[KS],B:}").value()
    assert caught.value.place == "character 11"
    assert caught.value.code == "bad-text"


@pytest.mark.parametrize("text", [None, 3, b"KS", ["KS"]])
def test_only_a_text_is_read(text: object) -> None:
    with pytest.raises(hoyle.NotationError, match="a text is needed"):
        Reader(text)


def test_text_has_a_limit() -> None:
    with pytest.raises(hoyle.NotationError, match="longer than 4,000,000 characters"):
        Reader(" " * (LONGEST + 1))
    with pytest.raises(hoyle.NotationError, match="longer than 4,000,000 characters"):
        read_json(" " * (LONGEST + 1), "it")


@pytest.mark.parametrize("data", ['{"A": 1}', b'{"A": 1}', bytearray(b'{"A": 1}'), {"A": 1}])
def test_json_is_text_bytes_or_data(data: object) -> None:
    assert read_json(data, "it") == {"A": 1}


def test_data_is_copied() -> None:
    data = {"A": [1]}
    read = read_json(data, "it")
    read["A"].append(2)
    assert data == {"A": [1]}
    assert read_json((1, MappingProxyType(data)), "it") == [1, {"A": [1]}]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("{", "it is not valid JSON"),
        ('{"A": 1, "A": 2}', "a key appears twice"),
        ("[NaN]", "NaN is not a number"),
        (b"\xff", "it is not valid JSON"),
        ("1" * 5000, "a number is too great"),
        ("[" * 100_000, "nested too deeply"),
        (object(), "it is not valid JSON: 'object' object is not iterable"),
    ],
    ids=range(7),
)
def test_what_is_no_json(data: object, said: str) -> None:
    with pytest.raises(hoyle.NotationError) as caught:
        read_json(data, "the place")
    assert said in str(caught.value)
    assert caught.value.place == "the place"
    assert caught.value.code == "bad-json"
