"""A ledger to begin with: every sentence of a text has an entry, which says where it stands and does not hold it."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import Final

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from conftest import Done, the_suite
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.suite.build import source_from
from hoyle_conformance.suite.lint.references import lint_ledger
from hoyle_conformance.suite.model import Source
from hoyle_conformance.tools.authoring import ledger

Hoyle = Callable[..., Done]

CHAPTER = """\
THE GAME OF WHATNOT.

Whatnot is for two, and they need one
pack; as to which, see p. 5 (_i.e._ below).[1] No
more is said of Whatnot. {12}

Whatnot is won by whoever has the most.

THE SCORE.

What counts is this:--

                                        Points.

  A pair of nines,
  both black                               10

  Three nines[2]                           20
  {13}
  All of them                              40
                                         ----
                                           70

So it is.

THE LAWS OF WHATNOT.

THE SCORE.

1.--Nobody looks.

2.--Whoever does
pays. It is not much.

A player who has to pay, in any of
43 ways, says so:

  * aloud;
    - or not quite
    - or in writing, for which
      there is a form
  * soon.

       *       *       *       *       *

Ends.--Whoever stops has lost.

[1] Below is
a note. It says nothing.

[2] Another.
"""

WHERE = [
    "The game of whatnot, paragraph 1 | 3: Whatnot is for two,",
    "The game of whatnot, paragraph 1 | 4: No more is",
    "The game of whatnot, paragraph 2 | 7: Whatnot is won by",
    "The score, paragraph 1 | 11: What counts",
    "The score, paragraph 1, above row 1 | 13: Points.",
    "The score, paragraph 1, row 1 | 15: A pair of",
    "The score, paragraph 1, row 2 | 18: Three",
    "The score, paragraph 1, row 3 | 20: All of",
    "The score, paragraph 1, below row 3 | 22: 70",
    "The score, paragraph 2 | 24: So",
    "The score (2), number 1 | 30: Nobody",
    "The score (2), number 2 | 32: Whoever",
    "The score (2), number 2 | 33: It is",
    "The score (2), paragraph 1 | 35: A player who has",
    "The score (2), paragraph 1, bullet 1 | 38: aloud;",
    "The score (2), paragraph 1, bullet 1, item 1 | 39: or",
    "The score (2), paragraph 1, bullet 1, item 2 | 40: or in writing, for",
    "The score (2), paragraph 1, bullet 2 | 42: soon.",
    "Ends, paragraph 1 | 46: Whoever stops",
    "footnote 1 | 48: Below is",
    "footnote 1 | 49: It",
    "footnote 2 | 51: Another.",
]
PARTS = ["The game of whatnot", "The score", "The score (2)", "Ends", "footnotes"]
SLUGS = ["the-game-of-whatnot", "the-score", "the-score-2", "ends", "footnotes"]


def sections(text: str) -> list[ledger.TextSection]:
    return ledger.split_sections(ledger.split_blocks(text))


def placed(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Where every sentence stands, and its words."""
    return [
        (paragraph.where, sentence.words)
        for section in sections(text)
        for paragraph in section.paragraphs
        for sentence in paragraph.sentences
    ]


def read(written: str, name: str = "mine") -> Source:
    """A ledger as the suite reads it, after its schema."""
    document = replace(load(written, f"{name}.source.yaml"), path=Path(f"/{name}.source.yaml"))
    assert the_suite().schemas.check("source", document) == []
    return source_from(document)


def letters(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W\d_]+", text.lower()))


# ---- laws

#: What texts are made of, each line in many surroundings.
PIECES: Final = (
    *("", "", "", "THE DEAL.", "A deal", "The Deal.--Cards are dealt. Soon.", "## Of nines", "    OF CLUBS", "Aim"),
    *("Two can play. Or not: it is", "the same (e.g. No. 5, and Dr. Nine) in 1909.", "Éclat", '"Good." So B. says it.'),
    *(
        "  a row of it          20",
        "  another row",
        "                                 Points.",
        "   ----",
        "a 10",
        "b 20",
    ),
    *(
        "1.--A law.",
        "2. Another law: see above.",
        "  • a bullet",
        "    • an item",
        "- one more",
        "[7] A note.",
        "8 ^ Note",
    ),
    *(
        "{13}",
        "So {14} it goes on",
        "* * *",
        "_italics_ and **more**[9]",
        "   A paragraph, the old way.",
        "Nine",
        "♠ ♥",
        "?",
    ),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text("aBé1. \"'(:#-•_[]{}^\t", max_size=12)), max_size=40).map(
    "\n".join
)


