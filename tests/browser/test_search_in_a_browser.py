"""The search of the site in a real browser, by keyboard, served and from the file system: `make browser`."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page
from screens import EVERYWHERE, in_the_way

HERE = Path(__file__).parent
SITE = HERE.parents[1] / "site"
PHONE, DESK = 390, 1280
#: Queries, and the end of the address of the first result; tests/web/site/test_search_index.py has more of them.
ASKED = {
    "piquet": "piquet/learn.html",
    "how to play piquet": "piquet/learn.html",
    "rules of bézique": "bezique/index.html",
    "four handed": "rulesets/four-handed-h2g2.html",
    "what is a brisque?": "terms/brisque.html",
    "what is a baseline?": "glossary.html",
    "law 55": "sources/hoyle/rubicon-law-1.html#rubicon-law-55",
    "does a queen marry twice": "#declare.same_kind",
    "exchange the seven and declare": "#seven.with_a_declaration",
    "younger's repique": "#reckoning.repique.barred_by",
}


@pytest.fixture(params=["served", "file"])
def root(request: pytest.FixtureRequest, served: str) -> str:
    """Where the site begins: at a server, and in the file system."""
    return served if request.param == "served" else SITE.as_uri()


def opened(browser: Browser, address: str, **how: Any) -> Page:
    """A page that notes every request that leaves the site, and every fault."""
    page = browser.new_context(**{"viewport": {"width": DESK, "height": 900}, **how}).new_page()
    home = ("data:", "file:") if address.startswith("file:") else ("data:", "/".join(address.split("/")[:3]))
    page.on("request", lambda request: None if request.url.startswith(home) else faults(page).append(request.url))
    page.on("pageerror", lambda error: faults(page).append(str(error)))
    page.goto(address)
    return page


def faults(page: Page) -> list[str]:
    page.__dict__.setdefault("faults", [])
    found: list[str] = page.__dict__["faults"]
    return found


def closed(page: Page) -> None:
    assert faults(page) == []
    page.context.close()


def box(page: Page) -> Locator:
    """The box that a page has for the search: on the first page it is not in the frame."""
    return page.locator("[role=combobox]:visible").first


def asked(page: Page, text: str) -> Locator:
    box(page).fill(text)
    options = page.locator(".list:visible [role=option]")
    options.first.wait_for()
    return options


def test_what_is_asked_is_answered_first(browser: Browser, root: str) -> None:
    page = opened(browser, f"{root}/sources/index.html")
    for text, address in ASKED.items():
        asked(page, text)
        page.wait_for_function("(end) => document.querySelector('[role=option]')?.href.endsWith(end)", arg=address)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**#reckoning.repique.barred_by")
    assert page.locator("[id='reckoning.repique.barred_by']").count() == 1
    closed(page)


def test_a_shared_rule_shows_what_each_group_of_books_says(browser: Browser, served: str) -> None:
    page = opened(browser, f"{served}/index.html")
    asked(page, "last trick points in bezique")
    page.wait_for_function("() => document.querySelector('.kind')?.textContent === 'Answer'")
    group = page.locator(".list:visible [role=group]").first
    said = group.locator("[role=option]")
    assert said.count() > 1
    notes = group.locator(".note").all_inner_texts()
    assert len(set(notes)) == len(notes)
    closed(page)


def test_a_doubtful_answer_says_so(browser: Browser, served: str) -> None:
    page = opened(browser, f"{served}/index.html")
    asked(page, "points?")
    page.wait_for_function("() => document.querySelector('.meant')?.textContent.startsWith('Not sure: ')")
    assert "Perhaps" in page.locator(".list:visible .kind").all_inner_texts()
    closed(page)


def test_it_is_a_combobox_by_the_book(browser: Browser, served: str) -> None:
    page = opened(browser, f"{served}/index.html")
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
    closed(page)


def test_all_results_have_a_page_with_the_game_in_its_address(browser: Browser, root: str) -> None:
    page = opened(browser, f"{root}/index.html")
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
    page.wait_for_url("**/piquet-hoyle.html#score.last_trick.points")
    closed(page)


@pytest.mark.parametrize(
    "text", ["<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "&lt;b&gt;", "__proto__"]
)
def test_what_is_asked_is_never_markup(browser: Browser, served: str, text: str) -> None:
    page = opened(browser, f"{served}/search.html?q={quote(text)}&game={quote(text)}")
    page.locator("main [role=status]").wait_for()
    box(page).fill(text)
    page.locator(".list:visible").wait_for()
    assert page.locator("main img, main script, .search img, .search script").count() == 0
    assert text in page.locator("main").inner_text()
    closed(page)


def test_what_is_misspelt_is_put_right(browser: Browser, served: str) -> None:
    page = opened(browser, f"{served}/index.html")
    first = asked(page, "quatorse").first
    assert (first.get_attribute("href") or "").endswith("terms/quatorze.html")
    box(page).fill("qqqqqqqq")
    page.get_by_text("No results for “qqqqqqqq”").wait_for()
    closed(page)


@pytest.mark.parametrize(("width", "scheme"), EVERYWHERE)
def test_nothing_stands_in_anybodys_way(browser: Browser, served: str, width: int, scheme: Any) -> None:
    for path, text in (("index.html", "revoke"), ("search.html?q=marriage", "marriage"), ("no/such/page", "qqqqqqqq")):
        how = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme, "bypass_csp": True}
        page = opened(browser, f"{served}/{path}", **how)
        box(page).fill(text)
        page.locator(".list:visible").wait_for()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert in_the_way(page) == []
        closed(page)


def test_without_javascript_the_page_says_where_to_look(browser: Browser, root: str) -> None:
    page = opened(browser, f"{root}/search.html?q=revoke", java_script_enabled=False)
    assert page.get_by_text("needs JavaScript").is_visible()
    page.locator("main").get_by_role("link", name="Rules by book").first.click()
    assert page.url.endswith("/bezique/index.html")
    closed(page)


@pytest.mark.parametrize(
    ("lost", "meant"),
    [
        ("rulesets/bezique_hoyle", "/rulesets/bezique-hoyle.html"),
        ("rulesets/bezique-hoyle/", "/rulesets/bezique-hoyle.html"),
        ("a/term/carte_blanche.htm", "/terms/carte-blanche.html"),
        ("piquet/diferences.html", "/piquet/differences.html"),
    ],
)
def test_where_nothing_is_the_way_goes_on(browser: Browser, served: str, lost: str, meant: str) -> None:
    page = opened(browser, f"{served}/{lost}")
    near = page.locator("#near a")
    near.wait_for()
    assert (near.get_attribute("href") or "").endswith(meant)
    near.click()
    page.wait_for_url(f"**{meant}")
    page.go_back()
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/search.html?q=**")
    assert page.locator("main [role=status]").inner_text()
    closed(page)


def test_an_address_is_never_markup(browser: Browser, served: str) -> None:
    page = opened(browser, f"{served}/{quote('<img src=x onerror=alert(1)>')}/%E0%A4%A")
    assert page.get_by_role("heading", level=1).inner_text() == "Page not found"
    assert page.locator("main img").count() == 0
    closed(page)
