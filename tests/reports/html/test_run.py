"""Records as pages: they stand alone, hold every failure, and no words of a record become markup."""

import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, Done
from hoyle_conformance.reports import side_by_side as beside
from hoyle_conformance.reports.html.run import run_page, side_by_side_page
from hoyle_conformance.reports.load_record import read_record
from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.side_by_side import columns, warnings
from hoyle_conformance.reports.summary import count, count_by_topic
from hoyle_conformance.wording.html import Markup, drawn, tag, text
from hoyle_conformance.wording.text import sanitize
from recorded import records, words

Hoyle = Callable[..., Done]
RECORDS = ROOT / "tests/records"
NAMES = sorted(path.stem for path in RECORDS.glob("*.jsonl"))
#: All elements and attributes that a page is made of.
ELEMENTS = frozenset(
    [
        *("html", "head", "meta", "title", "link", "style", "script", "body", "header", "main", "footer", "section"),
        *("nav", "article", "div", "span", "p", "small", "b", "strong", "br", "a", "h1", "h2", "h3", "h4"),
        *("ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td"),
        *("details", "summary", "svg", "rect", "code", "pre"),
    ]
)
ATTRIBUTES = frozenset(
    [
        *("lang", "charset", "http-equiv", "content", "name", "rel", "href", "class", "id", "scope", "role"),
        *("aria-label", "aria-hidden", "tabindex", "colspan", "data-of", "viewbox"),
        *("preserveaspectratio", "width", "height", "x"),
    ]
)
ALONE = frozenset({"meta", "link", "br"})


