"""The search of the site: the browser answers as the command does, and what players ask is answered first."""

import gzip
import importlib
import json
import random
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from conftest import ROOT, need, the_suite
from hoyle_conformance.files.stemming import stem, words
from hoyle_conformance.tools.ask.answer import AskAnswer, ask
from hoyle_conformance.tools.ask.report import group_sentence
from hoyle_conformance.tools.ask.subjects import subject_data
from hoyle_conformance.web.site import search_index as searching
from hoyle_conformance.web.site.page import Page, href
from hoyle_conformance.web.site.pages import documents
from hoyle_conformance.wording.glossary import terms
from tools.ask.asked import FAMILIES, asked_questions

pytestmark = pytest.mark.slow

SUITE = the_suite()
#: At most so much does the search load, and so much of it is sent.
MOST_BYTES, MOST_SENT = 1_450_000, 310_000
#: So many questions of each other kind are put to both.
SOME = 30

NODE = """
const [asking, index, questions] = process.argv.slice(1).map((path) => require("fs").readFileSync(path, "utf8"));
const window = {};
new Function("window", asking)(window);
new Function("window", index)(window);
const { stem, words, ready } = window.hoyleAsking;
const asked = JSON.parse(questions);
const among = ready(window.HOYLE_INDEX);
const answered = (text) => {
  const { verdict, game, rulesets, entry, subjects, offered, terms } = among.ask(text);
  return { verdict, game, rulesets: rulesets.map(({ id }) => id), entry: entry.map((each) => each.id ?? each),
           subjects, offered, terms: terms.map(([id]) => id) };
};
const said = (text) => {
  const found = among.ask(text);
  const groups = found.subjects.flatMap((id) => among.groupsOf(id, found).map((group) => [id, group]));
  return groups.flatMap(([id, { rulesets, says }]) => rulesets.map(({ id: name }) => [name, id, says]));
};
process.stdout.write(JSON.stringify({
  stems: window.HOYLE_INDEX.lexicon.map(stem),
  words: asked.map(words),
  answers: asked.map(answered),
  said: asked.flatMap(said),
  completed: ["quat", "piquet repi", "who", "qqqqq"].map(among.completed),
}));
"""

#: What players look for by its name.
NAMES = ["piquet", "how to play piquet", "rules of bézique", "four handed", "who deals first", "what is a baseline?"]
ODD = ["", "…", "who is the", "the the", "1,000 points", "12,3456", "Straße", "<b>bold</b>", "__proto__ constructor"]


@pytest.fixture(scope="module")
def listed() -> list[searching.Listed]:
    """Everything that the site finds beside rules and clauses."""
    return list(searching.everything(SUITE, documents(SUITE)))


@pytest.fixture(scope="module")
def written() -> tuple[Page, Page]:
    """The page of the search, and its index."""
    page, script = searching.files(SUITE, documents(SUITE))
    return page, script


@pytest.fixture(scope="module")
def index(written: tuple[Page, Page]) -> Mapping[str, Any]:
    """The index as data."""
    data: Mapping[str, Any] = json.loads(written[1].text.removeprefix("window.HOYLE_INDEX=").rstrip(";\n"))
    return data


@cache
def kept_questions() -> list[str]:
    games = {game: frozenset(each.id for each in rulesets) for game, rulesets in SUITE.rules.games.items()}
    return [each.question for family in FAMILIES for each in asked_questions(family, games)]


def other_questions(lexicon: list[str]) -> list[str]:
    """Some of the phrases that players use, titles of positions, and words of the index taken at random."""
    chance = random.Random(17)
    phrases = [phrase.strip() for each in subject_data().values() for phrase in each.get("asked", "").split("|")]
    titles = [each.title for each in SUITE.scenarios.values()]
    some = [" ".join(chance.choices(lexicon, k=chance.randint(1, 5))) for _ in range(SOME)]
    return [*NAMES, *ODD, *chance.sample(phrases, SOME), *chance.sample(titles, SOME), *some]


