"""Books side by side, open questions, when something goes wrong and the ledgers in a real browser: `make browser`."""

import re

import pytest
from playwright.sync_api import Browser, Page

from conftest import at

PHONE, DESK = 390, 1280
BAR = 48  # pixels of the bar that stays at the top
INDEX = "bezique/differences.html"
SEVEN = "bezique/differences/the-seven-of-trumps.html"
CARDS = "bezique/differences/players-and-cards.html"
WINNING = "bezique/differences/winning.html"


def shown(page: Page) -> list[str]:
    """The books that stand beside each other."""
    return [each.get_attribute("data-book") or "" for each in page.locator("thead th[data-book]:visible").all()]


def choose(page: Page, book: str) -> None:
    page.locator(f"input[value='{book}']").click()


def test_the_choice_is_in_the_address_and_the_way_back_undoes_it(page: Page) -> None:
    page.goto(at(f"{SEVEN}#seven.when"))
    before = shown(page)
    assert before[0] == "bezique-hoyle"
    choose(page, "rubicon-hoyle")
    page.get_by_label("Differences only").uncheck()
    chosen = shown(page)
    assert chosen == [*before, "rubicon-hoyle"]
    assert page.url.endswith(f"?books={','.join(chosen)}&only=all#seven.when")
    address = page.url
    page.go_back()
    assert page.get_by_label("Differences only").is_checked()
    page.go_back()
    assert shown(page) == before
    page.goto("about:blank")
    page.goto(address)
    assert shown(page) == chosen
    assert not page.get_by_label("Differences only").is_checked()
    box = page.locator("[id='seven.when']").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 400  # the rule that it leads to is in sight


def test_only_differences_are_shown_of_the_books_that_are_chosen(page: Page) -> None:
    page.goto(at(f"{WINNING}?books=rubicon-h2g2,rubicon-hoyle"))
    assert not page.locator("tr.same[id]").first.is_visible()
    assert page.locator("[id='settle.brisques_under_the_rubicon']").is_visible()
    rows = page.locator("tr[id]:visible")
    assert re.match(rf"{rows.count()} of \d+ rules differ ", page.locator("p.count").inner_text())
    for row in rows.all()[:20]:
        said = [each.inner_text() for each in row.locator("td:visible summary, td:visible .none").all()]
        assert len(set(said)) == 2


def test_the_last_book_cannot_be_taken_away(page: Page) -> None:
    page.goto(at(f"{SEVEN}?books=bezique-hoyle"))
    assert shown(page) == ["bezique-hoyle"]
    assert page.locator("input[value='bezique-hoyle']").is_disabled()
    choose(page, "bezique-bicycle")
    assert not page.locator("input[value='bezique-hoyle']").is_disabled()


def test_an_address_with_books_that_nobody_knows_shows_those_to_begin_with(page: Page) -> None:
    page.goto(at(f"{SEVEN}?books=whist,<b>&only=x"))
    assert len(shown(page)) == 2


@pytest.mark.parametrize("books", ["bezique-hoyle,bezique-bicycle", ""])
def test_the_head_stays_in_sight(page: Page, books: str) -> None:
    """On the page where the columns fit, in a box of their own where they do not."""
    every = (page.goto(at(WINNING)), page.locator("hoyle-comparison").get_attribute("data-all"))[1] or ""
    page.goto(at(f"{WINNING}?books={books or every.replace(' ', ',')}#settle.target"))
    row = page.locator("[id='settle.target']")
    row.scroll_into_view_if_needed()
    head, own = page.locator("thead th").nth(1).bounding_box(), row.bounding_box()
    assert head is not None
    assert own is not None
    assert BAR - 1 <= head["y"] < own["y"] - head["height"] + 2
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("page", [PHONE], indirect=True, ids=["phone"])
def test_on_a_phone_the_books_stand_under_each_rule(page: Page) -> None:
    page.goto(at(f"{SEVEN}?books=bezique-hoyle,bezique-bicycle&only=all"))
    row = page.locator("[id='seven.when']")
    title, one, two = (
        row.locator(each).bounding_box() for each in ("th", "td:visible >> nth=0", "td:visible >> nth=1")
    )
    assert title is not None
    assert one is not None
    assert two is not None
    assert title["y"] + title["height"] <= one["y"] + 1
    assert one["y"] + one["height"] <= two["y"] + 1
    assert row.get_by_role("cell").count() == 2  # it is a table still for those who do not see it
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_without_javascript_every_book_is_there_in_a_table_that_scrolls(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": PHONE, "height": 800})
    page = context.new_page()
    page.goto(at(CARDS))
    every = page.locator("hoyle-comparison").get_attribute("data-all") or ""
    assert page.locator("thead th[data-book]").count() == len(every.split()) > 4
    assert page.locator("thead th[data-book]").last.is_visible()
    assert page.locator(".differs td").last.is_visible()
    same = page.locator("tr.same[id]").first
    assert not same.is_visible()
    page.get_by_label("Differences only").uncheck()
    assert same.is_visible()
    context.close()


def test_the_old_address_of_a_rule_leads_to_it_in_the_same_books(page: Page) -> None:
    page.goto(at(f"{INDEX}?books=rubicon-h2g2,rubicon-hoyle#settle.target"))
    page.wait_for_url(f"**/{WINNING}?books=rubicon-h2g2,rubicon-hoyle#settle.target")
    assert shown(page) == ["rubicon-hoyle", "rubicon-h2g2"]
    page.locator("[id='settle.target']:target").wait_for()
