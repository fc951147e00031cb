"""Searching: what has the words comes first, whatever their order, and nothing that is asked does harm."""

import random
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import the_suite
from hoyle_conformance.files.stemming import stem, stems, words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.search.entries import EntryKind, SearchEntry, search_entries
from hoyle_conformance.tools.search.search import (
    build_index,
    find,
    suggest,
)
from hoyle_conformance.tools.search.synonyms import IDLE, NEAR, THE_SAME, searched_words

#: Where in a list something is that is found near first.
NEAR_FIRST = 3
SUITE = the_suite()
#: Every so manieth thing is looked for.
EVERY = 5
EVERYTHING = build_index(search_entries(SUITE))
TITLES = sorted({heading.title for heading in SUITE.index.headings.values()})

titles = st.sampled_from(TITLES)
some_words = st.lists(st.sampled_from(EVERYTHING.words), min_size=1, max_size=6)
asked = st.one_of(titles, some_words.map(" ".join), st.text(max_size=60))
rulesets = st.sampled_from(SUITE.rules.names)
thoroughly = partial(settings, deadline=None)  # the computer may be busy


def ids(found: list[SearchEntry], kind: EntryKind) -> list[str]:
    return [thing.id for thing in found if thing.kind is kind]


# ---- laws


@pytest.mark.slow
def test_every_position_is_found_first_or_near_first_by_its_title() -> None:
    """A title is known by its words: some positions have the same, as they do in other games."""
    for heading in list({heading.scenario: heading for heading in SUITE.index.headings.values()}.values())[::EVERY]:
        found = [thing for thing in find(EVERYTHING, heading.title) if thing.kind is EntryKind.POSITION]
        alike = [thing for thing in found if stems(thing.title) == stems(heading.title)]
        place = ids(found, EntryKind.POSITION).index(heading.scenario)
        assert place < NEAR_FIRST + len(alike) - 1, heading.scenario


@pytest.mark.slow
def test_everything_is_found_first_by_its_id() -> None:
    for thing in EVERYTHING.entries[::EVERY]:
        found = find(EVERYTHING, thing.id)
        of_the_id = [each for each in found if each.id == thing.id]
        assert thing in of_the_id
        assert found[: len(of_the_id)] == of_the_id, thing.id


@pytest.mark.slow
@thoroughly()
@given(asked, st.randoms(use_true_random=False))
def test_the_order_of_words_does_not_matter(text: str, chance: random.Random) -> None:
    shuffled = text.split()
    chance.shuffle(shuffled)
    assert find(EVERYTHING, " ".join(shuffled)) == find(EVERYTHING, text)


@pytest.mark.slow
@thoroughly()
@given(asked)
def test_neither_capitals_nor_repetition_matter(text: str) -> None:
    found = find(EVERYTHING, text)
    assert find(EVERYTHING, f"{text} {text}") == found
    if text.isascii():
        assert find(EVERYTHING, text.upper()) == found


@pytest.mark.slow
@thoroughly()
@given(st.one_of(asked, st.text()))
def test_whatever_is_asked_each_is_found_once(text: str) -> None:
    found = find(EVERYTHING, text)
    assert len(found) == len(set(found))


@pytest.mark.slow
@thoroughly(max_examples=20)
@given(rulesets, titles)
def test_a_ruleset_restricts(ruleset: str, text: str) -> None:
    own, cells = build_index(search_entries(SUITE, ruleset)), SUITE.rules.of(ruleset).cells
    scenarios = {heading.scenario for heading in SUITE.index.headings.values() if heading.ruleset == ruleset}
    everything = {(thing.kind, thing.id, thing.title, thing.says) for thing in EVERYTHING.entries}
    for thing in find(own, text):
        assert (thing.kind, thing.id, thing.title, thing.says) in everything
        if thing.kind is EntryKind.POSITION:
            assert thing.id in scenarios
            assert thing.next == f"hoyle explain {thing.id}@{ruleset}"
        elif thing.kind is EntryKind.CLAUSE:
            assert ruleset in thing.rulesets or not thing.rulesets
        else:
            assert thing.id in cells
            assert thing.next == f"hoyle rules {ruleset} --cells"
    assert {thing.id for thing in own.entries if thing.kind is EntryKind.POSITION} == scenarios


@thoroughly()
@given(st.sampled_from(["trick", "score", "brisque", "marriage", "point"]), st.sampled_from(["", "s", "ed", "ing"]))
def test_a_word_is_found_by_its_forms(word: str, ending: str) -> None:
    form = word.removesuffix("e") + ending if ending.startswith(("e", "i")) else word + ending
    assert stem(form) == stem(word)