class Shown(HTMLParser):
    """What a page shows: its words, its elements in the order in which they are closed, links and what they lead to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words, self.ids, self.links = "", list[str](), list[str]()
        self.open, self.unexpected = list[str](), list[str]()
        self.feed(page)
        self.close()

    def handle_starttag(self, element: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if element not in ELEMENTS or given.keys() - ATTRIBUTES or len(given) < len(attributes):
            self.unexpected.append(f"{element} {given}")
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if element == "a" else []
        self.open += [] if element in ALONE else [element]

    def handle_endtag(self, element: str) -> None:
        if not self.open or self.open.pop() != element:
            self.unexpected.append(f"/{element}")

    def handle_data(self, words: str) -> None:
        self.words += words

    def handle_comment(self, words: str) -> None:
        self.unexpected.append(words)

    def unknown_decl(self, words: str) -> None:
        self.unexpected.append(words)


def read(name: str) -> Record:
    return read_record(RECORDS / f"{name}.jsonl")


def sound(page: str) -> Shown:
    """What a page shows, which is nothing but what pages are made of, leads nowhere else, and has each name once."""
    shown = Shown(page)
    assert shown.open == shown.unexpected == []
    assert len(set(shown.ids)) == len(shown.ids)
    assert {link.removeprefix("#") for link in shown.links} <= {*shown.ids}
    assert all(link.startswith("#") for link in shown.links)
    return shown


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(records())
def test_no_words_of_a_record_become_markup(record: Record) -> None:
    shown = sound(run_page(record)).words
    for each in record.failures:
        assert each.check in shown
        assert sanitize(each.title) in shown
        if each.failure and (each.failure.expected or each.failure.observed):
            assert sanitize(each.failure.expected).replace("\n", "") in shown.replace("\n", "")


@pytest.mark.slow
@settings(deadline=None, max_examples=10)
@given(st.lists(records(), min_size=2, max_size=3))
def test_no_words_of_records_side_by_side_become_markup(some: Sequence[Record]) -> None:
    shown = sound(side_by_side_page(some)).words
    for record in some:
        for each in record.failures:
            assert each.check in shown
    names = [each.name for each in columns(some)]
    assert len(set(names)) == len(names)
    for page in (beside.comparison_text(some), beside.markdown(some)):
        assert "\x1b" not in sanitize(page)
        assert page.endswith("\n")
    assert "<owned>" not in beside.markdown(some)
    assert "<script" not in beside.markdown(some)


@given(words)
def test_words_are_put_in_as_they_are_written(words: str) -> None:
    for shown in (text(words), drawn(words), tag("p", words)):
        page = Shown(shown)
        assert page.words == sanitize(words)
        assert not page.unexpected
    assert isinstance(text(words), Markup)
    assert Shown(tag("p", "x", class_=words)).unexpected == []


def test_cards_are_drawn_and_read_aloud() -> None:
    shown = drawn("A plays K♦², B the 10♠. No cards: K, ♦, AK♦ and K♦s.")
    assert shown.count("<span") == 2
    assert '<span class="card diamonds" role="img" aria-label="king of diamonds (copy 2)">K♦²</span>, B' in shown
    assert '<span class="card spades" role="img" aria-label="ten of spades">10♠</span>. No' in shown


@pytest.mark.parametrize("name", NAMES)
def test_a_page_asks_nobody_for_anything(name: str) -> None:
    page = run_page(read(name))
    assert set(re.findall(r"https?://[^\s'&]+", page)) == {"http://www.w3.org/2000/svg"}  # the name of what the icon is
    assert not re.findall(r"url\(|@import|\bsrc=", page)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    for element in ("style", "script"):
        inside = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        assert len(inside) == 1
        digest = b64encode(sha256(inside[0].encode()).digest()).decode()
        assert f"{element}-src &#x27;sha256-{digest}&#x27;" in policy[1]
    assert policy[1].startswith("default-src &#x27;none&#x27;")
    assert " style=" not in page


def test_the_failures_stand_by_cause() -> None:
    record = read("wrong")
    page = run_page(record)
    for number, cause in enumerate(record.causes, start=1):
        _, _, part = page.partition(f'id="cause-{number}"')
        part = part.partition('id="cause-')[0]
        assert all(check in part for check in cause.checks)
        example = record.by_check[cause.checks[0]]
        assert example.failure
        assert text(example.failure.again) in part
    assert "Failed: " in page
    assert sound(page).words.count("Expected") >= 2
    [known] = [each for each in record.results if each.status == "expected-failure"]
    assert known.check in page.partition('id="known"')[2]


def test_a_record_that_is_cut_off_says_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join((RECORDS / "wrong.jsonl").read_bytes().splitlines(keepends=True)[:4]))
    record = read_record(path)
    shown = sound(run_page(record)).words
    assert "The record is cut off: 7 of 10 checks were not run." in shown
    assert "7 checks that were selected did not run." in shown
    assert all(each.check in shown for each in record.failures)
    assert record.failures
    assert "The record is cut off" in beside.comparison_text([record, read("right")])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_counted_is_what_is_recorded(name: str) -> None:
    record = read(name)
    total = count(record.results)
    rows = [each for rows in count_by_topic(record).values() for each in rows.values()]
    assert sum(each.asked for each in rows) == total.asked
    assert total.failed == len(record.failures)
    assert total.asked + total.not_asked == len(record.results)


def test_the_same_engine_twice_has_two_names_and_what_is_unfair_is_told() -> None:
    one = read("right")
    other = replace(one, implementation=replace(one.implementation, version="0.2.0"))
    assert [each.name for each in columns([one, other])] == [
        "reference interpreter 0.1.0",
        "reference interpreter 0.2.0",
    ]
    twice = [each.name for each in columns([one, one])]
    assert twice == ["reference interpreter 0.1.0 (record 1)", "reference interpreter 0.1.0 (record 2)"]
    assert list(warnings(columns([one, other]))) == []
    changed = {
        "different suites": replace(other, suite="9.9"),
        "checks that were relabelled differently: as usual for": replace(other, seed="monday"),
        "different house rules: none for": replace(other, house={"id": "mine", "extends": "bezique-hoyle"}),
        "different versions of Hoyle": replace(other, hoyle="9.9"),
        "not sent the same checks: 4 checks": replace(other, results=other.results[:2], selected=2),
        "0.2.0: The record is cut off": replace(other, exit=None),
    }
    for says, record in changed.items():
        [warning] = warnings(columns([one, record]))
        assert says in warning
        assert text(warning) in side_by_side_page([one, record])


def test_what_is_not_claimed_is_no_failure_side_by_side(hoyle: Hoyle, tmp_path: Path) -> None:
    done = hoyle("report", "right.jsonl", "wrong.jsonl", cwd=RECORDS)
    assert done.returncode == 0
    assert re.search(r"^bezique-bicycle +not sent +2 of 5$", done.stdout, re.MULTILINE)
    assert re.search(r"^bezique-hoyle +4 of 4 +2 of 5$", done.stdout, re.MULTILINE)
    page, beside_them = tmp_path / "run.html", tmp_path / "beside.html"
    assert hoyle("report", "wrong.jsonl", "--html", str(page), cwd=RECORDS).returncode == 0
    assert hoyle("report", "right.jsonl", "wrong.jsonl", "--html", str(beside_them), cwd=RECORDS).returncode == 0
    assert page.read_text("utf-8") == run_page(read_record(RECORDS / "wrong.jsonl"))
    assert "not claimed" not in done.stdout  # the first engine claims it too: nothing of it was chosen
    one = read("right")
    less = replace(one, implementation=replace(one.implementation, rulesets=frozenset({"bezique-hoyle"})))
    assert re.search(
        r"^bezique-bicycle +not claimed +2 of 5$", beside.comparison_text([less, read("wrong")]), re.MULTILINE
    )
    links = sound(beside_them.read_text("utf-8")).links
    assert "#engine-2-bezique-hoyle" in links
    assert "#engine-2-bezique-hoyle-tricks" in links
    assert "#engine-1-bezique-hoyle" not in links
