"""Primers and terms in a real browser: `make browser`. They are opened as files, as a reader without a server does."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from screens import in_the_way

HERE = Path(__file__).parent
SITE = HERE.parents[1] / "site"
PHONE, DESK = 390, 1280
#: One of each kind.
PAGES = ("bezique/learn", "piquet/terms", "terms/carte-blanche")
#: A primer is printed on two sheets.
SHEETS = 2


def opened(browser: Browser, name: str, **how: Any) -> Page:
    """A page of the site as it lies in the file system; it asks for nothing that is not in the site."""
    file = SITE / f"{name}.html"
    assert file.is_file(), "build the site first: make site"
    page = browser.new_context(**how).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(SITE.as_uri()) else faults.append(request.url))
    page.goto(file.as_uri())
    assert [each for each in faults if not each.startswith("data:")] == []
    return page


@pytest.fixture
def primer(browser: Browser) -> Iterator[Page]:
    page = opened(browser, "bezique/learn", viewport={"width": DESK, "height": 900})
    yield page
    page.context.close()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_nothing_stands_in_anybodys_way(browser: Browser, name: str, width: int) -> None:
    page = opened(browser, name, viewport={"width": width, "height": 800}, bypass_csp=True)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.evaluate("document.querySelectorAll('main details').forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert in_the_way(page) == [], scheme
    page.context.close()


def test_a_mark_leads_to_its_rule_by_mouse_and_by_keyboard(primer: Page) -> None:
    marks = primer.locator("main .mark")
    assert [mark.inner_text() for mark in marks.all()] == [str(n + 1) for n in range(marks.count())]
    said = primer.locator("#seven p").first.locator(".mark").first
    assert said.get_attribute("href") == "../rulesets/bezique-hoyle.html#seven.when"
    said.focus()
    primer.keyboard.press("Enter")
    primer.wait_for_url("**/rulesets/bezique-hoyle.html#seven.when")
    primer.go_back()
    primer.locator("#turn .mark").first.click()
    primer.wait_for_url("**/rulesets/bezique-hoyle.html#tricks.first_lead")


@pytest.mark.parametrize("name", ["bezique/learn", "piquet/learn"])
def test_every_mark_leads_to_a_rule_that_is_on_its_page(browser: Browser, name: str) -> None:
    page = opened(browser, name)
    addresses = {
        link.get_attribute("href") or "" for link in page.locator("main :is(.mark, .notes a, .scores a)").all()
    }
    for address in addresses:
        path, _, rule = address.partition("#")
        written = (SITE / name).parent.joinpath(path).resolve().read_text("utf-8")
        assert f'id="{rule}"' in written, address
    page.context.close()


def test_the_first_use_of_a_term_is_a_link_and_no_other(primer: Page) -> None:
    terms = [link.get_attribute("href") for link in primer.locator("main .part .term").all()]
    assert len(terms) == len(set(terms)) > 10
    primer.locator(".term", has_text="brisques").click()
    assert primer.get_by_role("heading", level=1).inner_text() == "Brisque"
    primer.get_by_role("link", name="Terms of Bézique").click()
    primer.get_by_role("navigation").first.wait_for()
    primer.locator(".letters").get_by_role("link", name="T", exact=True).click()
    primer.get_by_role("link", name="turn-up", exact=True).click()
    assert primer.get_by_role("heading", level=1).inner_text() == "Turn-up"


@pytest.mark.parametrize("name", ["bezique/learn", "piquet/learn"])
def test_a_primer_is_printed_on_two_sheets(browser: Browser, name: str) -> None:
    page = opened(browser, name)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))) <= SHEETS
    page.context.close()


def test_without_a_script_all_of_it_is_there(browser: Browser) -> None:
    page = opened(browser, "bezique/learn", java_script_enabled=False)
    assert page.locator("main .mark").count() > 40
    assert page.get_by_role("row", name="Double bézique").inner_text().endswith("500")
    page.locator(".notes summary").click()
    assert page.locator(".notes").get_by_role("link", name="Packets").first.is_visible()
    page.context.close()


@pytest.mark.parametrize("name", ["bezique/learn", "piquet/learn"])
def test_a_whole_deal_is_played_step_by_step(browser: Browser, name: str) -> None:
    page = opened(browser, name)
    deal = page.locator("#a-whole-deal")
    at = deal.get_by_role("slider")
    assert (at.input_value(), int(at.get_attribute("max") or 0) > 30) == ("0", True)
    deal.get_by_role("button", name="Next").click()
    assert at.input_value() == "1"
    page.context.close()
