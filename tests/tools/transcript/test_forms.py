"""Both forms of a transcript hold the same, and every mistake in a file is one message with its line and a remedy."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.json_lines import read_json_lines, write_json_lines
from hoyle_conformance.tools.transcript.judge import judge
from hoyle_conformance.tools.transcript.load import load_transcripts, read_transcripts
from hoyle_conformance.tools.transcript.model import LoggedAct, Transcript
from hoyle_conformance.tools.transcript.notation import MeldNames, read_act
from hoyle_conformance.tools.transcript.plain_text import read_plain_text, write_plain_text
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import sentence
from tools.transcript.written import a_transcript, with_hands_for_decks

#: Facts of each kind that may be written down.
FACTS = {
    "accepted": False,
    "scored": {"A": 40, "B": -1000},
    "drew": ["KS", "QS#2"],
    "stock": [],
    "trick_won_by": None,
    "score": {"A": 1240, "B": 0},
    "turn": "B",
    "dealer": None,
    "trumps": "H",
    "turn_up": "7H#2",
    "hands": {"A": ["KS", "TD"], "B": []},
    "shown": {"A": [], "B": ["QS"]},
    "stock_left": 1,
    "game_won_by": None,
    "settled": {"winner": "A", "points": 1141},
}


@pytest.fixture(scope="module")
def melds(suite: Suite) -> MeldNames:
    return MeldNames.of(suite)


@pytest.mark.whole
def test_a_game_is_read_as_it_is_written_in_either_form(suite: Suite, melds: MeldNames) -> None:
    for seed, name in enumerate(suite.rulesets, start=7):
        game = a_transcript(suite, name, seed, wild=True)
        for each in (game, with_hands_for_decks(suite, game, stock=True)):
            assert read_json_lines(suite.schemas, write_json_lines([each]), "x") == (each,), name
            assert read_plain_text(suite.schemas, write_plain_text([each, each], melds), "x", melds) == (each, each), (
                name
            )


@pytest.mark.parametrize("key", FACTS)
def test_every_kind_of_fact_is_read_as_it_is_written(suite: Suite, melds: MeldNames, key: str) -> None:
    act = LoggedAct({"by": "A", "do": "play", "card": "KS"}, {key: FACTS[key]})
    game = Transcript((act,), "1", "bezique-hoyle", "mine 1.0", {"dealer": "A"})
    text = write_plain_text([game], melds)
    assert "{" not in text, "it has a sentence"
    assert read_plain_text(suite.schemas, text, "x", melds) == (game,)
    assert read_json_lines(suite.schemas, write_json_lines([game]), "x") == (game,)


@pytest.mark.whole
def test_the_text_is_that_of_explain(suite: Suite, melds: MeldNames) -> None:
    """Every act stands as 'hoyle explain' shows it; but its cards are not sorted, and a deck is whole."""
    said = set()
    for seed, name in enumerate(suite.rulesets, start=3):
        game = a_transcript(suite, name, seed, wild=True)
        lines = [line for line in write_plain_text([game], melds).splitlines() if line[0] in "ABCDEe"]
        for act, line in zip(game.acts, lines[-len(game.acts) :], strict=True):
            if act.step["do"] not in {"deal", "discard", "announce"}:
                shown = sentence(words.step(act.step, suite.rules.meld_names(name)))
                assert line.startswith(shown[:1].upper() + shown[1:]), line
                said.add(act.step["do"])
    assert len(said) > 8


def test_the_sentences_of_explain_about_points_and_tricks_are_read(suite: Suite, melds: MeldNames) -> None:
    text = (
        "Game: 1\nB plays 9♥. A wins the trick K♥ 9♥. A scores 10 for brisques. A scores 40 for bézique. B scores 5.\n"
    )
    text += "A draws 8♣².\n"
    (game,) = read_plain_text(suite.schemas, text, "x", melds)
    assert game.acts[0].facts == {"trick_won_by": "A", "scored": {"A": 50, "B": 5}}
    assert game.acts[1] == LoggedAct({"by": "A", "do": "draw"}, {"drew": ["8C#2"]})
    assert write_plain_text([game], melds).splitlines()[-1] == "A draws 8♣²."


def test_an_act_without_a_sentence_is_written_as_json(suite: Suite, melds: MeldNames) -> None:
    act = LoggedAct({"by": "A", "do": "announce", "class": "set", "value": 4})
    game = Transcript((act,), "1")
    text = write_plain_text([game], melds)
    assert json.dumps(act.step) in text
    assert read_plain_text(suite.schemas, text, "x", melds) == (game,)


def test_a_combination_is_known_by_its_name_in_the_book_or_by_its_id(melds: MeldNames) -> None:
    for name in ("marriage in trumps", "royal marriage", "royal-marriage"):
        act = read_act(f"A declares {name}: K♥ QH#2", melds.under("rubicon-hoyle"))
        assert act == {"by": "A", "do": "declare", "meld": "royal-marriage", "cards": ["KH", "QH#2"]}


def test_shorthands_stand_for_their_acts(suite: Suite) -> None:
    """A trick in one line, and everybody's draw, are judged as their single acts."""
    game = a_transcript(suite, "bezique-hoyle", 12)
    lines, acts = [json.dumps({"game": "1", "ruleset": "bezique-hoyle", **game.facts})], list(game.acts)
    while acts:
        pair = [act.step["do"] for act in acts[:2]]
        if pair in (["play", "play"], ["draw", "draw"]):
            first, last = acts.pop(0), acts.pop(0)
            both = [first.step.get("card"), last.step.get("card")]
            step = {"do": "trick", "cards": both} if pair[0] == "play" else {"do": "draw-all"}
            lines.append(json.dumps({"by": first.step["by"], **step, "score": last.facts["score"]}))
        else:
            act = acts.pop(0)
            lines.append(json.dumps({**act.step, **act.facts}))
    (short,) = read_json_lines(suite.schemas, "\n".join(lines), "x")
    assert len(short.acts) < len(game.acts)
    found = judge(suite.rules.of("bezique-hoyle"), short)
    assert (found.departures, found.not_judged, found.acts) == ((), (), len(game.acts))


