"""The schemas in an editor: its language server marks nothing in sound files, and what is wrong in others. It offers
acts and what they need, and says what they mean."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from conftest import HANGS, ROOT, need
from editor.speaking import SERVER, Editor

pytestmark = pytest.mark.slow

#: Where files are meant to lie that are written in the tests, and are on no disk.
HERE = ROOT / "spec/scenarios/to-score"
#: A position being written: `<` marks the places at which something is asked.
WRITING = """\
# yaml-language-server: $schema=../../schemas/scenario.schema.json
id: to-score.being-written
title: A position that is being written
given:
  trumps: H
  leads: A
  hands: {A: [KS, ...], B: [9S, ...]}
  <
steps:
  - {by: A, do: play, card: KS}
  - <
  - by: A
    do: <
outcomes:
  - rulesets: [bezique-hoyle]
    cites: [hoyle/bezique/higher-card-wins]
    expect:
      1: {scores: {}}
  - <
"""


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    need(which("node"), "node")
    need(SERVER.is_file(), "yaml-language-server (make editor)")
    editor = Editor(ROOT, HANGS)
    yield editor
    editor.close()


def sample() -> list[Path]:
    """Scenarios of all topics, and one file of each other kind that names its schema."""
    topics = sorted((ROOT / "spec/scenarios").iterdir())
    first = [next(iter(sorted(topic.glob("*.yaml")))) for topic in topics]
    others = [min((ROOT / f"spec/{folder}").glob("*.yaml"), key=lambda path: path.stat().st_size) for folder in KINDS]
    return first + others


KINDS = ("rulesets", "sources", "census")


def test_in_sound_files_nothing_is_marked(editor: Editor) -> None:
    files = sample()
    assert len(files) > 15
    for path in files:
        assert editor.open(path, path.read_text("utf-8")) == [], path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("card: KS", "card: 10H", "a card is a rank (7 8 9 T J Q K A) and a suit (C D H S), such as QS, TH or 7C#2"),
        ("[9S, ...]", "[9s, ...]", "a card is a rank (7 8 9 T J Q K A) and a suit (C D H S), such as QS, TH or 7C#2"),
        ("trumps: H", "trumps: hearts", 'Valid values: "C", "D", "H", "S", "none"'),
        ("leads: A", "lead: A", "give the point of the game, once: "),
        ("1: {scores", "one: {scores", "a step is named by its number, counted from 1"),
        ("by: A, do: play", "by: A, does: play", "a step is an act with 'do' or a question with 'ask'"),
        ("do: play", "do: plya", 'Valid values: "cut", "choose", "deal", "play"'),
        ("[hoyle/bezique/higher-card-wins]", "[Hoyle]", "a clause id is a source and words joined by / and -"),
    ],
)
def test_what_is_wrong_is_marked_where_it_stands(old: str, new: str, said: str, editor: Editor) -> None:
    sound = WRITING.replace("  <\n", "").replace("  - <\n", "").replace("  - by: A\n    do: <\n", "")
    assert sound.count(old) == 1
    path = HERE / f"wrong-{sound.index(old)}-{len(new)}.scenario.yaml"
    marked = editor.open(path, sound.replace(old, new))
    assert said in " ".join(each["message"] for each in marked)
    line = next(at for at, line in enumerate(sound.splitlines()) if old in line)
    assert all(abs(each["range"]["start"]["line"] - line) <= 2 for each in marked)


def test_acts_positions_and_outcomes_are_offered_with_what_they_need(editor: Editor) -> None:
    path = HERE / "being-written.scenario.yaml"
    places = [(at, line.index("<")) for at, line in enumerate(WRITING.splitlines()) if "<" in line]
    editor.open(path, WRITING.replace("<", ""))
    given, step, act, outcome = ({each["label"]: each for each in editor.completions(path, *at)} for at in places)
    assert {"turn_up", "stock", "won", "scored"} <= given.keys()
    assert "do: play" in step["A plays a card"]["insertText"]
    assert "meld:" in step["A declares"]["insertText"]
    assert "ask: winner" in step["who wins the trick?"]["insertText"]
    assert {"play", "declare", "announce", "trick"} <= act.keys()
    assert "cites:" in outcome["an outcome"]["insertText"]


def test_what_a_word_means_is_shown_over_it(editor: Editor) -> None:
    path = HERE / "read.scenario.yaml"
    text = WRITING.replace("<", "")
    lines = text.splitlines()
    editor.open(path, text)

    def over(words: str) -> str:
        line = next(at for at, each in enumerate(lines) if words in each)
        return editor.hover(path, line, lines[line].index(words) + 1)

    assert "A player leads a card, or plays one to the trick" in over("do: play").replace("\\", "")
    assert "This player is to lead" in over("leads")
    assert "The deciding clauses" in over("cites")
    assert "stands for cards that do not matter" in over("hands").replace("\\", "")
