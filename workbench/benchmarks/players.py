"""Lets the ready players play each other, and writes the table of docs/learning.md.

A row is one ruleset. Each deal is dealt twice, with the seats exchanged. A figure is the average lead in one deal
(points), with its standard error.
"""

import sys
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import hoyle
from hoyle.players import Greedy, Player, RandomPlayer, Searcher, play_out

PAGE = Path(__file__).parent.parent / "docs/learning.md"
BEGINS, ENDS = "<!-- players -->\n", "<!-- /players -->"
RULESETS = ("bezique-hoyle", "piquet-hoyle", "piquet-saunt-parlett")
#: So many deals are dealt twice; a searcher tries so many deals for each choice.
DEALS, SEARCHED, TRIED = 100, 6, 8

MakePlayer = Callable[[int], Player]


def lead(rules: hoyle.Rules, one: MakePlayer, other: MakePlayer, deals: int) -> str:
    """Return the average lead of one player over another, with its standard error."""
    leads = []
    for deal in range(deals):
        game = hoyle.NumberedGame(rules, deals=1)
        first = play_out(game.clone(), {"A": one(deal), "B": other(deal)}, Random(deal))["A"]
        second = play_out(game, {"A": other(deal), "B": one(deal)}, Random(deal))["B"]
        leads.append((first + second) / 2)
    return f"{fmean(leads):+.0f} ± {stdev(leads) / sqrt(deals):.0f}"


def row(ruleset: str) -> str:
    """Return the row of one ruleset."""
    rules = hoyle.rules(ruleset)
    greedy = lead(rules, lambda _: Greedy(), lambda deal: RandomPlayer(Random(deal)), DEALS)
    searcher = lead(rules, lambda deal: Searcher(Random(deal), deals=TRIED), lambda _: Greedy(), SEARCHED)
    return f"| `{ruleset}` | {greedy} | {searcher} |\n"


def main() -> None:
    """Write the table into the page, row by row as it is measured."""
    rows = []
    for ruleset in RULESETS:
        rows.append(row(ruleset))
        sys.stdout.write(rows[-1])
        sys.stdout.flush()
    head = "| ruleset | Greedy against RandomPlayer | Searcher against Greedy |\n|---|---|---|\n"
    page = PAGE.read_text("utf-8")
    before, _, rest = page.partition(BEGINS)
    PAGE.write_text(before + BEGINS + head + "".join(rows) + ENDS + rest.partition(ENDS)[2], "utf-8")


if __name__ == "__main__":
    main()
