"""The table in a real browser, as people use it: cards are laid out and played by what can be seen and heard.
What a book is expected to say is read off the scenarios of the suite, never off the page."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from screens import DESK, EVERYWHERE, PHONE, in_the_way

SITE = Path(__file__).resolve().parents[2] / "site"
SCENARIOS = Path(__file__).resolve().parents[2] / "spec" / "scenarios"
#: Milliseconds until the interpreter answers: seconds, and on a busy machine many of them.
COMES = 60_000

#: More than there are on the page that can have the focus.
ALL_PLACES = 200
HAND = "{}’s hand"  # noqa: RUF001 -- as the page prints it
#: Pixels that whatever is touched measures at least, and what measures less.
THUMB = 40
TOO_SMALL = """least => [...document.querySelectorAll("#table :is(button, select, summary, input)")]
  .filter((each) => each.checkVisibility() && !each.matches(".to-pack"))
  .map((each) => [each, (/checkbox|radio/u.test(each.type) && each.closest("label") || each).getBoundingClientRect()])
  .filter(([, { width, height }]) => width < least || height < least)
  .map(([each, { width, height }]) => `${width} by ${height}: ${each.outerHTML.slice(0, 120)}`)"""
#: Whether the pack is seen before any place to which its cards could go; and the choices that a list has no room for.
COVERED = """() => {
  const { top } = document.querySelector("#table .tray").getBoundingClientRect();
  const places = [...document.querySelectorAll("#table .place")].map((each) => each.getBoundingClientRect());
  return top < innerHeight && !places.some(({ bottom }) => bottom <= top);
}"""
CUT_OFF = """list => {
  const style = getComputedStyle(list), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const arrow = 18, room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
  return [...list.options].map((each) => each.text).filter((says) => pen.measureText(says).width > room);
}"""
RANKS = dict(zip("789TJQKA", ("seven", "eight", "nine", "ten", "knave", "queen", "king", "ace"), strict=True))
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def named(card: str) -> str:
    """What a card is called to those who hear it."""
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def scenario(name: str) -> dict[str, Any]:
    """A scenario of the suite, as it is written."""
    data: dict[str, Any] = yaml.safe_load((SCENARIOS / f"{name.replace('.', '/')}.scenario.yaml").read_text("utf-8"))
    return data


def refusing(of: dict[str, Any], step: int) -> dict[str, bool]:
    """Of each ruleset of a scenario, whether it refuses a step."""
    return {name: "refused" in each["expect"].get(step, {}) for each in of["outcomes"] for name in each["rulesets"]}


class Table:
    """A page of the table, and what a person does at it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.laying = page.get_by_role("region", name="Lay out the cards")
        self.felt = page.get_by_role("region", name="The table after the last step")
        self.acting = page.get_by_role("region", name="Act and ask")
        self.books = page.get_by_role("region", name="What the books say")
        self.taking = page.get_by_role("region", name="Take it away")

    @property
    def pack(self) -> Locator:
        return self.laying.get_by_role("group", name=re.compile("^The pack"))

    def play_of(self, game: str) -> None:
        self.page.get_by_role("combobox", name="Game", exact=True).select_option("Bézique for two")
        self.page.get_by_role("combobox", name="Game", exact=True).select_option(game)

    def stands(self, says: str) -> None:
        self.laying.get_by_role("combobox", name="Now", exact=True).select_option(says)

    def lay(self, place: str, cards: list[str], *, alone: bool = False) -> None:
        """Cards into a place; `alone` where no others lie there."""
        group = self.laying.get_by_role("group", name=place, exact=True)
        group.get_by_role("button", name=place).first.click()
        for card in cards:
            self.pack.get_by_role("button", name=re.compile(f"^{named(card)},")).click()
        if alone:
            group.get_by_role("button", name=re.compile("the rest anywhere")).click()

    def scored(self, seat: str, combination: str, cards: list[str]) -> None:
        """That somebody has scored a combination of cards that lie in a hand."""
        facts = self.laying.locator("details").filter(
            has=self.page.get_by_text("What has scored or is kept", exact=True)
        )
        if facts.first.get_attribute("open") is None:
            facts.first.get_by_text("What has scored or is kept", exact=True).click()
        of = self.laying.get_by_role("combobox", name=f"{seat} has scored: add a combination")
        of.select_option(combination)
        for card in cards:
            self.pack.get_by_role("button", name=re.compile(f"^{named(card)},")).click()

    def plays_on(self) -> None:
        self.laying.get_by_role("button", name="Play on from here").click()

    def does(self, says: str, cards: list[str] | None = None) -> None:
        """One of the acts that are offered, by its name and its cards in any order."""
        every = "".join(f"(?=.*{named(card)})" for card in cards or [])
        acts = self.acting.get_by_role("list", name="What may be done")
        self.steps(acts.get_by_role("button", name=re.compile(f"^{every}{says}")).first.click)

    def steps(self, act: Any) -> None:
        """What is done is one step more."""
        steps = self.acting.get_by_role("listitem").filter(has=self.page.locator("[data-key^=step-]"))
        before = steps.count()
        act()
        expect(steps).to_have_count(before + 1, timeout=COMES)
        self.settled()

    def tries(self, kind: str, cards: list[str], **fields: str) -> None:
        """Any act, allowed or not."""
        form = self.acting.locator("details").filter(has=self.page.get_by_text("Try anything", exact=True))
        if form.get_attribute("open") is None:
            form.get_by_text("Try anything", exact=True).click()
        form.get_by_role("combobox", name="What", exact=True).select_option(kind)
        for says, value in fields.items():
            form.get_by_role("combobox", name=says).select_option(value)
        for card in cards:
            found = form.get_by_role("button", name=f"Take {named(card)}", exact=True)
            if not found.first.is_visible():
                form.get_by_text("Other cards", exact=True).click()
            found.first.click()
        self.steps(form.get_by_role("button", name="Try it").click)

    def settled(self) -> None:
        """Everybody has answered to what lies there now."""
        self.page.wait_for_function("() => hoyleTable.store.answer && !hoyleTable.store.waiting", timeout=COMES)

    def voices(self) -> dict[str, str]:
        """What each book says, by its ruleset, in the words of its line."""
        self.settled()
        said: dict[str, str] = {}
        for line in self.books.locator("li.voice").all():
            links = line.locator(".who a").all()
            text = line.inner_text()
            said |= {(link.get_attribute("href") or "").split("/")[-1].removesuffix(".html"): text for link in links}
        return said

    def file(self, name: str, title: str, to: Path) -> Path:
        """The file that is taken away."""
        topic, of = name.split(".")
        for says, value in (("Topic", topic), ("Name", of), ("Title", title)):
            self.taking.get_by_role("textbox", name=says).fill(value)
        self.taking.get_by_role("button", name="Show the file").click()
        with self.page.expect_download(timeout=COMES) as coming:
            self.taking.get_by_role("button", name="Download").click(timeout=COMES)
        path = to / coming.value.suggested_filename
        coming.value.save_as(path)
        return path


