"""The tool that runs the commands of documents, held against documents of which it is known what becomes of them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Done
from transcripts import Session, alike, as_short, played

Run = Callable[[str], str]


@pytest.fixture
def run(hoyle: Callable[..., Done], tmp_path: Path) -> Run:
    return lambda text: played(
        text, Session(tmp_path, hoyle, {"pipx run --spec ./hoyle hoyle": "hoyle", "pip install": ""})
    )


def console(*lines: str) -> str:
    return "\n".join(["Before.", "", "```console", *lines, "```", "", "After.", ""])


def test_what_is_shown_as_it_is_printed_stays(run: Run) -> None:
    text = console("$ hoyle --version", "hoyle 0.0.1", "", "$ pip install ./hoyle", "$ echo $?", "0")
    assert run(text) == text


def test_what_is_printed_otherwise_is_shown_anew(run: Run) -> None:
    text = console("$ hoyle chek", "All is well.", "$ echo $?", "0")
    new = run(text).splitlines()
    assert "Error: No such command 'chek'. Did you mean 'check'?" in new
    assert new[-5:] == ["$ echo $?", "4", "```", "", "After."]
    assert run("\n".join(new)) == "\n".join(new)


def test_a_command_may_go_on_in_the_next_line_and_be_another(run: Run) -> None:
    text = console(
        "$ pipx run --spec ./hoyle hoyle \\", "    chek", "…", "Error: No such command 'chek'. Did you mean 'check'?"
    )
    assert run(text) == text


def test_files_of_the_reader_are_there_for_the_commands(run: Run) -> None:
    files = '```python title="sub/my.py"\nprint(1 + 1)\n```\n'
    text = files + console("$ cd sub", "$ python my.py > two.txt", "$ cat two.txt", "2", "$ python my.py  # again", "2")
    assert run(text) == text


def test_the_prompt_comes_first(run: Run) -> None:
    with pytest.raises(AssertionError, match="begins with"):
        run(console("hoyle --version"))


@pytest.mark.parametrize(
    ("shown", "same"),
    [
        ("a b c", True),
        ("…", True),
        ("a …", True),
        ("… c", True),
        ("a … c", True),
        ("… b …", True),
        ("a … b c", True),
        ("… x …", False),
        ("a b", False),
        ("b … c", False),
    ],
)
def test_a_gap_stands_for_any_lines(shown: str, same: bool) -> None:
    assert alike(shown.split(), ["a", "b", "c"]) == same


def test_times_and_versions_pass() -> None:
    assert alike(["hoyle 1.2.3, 4.5 s"], ["hoyle 2.0.0rc1, 17 s"])
    assert not alike(["4 failed"], ["5 failed"])


@pytest.mark.parametrize(
    ("shown", "kept"),
    [
        ("a", "1 2 3 4 5"),
        ("a … z", "1 … 5"),
        ("a b …", "1 2 …"),
        ("… y z", "… 4 5"),
        ("a … 3 … z", "1 … 3 … 5"),
        ("a … 7 … z", "1 … 5"),
        ("a b c … d e f", "1 2 3 4 5"),
    ],
)
def test_what_is_shown_anew_is_as_short_as_it_was(shown: str, kept: str) -> None:
    assert as_short(shown.split(), list("12345")) == kept.split()
