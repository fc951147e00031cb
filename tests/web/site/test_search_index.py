"""The search of the site: the browser finds what the command finds, and what players ask is answered first."""

import gzip
import importlib
import json
import random
import subprocess
from pathlib import Path
from shutil import which

import pytest

from conftest import ROOT, need, the_suite
from hoyle_conformance.files.stemming import stem, words
from hoyle_conformance.tools.search.entries import QUERIES, EntryKind
from hoyle_conformance.tools.search.search import Index, build_index, find
from hoyle_conformance.web.site import search_index as searching
from hoyle_conformance.web.site.navigation import tabs
from hoyle_conformance.web.site.page import Page, href
from hoyle_conformance.web.site.pages import documents
from hoyle_conformance.wording.glossary import terms

pytestmark = pytest.mark.slow

SUITE = the_suite()
#: A tenth of what the search of the first site loaded, and what is sent of it.
MOST_BYTES, MOST_SENT = 1_080_000, 250_000
#: So many questions of a few words each are put to both.
SOME = 80

NODE = """
const [finding, index, questions] = process.argv.slice(1).map((path) => require("fs").readFileSync(path, "utf8"));
const window = {};
new Function("window", finding)(window);
new Function("window", index)(window);
const { stem, words, ready } = window.hoyleFinding;
const asked = JSON.parse(questions);
const among = ready(window.HOYLE_INDEX);
const said = {
  stems: window.HOYLE_INDEX.words.split(" ").map(stem),
  words: asked.map(words),
  found: asked.map((text) => among.find(text)),
  meant: ["marrige agan", "quatorse", "qqqqqqq", "", "rubikon"].map(among.meant),
};
process.stdout.write(JSON.stringify(said));
"""

#: What two players ask, and the end of the address of what answers it: read, and held.
ANSWERS = {
    # words, cards and laws
    "revoke": "terms/revoke.html",
    "renege": "terms/revoke.html",
    "to score": "terms/to-score.html",
    "Q♠ J♦": "terms/bezique.html",
    "qs jd": "terms/bezique.html",
    "queen of spades jack of diamonds": "terms/bezique.html",
    "law 55": "sources/hoyle.html#rubicon-law-55",
    "carte blanche": "terms/carte-blanche.html",
    "rubicon": "terms/rubicon.html",
    "quatorze": "terms/quatorze.html",
    "tierce": "terms/tierce.html",
    "repique": "terms/repique.html",
    "capot": "terms/capot.html",
    "carte rouge": "terms/carte-rouge.html",
    "jack": "terms/knave.html",
    "talon": "terms/stock.html",
    "marriage in trumps": "terms/royal-marriage.html",
    # Bézique
    "ten ranks": "terms/rank.html",
    "where does the ten rank": "terms/rank.html",
    "does a queen marry twice": "#declare.same_kind",
    "both pass 1000": "#settle.winner",
    "exchange the seven and declare": "#seven.with_a_declaration",
    "exchange a seven already shown": "#seven.after_being_shown",
    "dealer turns up a seven": "#deal.seven_turned_up",
    "four jacks": "#declare.melds.four-knaves",
    "two combinations at once": "#declare.scored_per_trick",
    "marriage out of a sequence": "#declare.lower_after_higher",
    "add to a bezique": "#declare.higher_after_lower",
    "declare after the stock is gone": "#declare.until",
    "must I follow suit": "#tricks.while_drawing.follow_suit",
    "same card played twice": "#tricks.identical_cards_won_by",
    "count aces and tens": "#score.brisques.when",
    "who leads first": "#tricks.first_lead",
    "how many cards each": "#deal.packets",
    "forgot to draw": "#referee.irregularities.no-card-drawn",
    "led out of turn": "#referee.irregularities.led-out-of-turn",
    "drew two cards": "#referee.irregularities.winner-drew-two",
    # Piquet
    "elder leaves cards": "#talon.peep",
    "younger leaves cards": "#talon.untaken",
    "how many may younger exchange": "#talon.younger.most",
    "equal point": "#classes.equal",
    "equal tierces": "#classes.equal",
    "whose point is better": "#classes.point.best",
    "sink a quatorze": "#classes.sinking",
    "younger's repique": "#reckoning.repique.barred_by",
    "younger pique": "#reckoning.pique.by",
    "sixty before the other scores": "#reckoning.repique.points",
    "cards divided": "#score.cards.for",
    "six tricks each": "#score.cards.for",
    "last trick": "terms/last-trick.html",
}


@pytest.fixture(scope="module")
def listed() -> list[searching.Listed]:
    """Everything that the site finds."""
    return list(searching.everything(SUITE, documents(SUITE)))


@pytest.fixture(scope="module")
def among(listed: list[searching.Listed]) -> Index:
    """The same, to be searched by the command."""
    return build_index([each.thing for each in listed])


@pytest.fixture(scope="module")
def written() -> tuple[Page, Page]:
    """The page of the search, and its index."""
    page, script = searching.files(SUITE, documents(SUITE))
    return page, script


