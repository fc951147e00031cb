"""Books side by side, open questions, when something goes wrong and the ledgers in a real browser: `make browser`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from screens import EVERYWHERE, in_the_way

SITE = Path(__file__).resolve().parents[2] / "site"
PHONE, DESK = 390, 1280
BAR = 48  # pixels of the bar that stays at the top
INDEX = "bezique/differences.html"
SEVEN = "bezique/differences/the-seven-of-trumps.html"
CARDS = "bezique/differences/players-and-cards.html"
WINNING = "bezique/differences/winning.html"
PAGES = (
    INDEX,
    SEVEN,
    "piquet/differences.html",
    "piquet/differences/calling.html",
    "rulesets/comparison.html",
    "bezique/open.html",
    "disputes.html",
    "disputes/settle-winner.html",
    "bezique/irregularities.html",
    "irregularities.html",
    "sources/index.html",
    "sources/bicycle.html",
    "sources/hoyle/rubicon-law-1.html",
    "claims.html",
    "engines/index.html",
    "engines/last-trick-twenty.html",
    "semantics-index.html",
)


def at(path: str) -> str:
    """Where a page lies on disk: these pages need no server."""
    file, mark, rest = path.partition("?") if "?" in path else path.partition("#")
    return f"{(SITE / file).as_uri()}{mark}{rest}"


@pytest.fixture(params=[DESK], ids=["desk"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that notes every fault."""
    assert (SITE / SEVEN).is_file(), "build the site first: make site"
    context = browser.new_context(viewport={"width": request.param, "height": 800})
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert faults == []


def shown(page: Page) -> list[str]:
    """The books that stand beside each other."""
    return [each.get_attribute("data-book") or "" for each in page.locator("thead th[data-book]:visible").all()]


def choose(page: Page, book: str) -> None:
    page.locator(f"input[value='{book}']").click()


def test_two_books_of_one_form_stand_there_to_begin_with(page: Page) -> None:
    page.goto(at(SEVEN))
    first = (page.locator("hoyle-comparison").get_attribute("data-first") or "").split()
    assert shown(page) == first
    assert len(first) == 2
    assert re.match(r"\d+ of \d+ rules differ ", page.locator("p.count").inner_text())


def test_the_choice_is_in_the_address_and_the_way_back_undoes_it(page: Page) -> None:
    page.goto(at(f"{SEVEN}#seven.when"))
    before = shown(page)
    choose(page, "rubicon-hoyle")
    page.get_by_label("Differences only").check()
    chosen = shown(page)
    assert chosen == [*before, "rubicon-hoyle"]
    assert page.url.endswith(f"?books={','.join(chosen)}&only=differences#seven.when")
    address = page.url
    page.go_back()
    assert not page.get_by_label("Differences only").is_checked()
    page.go_back()
    assert shown(page) == before
    page.goto("about:blank")
    page.goto(address)
    assert shown(page) == chosen
    assert page.get_by_label("Differences only").is_checked()
    box = page.locator("[id='seven.when']").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 400  # the rule that it leads to is in sight


def test_only_differences_are_shown_of_the_books_that_are_chosen(page: Page) -> None:
    page.goto(at(f"{WINNING}?books=rubicon-h2g2,rubicon-hoyle"))
    same, other = page.locator("tr.same[id]").first, page.locator("[id='settle.brisques_under_the_rubicon']")
    assert same.is_visible()
    assert "≠" not in same.inner_text()
    same = page.locator(f"[id='{same.get_attribute('id')}']")
    page.get_by_label("Differences only").check()
    assert not same.is_visible()
    assert other.is_visible()
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


def test_the_whole_sentence_opens_by_keyboard_and_leads_to_the_rule(page: Page) -> None:
    page.goto(at(f"{SEVEN}?books=bezique-hoyle,bezique-bicycle"))
    summary = page.locator("[id='seven.when'] td:visible summary").first
    link = page.locator("[id='seven.when'] td:visible details a:visible").first
    assert link.count() == 0
    summary.focus()
    page.keyboard.press("Enter")
    assert page.get_by_text("A seven is exchanged or shown after winning a trick").locator("visible=true").count() >= 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.href").endswith("#seven.when")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rulesets/bezique-*.html#seven.when")


def test_an_open_question_leads_to_its_doubt(page: Page) -> None:
    page.goto(at(f"{SEVEN}?books=bezique-hoyle"))
    page.locator("[id='seven.after_being_shown']").get_by_role("link", name="open question").click()
    assert page.url.endswith("/bezique/open.html#seven.after_being_shown")
    question = page.locator("[id='seven.after_being_shown']")
    assert "May a seven that has been shown still be exchanged?" in question.inner_text()
    question.locator("summary").click()
    assert question.get_by_text("Followed here").is_visible()
    question.get_by_role("link", name="All books side by side").click()
    assert page.url.endswith(f"/{SEVEN}#seven.after_being_shown")


