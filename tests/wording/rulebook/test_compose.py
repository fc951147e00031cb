"""Rule books as people read them: every rule is said, once, in words that hold for it, at an address that stays."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest

from conftest import ROOT
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.rulebook.compose import Chapter, book, holds
from hoyle_conformance.wording.rulings import can_occur

GAMES = ("bezique", "piquet")
LOCK = ROOT / "conformance/hoyle_conformance/wording/rulebook/ids.lock"


def said_in(game: str) -> Iterator[wording.SentenceTemplate]:
    for chapter in wording.chapters(game):
        for paragraph in chapter.paragraphs:
            yield from paragraph.says


def books(suite: Suite, game: str = "") -> Iterator[tuple[str, list[Chapter]]]:
    for name in suite.rules.names:
        if game in {"", "-".join(wording_folder(suite, name))}:
            yield name, book(suite, name)


def wording_folder(suite: Suite, name: str) -> list[str]:
    from hoyle_conformance.files.stemming import words

    return words(suite.rulesets[name.partition("+")[0]].game)


def test_every_rule_that_can_apply_is_said_once_and_in_words_written_for_its_game(suite: Suite) -> None:
    for name, chapters in books(suite):
        said = Counter(entry.cell.path for each in chapters for some in each.paragraphs for entry in some.entries)
        players = suite.rules.of(name).players
        assert said == Counter(cell.path for cell in suite.rules.cells(name) if can_occur(cell.value, players)), name
        assert "others" not in {chapter.name for chapter in chapters}, name


def test_a_paragraph_says_what_its_rules_are(suite: Suite) -> None:
    """No words are left to be filled in, none is doubled, and every sentence has an end."""
    for name, chapters in books(suite):
        for words in (each.words for chapter in chapters for each in chapter.paragraphs if each.words):
            assert not re.search(r"[{}]|  | ,|\.\.|\bNone\b|absent", words), (name, words)
            assert not (twice := re.search(r"\b(\w+) \1\b", words)) or twice[1] in {"that", "had"}, (name, words)
            assert re.search(r"[.?!”)]$", words), (name, words)
            assert not re.search(r": (nothing|one|two|three|four)\.$", words), (name, words)
            assert re.match(r"[A-ZÀ-Ý0-9“]", words), (name, words)


@pytest.mark.parametrize("game", GAMES)
def test_the_wording_is_used_and_fits_the_vocabulary(game: str, suite: Suite) -> None:
    tables = [suite.rules.cells(name) for name in suite.rules.names if [game] == wording_folder(suite, name)]
    known = {cell.path for cells in tables for cell in cells}
    rows = {each.rows for chapter in wording.chapters(game) for each in chapter.paragraphs} - {""}
    paths = [path for said in said_in(game) for path in said.of]
    assert [path for path, times in Counter(paths).items() if times > 1] == []
    assert set(paths) <= known
    assert rows <= {path.rpartition(".")[0] for path in known}
    for case in chain.from_iterable(said.cases for said in said_in(game)):
        named = {*case.when, *re.findall(r"\{([\w.-]+)", case.say)}
        assert {path for path in named if not known & {path, path.rpartition(".")[0]}} == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_case_is_that_of_some_book(game: str, suite: Suite) -> None:
    tables = [suite.rules.cells(name) for name in suite.rules.names if [game] == wording_folder(suite, name)]

    for said in said_in(game):
        having = [at for at, table in enumerate(tables) if any(path in table for path in said.of)]
        first = {next((n for n, case in enumerate(said.cases) if holds(case, tables[at])), -1) for at in having}
        assert set(range(len(said.cases))) <= first, said


def test_paragraphs_keep_their_addresses() -> None:
    """`book/ids.lock` has every id that a paragraph ever had; one that is given up says after an arrow what has its
    place, and nothing else is ever called so."""
    lines = [line.partition(" -> ") for line in LOCK.read_text("utf-8").splitlines()]
    given_up = {old for old, arrow, _ in lines if arrow}
    now = {f"{game} {each.id}" for game in GAMES for chapter in wording.chapters(game) for each in chapter.paragraphs}
    assert {old for old, _, _ in lines} == now | given_up
    assert not now & given_up
    assert {f"{old.split()[0]} {new}" for old, arrow, new in lines if arrow} <= now
    for game in GAMES:
        ids = [each.id for chapter in wording.chapters(game) for each in chapter.paragraphs]
        assert len(set(ids)) == len(ids)
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", each) for each in ids)
        names = [chapter.name for chapter in wording.chapters(game)]
        assert len(set(names)) == len(names)


@pytest.mark.slow
def test_every_rule_stands_at_its_address_with_its_grounds(suite: Suite, made: dict[str, Page]) -> None:
    for name in suite.rulesets:
        page = made[f"rulesets/{name}.md"].body
        ids = set(re.findall(r'\bid="([^"]+)"', page))
        for cell in suite.rules.cells(name):
            assert cell.path in ids, (name, cell.path)
            assert f">{cell.path}</a></code>" in page
            for clause in cell.cites if can_occur(cell.value, suite.rules.of(name).players) else ():
                assert f'#{clause.partition("/")[2].replace("/", "-")}"' in page, (name, clause)
            assert not cell.readings or f'id="open.{cell.path}"' in page
        for option in suite.rules.options(name):
            assert f'id="option-{option}"' in page
            assert {cell.path for cell in suite.rules.cells(f"{name}+{option}")} <= ids, (name, option)
