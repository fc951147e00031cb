"""The table as a card table: one screen of a phone, few taps to a position, and cards that are dragged and move."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect
from screens import MOST_SHIFT, PHONE, SHIFT
from the_table import COMES, HAND, Table

SCREEN = {"width": PHONE, "height": 844}
#: What must be in sight on a phone: of some there is none in games that have no stock, trumps or trick yet.
IN_SIGHT = (".player .hands", ".score", ".between", ".stock", ".turn_up", ".trumps", ".legal", "#table-verdict .bar")
BESIDE = """(selectors) => selectors.flatMap((each) => [...document.querySelectorAll(`#table .screen ${each}`)])
  .map((each) => [each.className, each.getBoundingClientRect()])
  .filter(([, at]) => at.left < -1 || at.top < 0 || at.right > innerWidth + 1 || at.bottom > innerHeight + 1)
  .map(([name, { top, bottom }]) => `${name}: ${top} to ${bottom}`)"""
#: The widths of the card that is dragged and of the one that it leaves, if they differ.
FACES = """() => {
  const wide = (each) => document.querySelector(`${each} img`)?.offsetWidth;
  const [one, other] = [wide(".lifted"), wide(".dragged")];
  return !one || one === other ? [] : [one, other];
}"""
SMALLEST = "() => Math.min(...[...document.querySelectorAll('#table .felt .lie .face img')].map((each) => each.width))"

#: The games of the fewest and the most cards, of partners, and without trumps.
FORMS = ("Bézique for two", "Four-handed Bézique", "Eight-deck Bézique", "Piquet to a hundred and Rubicon Piquet")


@pytest.fixture
def phone(table: Table) -> Table:
    table.page.set_viewport_size({"width": SCREEN["width"], "height": SCREEN["height"]})
    return table


@pytest.mark.parametrize("game", FORMS)
def test_a_deal_is_on_one_screen_of_a_phone(phone: Table, game: str) -> None:
    phone.play_of(game)
    phone.settled()
    phone.head.get_by_text("Start", exact=True).click()
    phone.head.get_by_role("button", name="Deal the cards").click()
    expect(phone.felt.locator(".hands")).not_to_have_count(0, timeout=COMES)
    phone.settled()
    phone.page.evaluate("scrollTo(0, 0)")
    assert phone.page.evaluate(BESIDE, list(IN_SIGHT)) == []
    assert phone.page.evaluate(SMALLEST) >= 40
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= PHONE


@pytest.mark.parametrize("size", [SCREEN, {"width": 1440, "height": 900}], ids=["phone", "desk"])
def test_nothing_moves_while_the_table_opens(browser: Browser, served: str, size: Any) -> None:
    page = browser.new_page(viewport=size)
    page.goto(f"{served}/table.html")
    Table(page).settled()
    assert page.evaluate(SHIFT) <= MOST_SHIFT
    page.close()


def test_a_mistyped_card_is_said_once_with_its_remedy(table: Table) -> None:
    table.play_of("Bézique for two")
    field = table.laying.get_by_role("textbox", name="Type or paste cards")
    field.fill("KS Q8 JD")
    field.press("Enter")
    said = table.laying.locator(".typing .trouble")
    expect(said).to_contain_text("Q8", timeout=COMES)
    expect(field).to_have_value("KS Q8 JD")
    field.fill("KS QS JD")
    field.press("Enter")
    expect(said).to_be_hidden(timeout=COMES)
    expect(table.laying.locator("[data-at='hands.A'] [data-card]")).to_have_count(3)


def _drag(card: Locator, place: Locator) -> None:
    """A card that follows the pointer from its left edge, which the next card leaves free, to the middle of a place."""
    card.page.wait_for_function("() => !document.getAnimations().length")
    mouse = card.page.mouse
    start, end = card.bounding_box(), place.bounding_box()
    assert start is not None
    assert end is not None
    mouse.move(start["x"] + 8, start["y"] + 20)
    mouse.down()
    mouse.move(start["x"] + 30, start["y"] + 40, steps=4)
    mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=8)
    assert card.page.evaluate(FACES) == []
    mouse.up()


def test_cards_are_dragged_into_a_place_from_the_pack_and_from_another(table: Table) -> None:
    table.play_of("Bézique for two")
    own, theirs = (table.laying.locator(f"[data-at='hands.{seat}']") for seat in "AB")
    _drag(table.pack.get_by_role("button", name=re.compile("^queen of spades,")), theirs)
    expect(theirs.get_by_role("button", name="queen of spades", exact=True)).to_be_visible()
    _drag(theirs.get_by_role("button", name="queen of spades", exact=True), own)
    expect(own.get_by_role("button", name="queen of spades", exact=True)).to_be_visible()
    expect(theirs.locator("[data-card]")).to_have_count(0)


def test_a_drag_plays_a_card(table: Table) -> None:
    table.play_of("Bézique for two")
    table.laying.get_by_role("button", name="hearts", exact=True).click()
    table.lay(HAND.format("A"), ["AC", "KC"])
    table.plays_on()
    table.settled()
    middle = table.felt.get_by_role("group", name="Between them")
    _drag(table.felt.get_by_role("button", name="ace of clubs", exact=True), middle)
    expect(middle.locator(".trick [data-card=AC]")).to_be_visible(timeout=COMES)


def test_six_aces_are_one_choice_of_cards_and_one_button(table: Table) -> None:
    table.play_of("Rubicon Bézique")
    table.stands("A has won the trick, and not drawn")
    table.laying.get_by_role("button", name="hearts", exact=True).click()
    table.lay(HAND.format("A"), ["AS", "AH", "AC", "AD", "AS", "AH"])
    table.plays_on()
    table.settled()
    aces = table.acting.get_by_role("button", name=re.compile("^Declare four aces"))
    expect(aces).to_have_count(1)
    for card in ("AS#2", "AH"):
        table.felt.locator(f"[data-card='{card}']").click()
    for name in ("ace of spades \\(copy 2\\)", "ace of hearts"):
        expect(aces.get_by_role("img", name=re.compile(f"^{name}$"))).to_be_visible()


@pytest.mark.parametrize(("motion", "least", "most"), [("reduce", 0, 0), ("no-preference", 1, 200)])
def test_cards_move_in_a_fifth_of_a_second_or_not_at_all(table: Table, motion: Any, least: int, most: int) -> None:
    table.page.emulate_media(reduced_motion=motion)
    table.play_of("Bézique for two")
    table.lay(HAND.format("B"), ["AC"])
    table.page.evaluate(
        "() => { const { animate } = Element.prototype; window.moved = [0];"
        " Element.prototype.animate = function (frames, given) { moved.push(given.duration);"
        " return animate.call(this, frames, given); } }"
    )
    card = table.laying.locator("[data-at='hands.B'] [data-card=AC]")
    card.click()
    table.laying.get_by_role("button", name=re.compile(f"^{HAND.format('A')}")).first.click()
    expect(table.laying.locator("[data-at='hands.A'] [data-card=AC]")).to_be_visible()
    assert least <= table.page.evaluate("() => Math.max(...moved)") <= most
    table.page.emulate_media(reduced_motion="no-preference")
