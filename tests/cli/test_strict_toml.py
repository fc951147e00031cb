"""TOML files: plain values, and the line and column of every mistake."""

from pathlib import Path

import pytest

from hoyle_conformance.cli.strict_toml import load_toml, place_in_toml, read_toml
from hoyle_conformance.files.diagnostics import Invalid

TEXT = """\
# a comment = 1
top = 1
[tool]
other = 2

[tool.hoyle]  # ours
command = "a b"
"in quotes" = [
  1,
]
[tool.hoyle.deep]
x.y = 3
[[tool.rows]]
command = "not ours"
"""


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        (("top",), (1, 6), (1, 0)),
        (("tool", "hoyle"), (5, 1), (5, 1)),
        (("tool", "hoyle", "command"), (6, 10), (6, 0)),
        (("tool", "hoyle", "in quotes"), (7, 14), (7, 0)),
        (("tool", "hoyle", "in quotes", 0), (7, 14), (7, 0)),
        (("tool", "hoyle", "deep", "x", "y"), (11, 6), (11, 0)),
        (("tool", "hoyle", "missing"), (5, 1), (5, 1)),
        (("missing",), (0, 0), (0, 0)),
    ],
)
def test_key_and_value_have_their_places(
    path: tuple[str | int, ...], value: tuple[int, int], key: tuple[int, int]
) -> None:
    assert place_in_toml(TEXT, path) == value
    assert place_in_toml(TEXT, path, key=True) == key


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("a = 1\nb = \n", "x.toml:2:5", "this is not TOML: invalid value"),
        ("a = 1\na = 2\n", "x.toml:2:6", "this is not TOML: cannot overwrite a value"),
        ("[tool\n", "x.toml:1:6", "this is not TOML"),
        ('a = """', "x.toml:1:8", "this is not TOML"),
        (f"a = {'[' * 100_000}", "x.toml:1:1", "it is nested too deeply"),
    ],
)
def test_broken_file_is_one_mistake_with_its_place(text: str, place: str, said: str) -> None:
    with pytest.raises(Invalid) as invalid:
        load_toml(text, "x.toml")
    (fault,) = invalid.value.diagnostics
    assert (fault.place, fault.code) == (place, "not-toml")
    assert fault.message.startswith(said)


def test_values_are_those_of_json(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("a = 1979-05-27\nb = inf\nc = 1.5\nd = [nan, true, 1e999]\ne = {f = 'g'}\n", "utf-8")
    document = read_toml(file, "x.toml")
    assert document.data == {"a": "1979-05-27", "b": "inf", "c": 1.5, "d": ["nan", True, "1e999"], "e": {"f": "g"}}
    assert document.diagnose(("e",), "code", "it is wrong").place == "x.toml:5:5"
