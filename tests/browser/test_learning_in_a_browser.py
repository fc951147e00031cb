"""Primers and terms in a real browser: `make browser`. They are opened as files, as a reader without a server does."""

import re

import pytest
from playwright.sync_api import Browser, Page

from conftest import at

#: A primer is printed on two sheets.
SHEETS = 2


def test_the_first_use_of_a_term_is_a_link_and_no_other(page: Page) -> None:
    page.goto(at("bezique/learn.html"))
    terms = [link.get_attribute("href") for link in page.locator("main .part .term").all()]
    assert len(terms) == len(set(terms)) > 10
    page.locator(".term", has_text="brisques").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Brisque"


@pytest.mark.parametrize(
    "name", ["bezique/learn", "bezique/learn-rubicon", "bezique/learn-four-handed", "piquet/learn"]
)
def test_a_primer_is_printed_on_two_sheets(page: Page, name: str) -> None:
    page.goto(at(f"{name}.html"))
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4"))) <= SHEETS


def test_without_a_script_all_of_it_is_there(browser: Browser) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(at("bezique/learn.html"))
    assert page.locator("main .mark").count() > 40
    page.locator(".notes summary").click()
    assert page.locator(".notes").get_by_role("link", name="Packets").first.is_visible()
    page.context.close()
