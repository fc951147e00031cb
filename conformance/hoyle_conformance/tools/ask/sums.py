"""Sums: the two final scores that a question gives, and their settlement by the rules of each ruleset."""

import re
from collections.abc import Iterable
from typing import Final

from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask import measures as measure
from hoyle_conformance.tools.ask.words import kinds_of
from hoyle_reference.acts import Settlement

#: Two scores against one another, and two amounts of which one may be right.
_AGAINST: Final = re.compile(r"\d(?: points)? (?:to|against|v|vs|versus) \d|\d ?[-:] ?\d|scores? (?:of )?\d+ and \d")
_EITHER: Final = re.compile(r"\d or \d")
_RUBICON: Final = "settle.rubicon"
#: The rules by which a rubiconed loser is settled with.
_UNDER: Final = ("settle.under_the_rubicon", "settle.bonus_under_the_rubicon", "settle.brisques_under_the_rubicon")

Scores = tuple[int, int]


def scores_in(text: str) -> Scores | None:
    """Return the two final scores that a question gives, the higher first; None if it gives none."""
    numbers = [int(word) for word in words(text) if word.isascii() and word.isdigit() and len(word) > 1]
    settled = _AGAINST.search(text) or ("settlement" in kinds_of(text) and len({*numbers}) > 1)
    if len(numbers) != 2 or not settled or _EITHER.search(text) or max(numbers) < measure.LEAST_SCORE:  # noqa: PLR2004
        return None
    return max(numbers), min(numbers)


def rubicon(suite: Suite, ruleset: str) -> int:
    """Return the rubicon of a ruleset; 0 if it has none."""
    return next((int(cell.value) for cell in suite.rules.cells(ruleset) if cell.path == _RUBICON), 0)


def settling(suite: Suite, rulesets: Iterable[str], scores: Scores) -> tuple[str, ...]:
    """Return the rules by which these scores are settled."""
    if scores[0] == scores[1]:
        return ("settle.equal_scores",)
    rubicons = list(filter(None, (rubicon(suite, name) for name in rulesets)))
    under = _UNDER if any(scores[1] < each for each in rubicons) else ()
    over = ["settle.over_the_rubicon"] if any(scores[1] >= each for each in rubicons) else []
    return (*under, *over, "settle.bonus") if rubicons else ()


def worked_out(suite: Suite, rulesets: Iterable[str], scores: Scores) -> dict[str, list[str]]:
    """Return what the winner of these scores gets, with the rulesets that settle them so; nothing for equal scores."""
    found: dict[str, list[str]] = {}
    for name in rulesets:
        winner, points = suite.rules.fresh_game(name).ask(Settlement(scores)).value
        if points is not None and winner is not None:
            found.setdefault(f"{scores[0]:,} to {scores[1]:,}: the winner gets {points:,}.", []).append(name)
    return found
