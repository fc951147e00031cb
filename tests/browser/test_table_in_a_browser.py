"""The table in a real browser, as people use it: positions laid out, played and taken away, and what the books say.
What a book is expected to say is read off the scenarios of the suite, never off the page."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect
from the_table import HAND, SUITS, Table, is_sound, opened, refusing, scenario


def test_twenty_to_score_is_laid_out_played_read_off_and_taken_away(table: Table, tmp_path: Path) -> None:
    of = scenario("to-score.the-example")
    hands = of["given"]["hands"]
    table.play_of("Bézique for two")
    table.stands("A has won the trick, and not drawn")
    table.laying.get_by_role("button", name=SUITS[of["given"]["trumps"]], exact=True).click()
    for seat, cards in hands.items():
        table.lay(HAND.format(seat), [card for card in cards if card != "..."])
    table.plays_on()
    table.does("Declare bézique", ["QS", "JD"])
    assert all("40" in said for said in table.voices().values())
    table.does("Keep common marriage", ["KS", "QS"])
    said, refuses = table.voices(), refusing(of, 2)
    assert len(said) == len(set(said) & set(refuses))
    for name, line in said.items():
        assert ("refused" in line.lower()) == refuses[name], (name, line)
    table.does("Everybody draws")
    table.tries("The whole trick", ["AC", "8C"])
    table.does("Declare common marriage", ["KS", "QS"])
    assert all("20" in said for said in table.voices().values())
    is_sound(table.file("to-score.mine", "Marriage and bézique are laid down together: what is scored?", tmp_path))


def test_a_link_opens_at_the_step_that_is_shown(table: Table, browser: Browser) -> None:
    opened(table, "to-score.the-example")
    shown = "[aria-current=step]"
    for key in ("step-2", "step-0", "step-5"):
        before = table.page.url
        table.trying.locator(f"[data-key={key}]").click()
        table.page.wait_for_function("before => location.href !== before", arg=before)
        other = browser.new_page()
        other.goto(table.page.url)
        Table(other).settled()
        expect(Table(other).trying.locator(shown)).to_have_attribute("data-key", key)
        expect(Table(other).felt).to_be_visible(visible=key != "step-0")
        other.close()


def test_a_disputed_rule_is_read_otherwise_undone_and_done_again(table: Table) -> None:
    of = scenario("reuse.a-bezique-queen-with-a-second-knave")
    (followed,) = of["followed_by"]
    other = of["readings"]["in-place-of-one-played"]["expect"][2]
    mine = of["readings"][followed["reading"]]["expect"][2]
    assert "refused" in other
    (name,) = followed["rulesets"]
    opened(table, of["id"])
    scores = re.compile(rf"\b{mine['scores']['A']}\b")
    assert scores.search(table.voices()[name])
    dispute = table.books.get_by_role("group", name=re.compile("^Disputed in .*Hoyle"))
    says = "A combination of a kind may be scored again when a card of it has been played and another takes its place."
    dispute.get_by_role("radio", name=says).check()
    assert "refused" in table.voices()[name].lower()
    undo, redo = (table.head.get_by_role("button", name=says) for says in ("Undo", "Redo"))
    undo.click()
    assert scores.search(table.voices()[name])
    redo.click()
    assert "refused" in table.voices()[name].lower()
    dispute.get_by_role("button", name="Back to the reading followed here").click()
    assert scores.search(table.voices()[name])
