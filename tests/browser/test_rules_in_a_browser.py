"""Rule pages and the first pages of the games in a real browser: `make browser`."""

import re

from playwright.sync_api import Browser, Page

from conftest import SITE, at

HOYLE = "rulesets/bezique-hoyle.html"
OTHERS = {"index", "comparison"}


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


def test_a_book_is_printed_on_three_sheets_at_most(page: Page) -> None:
    books = sorted(each for each in (SITE / "rulesets").glob("*.html") if each.stem not in OTHERS)
    assert len(books) > 2
    for book in books:
        page.goto(book.as_uri())
        sides = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
        assert len(sides) <= 6, book.stem
    page.emulate_media(media="print")
    assert (
        page.locator(".r > p").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 12
    )  # 9 points
    assert not page.locator(".codes").is_visible()
    assert page.locator(".m:visible, .copy:visible").count() == 0
    assert page.locator("details.open p").first.is_visible()  # what is folded is printed


def test_it_reads_without_javascript(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
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
