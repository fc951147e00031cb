"""The pages of the positions in a real browser, from the file system: `make browser`, after the site was built."""

from playwright.sync_api import Browser, Page

from conftest import at

EXAMPLE, LIST = "scenarios/to-score/the-example.html", "scenarios/index.html"


def said(page: Page) -> str:
    return page.locator(".side .said").first.inner_text()


def test_it_is_gone_through_with_the_mouse_and_with_keys(page: Page) -> None:
    page.goto(at(EXAMPLE))
    assert page.locator("main > .felt .face").count() > 5
    assert "declares bézique" in said(page)
    page.get_by_role("button", name="Next").click()
    assert page.evaluate("location.href").endswith("#bezique-bicycle-2")
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


def test_a_step_has_an_address(page: Page) -> None:
    page.goto(at(f"{EXAMPLE}#rubicon-h2g2-2~bezique-bicycle"))
    assert page.locator(".side").count() == 2
    assert page.locator(".side.refused").count() == 1
    assert all("keeps" in each for each in page.locator(".side .said").all_inner_texts())


def test_it_reads_without_a_script(browser: Browser) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(at(EXAMPLE))
    assert page.get_by_text("A declares bézique: Q♠ J♦.").first.is_visible()
    page.locator(".lies summary").nth(2).click()
    assert page.locator(".lies mark", has_text="K♠").first.is_visible()
    page.goto(at(LIST))
    page.locator("summary", has_text="To score").first.click()
    assert page.locator("a[href='to-score/the-example.html']").is_visible()
    page.context.close()


def test_the_list_is_filtered_and_says_so_in_its_address(page: Page) -> None:
    page.goto(at(f"{LIST}#game=piquet&topic=talon&open=1"))
    entries = page.locator("hoyle-positions li:visible")
    assert 0 < entries.count() < 100
    assert all("?" in each for each in page.locator("hoyle-positions li:visible b").all_inner_texts())
    page.get_by_label("a book leaves it open").uncheck()
    page.get_by_label("Words of the question").fill("talon look")
    assert "words=talon+look" in page.evaluate("location.href")
    assert "open" not in page.evaluate("location.href")
    page.get_by_label("Words of the question").fill("no such words anywhere")
    assert page.locator("hoyle-positions [role=status]").inner_text() == "0 positions."
