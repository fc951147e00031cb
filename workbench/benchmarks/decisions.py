"""Decisions a second in random play, for each ruleset: in one run with the interpreter of an old commit and with
OpenSpiel.

All of them play in turn, each in a process of its own, so that whatever else the machine does concerns all alike. A
figure is the best of several rounds, in processor time. The function calls for each decision do not depend on the
machine.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from history import BEFORE, ROOT, imports_of, paths, rulesets, unpack
from processes import Player, Turn, able, calls_each, rates

#: Hoyle as it is, and as it was; and another library: the program of `playing.py`, and the game.
NOW, THEN = "hoyle", BEFORE[:8]
PEERS: Final = {
    "OpenSpiel": ("openspiel", "gin_rummy"),
}
OPPONENTS: Final = (THEN, *PEERS)
#: The reason why a column is empty.
WITHOUT: Final = {
    THEN: "this clone does not have the commit",
    **dict.fromkeys(PEERS, "the package is not installed; it may have no wheel for this Python"),
}
#: At least so many times as many decisions as at the old commit.
GOAL: Final = 1.0


class Row(NamedTuple):
    """The figures of one ruleset by the names of what plays it: decisions a second, and calls for each decision."""

    ruleset: str
    decisions: Mapping[str, float]
    calls: Mapping[str, float | None]

    def ratio(self, other: str) -> float | None:
        """Return how many times as many decisions Hoyle makes as another, if that plays."""
        theirs = self.decisions.get(other)
        return self.decisions[NOW] / theirs if theirs else None


def main() -> None:
    """Print the table as it is measured, and then what is missing in it and which goals are met."""
    with TemporaryDirectory() as folder:
        then, rows = Path(folder), list[Row]()
        has_then = unpack(BEFORE, then)
        calls = {NOW: _calls(ROOT), THEN: _calls(then) if has_then else {}}
        _print_head()
        with _players(then if has_then else None) as players:
            for ruleset in rulesets(ROOT):
                own_calls = {name: counted.get(ruleset) for name, counted in calls.items()}
                left_out = {THEN} if ruleset not in calls[THEN] else set()
                playing = {name: player for name, player in players.items() if name not in left_out}
                rows.append(Row(ruleset, rates(_turns(ruleset, playing)), own_calls))
                print(_line(rows[-1]))
    print("  ".join(f"{name}: {rows[0].decisions[name]:,.0f}/s" for name in PEERS if name in rows[0].decisions))
    for name in (each for each in WITHOUT if each not in players):
        print(f"Nothing of {name}: {WITHOUT[name]}.")
    _print_goal(rows)


def _calls(project: Path) -> dict[str, float]:
    return calls_each(imports_of(*paths(project)), rulesets(project))


@contextmanager
def _players(then: Path | None) -> Iterator[Mapping[str, Player]]:
    """Start everything that can play here, by its name."""
    started = {NOW: Player("hoyle", imports_of(*paths(ROOT)))} | (
        {THEN: Player("hoyle", imports_of(*paths(then)))} if then else {}
    )
    with able(started | {name: Player(program) for name, (program, _) in PEERS.items()}) as players:
        yield players


def _turns(ruleset: str, players: Mapping[str, Player]) -> dict[str, Turn]:
    """Return what each plays in a round. Hoyle plays the same deals, whichever it is."""
    deals = players[NOW].deals_of_a_share(ruleset)
    return {
        name: Turn.of(player, PEERS[name][1]) if name in PEERS else Turn(player, ruleset, deals)
        for name, player in players.items()
    }


def _print_head() -> None:
    print("\nDecisions a second in random play, and how many times as many as others in this run")
    titles = "".join(f"{f'÷ {name}':>16}" for name in OPPONENTS)
    print(f"{'':<23}{'decisions/s':>12}{titles}{'calls each':>16}")
    print(f"{'':<{35 + 16 * len(OPPONENTS)}}{'now   then':>16}")


def _line(row: Row) -> str:
    """Return the figures of one ruleset as a line of the table."""
    cells = [_cell(row.decisions[NOW], ",.0f", 12), *(_cell(row.ratio(other), ".2f", 16) for other in OPPONENTS)]
    cells += [_cell(row.calls[NOW], ".1f", 9), _cell(row.calls[THEN], ".1f", 7)]
    return f"{row.ruleset:<23}{''.join(cells)}"


def _cell(value: float | None, form: str, width: int) -> str:
    return f"{'-' if value is None else format(value, form):>{width}}"


def _print_goal(rows: list[Row]) -> None:
    """Print whether the goal is met, or the rulesets that miss it."""
    ratios = {row.ruleset: ratio for row in rows if (ratio := row.ratio(THEN)) is not None}
    missed = [ruleset for ruleset, ratio in ratios.items() if ratio < GOAL]
    if ratios:
        found = f"NOT met by {', '.join(missed)}" if missed else f"met by all {len(ratios)} rulesets"
        print(f"at least {GOAL:g} times {THEN}: {found}")


if __name__ == "__main__":
    main()
