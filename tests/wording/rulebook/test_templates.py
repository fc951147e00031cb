"""Piquet in words: nothing that is not done there, and the example of the primer as it is played."""

import re

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.learn_pages import primers
from hoyle_conformance.wording.rulebook import compose as composing

#: What belongs to Bézique: nobody draws after a trick at Piquet, nothing is turned up, and there are no trumps to speak
#: of (which is said once).
FOREIGN = re.compile(r"\bdraws?\b(?<!a draw)|\bturn-up\b|more than two|\bnon-dealer\b|\bbrisques?\b", re.IGNORECASE)


def test_nothing_is_said_of_what_is_not_done_at_piquet(suite: Suite) -> None:
    piquet = {ruleset.id for ruleset in suite.rules.games["Piquet"]}
    for table in (name for name in suite.rules.names if name.partition("+")[0] in piquet):
        words = " ".join(each.words for chapter in composing.book(suite, table) for each in chapter.paragraphs)
        assert not FOREIGN.search(words), table
        assert len(re.findall(r"\btrumps?\b", words)) == 1, table


def test_the_example_of_the_primer_is_the_deal_that_is_played(suite: Suite) -> None:
    of = primers()["piquet"]
    assert of is not None
    example = next(section for section in of.sections if section.id == "example")
    outcome = next(each for each in suite.scenarios[of.deal].outcomes if of.ruleset in each.rulesets)
    steps = [outcome.expect[at] for at in sorted(outcome.expect)]
    held = [tuple(hand) for step in steps for hand in step.get("hands", {}).values()]
    shown = [piece.cards for piece in example.pieces if piece.cards]
    assert shown
    assert set(shown) <= set(held)
    words = " ".join(
        each.words(suite.rules.cells(of.ruleset))
        for piece in example.pieces
        for paragraph in piece.paragraphs
        for each in paragraph
    )
    last = [step["total"] for step in steps if "total" in step][-1]
    assert all(in_words(total) in words for total in last.values())
    called = [step["total"]["A"] for step in steps if step.get("scores", {}).get("A")][-2]
    assert f"You have {in_words(called)}" in words


def in_words(number: int) -> str:
    """A number from twenty to forty-nine, spelt out."""
    ones = "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"
    return "-".join(filter(None, (("twenty", "thirty", "forty")[number // 10 - 2], ones[number % 10])))
