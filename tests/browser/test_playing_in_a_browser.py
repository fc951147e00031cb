"""A deal of each game, played at the table to its end against the computer: by touch, by keys, and what one may ask."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from screens import PHONE
from the_table import COMES, Table

#: More acts than a player has in a deal.
MOST = 400
WAITS = (
    "() => { const { game } = hoyleTable.store; return game?.answer && !game.thinking && !hoyleTable.store.waiting; }"
)
ENDED = "() => Boolean(hoyleTable.store.game.answer.over)"
NUMBER = "() => hoyleTable.store.game.answer.number"
#: The nearest act to the focus, as Tab finds it; a card first where cards are exchanged.
IN_ACTS = "() => Boolean(document.activeElement.closest('.legal button'))"
EXCHANGES = "() => Boolean(hoyleTable.store.answer.acts.exchange)"


@pytest.fixture
def touched(browser: Browser, served: str) -> Iterator[Page]:
    """The table on a phone that is touched."""
    context = browser.new_context(has_touch=True, viewport={"width": PHONE, "height": 844}, bypass_csp=True)
    page = context.new_page()
    page.goto(f"{served}/table.html")
    yield page
    context.close()


def begun(page: Page, game: str, book: str, *, tap: bool = False, whole: bool = False) -> Table:
    """A deal or a whole game, with the computer playing at once."""
    table = Table(page)
    page.evaluate("() => { crypto.getRandomValues = (made) => made.fill(7); }")  # the same deal each time
    leave = page.get_by_role("button", name="Leave", exact=True)
    if leave.is_visible():
        leave.click()
    table.play_of(game)
    table.settled()
    table.head.get_by_text("Start", exact=True).click()
    table.head.get_by_role("combobox", name="Play against the computer").select_option(book)
    table.head.get_by_role("combobox", name="The computer", exact=True).select_option("plays at once")
    table.head.get_by_role("combobox", name="Its pace").select_option("as fast as it can")
    deal = table.head.get_by_role("button", name="Play a whole game" if whole else "Play a deal")
    if tap:
        deal.tap()
    else:
        deal.click()
    page.wait_for_function(WAITS, timeout=COMES)
    return table


def played_on(page: Page, act: Callable[[], object]) -> bool:
    """Whether a game goes on after an act of one's own, or after the deal of a player who has chosen to deal."""
    before = page.evaluate(NUMBER)
    deal = page.get_by_role("button", name="Deal the cards")
    if deal.is_visible():
        deal.click()
    else:
        act()
    page.wait_for_function("before => hoyleTable.store.game.answer.number > before", arg=before, timeout=COMES)
    page.wait_for_function(WAITS, timeout=COMES)
    return not page.evaluate(ENDED)


def test_two_taps_play_a_card_and_a_game_that_was_left_is_gone_on_with(touched: Page) -> None:
    begun(touched, "Bézique for two", "bezique-hoyle", tap=True)
    own = touched.locator("#table-felt .near .hands button[data-card]")
    at = {"x": 6, "y": 12}
    own.first.tap(position=at)
    expect(touched.get_by_text("Tap the card again to play it.").first).to_be_visible()
    own.nth(1).tap(position=at)
    expect(own.first).to_have_attribute("aria-pressed", "false")
    assert played_on(touched, lambda: own.nth(1).tap(position=at))
    log = touched.locator("#table-log li")
    told = log.all_inner_texts()
    touched.wait_for_function("() => location.hash === `#${hoyleTable.store.answer.link}`", timeout=COMES)
    touched.reload()
    expect(log).to_have_text(told, timeout=COMES)
    touched.get_by_role("button", name="Leave", exact=True).tap()
    touched.goto(touched.url.partition("#")[0])
    touched.get_by_role("button", name="Go on with your game").tap(timeout=COMES)
    expect(log).to_have_text(told, timeout=COMES)


@pytest.mark.slow
def test_a_partie_of_rubicon_piquet_has_a_sheet_for_each_deal(table: Table) -> None:
    page = table.page
    begun(page, "Piquet to a hundred and Rubicon Piquet", "piquet-rubicon-hoyle", whole=True)
    sheet = page.locator("#table-felt .sheet")

    def any_act() -> None:
        if page.evaluate(EXCHANGES):
            page.locator("#table-felt .near .hands button[data-card]").first.click(position={"x": 6, "y": 12})
        page.locator("#table-acting .legal button").first.click()

    for deal in range(1, 7):
        for _ in range(MOST):
            if not played_on(page, any_act):
                break
        expect(sheet.get_by_role("row", name=re.compile("Score after"))).to_have_count(deal)
        expect(sheet.get_by_role("row", name=re.compile("^last trick"))).to_be_visible()
        if deal < 6:
            played_on(page, sheet.get_by_role("button", name="Next deal").click)
    expect(sheet).to_contain_text(re.compile("The game is over: . has won it, for .* points"))
    sheet.get_by_role("button", name="Why?").click()
    expect(sheet.locator(".rules")).to_contain_text("rubicon", timeout=COMES)
    sheet.get_by_role("button", name="This deal in the other seat").click()
    expect(page.locator("#table-felt .near .name")).to_contain_text("B: you", timeout=COMES)
    page.wait_for_function(WAITS, timeout=COMES)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".just-done")).to_contain_text("Hint: ", timeout=COMES)


def test_a_deal_is_played_to_its_end_by_keys(table: Table) -> None:
    page = table.page
    begun(page, "Piquet to a hundred and Rubicon Piquet", "piquet-saunt-parlett")

    def by_keys() -> None:
        if page.evaluate(EXCHANGES):
            page.locator("#table-felt .near .hands button[data-card]").first.focus()
            page.keyboard.press("Enter")
        page.locator("#table-acting [data-home]").focus()
        for _ in range(MOST):
            page.keyboard.press("Tab")
            if page.evaluate(IN_ACTS):
                break
        page.keyboard.press("Enter")

    for _ in range(MOST):
        if not played_on(page, by_keys):
            break
    assert page.evaluate(ENDED)


def test_an_act_is_explained_taken_back_and_put_to_the_books(table: Table) -> None:
    page = table.page
    begun(page, "Bézique for two", "bezique-hoyle")
    game = page.get_by_role("region", name="The game", exact=True)
    for _ in range(4):
        played_on(page, page.locator("#table-acting .legal button").first.click)
    plays = page.locator("#table-log li").filter(has_text=" plays ").first
    plays.get_by_role("button", name=re.compile("^Why")).click()
    expect(plays.locator(".rules a, .small").first).to_be_visible(timeout=COMES)
    number = page.evaluate(NUMBER)
    table.head.get_by_role("button", name="Undo").click()
    page.wait_for_function("before => hoyleTable.store.game.answer.number < before", arg=number, timeout=COMES)
    page.wait_for_function(WAITS, timeout=COMES)
    game.get_by_role("button", name="Ask the books").click()
    table.settled()
    expect(game).to_be_hidden()
    assert set(table.voices()) >= {"bezique-hoyle", "bezique-britannica"}