@settings(deadline=None)
@given(TEXTS)
def test_nothing_of_a_text_is_lost(text: str) -> None:
    """Every word is in a heading, or in a sentence that has an entry."""
    blocks = ledger.split_blocks(text)
    before = letters(" ".join(word for block in blocks for line in block for word in line.words))
    found = ledger.split_sections(blocks)
    words = [w for s in found for paragraph in s.paragraphs for sentence in paragraph.sentences for w in sentence.words]
    headings = [section.name for section in found if section.line]
    assert letters(" ".join([*headings, *words])) == before


@settings(deadline=None)
@given(TEXTS)
def test_every_paragraph_has_an_entry_that_only_waits_to_be_written(text: str) -> None:
    found = sections(text)
    paragraphs = [paragraph for section in found for paragraph in section.paragraphs]
    assume(paragraphs)
    source = read(ledger.ledger_text(ledger.NewSource("mine", "Mine", ("one", "two")), found))
    assert [clause.where for clause in source.clauses] == [each.where for each in paragraphs for _ in each.sentences]
    assert all(each.sentences for each in paragraphs)
    ids = [clause.id for clause in source.clauses]
    assert len(set(ids)) == len(ids)
    (*head, entries) = lint_ledger(the_suite(), source)
    assert {fault.code for fault in (*head, entries)} == {"not-written"}
    assert len(head) == len(["about", "provenance", *["title", "about"] * len(source.printings)])
    assert source.document.data["clauses"][0]["says"] == entries.source.split()[1] == "TODO"


@settings(deadline=None)
@given(TEXTS)
def test_a_ledger_to_begin_with_holds_no_sentence(text: str) -> None:
    found = sections(text)
    lines = [line for line in ledger.ledger_text(ledger.NewSource("mine"), found).splitlines() if "says:" in line]
    sentences = [each for section in found for paragraph in section.paragraphs for each in paragraph.sentences]
    for line, sentence in zip(lines, sentences, strict=True):
        shown = re.fullmatch(rf"    says: TODO  # line {sentence.line}: (.+) …", line)
        assert shown, line
        assert len(shown[1].split()) <= max(1, min(4, len(sentence.words) // 2))
        assert len(sentence.words) == 1 or " ".join(sentence.words) not in shown[1]


@settings(deadline=None)
@given(TEXTS)
def test_it_does_not_matter_how_lines_end(text: str) -> None:
    assert placed(text.replace("\n", "\r\n")) == placed(text)


@settings(deadline=None)
@given(TEXTS, st.integers(1, 30))
def test_it_does_not_matter_how_far_all_is_indented(text: str, columns: int) -> None:
    text = text.expandtabs(8)
    assert placed("\n".join(" " * columns + line for line in text.split("\n"))) == placed(text)


WORDS = st.text("abdefgh", min_size=2, max_size=9)  # no "cf", which ends no sentence
SENTENCES = st.lists(WORDS, min_size=3, max_size=12).map(lambda words: " ".join(words).capitalize() + ".")
PROSE = st.lists(st.lists(SENTENCES, min_size=1, max_size=4), min_size=1, max_size=4)


@pytest.mark.slow
@settings(deadline=None)
@given(PROSE, st.integers(12, 90))
def test_it_does_not_matter_how_wide_a_paragraph_is_set(prose: list[list[str]], width: int) -> None:
    expected = [
        (f"Aim, paragraph {number}", tuple(sentence.split()))
        for number, paragraph in enumerate(prose, start=1)
        for sentence in paragraph
    ]
    set_in_lines = [fill(" ".join(paragraph), width) for paragraph in prose]
    assert placed("\n\n".join(["AIM", *set_in_lines])) == expected
    first_lines_indented = [fill(" ".join(paragraph), width, initial_indent="  ") for paragraph in prose]
    assume(all("\n" in paragraph for paragraph in first_lines_indented))
    assert placed("AIM\n\n" + "\n".join(first_lines_indented)) == expected


@pytest.mark.slow
@settings(deadline=None)
@given(PROSE, st.data())
def test_the_numbers_of_pages_change_nothing(prose: list[list[str]], data: st.DataObject) -> None:
    words = "\n\n".join(" ".join(paragraph) for paragraph in prose).split(" ")
    at = data.draw(st.integers(1, len(words)))
    page = data.draw(st.sampled_from([" {7} ", " {1909}\n", "\n{12}\n"]))
    assert placed(" ".join(words[:at]) + page + " ".join(words[at:])) == placed(" ".join(words))


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=60))
def test_whatever_it_is_called_it_is_read_as_it_was_written(title: str) -> None:
    title = re.sub(r"[^\w .,:;#'\"\\{}\[\]&*!|>%@`-]", "", title).strip()
    source = read(ledger.ledger_text(ledger.NewSource("mine", title), sections("# " + title + "\n\nIt is.")))
    assert source.title == (title or "TODO")