@pytest.fixture(scope="module")
def questions(listed: list[searching.Listed], among: Index) -> list[str]:
    """Every question that is held, every phrase that players ask by, and words of the index taken at random."""
    chance = random.Random(17)
    some = [" ".join(chance.choices(among.words, k=chance.randint(1, 5))) for _ in range(SOME)]
    titles = [each.thing.title for each in chance.sample(listed, SOME)]
    odd = [
        "",
        "…",
        "who is the",
        "the the",
        "1,000 points",
        "12,3456",
        "Straße",
        "<b>bold</b>",
        "__proto__ constructor",
        "qu",
        "quat",
    ]
    phrases = [phrase for line in QUERIES.values() for phrase in line.split("|")]
    return [*ANSWERS, *phrases, *odd, *titles, *(text[:9] for text in titles), *some]


def test_the_browser_finds_what_the_command_finds(
    tmp_path: Path, questions: list[str], among: Index, written: tuple[Page, Page]
) -> None:
    """The same words, stems and things in the same order, of all words of the index and of many questions."""
    need(which("node"), "node")
    files = {"index.js": written[1].text, "questions.json": json.dumps(questions)}
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    paths = [str(ROOT / "docs/assets/finding.js"), *(str(tmp_path / name) for name in files)]
    done = subprocess.run(["node", "-e", NODE, *paths], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.stderr == ""
    said = json.loads(done.stdout)
    assert said["stems"] == [stem(word) for word in among.words]
    assert said["words"] == [words(text) for text in questions]
    numbers = {id(thing): number for number, thing in enumerate(among.entries)}
    for text, found in zip(questions, said["found"], strict=True):
        assert found == [numbers[id(thing)] for thing in find(among, text)], text
    assert said["meant"] == ["marriage again", "quatorze", "", "", "rubicon"]


@pytest.mark.parametrize(("question", "address"), ANSWERS.items(), ids=str)
def test_what_players_ask_is_answered_first(question: str, address: str, among: Index) -> None:
    assert find(among, question)[0].next.endswith(address)


def test_rules_and_terms_come_before_positions(among: Index) -> None:
    """Whatever word of a title is asked for: a position is first only where nothing else has it."""
    for word in ("marriage", "trump", "seven", "brisque", "sequence", "pique", "discard", "deal", "score"):
        kinds = [thing.kind for thing in find(among, word)]
        assert kinds[0] in {EntryKind.TERM, EntryKind.RULE, EntryKind.COMBINATION}, word
        assert EntryKind.POSITION not in kinds[:5], word


def test_each_rule_stands_once_for_all_books_that_say_the_same(listed: list[searching.Listed]) -> None:
    rules = [each for each in listed if "#" in each.thing.next and each.thing.next.startswith("rulesets/")]
    assert len({(each.games, each.thing.id, each.thing.says) for each in rules}) == len(rules)
    said = {(name, each.thing.id) for each in rules for name in each.thing.rulesets}
    assert len(said) == sum(len(each.thing.rulesets) for each in rules)  # no book says a rule in two ways
    assert said <= {(name, cell.path) for name in SUITE.rulesets for cell in SUITE.rules.cells(name)}
    known = {cell.path for name in SUITE.rulesets for cell in SUITE.rules.cells(name)}
    assert set(QUERIES) <= known


def test_nothing_that_can_be_read_is_left_out(listed: list[searching.Listed]) -> None:
    addresses = {each.thing.next for each in listed}
    assert len(addresses) > 3_000
    found = {each.thing.id for each in listed}
    assert found >= {*SUITE.clauses, *SUITE.scenarios, *SUITE.rulesets, *(term.id for term in terms())}
    assert all(each.thing.title.strip() and not each.thing.title.startswith("hoyle ") for each in listed)


def test_every_address_is_on_the_site(made: dict[str, Page], listed: list[searching.Listed]) -> None:
    pages = {href(path, ""): page for path, page in made.items()}
    for address in {each.thing.next for each in listed if each.thing.kind is not EntryKind.DOCUMENT}:
        path, _, fragment = address.partition("#")
        page = pages.get(path)
        assert page, address
        assert not fragment or not page.body or f'id="{fragment}"' in page.body, address


def test_the_index_is_small(written: tuple[Page, Page]) -> None:
    assert len(written[1].text.encode()) < MOST_BYTES
    assert len(gzip.compress(written[1].text.encode())) < MOST_SENT


def test_the_page_says_where_to_look_without_javascript(written: tuple[Page, Page]) -> None:
    assert "needs JavaScript" in written[0].body
    for tab in tabs(SUITE):
        assert tab.title not in SUITE.rules.games or all(f'href="{item.path}"' in written[0].body for item in tab.pages)


def test_an_anchor_is_made_as_the_markdown_of_the_site_makes_it() -> None:
    slugify = importlib.import_module("markdown.extensions.toc").slugify  # it says nothing of its types
    for heading in (
        "What `legal_acts` counts",
        "hello, ready: what you claim",
        "1. The ledger",
        "JUnit XML, for GitLab",
    ):
        assert searching.slug(heading.replace("`", "")) == slugify(heading.replace("`", ""), "-")