def test_facts_may_follow_in_lines_of_their_own(suite: Suite) -> None:
    text = '{"by": "A", "do": "play", "card": "KS"}\n{"scored": {"A": 10}}\n{"scored": {"A": 10, "B": 5}, "turn": "B"}'
    (game,) = read_json_lines(suite.schemas, text, "x")
    assert game.acts[0].facts == {"scored": {"A": 20, "B": 5}, "turn": "B"}


#: A line that cannot be used, and what the message says of it.
BAD = {
    '{"by": "A", "do": "play"': "cannot be read",
    "[1]": "no act is written like this",
    '{"game": 1}\n[1]': "no JSON object",
    '{"game": 1}\n{"do": "play", "by": "A"}': "'card' is missing",
    '{"game": 1}\n{"do": "plai", "by": "A", "card": "KS"}': "'plai'",
    '{"game": 1}\n{"do": "play", "by": "A", "card": "K♠ "}': "card",
    '{"game": 1}\n{"do": "play", "by": "E", "card": "KS"}': "'E'",
    '{"game": 1}\n{"do": "play", "by": "A", "card": "KS", "scored": 10}': "scored",
    '{"game": 1}\n{"do": "play", "by": "A", "card": "KS", "colour": "red"}': "colour",
    '{"game": 1}\n{"by": "A", "card": "KS"}': "no act",
    '{"game": 1}\n{"scored": {"A": 10}}': "no act is before it",
    '{"game": 1, "by": "A"}': "cannot have 'by'",
    '{"game": 1}\n{"do": "trick", "by": "A", "cards": ["KS"]}': "a trick needs",
    '{"game": 1}\n{"do": "draw-all", "by": "A", "card": "KS"}': "'draw-all' has no 'card'",
    '{"game": 1}\n{"do": "play", "by": "A", "card": "KS", "card": "QS"}': "appears twice",
    '{"game": 1}\n{"do": "play", "by": "A", "card": "KS", "stock_left": NaN}': "NaN is not a number",
    "Game: 1\nA plays the king.": "'the king'",
    "Game: 1\nA juggles K♠.": "no act is written like this",
    "Game: 1\nA plays K♠. A smiles.": "no observation is written like this",
    "Game: 1\nA plays K♠. A wins the trick. B wins the trick.": "says twice",
    "Game: 1\nA wins the trick.": "before the first act",
    "Game:\nA plays K♠.": "says nothing",
    "Game: 1\nRuleset: Hoyle's own\nA plays K♠.": "A ruleset is written",
    "Game: 1\nA declares my own thing: K♠.": "no combination is called",
    "Game: 1": "no act",
    "": "no act",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_line_is_one_message_with_its_place_and_a_remedy(suite: Suite, text: str) -> None:
    with pytest.raises(Invalid) as invalid:
        read_transcripts(suite, text, "game.jsonl")
    (fault,) = invalid.value.diagnostics
    assert BAD[text] in fault.message
    assert fault.file == "game.jsonl"
    assert fault.line == max(1, len(text.split("\n"))) or fault.code == "empty" or "\n" in text
    assert str(fault.remedy)


@pytest.mark.whole
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_a_damaged_file_is_invalid_or_judged(suite: Suite, seed: int) -> None:
    """Whatever has happened to a file, it is read or it is one message; what is read is judged or it is one message."""
    source = random.Random(seed)
    text = damaged(source, source.choice(good_texts(suite)))
    try:
        for game in read_transcripts(suite, text, "x"):
            judge(suite.rules.of("bezique-hoyle"), game)
    except Invalid as invalid:
        (fault,) = invalid.diagnostics
        assert fault.line >= 1
        assert fault.message
        assert str(fault.remedy)


_GOOD: list[str] = []


def good_texts(suite: Suite) -> list[str]:
    if not _GOOD:
        melds = MeldNames.of(suite)
        for seed in (1, 2):
            game = a_transcript(suite, "bezique-hoyle", seed, wild=True).up_to(30)
            short = with_hands_for_decks(suite, game, stock=False)
            _GOOD.extend([write_json_lines([short]), write_plain_text([short], melds), write_json_lines([game])])
    return _GOOD


def damaged(source: random.Random, text: str) -> str:
    """A text with some lines or characters lost, doubled, exchanged or made up."""
    for _ in range(source.randint(1, 4)):
        lines = text.split("\n")
        at, to = source.randrange(len(lines)), source.randrange(len(lines))
        match source.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(to, lines[at])
            case 2:
                lines[at], lines[to] = lines[to], lines[at]
            case 3:
                lines[at] = lines[at][: source.randint(0, len(lines[at]))]
            case 4:
                one = source.choice('{}[]":,.0A♠\x00\ud800é ' + lines[at])
                place = source.randint(0, len(lines[at]))
                lines[at] = lines[at][:place] + one + lines[at][place + 1 :]
            case _:
                lines[at] = lines[at].replace(source.choice("ABKQJT79SHDC"), source.choice("ABCDKQJT79SHDC"))
        text = "\n".join(lines)
    return text


def test_a_folder_is_read_file_by_file_and_every_invalid_file_has_its_message(suite: Suite, tmp_path: Path) -> None:
    melds = MeldNames.of(suite)
    game = a_transcript(suite, "bezique-hoyle", 4).up_to(6)
    (tmp_path / "a.jsonl").write_text(write_json_lines([game]), encoding="utf-8")
    (tmp_path / "b.txt").write_text(write_plain_text([game, game], melds), encoding="utf-8")
    (tmp_path / "notes.md").write_text("nothing to read", encoding="utf-8")
    assert load_transcripts(suite, [tmp_path]) == (game, game, game)
    (tmp_path / "c.jsonl").write_text("{", encoding="utf-8")
    (tmp_path / "d.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Invalid) as invalid:
        load_transcripts(suite, [tmp_path])
    assert [Path(each.file).name for each in invalid.value.diagnostics] == ["c.jsonl", "d.txt"]
    with pytest.raises(Invalid, match=r"no file that ends with \.jsonl or \.txt"):
        load_transcripts(suite, [_empty_folder(tmp_path)])


def _empty_folder(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"


def test_a_mistake_by_the_schema_ends_before_its_remedy(suite: Suite) -> None:
    text = '{"game": "one", "ruleset": "bezique-hoyle"}\n{"do": "declare", "by": "A", "meld": "bezique"}'
    with pytest.raises(Invalid) as invalid:
        read_json_lines(suite.schemas, text, "x")
    _place, line, _caret, remedy = str(invalid.value.diagnostics[0]).splitlines()
    assert remedy.strip() == "See docs/transcripts.md for the keys of a line."
    assert _place == "x:2:1: 'cards' is missing in the act. Add it."
    assert line.strip().startswith("2 | ")
