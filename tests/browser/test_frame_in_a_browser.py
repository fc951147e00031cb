"""The frame of every page in a real browser: the bar, and the list of chapters."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page
from screens import EVERYWHERE, MOST_SHIFT, SHIFT, in_the_way

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
BAR, HIGHEST = 48, 120  # pixels: the bar, and the title at the latest
#: A page of each kind.
KINDS = {
    "home": "index.html",
    "rules": "rulesets/bezique-hoyle.html",
    "game": "bezique/index.html",
    "learn": "piquet/learn.html",
    "terms": "bezique/terms.html",
    "term": "terms/marriage.html",
    "differences": "bezique/differences.html",
    "chapter": "bezique/differences/declaring.html",
    "two books": "bezique/differences/hoyle-and-bicycle.html",
    "source": "sources/hoyle.html",
    "ledger": "sources/hoyle/rubicon-law-1.html",
    "irregularities": "bezique/irregularities.html",
    "questions": "piquet/open.html",
    "positions": "scenarios/index.html",
    "position": "scenarios/to-score/the-example.html",
    "engines": "engines/index.html",
    "document": "check.html",
    "search": "search.html?q=revoke",
}


#: Opens what is folded: of many parts some.
OPENS = "[...document.querySelectorAll('main details')].slice(0, 12).forEach((each) => { each.open = true; })"
#: Kinds of which axe measures how large whatever is touched is, too.
MEASURED = {"differences", "chapter", "source", "ledger", "irregularities", "questions", "engines"}


@contextmanager
def opened(browser: Browser, served: str, size: dict[str, int], **options: object) -> Iterator[Page]:
    context = browser.new_context(base_url=served, viewport=size, **options)
    yield context.new_page()
    context.close()


def test_a_title_is_at_the_top_and_nothing_moves_or_overflows(browser: Browser, served: str) -> None:
    for size in (PHONE, DESK):
        with opened(browser, served, size) as page:
            for kind, path in KINDS.items():
                page.goto(path)
                top = page.locator("h1").evaluate("each => each.getBoundingClientRect().top")
                assert top <= HIGHEST, (kind, size)
                assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (kind, size)
                assert page.evaluate(SHIFT) <= MOST_SHIFT, (kind, size)


@pytest.mark.parametrize(("width", "scheme"), EVERYWHERE)
def test_nothing_on_any_page_stands_in_anybodys_way(browser: Browser, served: str, width: int, scheme: str) -> None:
    """Folded parts are open."""
    with opened(browser, served, {"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True) as page:
        for kind, path in {**KINDS, "lost": "no/such/page.html"}.items():
            page.goto(path)
            page.evaluate(OPENS)
            options = "document, { rules: { 'target-size': { enabled: true } } }" if kind in MEASURED else "document"
            assert in_the_way(page, options) == [], kind
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), kind


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_bar_stays_and_an_address_is_not_below_it(browser: Browser, served: str, size: dict[str, int]) -> None:
    with opened(browser, served, size) as page:
        page.goto(f"{KINDS['rules']}#chapter-declaring")
        page.locator(":target").wait_for()
        bar = page.locator("header.top").bounding_box()
        heading = page.locator(":target").bounding_box()
        assert bar == {"x": 0, "y": 0, "width": size["width"], "height": BAR}
        assert heading is not None
        assert BAR <= heading["y"] < size["height"] / 3


def test_the_list_of_chapters_follows_while_one_reads(browser: Browser, served: str) -> None:
    with opened(browser, served, DESK) as page:
        page.goto(KINDS["rules"])
        chapters = page.get_by_role("navigation", name="Chapters")
        current = chapters.locator("[aria-current='location']")
        assert current.count() == 0
        for name in ("5 · Declaring", "3 · Tricks and drawing", "9 · Winning"):
            page.get_by_role("heading", name=name).evaluate(
                "each => scrollTo(0, each.getBoundingClientRect().top + scrollY - 60)"
            )
            current.filter(has_text=name).wait_for()
            assert current.count() == 1
        assert chapters.evaluate("each => each.getBoundingClientRect().top") > 0  # it stays in sight
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        current.filter(has_text="Other books").wait_for()


@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without"])
def test_on_a_phone_the_bar_opens_the_chapters_and_the_sections(browser: Browser, served: str, scripts: bool) -> None:
    with opened(browser, served, PHONE, java_script_enabled=scripts) as page:
        page.goto(KINDS["rules"])
        chapter = page.get_by_role("link", name="5 · Declaring")
        assert not chapter.is_visible()
        page.locator(".contents-button").click()
        assert chapter.is_visible()
        chapter.click()
        assert page.url.endswith("#chapter-declaring")
        if scripts:
            assert not chapter.is_visible()
            page.locator(".contents-button", has_text="5 · Declaring").wait_for()
        else:
            page.keyboard.press("Escape")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("navigation", name="The site").get_by_role("link", name="Piquet").click()
        page.wait_for_url("**/piquet/index.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_in_an_open_menu_stands_in_anybodys_way(browser: Browser, served: str, scheme: str) -> None:
    with opened(browser, served, PHONE, color_scheme=scheme) as page:
        for button in (".contents-button", ".site-button"):
            page.goto(KINDS["rules"])
            page.locator(button).click()
            assert in_the_way(page) == []


def test_on_a_phone_the_search_takes_the_whole_bar(browser: Browser, served: str) -> None:
    with opened(browser, served, PHONE) as page:
        page.goto(KINDS["rules"])
        page.locator(".search label").click()
        page.keyboard.type("revoke")
        page.locator(".top .list a").first.wait_for()
        for part in ("#search", ".top .list"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert box["width"] > PHONE["width"] * 0.9
        assert in_the_way(page) == []
