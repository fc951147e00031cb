"""Run the checks of rulesets on mutants, engines that are wrong in one thing, and report those that no check notices.

    python workbench/measure_adequacy.py [RULESET…]

Each mutant changes one rule of a table, drops one refusal or forgets one thing that an event writes. Mutants are
checked like any engine: their reasons for refusing are not compared, and they may follow any reading.
docs/maintaining.md describes the other measures. Without RULESETs, all are measured.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Final

from rich.console import Console
from rich.table import Table

from adequacy import pieces, report
from adequacy.code_figures import code_figures, unused_code_waivers
from adequacy.code_mutants import CodeVerdict, Noticed, choose_mutants, code_mutants
from adequacy.crossings import Crossing, crossing_rows, unused_crossing_waivers
from adequacy.measure import unused_waivers
from adequacy.silence import unused_reasons
from adequacy.waivers import WaiverScope
from hoyle_conformance.runner.jobs import workers

#: The columns of a table that goes elsewhere than to a terminal.
_WIDTH: Final = 200
#: The code mutants, and the random games, of one piece of work.
_MUTANTS_OF_A_PIECE: Final = 20
_GAMES_OF_A_PIECE: Final = 10


def main() -> int:
    """Print a measure; return 1 if a check is lacking."""
    words = _words()
    with workers(words.jobs) as pool:
        return int(words.show(pool, words))


def _words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="such as bezique-hoyle")
    parser.add_argument("--jobs", "-j", type=int, help="so many processes; by default one for each core")
    parser.add_argument("--everything", "-e", action="store_true", help="also list the waivers, with their reasons")
    which = parser.add_mutually_exclusive_group()
    for name, show, about in (
        ("evidence", show_evidence, "count the positions that distinguish values of a rule"),
        ("silence", show_silence, "find checks that rest on values that no source states"),
        ("code", show_code, "change the code of the interpreter instead"),
        ("crossings", show_crossings, "count effects of rulings in states of other chapters"),
    ):
        which.add_argument(f"--{name}", dest="show", action="store_const", const=show, default=show_mutants, help=about)
    parser.add_argument("--most", type=int, metavar="N", help="with --code: so many mutants at most")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="with --crossings: games of each ruleset")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of --most, or of the games")
    words = parser.parse_args()
    names = pieces.suite().rules.names
    if wrong := [each for each in words.rulesets if each not in names]:
        parser.error(f"no ruleset {', '.join(wrong)}: 'hoyle suite list rulesets' shows them all")
    words.named, words.rulesets = bool(words.rulesets), words.rulesets or list(names)
    return words


def show_mutants(pool: Executor, words: argparse.Namespace) -> int:
    """Print the measures of each ruleset."""
    rows = list(pool.map(pieces.measures, words.rulesets))
    found = [each for row in rows for each in row]
    idle = [] if words.named else unused_waivers(found)
    lacking = sum(len(each.lacking) for each in found)
    sums = f"{lacking} without a check or a waiver." if lacking else "Everything is noticed, or has a waiver."
    lines = report.gap_lines(found, everything=words.everything)
    _print(report.measurement_table(rows), [*lines, *_unused(idle), "", sums])
    return int(bool(lacking or idle))


def show_evidence(pool: Executor, words: argparse.Namespace) -> int:
    """Print how many positions distinguish each value of a rule from others."""
    found = [each for row in pool.map(pieces.other_values, words.rulesets) for each in row]
    thin = [each for each in found if each.is_thin]
    sums = f"{len(found)} other values of rules; too few positions distinguish {len(thin)}."
    _print(report.evidence_table(found if words.everything else thin), [sums])
    return int(bool(thin))


def show_silence(pool: Executor, words: argparse.Namespace) -> int:
    """Print the checks that rest on values that the source does not state."""
    found = [each for row in pool.map(pieces.choices, words.rulesets) for each in row]
    idle = [] if words.named else unused_reasons(found)
    lacking = [each for each in found if each.is_unreviewed]
    shown = [each for each in found if each.checks] if words.everything else lacking
    unused = [f"A reason that no longer matches anything: {each}" for each in idle]
    _print(report.silence_table(shown), [*unused, *report.silence_lines(found)])
    return int(bool(lacking or idle))


def show_code(pool: Executor, words: argparse.Namespace) -> int:
    """Print what notices each mutant of the interpreter's code; progress goes to standard error."""
    mutants, found = choose_mutants(words.most, words.seed), list[CodeVerdict]()
    some = [tuple(mutants[at : at + _MUTANTS_OF_A_PIECE]) for at in range(0, len(mutants), _MUTANTS_OF_A_PIECE)]
    for each in pool.map(partial(pieces.code_verdicts, tuple(words.rulesets)), some):
        found += each
        print(f"{len(found)} of {len(mutants)}", file=sys.stderr)
    if words.named:
        found = [each for each in found if each.reached or each.noticed is not Noticed.BY_NOTHING]
    figures = code_figures(found, len(code_mutants()))
    idle = [] if words.named else unused_code_waivers(figures)
    tried = f"{figures.tried} of {figures.in_all} mutants tried."
    lines = report.code_lines(figures, everything=words.everything)
    _print(report.code_table(figures), [*lines, *_unused(idle), "", tried])
    return 0  # some changes make no difference to any engine


def show_crossings(pool: Executor, words: argparse.Namespace) -> int:
    """Print the crossings that random games of the rulesets meet, or checks of any."""
    first = words.seed * words.games
    starts = range(first, first + words.games, _GAMES_OF_A_PIECE)
    seeds = [range(start, min(start + _GAMES_OF_A_PIECE, first + words.games)) for start in starts]
    names = [name for name in words.rulesets for _ in seeds]
    games = pool.map(pieces.crossings_in_games, names, seeds * len(words.rulesets))
    checks = pool.map(pieces.crossings_in_checks, pieces.suite().rules.names)
    rows = crossing_rows(_sum(games), _sum(checks))
    missing, idle = sum(each.is_missing for each in rows), unused_crossing_waivers(rows)
    need = f"{missing} of {len(rows)} crossings need a check."
    _print(report.crossing_table(rows), [*_unused(idle), need])
    return int(bool(missing or idle))


def _sum(met: Iterable[Counter[Crossing]]) -> Counter[Crossing]:
    return sum(met, Counter[Crossing]())


def _unused(idle: Sequence[WaiverScope]) -> list[str]:
    return [f"A waiver that no longer matches anything: {', '.join(place)}" for place in idle]


def _print(table: Table, lines: Iterable[str]) -> None:
    if table.row_count:
        Console(width=None if sys.stdout.isatty() else _WIDTH, emoji=False).print(table)
    print(*lines, sep="\n")


if __name__ == "__main__":
    sys.exit(main())