def test_every_cell_and_clause_and_position_can_be_found(suite: Suite) -> None:
    """Nothing that a table says is left out, and no command is shown that leads nowhere."""
    known = {cell.path for name in suite.rules.names for cell in suite.rules.of(name).cells}
    of_tables = {thing.id for thing in EVERYTHING.entries if thing.kind not in {EntryKind.CLAUSE, EntryKind.POSITION}}
    assert of_tables == known
    assert {thing.id for thing in EVERYTHING.entries if thing.kind is EntryKind.CLAUSE} == set(suite.clauses)
    assert {thing.id for thing in EVERYTHING.entries if thing.kind is EntryKind.POSITION} == set(suite.scenarios)
    named = {thing.next.split()[2] for thing in EVERYTHING.entries if thing.next.startswith("hoyle rules")}
    assert named <= set(suite.rules.names)


def test_the_other_words_are_sets_of_phrases() -> None:
    for line in (*THE_SAME, *NEAR):
        phrases = [stems(phrase) for phrase in line.split("|")]
        assert all(phrases), line
        assert len(phrases) == len(set(phrases)) > 1, line
    assert len(set(IDLE.split())) == len(IDLE.split())


# ---- examples


@pytest.mark.parametrize(
    ("text", "kind", "name", "most"),
    [
        ("renege", EntryKind.CLAUSE, "h2g2/penalties/revoke", 2),
        ("renege", EntryKind.CLAUSE, "britannica/last-tricks/revoke", 4),
        ("renege", EntryKind.RULE, "tricks.without_drawing.follow_suit", 1),
        ("renege", EntryKind.POSITION, "irregular.ruling-on-a-revoke", 3),
        ("marry again", EntryKind.CLAUSE, "hoyle/bezique/married-queen", 1),
        ("marry again", EntryKind.POSITION, "reuse.same-marriage-twice", 2),
        ("marry again", EntryKind.POSITION, "reuse.a-widowed-queen-marries-again", 3),
        ("marry again", EntryKind.RULE, "declare.same_kind", 1),
        ("rubicon worth", EntryKind.CLAUSE, "hoyle/rubicon/five-hundred-for-game", 10),
        ("rubicon worth", EntryKind.RULE, "settle.under_the_rubicon", 3),
        ("who wins if both pass 1000", EntryKind.POSITION, "game.both-pass-a-thousand-by-declaring", 2),
        ("who wins if both pass 1000", EntryKind.CLAUSE, "bicycle/game/both-reach", 1),
        ("four jacks", EntryKind.COMBINATION, "declare.melds.four-knaves", 1),
        ("kitty", EntryKind.CLAUSE, "h2g2/two-handed/stock", 5),
        ("bezique", EntryKind.COMBINATION, "declare.melds.bezique", 1),
        ("misdeal", EntryKind.CLAUSE, "hoyle/rubicon/law-11", 4),
        ("misdeal", EntryKind.IRREGULARITY, "referee.irregularities.misdeal", 1),
        ("renege", EntryKind.IRREGULARITY, "referee.irregularities.revoke", 1),
        ("law 55", EntryKind.CLAUSE, "hoyle/rubicon/law-55", 2),
        ("one thousand", EntryKind.RULE, "settle.target", 1),
        ("slam", EntryKind.RULE, "score.capot.points", 1),
        ("carte blanche piquet", EntryKind.CLAUSE, "hoyle/piquet/blank-no-court-card", 10),
    ],
)
def test_players_find_what_they_mean(text: str, kind: EntryKind, name: str, most: int) -> None:
    assert name in ids(find(EVERYTHING, text), kind)[:most]


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


def test_idle_words_are_looked_for_only_where_there_are_no_others() -> None:
    assert [word.written for word in searched_words("who is the dealer")] == ["dealer"]
    assert {word.written for word in searched_words("who is the")} == {"who", "is", "the"}


def test_whole_words_come_before_other_words_and_beginnings() -> None:
    def thing(name: str, title: str) -> SearchEntry:
        return SearchEntry(EntryKind.POSITION, name, title, "", "", (), "")

    some = build_index(
        [thing("1", "Knavery"), thing("2", "A jack"), thing("3", "The knave of hearts"), thing("4", "Knave")]
    )
    assert [found.id for found in find(some, "knave")] == ["4", "3", "2", "1"]


def test_near_names_are_looked_for_in_short_questions_only() -> None:
    assert suggest(EVERYTHING, "marrige agan") == "marriage again"
    assert suggest(EVERYTHING, "marrige " * 9) == ""
    assert suggest(EVERYTHING, "x" * 100_000) == ""
    assert suggest(EVERYTHING, "qqqq zzzz") == ""


@pytest.mark.slow
def test_a_very_long_question_is_answered() -> None:
    found = find(EVERYTHING, " ".join([*(f"{number} knaves" for number in range(20_000)), "again"]))
    assert isinstance(found, list)