# ---- examples


def test_a_chapter() -> None:
    written = ledger.ledger_text(ledger.NewSource("mine"), sections(CHAPTER))
    source = read(written)
    pointers = re.findall(r"TODO  # line (\d+: .+) …", written)
    entries = [f"{clause.where} | {pointer}" for clause, pointer in zip(source.clauses, pointers, strict=True)]
    assert entries == WHERE
    assert list(source.covers) == PARTS
    assert list(dict.fromkeys(clause.id.split("/")[1] for clause in source.clauses)) == SLUGS
    assert source.clauses[4].id == "mine/the-score/todo-2"
    assert "  # ---- The laws of whatnot, line 26 of the text" in written.splitlines()
    assert (source.complete, source.printings) == (False, ())


# ---- what is not written yet


def filled(written: str, *says: str) -> Source:
    """A ledger of which the first entries are written."""
    for each in says:
        written = re.sub(r"says: TODO.*", f"says: {each}", written, count=1)
    return read(written)


def complaints(source: Source) -> list[str]:
    return [fault.message for fault in lint_ledger(the_suite(), source)]


TEXT: Final = "AIM\n\nWin the most tricks. Lose none of them.\n\nDEAL\n\nThe dealer deals six cards."


def test_what_is_left_is_told_in_one_place() -> None:
    written = ledger.ledger_text(ledger.NewSource("mine", "Mine"), sections(TEXT)).replace(
        "about: TODO", "about: A text"
    )
    written = re.sub(r"^  (\w+): TODO$", r"  \1: not stated", written, flags=re.MULTILINE)
    (left,) = lint_ledger(the_suite(), filled(written))
    assert left.message == "3 of 3 clauses are not written yet; this is the first, Aim, paragraph 1"
    assert str(left.remedy).endswith("in your own words, or remove the entry. Left: aim 2, deal 1.")
    assert complaints(filled(written, "It is won.")) == [
        "2 of 3 clauses are not written yet; this is the first, Aim, paragraph 1",
        "the clause is written, but its id is still a placeholder",
    ]
    assert complaints(filled(written, "A.", "B.")) == [
        "a clause is not written yet; this is Deal, paragraph 1",
        "the clause is written, but its id is still a placeholder; 2 have such an id",
    ]
    named = re.sub(r"todo-\d", lambda found: f"named-{found[0][-1]}", written)
    assert complaints(filled(named, "A.", "B.", "C.")) == []


# ---- hostile texts


def test_what_scans_are_full_of_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes("\ufeffThe dea\xadler\u200b\n\fdeals \u2660\ufe0f.".encode())
    assert [line.words for block in ledger.read_text_blocks(path, "text.txt") for line in block] == [
        ["The", "dealer"],
        ["deals", "♠."],
    ]


SPECIAL: dict[str, tuple[Callable[[Path], object], str]] = {
    "an escape": (lambda path: path.write_bytes(b"One.\n\x1b[2J"), "U+001B"),
    "not UTF-8": (lambda path: path.write_bytes(b"One.\n\xe9t\xe9"), "byte 0xe9 is not UTF-8"),
    "too many paragraphs": (
        lambda path: path.write_bytes(b"a\n\n" * 20_000),
        "a ledger of this text would be too large",
    ),
    "headings only": (lambda path: path.write_bytes(b"AIM\n\nDEAL\n\n-----\n"), "no paragraph was found in this text"),
}