@pytest.mark.parametrize("page", [PHONE], indirect=True, ids=["phone"])
def test_on_a_phone_the_books_stand_under_each_rule(page: Page) -> None:
    page.goto(at(f"{SEVEN}?books=bezique-hoyle,bezique-bicycle"))
    row = page.locator("[id='seven.when']")
    title, one, two = (
        row.locator(each).bounding_box() for each in ("th", "td:visible >> nth=0", "td:visible >> nth=1")
    )
    assert title is not None
    assert one is not None
    assert two is not None
    assert title["y"] + title["height"] <= one["y"] + 1
    assert one["y"] + one["height"] <= two["y"] + 1
    assert row.locator("td:visible .of").all_inner_texts() == ["Bicycle", "Hoyle"]
    assert row.get_by_role("cell").count() == 2  # it is a table still for those who do not see it
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    same, differs = page.locator("tr.same[id]:visible").first, page.locator("tr.differs[id]:visible").first
    name = same.get_attribute("id")
    page.get_by_label("Differences only").check()
    assert not page.locator(f"[id='{name}']").is_visible()
    assert differs.is_visible()


def test_only_the_chosen_columns_print(page: Page) -> None:
    page.goto(at(f"{CARDS}?books=rubicon-h2g2,rubicon-hoyle"))
    page.emulate_media(media="print")
    assert shown(page) == ["rubicon-h2g2", "rubicon-hoyle"]
    assert page.locator("[id='cards.packs'] td:visible").count() == 2
    for control in (".choice", ".only", ".anchor"):
        assert page.locator(control).first.is_hidden()


def test_without_javascript_every_book_is_there_in_a_table_that_scrolls(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": PHONE, "height": 800})
    page = context.new_page()
    page.goto(at(CARDS))
    every = page.locator("hoyle-comparison").get_attribute("data-all") or ""
    assert page.locator("thead th[data-book]").count() == len(every.split()) > 4
    assert page.locator("thead th[data-book]").last.is_visible()
    assert page.locator("td").last.is_visible()
    same, differs = page.locator("tr.same[id]").first, page.locator("tr.differs[id]").first
    assert same.is_visible()
    page.get_by_label("Differences only").check()
    assert not same.is_visible()
    assert differs.is_visible()
    context.close()


def test_the_choice_of_books_goes_from_chapter_to_chapter(page: Page) -> None:
    page.goto(at(f"{INDEX}?books=rubicon-h2g2,rubicon-hoyle"))
    page.get_by_role("main").get_by_role("link", name="The seven of trumps").click()
    page.wait_for_url(f"**/{SEVEN}?books=rubicon-h2g2,rubicon-hoyle")
    assert shown(page) == ["rubicon-h2g2", "rubicon-hoyle"]
    choose(page, "bezique-hoyle")
    page.get_by_role("navigation", name="Differences").get_by_role("link", name="Winning").click()
    page.wait_for_url(f"**/{WINNING}?books=bezique-hoyle,rubicon-h2g2,rubicon-hoyle")


def test_the_old_address_of_a_rule_leads_to_it_in_the_same_books(page: Page) -> None:
    page.goto(at(f"{INDEX}?books=rubicon-h2g2,rubicon-hoyle#settle.target"))
    page.wait_for_url(f"**/{WINNING}?books=rubicon-h2g2,rubicon-hoyle#settle.target")
    assert shown(page) == ["rubicon-h2g2", "rubicon-hoyle"]
    page.locator("[id='settle.target']:target").wait_for()


def test_without_javascript_an_old_address_leads_to_a_link(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(at("sources/hoyle.html#rubicon-law-55"))
    link = page.locator(":target")
    assert link.is_visible()  # the list opens by itself
    link.click()
    assert page.url.endswith("/sources/hoyle/rubicon-law-1.html#rubicon-law-55")
    context.close()


def test_a_source_is_found_through_by_its_chapters(page: Page) -> None:
    page.goto(at("sources/hoyle.html"))
    contents = page.get_by_role("navigation", name="Hoyle")
    contents.get_by_role("link", name="Laws 1 to 66").click()
    assert page.url.endswith("/sources/hoyle/rubicon-law-1.html")
    assert contents.get_by_role("link", name="Laws 1 to 66").get_attribute("aria-current") == "page"
    page.goto(at("sources/hoyle.html#bezique-identical-cards"))
    page.wait_for_url("**/sources/hoyle/*.html#bezique-identical-cards")
    clause = page.locator("#bezique-identical-cards")
    tests = clause.locator("details")
    assert not tests.get_by_role("link").first.is_visible()
    tests.locator("summary").click()
    assert tests.get_by_role("link").first.is_visible()
    assert clause.get_by_role("link", name="Bézique for two").count() + clause.get_by_role("link").count() > 1


def test_the_old_address_of_an_irregularity_leads_to_it(page: Page) -> None:
    page.goto(at("bezique/irregularities.html#revoke"))
    case = page.locator("[id='referee.irregularities.revoke']")
    box = case.bounding_box()
    assert box is not None
    assert -60 < box["y"] < 200
    assert case.get_by_role("heading").inner_text().startswith("Revoke")


@pytest.mark.parametrize(("width", "scheme"), EVERYWHERE)
def test_nothing_stands_in_anybodys_way(browser: Browser, width: int, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
        bypass_csp=True,
    )
    page = context.new_page()
    for path in PAGES:
        page.goto(at(path))
        page.evaluate(
            "[...document.querySelectorAll('main details')].slice(0, 12).forEach((each) => { each.open = true; })"
        )
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (path, width)
        assert in_the_way(page, "document, { rules: { 'target-size': { enabled: true } } }") == [], path
    context.close()
