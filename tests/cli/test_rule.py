"""Rulings: every irregularity is found by its names, and every ruleset speaks of it or is silent."""

import re
from collections.abc import Callable, Iterable
from functools import partial

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, Done, golden, the_suite
from hoyle_conformance.cli.rule import _complete, command
from hoyle_conformance.tools.search import subjects
from hoyle_conformance.tools.search.entries import EntryKind
from hoyle_conformance.tools.search.subjects import cell_path, find_subjects, index_subjects, irregularities
from hoyle_conformance.wording import ruling_lookup as rulings
from hoyle_conformance.wording.agreement import agreements, meaning, silent_rulesets
from hoyle_conformance.wording.comparison import compare_rules
from hoyle_conformance.wording.rulebook_entries import rule_page
from hoyle_conformance.wording.rulings import can_occur
from hoyle_reference import Cell

Hoyle = Callable[..., Done]

OUTPUT = ROOT / "tests/output"
SUITE = the_suite()
BOOK = index_subjects(SUITE)
ROWS = [(name, cell) for name in SUITE.rules.names for cell in SUITE.rules.cells(name).rows("referee.irregularities")]
PATHS = [cell_path(thing) for thing in BOOK.index.entries]

thoroughly = partial(settings, deadline=None)  # the computer may be busy
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(BOOK.index.words), min_size=1, max_size=6).map(" ".join),
    st.sampled_from(SUITE.rules.names),
)


