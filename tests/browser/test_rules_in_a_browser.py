"""Rule pages and the first pages of the games in a real browser: `make browser`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from screens import EVERYWHERE, in_the_way

SITE = Path(__file__).resolve().parents[2] / "site"
PHONE, DESK = 390, 1280
HOYLE = "rulesets/bezique-hoyle.html"
PAGES = (HOYLE, "rulesets/piquet-rubicon-hoyle.html", "bezique/index.html", "piquet/index.html", "rulesets/index.html")
OTHERS = {"index", "comparison"}


def at(path: str) -> str:
    """Where a page lies on disk: these pages need no server."""
    file, mark, rest = path.partition("#")
    return f"{(SITE / file).as_uri()}{mark}{rest}"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that notes every fault."""
    assert (SITE / HOYLE).is_file(), "build the site first: make site"
    context = browser.new_context(viewport={"width": DESK, "height": 800})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert faults == []


def background(page: Page, selector: str) -> str:
    found = page.locator(selector).first.evaluate("each => getComputedStyle(each).backgroundColor")
    return str(found)


def test_a_rule_is_marked_in_its_paragraph(page: Page) -> None:
    page.goto(at(HOYLE))
    plain = background(page, ".r:has([id='seven.when'])")
    page.goto(at(f"{HOYLE}#seven.when"))
    assert background(page, ".r:has([id='seven.when'])") != plain
    assert page.locator(".r:has([id='seven.when'])").evaluate("each => each.getBoundingClientRect().top") < 800
    assert page.locator(".note-missing").count() == 0


def test_a_paragraph_has_its_own_address_behind_its_number(page: Page) -> None:
    page.goto(at(HOYLE))
    number = page.locator(".r:has([id='seven.when']) > .n")
    number.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"#."))
    paragraph = page.url.partition("#")[2]
    assert page.locator(f"[id='{paragraph}']:target [id='seven.when']").count() == 1


def test_a_button_copies_the_link_to_a_rule(browser: Browser, served: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{served}/{HOYLE}")
    rule = page.locator(".r:has([id='seven.when'])")
    name = rule.get_attribute("id")
    rule.hover()
    rule.get_by_role("button", name=re.compile(r"copy link to \d+\.\d+")).click()
    page.get_by_role("status").filter(has_text="Link copied.").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == f"{served}/{HOYLE}#{name}"
    assert rule.get_by_role("button", name=re.compile(r"copied to \d+\.\d+")).is_visible()
    context.close()


def test_a_link_that_cannot_be_copied_is_in_the_address_bar(page: Page) -> None:
    page.goto(at(HOYLE))
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    rule = page.locator(".r:has([id='seven.when'])")
    rule.hover()
    rule.get_by_role("button", name="copy link").click()
    page.get_by_role("status").filter(has_text="in the address bar").wait_for(state="attached")
    assert page.url.endswith(f"#{rule.get_attribute('id')}")


def test_what_is_open_is_one_line_until_an_address_leads_to_it(page: Page) -> None:
    page.goto(at(HOYLE))
    folds = page.locator("details.open")
    assert folds.count() > 5
    assert page.locator("details.open[open]").count() == 0
    assert all(fold.evaluate("each => each.getBoundingClientRect().height") < 50 for fold in folds.all()[:8])
    inside = folds.first.locator("p[id]").get_attribute("id") or ""
    page.evaluate("id => { location.hash = id; }", inside)
    page.locator(f"[id='{inside}']").wait_for()
    assert page.locator("details.open[open]").count() == 1


def test_another_book_keeps_the_rule_of_the_address(page: Page) -> None:
    """Though one has scrolled up to choose the book."""
    page.goto(at(f"{HOYLE}#seven.when"))
    page.evaluate("scrollTo(0, 0)")
    page.locator("a.book", has_text="Bicycle").click()
    page.wait_for_url(re.compile(r"bezique-bicycle\.html#seven\.when$"))
    assert page.locator(".note-missing").count() == 0


def test_another_book_keeps_the_paragraph_that_one_has_read(page: Page) -> None:
    page.goto(at(HOYLE))
    paragraph = page.locator(".r:has([id='seven.when'])")
    name = paragraph.get_attribute("id")
    paragraph.evaluate("each => scrollTo(0, each.getBoundingClientRect().top + scrollY)")
    page.wait_for_timeout(1000)  # one reads
    page.evaluate("scrollTo(0, 0)")
    page.locator("a.book", has_text="Bicycle").click()
    page.wait_for_url(re.compile(rf"bezique-bicycle\.html#{name}$"))


def test_an_address_that_is_none_does_no_harm(page: Page) -> None:
    page.goto(at(f"{HOYLE}#%E0%A4%A"))
    assert page.locator("h1").is_visible()


def test_a_rule_that_a_book_does_not_have_leads_to_its_chapter(page: Page) -> None:
    page.goto(at("rulesets/rubicon-hoyle.html#seven.when"))
    assert page.locator(".note-missing").count() == 1
    page.goto(at("rulesets/bezique-hoyle.html#declare.looking"))
    for address in ("open.tricks.nothing-so-called", "no-such-paragraph"):
        page.evaluate(f"location.hash = '{address}'")
        page.locator(".note-missing").wait_for()
        assert page.locator(".note-missing").count() == 1
    page.evaluate("location.hash = 'seven.when'")
    page.locator(".note-missing").wait_for(state="detached")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "scheme"), EVERYWHERE)
def test_nothing_stands_in_anybodys_way(browser: Browser, path: str, width: int, scheme: str) -> None:
    dark = "dark" if scheme == "dark" else "light"
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=dark, bypass_csp=True)
    page = context.new_page()
    page.goto(at(path))
    page.evaluate("document.querySelectorAll('article details').forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert in_the_way(page) == []
    context.close()


def test_a_book_is_printed_on_two_sheets_with_two_sides_each(page: Page) -> None:
    books = sorted(each for each in (SITE / "rulesets").glob("*.html") if each.stem not in OTHERS)
    assert len(books) > 2
    for book in books:
        page.goto(book.as_uri())
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 4, book.stem
    page.emulate_media(media="print")
    assert (
        page.locator(".r > p").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 12
    )  # 9 points
    assert not page.locator(".codes").is_visible()
    assert page.locator(".m:visible, .copy:visible").count() == 0
    assert page.locator("details.open p").first.is_visible()  # what is folded is printed


def test_it_reads_without_javascript(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": DESK, "height": 800})
    page = context.new_page()
    page.goto(at(f"{HOYLE}#seven.when"))
    assert page.locator(".r:has(:target)").is_visible()
    code = page.locator("code.code", has_text="seven.when").first
    assert not code.is_visible()
    page.locator("#codes").check()
    assert code.is_visible()
    positions = page.locator(".r:has(:target) details.positions")
    positions.locator("summary").click()
    assert positions.get_by_role("link").first.is_visible()
    context.close()
