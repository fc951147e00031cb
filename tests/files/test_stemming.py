"""Words and their stems: a word in any form is one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle_conformance.files.stemming import stem, words


@given(st.sampled_from(["trick", "score", "brisque", "marriage", "point"]), st.sampled_from(["", "s", "ed", "ing"]))
def test_the_forms_of_a_word_have_one_stem(word: str, ending: str) -> None:
    form = word.removesuffix("e") + ending if ending.startswith(("e", "i")) else word + ending
    assert stem(form) == stem(word)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Bézique", ["bezique"]),
        ("1,000 points", ["1000", "points"]),
        ("1,5 and 12,3456", ["1", "5", "and", "12", "3456"]),
        ("tricks.without_drawing", ["tricks", "without", "drawing"]),
        ("\x1b[31m", ["31m"]),
        ("", []),
    ],
)
def test_a_text_has_words(text: str, found: list[str]) -> None:
    assert words(text) == found
