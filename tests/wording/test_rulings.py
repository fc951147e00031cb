"""Rulings in words: short sentences, which say what their rows do, who chooses, and until when."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.rulebook_entries import Entry, printed_chapters
from hoyle_conformance.wording.rulings import HAPPENS, REMEDIES, can_occur, happens, is_irregularity

Row = Mapping[str, Any]


#: How a ruling says until when it holds; the title of a row may say it too.
_UNTIL: Final = {
    "at-once": r"at once|as soon as|^(?!.*\bbefore\b)",
    "end-of-the-deal": r"before the deal ends|until the deal ends|at any time in the deal",
    "end-of-the-game": r"before (the game|it) ends",
    "cards-are-taken-up": r"as long as nobody has taken up a card",
    "dealer-plays": r"before the dealer (has played|plays)",
    "play-begins": r"before (the first lead|a card has been played)",
    "other-player-draws": r"before drawing|once the winner has drawn",
    "card-is-played-to": r"(unless|until) the opponent has played to (it|the card)",
    "card-of-the-next-trick": r"before the next trick begins",
    "pack-is-cut": r"before the pack is cut",
    "stock-is-taken-from": r"until elder (takes a card of|touches) the stock",
    "exchange-is-over": r"when cards are taken|until taking up a card",
    "offender-plays": r"when the (dealer|player) plays|before the player plays",
    "trick-is-turned-or-a-card-drawn": r"until the trick is turned or the next card is drawn",
}
#: Rulings that change nothing, or cost no more for being late, need no time limit.
_TIMELESS: Final = {
    *("stays-as-it-is", "no-penalty", "deal-stands", "cut-stands", "turned-face-down", "draws-no-more-yet"),
    *("deal-is-void", "cards-are-replaced", "fresh-packs"),
}
#: How a ruling says what an effect does.
_EFFECTS: Final = {
    "add-to-the-other": r"\b(add|scores) {points}\b",
    "deduct-from-the-offender": r"\b(take|loses) {points}\b",
    "forfeit-the-last-tricks": r"tricks go to the opponent|goes to the other side|to the player on the left",
    "forfeit-to-the-claimant": r"player who claims the revoke .* takes",
    "deal-again": r"the same dealer deals? again",
    "complete-the-hand": r"hand is made up from the top of the stock",
    "return-the-surplus": r"draw the surplus unseen .* under the stock",
    "take-back": r"take up|takes? the card|take the card up|takes? back that card|is taken back",
    "void-the-game": r"game is void",
    "lose-the-game": r"loses the game\. It counts {points}\b",
    "take-off-the-score": r"score is taken off",
    "put-back": r"puts? .*back",
    "show-the-card-drawn": r"shows the opponent the top card",
    "show-the-card-lifted": r"shows the opponent the second card",
    "other-chooses-next-cards": r"at (the next|each) draw, .*opponent (may look at both cards and take|takes) either",
    "hand-over-the-first": r"take either",
    "hand-over-the-second": r"take either",
    "rubiconed": r"rubiconed.* at most {points}\b",
    "last-trick-lost": r"the opponent scores the last trick",
    "last-trick-stands": r"last trick counts for its winner",
    "last-trick-unscored": r"nobody scores the last trick",
    "shows-next-card": r"shows the winner the next card",
    "take-up-the-card": r"takes up a card",
    "next-cards-are-faced": r"turned face up",
    "show-both-cards": r"have both cards shown",
    "take-up-the-heap": r"take up all the played cards",
    "reckons-nothing": r"scores? nothing",
}
_ONLY_IF: Final = {
    "non-dealer-has-not-looked": "non-dealer who has not looked",
    "offender-has-not-looked": "draw the surplus unseen",
    "offender-has-looked": "if the dealer has looked at the hand",
}
_WHO: Final = {
    "other": r"opponent may|opponent with eight cards or fewer may|non-dealer may|player harmed may",
    "non-dealer": r"(non-dealer|elder).* may|with (elder|the non-dealer)'s leave",
    "both": r"if both players agree",
}


def printed(suite: Suite) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of every printed chapter of penalties, with the ruleset."""
    for name in suite.rules.names:
        for chapter in printed_chapters(suite, suite.rules.cells(name)):
            yield from ((name, entry) for entry in chapter.entries if entry.cell.path.startswith("referee."))


def rows(suite: Suite) -> Iterator[Row]:
    """Yield every irregularity of every ruleset, by every reading."""
    for name in suite.rules.names:
        for cell in suite.rules.cells(name).rows("referee.irregularities"):
            yield from (cell.value, *(reading.value for reading in cell.readings))


def test_what_a_game_cannot_meet_is_not_printed(suite: Suite) -> None:
    for name, entry in printed(suite):
        assert can_occur(entry.cell.value, suite.rules.of(name).players), (name, entry.cell.path)
        assert not re.search(r"three or four players", entry.heading), (name, entry.heading)
        if suite.rules.of(name).players == 2:
            assert not re.search(r"\bEach opponent\b|on the left", entry.sentence), (name, entry.sentence)


def test_a_ruling_says_until_when_and_who_chooses(suite: Suite) -> None:
    for row in rows(suite):
        said = f"{row['title']}. {row['ruling']}"
        if not {each["choice"] for each in row["remedies"]} <= _TIMELESS or row["until"] == "pack-is-cut":
            assert re.search(_UNTIL[row["until"]], said, re.IGNORECASE), (row["until"], said)
        if "chooses" in row:
            assert re.search(_WHO[row["chooses"]], row["ruling"], re.IGNORECASE), said


def test_a_ruling_says_every_effect_with_its_points_and_its_condition(suite: Suite) -> None:
    for row in rows(suite):
        said = f"{row['title']}. {row['ruling']}"
        effects = [*row.get("at_first", ()), *(effect for each in row["remedies"] for effect in each["does"])]
        for effect in effects:
            pattern = _EFFECTS[effect["effect"]].replace("{points}", str(effect.get("points", "")))
            assert re.search(pattern, said, re.IGNORECASE), (effect, said)
        numbers = set(re.findall(r"\b\d+\b", row["ruling"].replace("1,300", "")))
        assert numbers == {str(effect["points"]) for effect in effects if "points" in effect}, said
        for each in row["remedies"]:
            assert "only_if" not in each or _ONLY_IF[each["only_if"]] in said.replace("If ", "if "), said


def test_readings_of_a_row_do_not_share_their_words(suite: Suite) -> None:
    """A reading that does something else has a ruling of its own."""
    for name in suite.rules.names:
        for cell in suite.rules.cells(name).rows("referee.irregularities"):
            said = [reading.value["ruling"] for reading in cell.readings]
            assert len(set(said)) == len(said), (name, cell.path)
            assert all(
                reading.value["ruling"] == cell.value["ruling"]
                for reading in cell.readings
                if reading.name == cell.follows
            )


def test_every_choice_has_words(suite: Suite) -> None:
    for word in {each["choice"] for row in rows(suite) for each in row["remedies"]} - {*REMEDIES, *HAPPENS}:
        assert re.search(r" (is|are|stands)\b", happens(word)), word
    assert not is_irregularity({"is": "stands"})
