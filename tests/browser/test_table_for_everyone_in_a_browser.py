"""The table in a real browser, for everyone: by keys alone, on a phone, and to those who hear it."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from screens import EVERYWHERE, PHONE, in_the_way
from the_table import COMES, HAND, SITE, Table, opened

#: More than there are on the page that can have the focus.
ALL_PLACES = 200
#: Pixels that whatever is touched measures at least (WCAG 2.2, 2.5.8), and what measures less.
THUMB = 24
TOO_SMALL = """least => [...document.querySelectorAll("#table :is(button, select, summary, input)")]
  .filter((each) => each.checkVisibility() && !each.matches(".to-pack"))
  .map((each) => [each, (/checkbox|radio/u.test(each.type) && each.closest("label") || each).getBoundingClientRect()])
  .filter(([, { width, height }]) => width < least || height < least)
  .map(([each, { width, height }]) => `${width} by ${height}: ${each.outerHTML.slice(0, 120)}`)"""
#: The choices that a list has no room for.
CUT_OFF = """list => {
  const style = getComputedStyle(list), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const arrow = 18, room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
  return [...list.options].map((each) => each.text).filter((says) => pen.measureText(says).width > room);
}"""


def test_each_book_and_option_is_told_apart_by_what_is_seen_and_heard(table: Table) -> None:
    head = table.page.get_by_role("region", name="The game and the books")
    asked = head.locator("summary").first
    if not head.get_by_role("group", name=re.compile("^Books: ")).first.is_visible():
        asked.click()
    for game in table.page.get_by_role("combobox", name="Game", exact=True).get_by_role("option").all_inner_texts():
        table.play_of(game)
        names = re.findall(r'checkbox "(.*?)"', head.aria_snapshot())
        assert names, game
        assert len(names) == len(set(names)), game
    table.page.keyboard.press("Escape")
    expect(head.get_by_role("checkbox").first).to_be_hidden()


def test_it_can_all_be_done_by_keys_alone(table: Table) -> None:
    keys = table.page.keyboard
    game = table.page.get_by_role("combobox", name="Game", exact=True)
    game.focus()  # a link before it leads there from the top of the page
    for key in ("End", "Home"):
        keys.press(key)
    expect(game).to_have_value("0")
    chooses(table.laying.get_by_role("combobox", name="Now", exact=True), "A has won the trick")
    goes_to(
        table.laying.get_by_role("group", name=HAND.format("A"), exact=True)
        .get_by_role("button", name=HAND.format("A"))
        .first
    )
    keys.press("Enter")
    goes_to(table.pack.locator("button[tabindex='0']"))
    for key in ("q", "s", "Enter", "j", "d", "Enter"):
        keys.press(key)
    goes_to(table.laying.get_by_role("button", name="Play on"), "Shift+Tab")
    keys.press("Enter")
    act = table.acting.get_by_role("button", name=re.compile("^Declare bézique"))
    goes_to(act)
    keys.press("Enter")
    expect(table.page.locator("#table-spoken")).to_contain_text("40", timeout=COMES)
    keys.press("Control+z")
    expect(act).to_be_visible(timeout=COMES)


def chooses(field: Locator, begins: str) -> None:
    """By its arrows: letters that come far apart, as on a busy machine, a list takes one by one."""
    goes_to(field)
    key = "Home"
    for says in field.get_by_role("option").all_inner_texts():
        field.page.keyboard.press(key)
        expect(field.locator("option:checked")).to_have_text(says)
        if says.startswith(begins):
            return
        key = "ArrowDown"
    pytest.fail(f"nothing there begins with {begins}")


def goes_to(place: Locator, key: str = "Tab") -> None:
    """By one key, pressed until that is reached."""
    expect(place).to_be_visible(timeout=COMES)
    for _ in range(ALL_PLACES):
        if place.evaluate("place => place === document.activeElement"):
            return
        place.page.keyboard.press(key)
    pytest.fail(f"{key} does not lead to {place}")


def test_from_the_file_system_it_says_what_it_needs(browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{SITE.as_uri()}/table.html")
    told = page.locator("#table").get_by_text("opened from a file")
    expect(told).to_have_count(1)
    expect(told).to_contain_text("hoyle table")
    expect(told.locator("xpath=..").get_by_role("button", name="Try again")).to_be_visible()
    table = Table(page)
    table.lay(HAND.format("A"), ["QS", "QS", "QS"])
    hand = table.laying.get_by_role("group", name=HAND.format("A"), exact=True)
    expect(hand.locator("[data-card]")).to_have_count(2)
    expect(page.locator("#table-spoken")).to_have_text("There is no other queen of spades.")
    page.close()


def test_on_a_phone_the_pack_is_in_sight_and_no_choice_is_cut_off(table: Table) -> None:
    page = table.page
    page.set_viewport_size({"width": PHONE, "height": 800})
    for game in page.get_by_role("combobox", name="Game", exact=True).get_by_role("option").all_inner_texts():
        table.play_of(game)
        assert table.laying.get_by_role("combobox", name="Now", exact=True).evaluate(CUT_OFF) == [], game
        page.evaluate("scrollTo(0, 0)")
        expect(table.pack).to_be_in_viewport(ratio=1)


def test_an_address_that_comes_while_another_is_written_is_opened(table: Table) -> None:
    table.settled()
    table.page.evaluate(
        """name => {
          location.hash = `p=${name}`;
          hoyleTable.store.keep();
        }""",
        "reuse.a-bezique-queen-with-a-second-knave",
    )
    expect(table.books.locator("details").filter(has_text="Disputed rules at work here")).to_have_count(1)


def is_sound_to_touch_and_to_hear(page: Page, width: int) -> None:
    """Nothing lies beside the screen or is smaller than a thumb, and axe finds nothing."""
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(TOO_SMALL, THUMB) == []
    assert in_the_way(page) == []


@pytest.mark.parametrize(("width", "scheme"), EVERYWHERE)
def test_nothing_stands_in_the_way(table: Table, width: int, scheme: Any) -> None:
    page = table.page
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    table.play_of("Piquet to a hundred and Rubicon Piquet")
    table.lay(HAND.format("A"), ["QS", "QS"])
    table.settled()
    is_sound_to_touch_and_to_hear(page, width)
    opened(table, "to-score.the-example")
    for panel in table.head.locator(":scope > details > summary").all():
        panel.click()
        is_sound_to_touch_and_to_hear(page, width)
        page.keyboard.press("Escape")
    table.verdict.get_by_role("button").click()
    folded = page.locator("#table .beside details:not([open]) > summary:visible")
    for _ in range(ALL_PLACES):
        if not folded.count():
            break
        folded.first.click()
    expect(folded).to_have_count(0)
    expect(table.books.get_by_role("searchbox", name="Find a rule")).to_be_visible()
    expect(table.books.get_by_role("spinbutton", name="Instead").first).to_be_visible(timeout=COMES)
    is_sound_to_touch_and_to_hear(page, width)
