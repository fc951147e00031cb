"""What is taken away from the table: a file that proposes and proves nothing, and a link that opens for ever."""

from hypothesis import example, given
from hypothesis import strategies as st

from hoyle_conformance.drafts import layout
from hoyle_conformance.files.characters import UNSEEN
from hoyle_conformance.files.yaml_text import load

#: Text of the kind that breaks what writes YAML.
AWKWARD = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.text("aA0159.,:;#-?!&*[]{}|>'\"%@`~=_ \t\n+eExXoOTZ/\\é😀\u2028\u3164\ufeff\x85\x00", max_size=10),
    st.from_regex(r"[0-9]{1,4}([-:., ][0-9A-Za-z]{1,3}){0,4}", fullmatch=True),
    st.sampled_from(["null", "True", "~", "no", "...", "---", "1e5", "0x1F", "12:30", "7S", "<<", "=", "a: b", "a #b"]),
).filter(lambda text: not UNSEEN.search(text))  # which no file may hold


@given(AWKWARD)
@example("- a")
@example("a:")
def test_text_is_read_as_it_was_written(text: str) -> None:
    assert load(f"x: {layout.flow({'a': text, 'b': [text, text]})}", "").data == {"x": {"a": text, "b": [text, text]}}
    alone = load("\n".join(layout._text("x", text)), "").data
    assert alone == {"x": text} or alone == {"x": " ".join(text.split())}
