"""The pages of the positions in a real browser, from the file system: `make browser`, after the site was built."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from screens import EVERYWHERE, in_the_way

HERE = Path(__file__).parent
SITE = HERE.parents[1] / "site" / "scenarios"
EXAMPLE, WHOLE, LIST = "to-score/the-example.html", "example/forty-three-to-twenty-three.html", "index.html"
PHONE, DESK = 390, 1280


def opened(browser: Browser, path: str, **how: Any) -> Page:
    page = browser.new_context(bypass_csp=True, **how).new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(f"{SITE.as_uri()}/{path}")
    return page


def said(page: Page) -> str:
    return page.locator(".side .said").first.inner_text()


def test_it_is_gone_through_with_the_mouse_and_with_keys(browser: Browser) -> None:
    page = opened(browser, EXAMPLE)
    page.get_by_role("button", name="Next").click()
    assert "declares bézique" in said(page)
    assert page.evaluate("location.href").endswith("#bezique-bicycle-1")
    page.keyboard.press("ArrowRight")
    assert "keeps common marriage" in said(page)
    assert "keeps common marriage" in (page.locator("hoyle-replay [role=status]").text_content() or "")
    assert page.locator(".felt .new").count()
    page.keyboard.press("End")
    assert page.evaluate("location.href").endswith("#bezique-bicycle-5")
    assert page.get_by_role("button", name="Next").is_disabled()
    page.keyboard.press("Home")
    assert page.get_by_role("button", name="Back").is_disabled()
    page.get_by_role("slider", name="Step").fill("3")
    assert page.evaluate("location.href").endswith("#bezique-bicycle-3")
    page.context.close()


def test_a_step_has_an_address(browser: Browser) -> None:
    page = opened(browser, f"{EXAMPLE}#rubicon-h2g2-2~bezique-bicycle")
    assert page.locator(".side").count() == 2
    assert page.locator(".side.refused").count() == 1
    assert all("keeps" in each for each in page.locator(".side .said").all_inner_texts())
    page.get_by_role("link", name="Watch step 2").first.click()
    page.locator(".tables:not(.two)").wait_for()
    assert page.evaluate("location.href").endswith("#bezique-bicycle-2")
    page.context.close()


def test_two_tables_stand_side_by_side_or_one_under_the_other(browser: Browser) -> None:
    for width in (DESK, PHONE):
        page = opened(browser, EXAMPLE, viewport={"width": width, "height": 900})
        page.get_by_label("Compare with").select_option(index=3)
        first, second = (each.bounding_box() or {} for each in page.locator(".felt").all())
        assert (first["y"] < second["y"]) == (width == PHONE)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.context.close()


def test_every_card_has_its_name(browser: Browser) -> None:
    page = opened(browser, f"{EXAMPLE}#bezique-hoyle-2")
    felt = page.get_by_role("group", name="The table after this step")
    assert felt.get_by_role("img", name="king of spades", exact=True).count() == 1 + 1  # it lies there, and is kept
    assert felt.get_by_role("img", name="a card left open").count()
    page.context.close()


def test_targets_are_large(browser: Browser) -> None:
    page = opened(browser, EXAMPLE, viewport={"width": PHONE, "height": 800})
    for each in page.locator(".bar button, .bar input, .chooser select").all():
        box = each.bounding_box() or {"width": 0, "height": 0}
        assert box["width"] >= 44
        assert box["height"] >= 44
    page.context.close()


def test_it_reads_without_a_script(browser: Browser) -> None:
    page = opened(browser, EXAMPLE, java_script_enabled=False)
    assert page.get_by_text("A declares bézique: Q♠ J♦.").first.is_visible()
    page.locator(".lies summary").nth(2).click()
    assert page.locator(".lies mark", has_text="K♠").first.is_visible()
    page = opened(browser, LIST, java_script_enabled=False)
    page.locator("summary", has_text="To score").first.click()
    assert page.locator("a[href='to-score/the-example.html']").is_visible()
    page.context.close()


def test_the_list_is_filtered_and_says_so_in_its_address(browser: Browser) -> None:
    page = opened(browser, f"{LIST}#game=piquet&topic=talon&open=1")
    entries = page.locator("hoyle-positions li:visible")
    assert 0 < entries.count() < 100
    assert all("?" in each for each in page.locator("hoyle-positions li:visible b").all_inner_texts())
    page.get_by_label("a book leaves it open").uncheck()
    page.get_by_label("Words of the question").fill("talon look")
    assert "words=talon+look" in page.evaluate("location.href")
    assert "open" not in page.evaluate("location.href")
    page.get_by_label("Words of the question").fill("no such words anywhere")
    assert page.locator("hoyle-positions [role=status]").inner_text() == "0 positions."
    page.context.close()


@pytest.mark.parametrize("path", [EXAMPLE, WHOLE, LIST])
@pytest.mark.parametrize(("width", "scheme"), EVERYWHERE)
def test_nothing_stands_in_anybodys_way(browser: Browser, path: str, width: int, scheme: str) -> None:
    page = opened(browser, path, viewport={"width": width, "height": 800}, color_scheme=scheme)
    if path != LIST:
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
    assert in_the_way(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.context.close()