@pytest.fixture(autouse=True)
def _one_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command take the book that is made above instead of making its own for every call."""
    monkeypatch.setattr(subjects, "index_subjects", lambda suite: BOOK if suite is SUITE else index_subjects(suite))


def about(asked: str) -> list[str]:
    return [thing.id for thing in find_subjects(BOOK, asked)[0]]


def of_one(lines: Iterable[str]) -> str:
    """Lines as one text, however they are wrapped."""
    return " ".join(" ".join(lines).split())


# ---- laws


@pytest.mark.slow
@pytest.mark.parametrize("shaped", [str, str.upper, lambda text: text.replace("-", " "), lambda text: f"{text}?"])
def test_every_irregularity_is_found_by_its_id_and_by_its_title(shaped: Callable[[str], str]) -> None:
    for _, cell in ROWS:
        assert about(shaped(cell.value["id"])) == [cell.value["id"]]
        assert about(shaped(cell.value["title"])) == [cell.value["id"]]
        assert about(shaped(cell.path)) == [cell.value["id"]]


@pytest.mark.slow
def test_everything_is_found_by_its_cell_and_by_its_heading() -> None:
    for thing in BOOK.index.entries:
        assert about(cell_path(thing)) == [thing.id]
        for heading in thing.title.split("; "):
            assert thing.id in about(heading)
    assert {cell_path(thing) for thing in irregularities(BOOK.index.entries)} == {cell.path for _, cell in ROWS}


@pytest.mark.parametrize("path", PATHS)
def test_every_ruleset_speaks_or_is_silent_and_those_together_say_the_same(path: str) -> None:
    groups = agreements(SUITE, path)
    speak = [name for group in groups for name in group.entries]
    assert sorted(name for name in [*speak, *silent_rulesets(SUITE, path)] if "+" not in name) == sorted(SUITE.rulesets)
    assert len({meaning(group.entry) for group in groups}) == len(groups)
    for group in groups:
        assert {meaning(entry) for entry in group.entries.values()} == {meaning(group.entry)}
    lines = list(rulings.side_by_side(SUITE, [path]))
    names = of_one(line for line in lines if line[:1].strip())
    assert all(re.search(rf"(?<!\S){re.escape(name)}(,|\s|$)", names) for name in SUITE.rulesets)


def test_an_option_is_named_where_it_says_something_else() -> None:
    for path in PATHS:
        speak = {each for group in agreements(SUITE, path) for each in group.entries}
        for name in SUITE.rules.names:
            plain, cells = SUITE.rules.cells(name.partition("+")[0]), SUITE.rules.cells(name)
            if "+" in name and path in cells:
                same = path in plain and plain[path].value == cells[path].value
                assert (name in speak) != same


@pytest.mark.parametrize(("ruleset", "cell"), ROWS, ids=[f"{name}:{cell.value['id']}" for name, cell in ROWS])
def test_a_ruling_is_printed_whole(ruleset: str, cell: Cell) -> None:
    row, lines = cell.value, list(rulings.ruleset_rulings(SUITE, ruleset, [cell.path]))
    text = of_one(lines)
    assert max(map(len, lines)) <= 80
    for said in (
        f"{row['title']}.",
        row["ruling"],
        cell.because,
        *cell.cites,
    ):
        assert of_one([said]) in text
    assert all(of_one([SUITE.clauses[clause].says]) in text for clause in cell.cites)
    assert all(reading.argument in text for reading in cell.readings)
    assert "{" not in text
    assert "None" not in text


def test_readings_of_an_irregularity_say_different_things() -> None:
    for name in SUITE.rules.names:
        for line in compare_rules(SUITE, [name]):
            (entry,) = line.entries
            if entry and entry.cell.path.startswith("referee."):
                assert len({reading.sentence for reading in entry.readings}) == len(entry.readings)


@pytest.mark.slow
@thoroughly()
@given(texts)
def test_whatever_is_asked_is_answered(text: str) -> None:
    answered, others = find_subjects(BOOK, text)
    assert not {thing.id for thing in answered} & {thing.id for thing in others}
    assert bool(answered) >= bool(others)
    lines = rulings.side_by_side(SUITE, list(map(cell_path, answered))) if answered else ()
    assert all(line.isprintable() and len(line) <= 80 for line in lines)


@thoroughly()
@given(st.sampled_from(SUITE.rules.names), st.sampled_from(PATHS))
def test_one_ruleset_answers_or_says_that_it_is_silent(ruleset: str, path: str) -> None:
    text = of_one(rulings.ruleset_rulings(SUITE, ruleset, [path]))
    cells = SUITE.rules.cells(ruleset)
    assert ("Based on:" in text) == (path in cells)
    assert ("Rulesets that have it:" in text) == (path not in cells)


@pytest.mark.parametrize("name", SUITE.rulesets)
def test_a_rule_book_has_the_rulings_that_a_game_can_meet(name: str) -> None:
    text, players = of_one(rule_page(SUITE, name)), SUITE.rules.of(name).players
    for cell in SUITE.rules.cells(name).rows("referee.irregularities"):
        assert (f"{cell.value['title']}. {cell.value['ruling']}" in text) == can_occur(cell.value, players)


def test_side_by_side_an_irregularity_is_headed_by_what_it_is() -> None:
    for line in compare_rules(SUITE, list(SUITE.rulesets)):
        if line.path.startswith("referee.irregularities."):
            headings = {entry.heading for entry in line.entries if entry}
            word = line.path.rpartition(".")[2].replace("-", " ").capitalize()
            assert line.title == (word if len(headings) > 1 else headings.pop())
            assert all(entry.heading in f"{line.title} {line.says(entry)}" for entry in line.entries if entry)


# ---- examples


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("renege", "revoke"),
        ("what does a revoke cost?", "revoke"),
        ("reneging", "revoke"),
        ("may a married queen marry again?", "declare.same_kind"),
        ("marry again", "declare.same_kind"),
        ("what is a rubicon worth?", "settle.rubicon"),
        ("rubicon", "settle.rubicon"),
        ("who wins if both pass 1,000?", "settle.winner"),
        ("both pass 1000", "settle.winner"),
        ("misdealt", "misdeal"),
        ("drew two cards", "winner-drew-two"),
        ("player holds too many cards", "too-many-cards"),
        ("both players have too many cards", "both-too-many-cards"),
        ("draw out of turn", "drew-out-of-turn"),
        ("lead out of turn", "led-out-of-turn"),
        ("what happens if a card is exposed in dealing", "exposed-in-dealing"),
        ("forgot to draw", "no-card-drawn"),
        ("spectator", "bystander-speaks"),
        ("wrong score", "score-mismarked"),
        ("dropped card", "dropped-a-card"),
        ("last trick", "score.last_trick.points"),
    ],
)
def test_players_find_what_they_mean(asked: str, first: str) -> None:
    assert about(asked)[0] == first


def test_rules_in_whose_names_all_words_stand_are_answered_together() -> None:
    together = about("what is a rubicon worth?")
    assert {"settle.rubicon", "settle.bonus_under_the_rubicon", "settle.under_the_rubicon"} <= set(together)
    assert all("rubicon" in name for name in together)
    assert {thing.kind for thing in find_subjects(BOOK, "marriage")[0]} == {EntryKind.COMBINATION}


# ---- the command


@pytest.mark.slow
@pytest.mark.parametrize(
    ("golden_file", "words"),
    [
        ("rule-side-by-side.txt", "revoke"),
        ("rule-choice.txt", "bezique-britannica too-many-dealt-to-the-dealer"),
        ("rule-readings.txt", "bezique-hoyle renege"),
        ("rule-instead.txt", "rubicon-hoyle drew two cards"),
        ("rule-number.txt", "too many cards"),
        ("rule-marry-again.txt", "may a married queen marry again?"),
        ("rule-rubicon.txt", "what is a rubicon worth?"),
        ("rule-both-pass.txt", "who wins if both pass 1,000?"),
        ("rule-list.txt", "bezique-britannica"),
    ],
)
def test_a_question_is_answered_by_one_command(hoyle: Hoyle, golden_file: str, words: str) -> None:
    answered = hoyle("rule", *words.split())
    assert (answered.returncode, answered.stderr) == (0, "")
    assert hoyle("rule", words.partition(" ")[0], words.partition(" ")[2]).stdout == answered.stdout
    golden(OUTPUT / golden_file, answered.stdout)


def test_a_ruleset_that_is_silent_says_so_and_names_those_that_are_not(hoyle: Hoyle) -> None:
    answered = hoyle("rule", "bezique-bicycle", "misdeal")
    assert answered.returncode == 0
    assert "\nThe cards are dealt wrongly.\nNo ruling.\nRulesets that have it: rubicon-hoyle.\n" in answered.stdout


@pytest.mark.slow
def test_every_command_that_is_shown_can_be_given(hoyle: Hoyle) -> None:
    every: dict[str, None] = {}
    for words in (["revoke"], ["rubicon-hoyle"], ["four-handed-h2g2", "capot"], ["marriage"]):
        shown = re.findall(r"hoyle rule (\S+(?: [\w.-]+)?)$", hoyle("rule", *words).stdout, re.MULTILINE)
        assert shown
        every |= dict.fromkeys(shown)
    for each in every:
        assert hoyle("rule", *each.split()).returncode == 0, each


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["misdeel"], "Nothing matches 'misdeel'. Did you mean 'misdeal'?"),
        (["qqqq"], "Nothing matches 'qqqq'."),
        (["rubicon-hoile", "revoke"], "No ruleset 'rubicon-hoile'. Did you mean 'rubicon-hoyle'?"),
        (["rubicon-hoyle", "qqqq"], "Nothing matches 'qqqq'."),
        ([""], "Give a word to search for."),
        (["?!"], "Nothing matches '?!'."),
        (["qq\x1b[31m"], "Nothing matches 'qq�[31m'."),
        ([], "Missing argument '[RULESET] WORDS…'."),
    ],
    ids=lambda value: " ".join(value).replace("\x1b", "esc") if isinstance(value, list) else "",
)
def test_that_nothing_is_found_is_one_clear_message(hoyle: Hoyle, asked: list[str], message: str) -> None:
    answered = hoyle("rule", *asked)
    assert (answered.returncode, answered.stdout) == (4, "")
    assert message in " ".join(answered.stderr.split())
    assert "\x1b" not in answered.stderr


def completed(words: tuple[str, ...], incomplete: str) -> list[str]:
    context = click.Context(command)
    context.params = {"words": words, "spec": None}
    return [str(item.value) for item in _complete(context, command.params[0], incomplete)]


@pytest.mark.slow
def test_a_shell_completes_rulesets_and_irregularities() -> None:
    assert completed((), "rev") == ["revoke"]
    assert completed((), "rubicon-ho") == ["rubicon-hoyle"]
    assert completed(("bezique-bicycle",), "") == ["revoke"]
    assert "misdeal" in completed(("rubicon-hoyle",), "mis")
    assert "bezique-hoyle" not in completed(("revoke",), "b")


def test_a_shell_asks_the_command(hoyle: Hoyle, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "_HOYLE_COMPLETE": "bash_complete",
        "COMP_WORDS": "hoyle rule rubicon-hoyle mis",
        "COMP_CWORD": "3",
    }.items():
        monkeypatch.setenv(name, value)
    assert hoyle().stdout == "plain,misdeal\n"