@pytest.mark.posix
@pytest.mark.parametrize("what", SPECIAL)
def test_a_text_that_cannot_be_used_is_told_and_nothing_written(what: str, hoyle: Hoyle, tmp_path: Path) -> None:
    make, message = SPECIAL[what]
    make(tmp_path / "text.txt")
    done = hoyle("new", "source", "text.txt", "--id", "mine", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (4, "")
    assert re.match(r"text\.txt:\d+:\d+: ", done.stderr)
    assert message in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


#: Texts made to last, each of so many of something.
ENDLESS: Final[dict[str, Callable[[int], str]]] = {
    "spaces behind a number": lambda many: f"1.{' ' * many}5",
    "digits": lambda many: f"x\n{'1' * many}x\n{'1' * many}x",
    "lines behind a number": lambda many: "1. a\n" + "b\n" * (4 * many),
    "closed stops": lambda many: ".)" * many + "x",
    "braces": lambda many: "{1" * many,
    "brackets": lambda many: "[1" * many,
    "one heading again and again": lambda many: "AB\n\n" * many + "It is.",
    "gaps": lambda many: "  a" + "  b" * many,
}


@pytest.mark.slow
@pytest.mark.parametrize("what", ENDLESS)
def test_an_endless_text_is_read(what: str) -> None:
    """If a pattern took time with the square of the length, this would not end."""
    assert ledger.ledger_text(ledger.NewSource("mine"), sections(ENDLESS[what](20_000)))


# ---- the command


@pytest.fixture
def chapter(tmp_path: Path) -> Path:
    (tmp_path / "chapter.txt").write_text(CHAPTER, encoding="utf-8")
    return tmp_path


def test_it_is_written_and_what_comes_next_is_said(hoyle: Hoyle, chapter: Path) -> None:
    done = hoyle("new", "source", "chapter.txt", "--id", "whatnot", "--title", "Of  Whatnot", cwd=chapter)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Wrote whatnot.source.yaml: 22 sentences in 19 paragraphs, rows, items and footnotes.",
        "Open it next to the text, and write in your own words what each sentence says.",
        "To see what is left: hoyle validate whatnot.source.yaml",
    ]
    written = (chapter / "whatnot.source.yaml").read_text("utf-8")
    assert yaml.safe_load(written)["title"] == "Of Whatnot"
    assert hoyle(
        "new", "source", "chapter.txt", "--id", "whatnot", "--title", "Of Whatnot", "-", cwd=chapter
    ).stdout == (written)
    again = hoyle("new", "source", "chapter.txt", "--id", "whatnot", cwd=chapter)
    assert again.returncode == 4
    assert "whatnot.source.yaml already exists" in " ".join(again.stderr.split())
    assert (chapter / "whatnot.source.yaml").read_text("utf-8") == written
    assert hoyle("new", "source", "chapter.txt", "--id", "whatnot", "--force", cwd=chapter).returncode == 0


@pytest.mark.posix
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--id", "../mine"], "An id is lower-case words joined by hyphens."),
        (["--id", "hoyle"], "--id: there is a source 'hoyle' already. Choose another name."),
        (["--id", "mine", "--printing", "a", "--printing", "a"], "--printing: 'a' is named twice."),
        (["--id", "mine", "--title", "\x1b"], "--title: the character U+001B is not allowed in a title."),
        (["--id", "mine", "same/mine.source.yaml"], "FILE would overwrite the file of TEXT, chapter.txt"),
    ],
    ids=lambda value: " ".join(value).replace("\x1b", "escape") if isinstance(value, list) else "",
)
def test_what_cannot_be_is_told_before_anything_is_written(
    hoyle: Hoyle, chapter: Path, words: list[str], said: str
) -> None:
    (chapter / "same").mkdir()
    (chapter / "same/mine.source.yaml").symlink_to("../chapter.txt")
    before = sorted(chapter.rglob("*"))
    done = hoyle("new", "source", "chapter.txt", *words, cwd=chapter)
    assert (done.returncode, done.stdout) == (4, "")
    assert said in " ".join(done.stderr.split())
    assert sorted(chapter.rglob("*")) == before
    assert (chapter / "chapter.txt").read_text("utf-8") == CHAPTER
