"""The search of the site in a real browser, by keyboard, served and from the file system: `make browser`."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page

from conftest import SITE

#: Queries, and the end of the address of the first result; tests/web/site/test_search_index.py has more of them.
ASKED = {
    "piquet": "piquet/learn.html",
    "hoyle and bicycle": "bezique/differences/hoyle-and-bicycle.html",
    "what is a brisque?": "terms/brisque.html",
    "law 55": "sources/hoyle/rubicon-law-1.html#rubicon-law-55",
    "younger's repique": "#reckoning.repique.barred_by",
}


@pytest.fixture(params=["served", "file"])
def root(request: pytest.FixtureRequest, served: str) -> str:
    """Where the site begins: at a server, and in the file system."""
    return served if request.param == "served" else SITE.as_uri()


def box(page: Page) -> Locator:
    """The box that a page has for the search: on the first page it is not in the frame."""
    return page.locator("[role=combobox]:visible").first


def asked(page: Page, text: str) -> Locator:
    box(page).fill(text)
    options = page.locator(".list:visible [role=option]")
    options.first.wait_for()
    return options


def test_what_is_asked_is_answered_first(page: Page, root: str) -> None:
    page.goto(f"{root}/sources/index.html")
    for text, address in ASKED.items():
        asked(page, text)
        page.wait_for_function("(end) => document.querySelector('[role=option]')?.href.endsWith(end)", arg=address)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**#reckoning.repique.barred_by")
    assert page.locator("[id='reckoning.repique.barred_by']").count() == 1


def test_it_is_a_combobox_by_the_book(page: Page, served: str) -> None:
    page.goto(f"{served}/index.html")
    page.keyboard.press("/")
    field, name = box(page), "look"
    assert field.evaluate("(each) => each === document.activeElement")
    assert field.get_attribute("aria-expanded") == "false"
    options = asked(page, "marriage")
    assert field.get_attribute("aria-expanded") == "true"
    assert "found. First: " in page.locator("main [role=search] [role=status]").inner_text()
    for key, place in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", options.count() - 1)):
        page.keyboard.press(key)
        chosen = page.locator("[role=option][aria-selected=true]")
        assert chosen.get_attribute("id") == field.get_attribute("aria-activedescendant") == f"{name}-option-{place}"
    page.keyboard.press("Escape")
    assert field.get_attribute("aria-expanded") == "false"
    assert field.get_attribute("aria-activedescendant") is None
    assert field.input_value() == "marriage"
    page.keyboard.press("Escape")
    assert field.input_value() == ""


def test_all_results_have_a_page_with_the_game_in_its_address(page: Page, root: str) -> None:
    page.goto(f"{root}/index.html")
    asked(page, "last trick")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=last+trick")
    status = page.locator("main [role=status]")
    status.wait_for()
    both = status.inner_text()
    page.get_by_role("link", name="Piquet", exact=True).last.click()
    page.wait_for_url("**game=Piquet")
    status.wait_for()
    assert status.inner_text() != both
    assert "Bézique for two" not in page.locator("main").inner_text()
    page.locator("main .found a[href$='#score.last_trick.points']").first.click()
    page.wait_for_url("**/piquet-*.html#score.last_trick.points")


@pytest.mark.parametrize("text", ['"><script>alert(1)</script>', "&lt;b&gt;", "__proto__"])
def test_what_is_asked_is_never_markup(page: Page, served: str, text: str) -> None:
    page.goto(f"{served}/search.html?q={quote(text)}&game={quote(text)}")
    page.locator("main [role=status]").wait_for()
    box(page).fill(text)
    page.locator(".list:visible").wait_for()
    assert page.locator("main img, main script, .search img, .search script").count() == 0
    assert text in page.locator("main").inner_text()


@pytest.mark.parametrize(
    ("lost", "meant"),
    [
        ("rulesets/bezique_hoyle", "/rulesets/bezique-hoyle.html"),
        ("a/term/carte_blanche.htm", "/terms/carte-blanche.html"),
        ("in/a/folder/piquet/diferences.html", "/in/a/folder/piquet/differences.html"),
    ],
)
def test_where_nothing_is_the_way_goes_on(browser: Browser, served: str, lost: str, meant: str) -> None:
    page = browser.new_page()
    page.route("**/in/a/folder/**", lambda of: of.continue_(url=of.request.url.replace("/in/a/folder", "")))
    page.goto(f"{served}/{lost}")
    near = page.locator("#near a")
    near.wait_for()
    assert near.evaluate("each => each.pathname") == meant
    near.click()
    page.wait_for_url(f"**{meant}")
    page.go_back()
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/search.html?q=**")
    assert page.locator("main [role=status]").inner_text()
    page.close()


def test_an_address_is_never_markup(browser: Browser, served: str) -> None:
    page = browser.new_page()
    page.goto(f"{served}/{quote('<img src=x onerror=alert(1)>')}/%E0%A4%A")
    assert page.get_by_role("heading", level=1).inner_text() == "Page not found"
    assert page.locator("main img").count() == 0
    page.close()