def is_sound(file: Path) -> None:
    """A person who has confirmed what it proposes has a sound scenario: validate finds nothing else in it."""
    done = subprocess.run(
        [sys.executable, "-m", "hoyle_conformance", "validate", str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One person's browser, in which whatever was fetched once is there."""
    context = browser.new_context(bypass_csp=True, accept_downloads=True)
    context.set_default_timeout(COMES)
    yield context
    context.close()


@pytest.fixture(scope="module")
def page(context: BrowserContext, served: str) -> Page:
    """The table, opened once: the interpreter takes seconds to come."""
    page = context.new_page()
    page.goto(f"{served}/table.html")
    return page


@pytest.fixture
def table(page: Page, served: str) -> Iterator[Table]:
    """The table with nothing on it; whoever asks for anything from elsewhere is told of."""
    wrong: list[str] = []

    def heard(error: object) -> None:
        wrong.append(str(error))

    def asked(request: Any) -> None:
        if not request.url.startswith((served, "data:", "blob:")):
            wrong.append(request.url)

    page.on("pageerror", heard)
    page.on("request", asked)
    page.set_viewport_size({"width": 1280, "height": 900})
    yield Table(page)
    page.remove_listener("pageerror", heard)
    page.remove_listener("request", asked)
    assert wrong == []


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


def test_a_repique_is_called_and_reckoned(table: Table, tmp_path: Path) -> None:
    of = scenario("repique.exactly-thirty")
    table.play_of("Piquet to a hundred and Rubicon Piquet")
    table.stands("A is to announce")
    for seat, cards in of["given"]["hands"].items():
        table.lay(HAND.format(seat), cards)
    table.plays_on()
    (outcome,) = of["outcomes"]
    made = 0
    called = ("Point of eight", "Good", "Score point", "Huitième", "Good", "Score huitième", "Score quart")
    for number, says in enumerate(called, 1):
        table.does(says, of["steps"][number - 1].get("cards"))
        made += outcome["expect"].get(number, {}).get("scores", {}).get("A", 0)
        for said in table.voices().values():
            assert re.search(rf"A\s+{made}\s+B\s+0", said), (number, said)
    total = outcome["expect"][7]["total"]
    for name, said in table.voices().items():
        assert name in outcome["rulesets"]
        assert "repique" in said
        assert re.search(rf"A\s+{total['A']}\s+B\s+{total['B']}", said), said
    is_sound(table.file("repique.mine", "Thirty in combinations alone: is it a repique?", tmp_path))


def test_what_an_act_gives_up_is_seen_and_heard_before_it_is_done(table: Table) -> None:
    opened(table, "calling.elder-too-late")
    acts = table.acting.get_by_role("list", name="What may be done").get_by_role("button")
    for step, does, gives_up in ((2, "Quart", "point"), (8, "Play", "quatorze")):
        table.acting.locator(f"[data-key=step-{step}]").click()
        table.settled()
        expect(acts.filter(has_text=re.compile(f"^{does} .*Gives up {gives_up}")).first).to_be_visible()
        expect(table.acting.locator(".gives-up:visible").first).to_contain_text(f"Gives up {gives_up}")


def opened(table: Table, name: str) -> None:
    """A position of the suite by its address."""
    table.page.evaluate("name => { location.hash = `p=${name}` }", name)
    table.page.wait_for_function("() => location.hash.startsWith('#1.')", timeout=COMES)
    table.settled()


def test_partners_are_shown_to_have_one_score(table: Table) -> None:
    opened(table, "partners.fifth-king-of-the-partner")
    made = scenario("partners.fifth-king-of-the-partner")["outcomes"][0]["expect"][1]["scores"]["A"]
    for seat, other, score in (("A", "C", made), ("B", "D", 0), ("C", "A", made), ("D", "B", 0)):
        expect(table.felt.get_by_role("group", name=seat, exact=True)).to_contain_text(f"with {other}{score}")
    expect(table.books.locator(".points")).to_have_text(re.compile(rf"A and C {made}\s+B and D 0"))


def test_a_queen_of_bezique_scores_with_another_knave(table: Table, tmp_path: Path) -> None:
    of = scenario("reuse.a-bezique-queen-with-a-second-knave")
    table.play_of("Rubicon Bézique")
    table.stands("A has won the trick, and not drawn")
    table.laying.get_by_role("button", name=SUITS[of["given"]["trumps"]], exact=True).click()
    table.lay(HAND.format("A"), ["QS", "JD", "JD"])
    table.scored("A", "bézique", ["QS", "JD"])
    table.plays_on()
    table.tries("Declare a combination", ["QS", "JD"], Combination="bézique")
    said = table.voices()
    followed = {
        name: of["readings"][each["reading"]]["expect"] for each in of["followed_by"] for name in each["rulesets"]
    }
    expected = {name: each["expect"] for each in of["outcomes"] for name in each["rulesets"]} | followed
    assert set(said) <= set(expected)
    for name, line in said.items():
        assert "refused" in expected[name][1]
        assert "refused" in line.lower(), line
    table.does("Declare bézique", ["QS"])
    for name, line in table.voices().items():
        assert re.search(rf"\b{expected[name][2]['scores']['A']}\b", line), line
    is_sound(table.file("reuse.mine", "Does the queen score again with a second knave?", tmp_path))


def test_a_link_opens_the_same_table_in_another_browser(table: Table, browser: Browser) -> None:
    opened(table, "to-score.the-example")
    said, link = table.voices(), table.page.url
    assert re.search(r"#1\.[\w-]+$", link)
    other = browser.new_context()
    page = other.new_page()
    page.goto(link)
    assert Table(page).voices() == said
    other.close()


def test_a_link_opens_at_the_step_that_is_shown(table: Table, browser: Browser) -> None:
    opened(table, "to-score.the-example")
    shown = "[aria-current=step]"
    for key in ("step-2", "step-0", "step-5"):
        before = table.page.url
        table.acting.locator(f"[data-key={key}]").click()
        table.page.wait_for_function("before => location.href !== before", arg=before)
        other = browser.new_page()
        other.goto(table.page.url)
        Table(other).settled()
        expect(Table(other).acting.locator(shown)).to_have_attribute("data-key", key)
        expect(Table(other).felt).to_be_visible(visible=key != "step-0")
        other.close()


def test_what_cannot_be_is_said_where_it_lies_with_its_remedy(table: Table) -> None:
    table.play_of("Bézique for two")
    table.lay(HAND.format("A"), ["QS", "QS", "QS"])
    hand = table.laying.get_by_role("group", name=HAND.format("A"), exact=True)
    expect(hand).to_contain_text("There are only 2 Q♠ in this game")
    hand.get_by_role("button", name="Take it back").first.click()
    expect(hand).not_to_contain_text("There are only")
    table.lay(HAND.format("A"), ["AH", "KH", "JH", "9H", "8H", "7H", "AC"])
    expect(hand).to_contain_text(f"9 cards in {HAND.format('A')}: 8 are dealt.")
    hand.get_by_role("button", name=re.compile("^Take .* back$")).first.click()
    expect(hand).not_to_contain_text("are dealt")


def test_a_combination_whose_cards_the_other_player_holds_is_said_with_its_remedy(table: Table) -> None:
    table.play_of("Bézique for two")
    table.laying.get_by_role("button", name="hearts", exact=True).click()
    table.lay(HAND.format("A"), ["QS"])
    table.lay(HAND.format("B"), ["JD"])
    table.scored("A", "bézique", ["QS", "JD"])
    said = table.laying.get_by_text("J♦ cannot lie in the hand of B.")
    expect(said).to_be_visible(timeout=COMES)
    expect(table.laying).to_contain_text("A card that has scored is still in the hand of A, or has been played.")
    theirs, own = (table.laying.get_by_role("group", name=HAND.format(seat), exact=True) for seat in "BA")
    theirs.get_by_role("button", name="knave of diamonds", exact=True).click()
    own.get_by_role("button", name=HAND.format("A")).first.click()
    expect(said).to_have_count(0, timeout=COMES)
    expect(own.get_by_role("button", name="knave of diamonds", exact=True)).to_be_visible()


def test_trumps_that_nobody_has_named_are_told_until_somebody_names_them(table: Table) -> None:
    told = "Nobody has said what is trumps"
    table.play_of("Bézique for two")
    hearts = table.laying.get_by_role("button", name="hearts", exact=True)
    expect(table.laying).to_contain_text(told, timeout=COMES)
    expect(hearts).to_have_attribute("aria-pressed", "false")
    table.plays_on()
    expect(table.felt).to_contain_text(told)
    table.felt.get_by_role("button", name="Back to the position").click()
    for says in ("true", "false", "true"):
        hearts.click()
        expect(hearts).to_have_attribute("aria-pressed", says)
        expect(table.laying.get_by_text(told)).to_have_count(int(says == "false"), timeout=COMES)
    table.plays_on()
    table.settled()
    expect(table.felt).not_to_contain_text(told)


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
    undo, redo = (table.acting.get_by_role("button", name=says) for says in ("Undo", "Redo"))
    undo.click()
    assert scores.search(table.voices()[name])
    redo.click()
    assert "refused" in table.voices()[name].lower()
    dispute.get_by_role("button", name="As followed here").click()
    assert scores.search(table.voices()[name])


def test_a_rule_of_the_house_answers_beside_the_books(table: Table) -> None:
    of = scenario("to-score.the-example")
    points = of["outcomes"][0]["expect"][5]["scores"]["A"]
    opened(table, of["id"])
    table.books.get_by_text("House rules: change a rule, and see", exact=True).click()
    table.books.get_by_role("combobox", name="Begin with").select_option("bezique-hoyle")
    table.books.get_by_role("searchbox", name="Find a rule").fill("king queen one suit that is not trumps")
    rule = table.books.get_by_role("spinbutton", name="Instead")
    expect(rule).to_have_count(1, timeout=COMES)  # the others go when the words are heeded
    expect(rule).to_have_value(str(points))
    rule.fill(str(points + 5))
    rule.press("Tab")
    says = table.books.get_by_role("listitem").filter(has_text="for common marriage.")
    mine = says.filter(has_text="With your changes")
    expect(mine).to_contain_text(f"A scores {points + 5} for", timeout=COMES)
    for line in says.filter(has_not_text="With your changes").all():
        expect(line).to_contain_text(f"A scores {points} for")
    table.books.get_by_role("button", name="Take back all changes").click()
    expect(mine).to_have_count(0, timeout=COMES)


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
    table.play_of("Piquet to a hundred and Rubicon Piquet")
    expect(asked).to_have_text("Asked: Piquet to a hundred: Hoyle, Parlett; Rubicon Piquet: Hoyle, Parlett")
    head.get_by_role("checkbox", name="Parlett: A carte rouge for ten (Rubicon Piquet)", exact=True).check()
    expect(asked).to_have_text(re.compile("; Rubicon Piquet: Hoyle, Parlett, Parlett with options$"))


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
    goes_to(table.laying.get_by_role("button", name="Play on from here"), "Shift+Tab")
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


def test_without_a_network_it_opens_and_answers_after_the_first_visit(browser: Browser, served: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{served}/table.html")
    Table(page).settled()
    page.wait_for_function(
        "() => navigator.serviceWorker.ready.then(({active}) => active.state === 'activated')", timeout=COMES
    )
    context.set_offline(True)
    page.reload()
    Table(page).settled()
    assert Table(page).voices()
    context.close()


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
    expect(hand).to_contain_text("There are only 2 Q♠ in this game")
    page.close()


def test_on_a_phone_nothing_covers_or_cuts_off_what_one_meets_first(table: Table) -> None:
    page = table.page
    page.set_viewport_size({"width": PHONE, "height": 800})
    for game in page.get_by_role("combobox", name="Game", exact=True).get_by_role("option").all_inner_texts():
        table.play_of(game)
        assert table.laying.get_by_role("combobox", name="Now", exact=True).evaluate(CUT_OFF) == [], game
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_function(f"() => !({COVERED})()")
    table.laying.locator(".place").first.evaluate("place => place.scrollIntoView({ block: 'start' })")
    expect(table.pack).to_be_in_viewport(ratio=1)


def test_on_a_phone_disputed_rules_are_folded_until_one_asks_for_them(table: Table) -> None:
    for width, is_open in ((PHONE, False), (DESK, True)):
        table.play_of("Bézique for two")
        table.settled()
        table.page.set_viewport_size({"width": width, "height": 800})
        opened(table, "reuse.a-bezique-queen-with-a-second-knave")
        fold = table.books.locator("details").filter(has_text=re.compile(r"^Disputed rules at work here \(\d+\)"))
        assert fold.evaluate("fold => fold.open") is is_open


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
    folded = page.locator("#table details:not([open]) > summary:visible")
    for _ in range(ALL_PLACES):
        if not folded.count():
            break
        folded.first.click()
    expect(folded).to_have_count(0)
    expect(table.books.get_by_role("searchbox", name="Find a rule")).to_be_visible()
    expect(table.books.get_by_role("spinbutton", name="Instead").first).to_be_visible(timeout=COMES)
    is_sound_to_touch_and_to_hear(page, width)