def answer_as_the_browser_gives_it(answer: AskAnswer) -> Mapping[str, Any]:
    scope = answer.question.scope
    return {
        "verdict": answer.verdict.value,
        "game": scope.games[0],
        "rulesets": list(scope.rulesets),
        "entry": list(answer.entry),
        "subjects": [each.id for each in answer.subjects],
        "offered": [each.id for each in answer.offered],
        "terms": [each.id for each in answer.terms],
    }


@cache
def said_by_the_command(name: str, path: str) -> str:
    """What the command says of a rule of a ruleset."""
    subject, *_others = ask(SUITE, path, name).subjects
    return next(group_sentence(group) for group in subject.groups if name in group.rulesets)


def test_the_browser_answers_as_the_command_does(
    tmp_path: Path, written: tuple[Page, Page], index: Mapping[str, Any]
) -> None:
    """The same words and stems, the same first answer, and what stands beside it, of all kept questions and others; of
    every ruleset its own sentence."""
    need(which("node"), "node")
    questions = [*kept_questions(), *other_questions(index["lexicon"])]
    (tmp_path / "index.js").write_text(written[1].text, "utf-8")
    (tmp_path / "questions.json").write_text(json.dumps(questions), "utf-8")
    paths = [str(ROOT / "docs/assets/asking.js"), str(tmp_path / "index.js"), str(tmp_path / "questions.json")]
    done = subprocess.run(["node", "-e", NODE, *paths], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert said["stems"] == [stem(word) for word in index["lexicon"]]
    assert said["words"] == [words(text) for text in questions]
    differ = {
        text: (found, wanted)
        for text, found in zip(questions, said["answers"], strict=True)
        if found != (wanted := answer_as_the_browser_gives_it(ask(SUITE, text)))
    }
    assert differ == {}
    differ = {(name, path): says for name, path, says in said["said"] if says != said_by_the_command(name, path)}
    assert differ == {}
    assert said["completed"] == ["quatorz", "piquet repiqu", "who", "qqqqq"]


def test_nothing_that_can_be_read_is_left_out(listed: list[searching.Listed], index: Mapping[str, Any]) -> None:
    found = {each.id for each in listed}
    assert found >= {*SUITE.scenarios, *SUITE.rulesets, *(term.id for term in terms())}
    assert set(index["clauses"]) == set(SUITE.clauses)
    cells = {cell.path for name in SUITE.rulesets for cell in SUITE.rules.cells(name)}
    shown = {path for rules in index["rules"].values() for path in rules}
    assert {
        path for each in index["asking"]["games"].values() for kind, path, *_ in each["subjects"] if kind < 2
    } == shown
    assert shown & cells
    assert all(each.title.strip() and not each.title.startswith("hoyle ") for each in listed)


def test_every_address_is_on_the_site(
    made: dict[str, Page], listed: list[searching.Listed], index: Mapping[str, Any]
) -> None:
    pages = {href(path, ""): page for path, page in made.items()}
    names = [name for name, *_rest in index["asking"]["rulesets"]]
    addresses = {each.address for each in listed if each.kind is not searching.ThingKind.DOCUMENT}
    addresses |= {address for _title, _says, address, _source in index["clauses"].values()}
    for rules in index["rules"].values():
        for path, rule in rules.items():
            having = (names[number] for group in rule["groups"] for number in group[0])
            addresses |= {f"rulesets/{name}.html#{path}" for name in having if "+" not in name}
    for address in addresses:
        path, _, fragment = address.partition("#")
        page = pages.get(path)
        assert page, address
        assert not fragment or not page.body or f'id="{fragment}"' in page.body, address


def test_the_index_is_small(written: tuple[Page, Page]) -> None:
    assert len(written[1].text.encode()) < MOST_BYTES
    assert len(gzip.compress(written[1].text.encode())) < MOST_SENT


def test_an_anchor_is_made_as_the_markdown_of_the_site_makes_it() -> None:
    slugify = importlib.import_module("markdown.extensions.toc").slugify  # it says nothing of its types
    for heading in (
        "What `legal_acts` counts",
        "hello, ready: what you claim",
        "1. The ledger",
        "JUnit XML, for GitLab",
    ):
        assert searching.slug(heading.replace("`", "")) == slugify(heading.replace("`", ""), "-")
