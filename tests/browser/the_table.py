"""The table in a browser, and what a person does at it: cards are laid out and played by what can be seen and heard."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from playwright.sync_api import Locator, Page, expect

SITE = Path(__file__).resolve().parents[2] / "site"
SPEC = Path(__file__).resolve().parents[2] / "spec"
#: Milliseconds until the interpreter answers: seconds, and on a busy machine many of them.
COMES = 60_000

HAND = "{}’s hand"  # noqa: RUF001 -- as the page prints it
RANKS = dict(zip("789TJQKA", ("seven", "eight", "nine", "ten", "knave", "queen", "king", "ace"), strict=True))
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def named(card: str) -> str:
    """What a card is called to those who hear it."""
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def scenario(name: str) -> dict[str, Any]:
    """A scenario of the suite as it is written, with the rulesets that inherit its outcomes."""
    path = SPEC / "scenarios" / f"{name.replace('.', '/')}.scenario.yaml"
    data: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    lines = map(json.loads, (SPEC / "at-work.jsonl").read_text("utf-8").splitlines())
    inherited = next((line.get("checks", {}) for line in lines if line.get("scenario") == name), {})
    for entry in (*data.get("outcomes", ()), *data.get("followed_by", ())):
        entry["rulesets"] += [each for named in entry["rulesets"] for each in inherited.get(named, ())]
    return data


def refusing(of: dict[str, Any], step: int) -> dict[str, bool]:
    """Of each ruleset of a scenario, whether it refuses a step, in the reading that it follows."""
    decided = [(each["rulesets"], each["expect"]) for each in of.get("outcomes", ())]
    read = [(each["rulesets"], of["readings"][each["reading"]]["expect"]) for each in of.get("followed_by", ())]
    return {name: "refused" in expect.get(step, {}) for rulesets, expect in (*decided, *read) for name in rulesets}


class Table:
    """A page of the table, and what a person does at it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.laying = page.get_by_role("region", name="Set up the position")
        self.felt = page.get_by_role("region", name="The table after the last step")
        self.head = page.get_by_role("region", name="The game and the books")
        self.acting = page.get_by_role("region", name="Acts", exact=True)
        self.verdict = page.get_by_role("region", name="The verdict")
        self.trying = page.get_by_role("region", name="Steps and questions")
        self.books = page.get_by_role("region", name="What the books say")
        self.taking = page.get_by_role("region", name="Save or share")

    @property
    def pack(self) -> Locator:
        return self.laying.get_by_role("group", name=re.compile("^The pack"))

    def play_of(self, game: str) -> None:
        self.page.get_by_role("combobox", name="Game", exact=True).select_option("Bézique for two")
        self.page.get_by_role("combobox", name="Game", exact=True).select_option(game)

    def stands(self, says: str) -> None:
        self.laying.get_by_role("combobox", name="Now", exact=True).select_option(says)

    def lay(self, place: str, cards: list[str]) -> None:
        """Cards into a place."""
        group = self.laying.get_by_role("group", name=place, exact=True)
        group.get_by_role("button", name=place).first.click()
        for card in cards:
            self.pack.get_by_role("button", name=re.compile(f"^{named(card)},")).click()

    def plays_on(self) -> None:
        self.laying.get_by_role("button", name="Play on").click()

    def does(self, says: str, cards: Sequence[str] = ()) -> None:
        """One of the acts that are offered, by its name and its cards in any order."""
        every = "".join(f"(?=.*{named(card)})" for card in cards)
        acts = self.acting.get_by_role("list", name="Legal acts")
        self.steps(acts.get_by_role("button", name=re.compile(f"^{every}{says}")).first.click)

    def steps(self, act: Any) -> None:
        """What is done is one step more."""
        steps = self.trying.get_by_role("listitem").filter(has=self.page.locator("[data-key^=step-]"))
        before = steps.count()
        act()
        expect(steps).to_have_count(before + 1, timeout=COMES)
        self.settled()

    def tries(self, kind: str, cards: list[str]) -> None:
        """Any act, allowed or not."""
        form = self.trying.locator("details").filter(has=self.page.get_by_text("Try anything", exact=True))
        if form.get_attribute("open") is None:
            form.get_by_text("Try anything", exact=True).click()
        form.get_by_role("combobox", name="What", exact=True).select_option(kind)
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
        for says, value in (("Name", name), ("Title", title)):
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


def opened(table: Table, name: str) -> None:
    """A position of the suite by its address."""
    table.page.evaluate("name => { location.hash = `p=${name}` }", name)
    table.page.wait_for_function("() => location.hash.startsWith('#1.')", timeout=COMES)
    table.settled()
