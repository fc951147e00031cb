"""The site in a real browser: `make browser`."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

SITE = Path(__file__).resolve().parents[2] / "site"


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    assert (SITE / "index.html").is_file(), "build the site first: make site"
    handler = functools.partial(_Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page that notes every fault and every request that leaves the site."""
    context = browser.new_context(base_url=address, viewport={"width": 1300, "height": 900})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    at_home = (address, "data:", "blob:")
    page.on("request", lambda request: None if request.url.startswith(at_home) else faults.append(request.url))
    yield page
    context.close()
    assert faults == []


def test_a_reader_finds_from_a_rule_to_its_source_and_a_position(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="The rules", exact=True).first.click()
    page.get_by_role("link", name="Bézique for two, after Hoyle").first.click()
    assert page.get_by_role("heading", level=1).inner_text().startswith("Bézique for two, after Hoyle")
    page.get_by_role("link", name="hoyle/bezique/identical-cards").first.click()
    assert page.url.endswith("/sources/hoyle.html#bezique-identical-cards")
    clause = page.locator("#bezique-identical-cards")
    assert "the trick is the leader's" in clause.inner_text()
    clause.get_by_role("link", name="Of two identical trumps the one led wins").click()
    assert page.get_by_role("heading", level=1).inner_text().startswith("Of two identical trumps the one led wins")
    assert page.get_by_role("img", name="king of hearts", exact=True).count() >= 1
    assert page.get_by_text("hoyle check tricks.identical-trumps").count() == 1


def test_a_scenario_can_be_stepped_through(page: Page) -> None:
    page.goto("/scenarios/to-score/the-example.html")
    replay = page.locator("hoyle-replay").first
    steps = replay.locator(".step")
    assert steps.count() == 5
    assert all(steps.nth(n).is_visible() for n in range(5))
    replay.get_by_role("button", name="Step through").click()
    assert [steps.nth(n).is_visible() for n in range(5)] == [True, False, False, False, False]
    assert replay.get_by_role("button", name="Back", exact=True).is_disabled()
    replay.get_by_role("button", name="Next", exact=True).click()
    assert [steps.nth(n).is_visible() for n in range(5)] == [False, True, False, False, False]
    assert steps.nth(1).get_attribute("value") == "2"
    assert steps.nth(1).locator("details").get_attribute("open") is not None
    assert page.get_by_role("status").first.inner_text() == "step 2 of 5"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert steps.nth(1).is_visible()
    for _ in range(3):
        replay.get_by_role("button", name="Next", exact=True).click()
    assert replay.get_by_role("button", name="Next", exact=True).is_disabled()
    replay.get_by_role("button", name="All steps").click()
    assert all(steps.nth(n).is_visible() for n in range(5))


def test_the_table_after_a_step_can_be_unfolded(page: Page) -> None:
    page.goto("/scenarios/seven/exchanged.html")
    table = page.locator("details.table").first
    assert not table.locator(".row").first.is_visible()
    table.locator("summary").click()
    assert "A, 10 points" in table.inner_text()
    assert table.get_by_role("img", name="king of hearts", exact=True).is_visible()


def test_only_the_differences_can_be_shown(page: Page) -> None:
    page.goto("/rulesets/comparison.html")
    same, differs = page.locator("tr.same").first, page.locator("tr.differs").first
    assert same.is_visible()
    page.get_by_label("Differences only").check()
    assert not same.is_visible()
    assert differs.is_visible()
    page.get_by_role("link", name="What is inferior").click()
    assert page.get_by_role("heading", level=1).inner_text().startswith("What is inferior")
    assert page.get_by_text("followed here").count() == 1


def test_a_reader_chooses_the_rulesets_to_compare(page: Page) -> None:
    page.goto("/rulesets/comparison.html")
    bezique = page.locator("hoyle-comparison").first
    partners = bezique.locator("tr", has_text="are partners and share one score")
    assert partners.is_visible()
    kept = {"Rubicon Bézique for two, after h2g2", "Rubicon Bézique for two, after Hoyle and the laws of 1887"}
    for label in bezique.locator("fieldset label").all():
        if label.inner_text().strip() not in kept:
            label.get_by_role("checkbox").uncheck()
    assert bezique.locator("thead th:visible").count() == 3
    assert not partners.is_visible()
    page.get_by_label("Differences only").check()
    assert not bezique.locator("tr", has_text="with four piquet packs").is_visible()
    assert bezique.locator("tr", has_text="For brisques, if the loser is rubiconed").first.is_visible()
    page.get_by_label("Differences only").uncheck()
    how_many = bezique.locator("xpath=preceding-sibling::p[1]")
    few = how_many.inner_text()
    bezique.get_by_role("button", name="None").click()
    assert bezique.locator("thead th:visible").count() == 1
    bezique.get_by_role("button", name="All").click()
    assert how_many.inner_text() != few
    assert partners.is_visible()
    chapters = bezique.locator("th.chapter")
    assert chapters.count() == bezique.locator("th.chapter:visible").count() > 8


def test_search_finds_a_position(page: Page) -> None:
    page.goto("/")
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("identical trumps")
    page.locator(".md-search-result__link", has_text="Of two identical trumps the one led wins").first.wait_for()


def test_it_can_be_read_from_disk(browser: Browser) -> None:
    page = browser.new_page()
    page.goto((SITE / "index.html").as_uri())
    page.get_by_role("link", name="The scenarios", exact=True).first.click()
    page.get_by_role("link", name="When the first seven was only shown, is the second exchanged").click()
    assert page.url.startswith((SITE / "scenarios/seven").as_uri())
    page.get_by_role("button", name="Step through").first.click()
    assert page.get_by_role("status").first.inner_text().startswith("step 1 of ")
    page.close()


def test_it_reads_without_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/scenarios/to-score/the-example.html")
    steps = page.locator("hoyle-replay").first.locator(".step")
    assert steps.count() == 5
    assert all(steps.nth(n).is_visible() for n in range(5))
    assert page.get_by_role("button", name="Step through").count() == 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1300])
def test_cards_stand_out_and_nothing_overflows(browser: Browser, address: str, scheme: str, width: int) -> None:
    context = browser.new_context(
        base_url=address,
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    for path in (
        "/",
        "/scenarios/reuse/the-queen-of-spades-in-everything.html",
        "/sources/hoyle.html",
        "/vocabulary.html",
    ):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (path, width)
    page.goto("/scenarios/reuse/no-marriage-after-the-sequence.html")
    ratios = page.evaluate(
        """() => [...document.querySelectorAll('.card:not(.any)')].map((card) => {
            const light = (colour) => {
                const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((n) => n / 255)
                    .map((n) => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const style = getComputedStyle(card);
            const [a, b] = [light(style.color), light(style.backgroundColor)].sort();
            return (b + 0.05) / (a + 0.05);
        })"""
    )
    assert ratios
    assert min(ratios) > 6
    context.close()
