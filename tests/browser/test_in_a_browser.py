"""The site in a real browser: `make browser`."""

import re

from playwright.sync_api import Page


def test_a_reader_finds_from_a_rule_to_its_source_and_a_position(page: Page) -> None:
    page.goto("/")
    page.get_by_role("navigation", name="The site").get_by_role("link", name="Bézique").click()
    page.get_by_role("link", name="Hoyle's Games Modernized").first.click()
    assert page.get_by_role("heading", level=1).inner_text() == "Bézique for two"
    rule = page.locator(".r:has([id='tricks.identical_cards_won_by'])")
    rule.get_by_role("link", name="Hoyle, para. ").first.click()
    assert re.search(r"/sources/hoyle/bezique-[a-z-]+\.html#bezique-", page.url)
    page.locator(":target").wait_for()
    page.goto("/sources/hoyle.html#bezique-identical-cards")  # its address before the source was parted
    page.wait_for_url("**/sources/hoyle/*.html#bezique-identical-cards")
    clause = page.locator("#bezique-identical-cards")
    assert "the trick is the leader's" in clause.inner_text()
    clause.locator("summary").click()
    clause.get_by_role("link", name="Which of two identical trumps wins the trick?").click()
    assert page.get_by_role("heading", level=1).inner_text().startswith("Which of two identical trumps wins the trick?")
    assert page.get_by_text("hoyle check -s tricks.identical-trumps").count() == 1


def test_light_and_dark_are_the_readers_choice(page: Page) -> None:
    def paper() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    page.goto("/")
    light = paper()
    page.get_by_role("button", name="Dark").click()
    dark = paper()
    assert light != dark
    page.goto("/check.html")
    assert paper() == dark
    page.get_by_role("button", name="Light").click()
    assert paper() == light
