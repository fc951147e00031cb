"""Show which positions can be reached from a deal, or find the preludes again: 'python -m preludes --help'."""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from gzip import compress
from pathlib import Path

from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.checks.preludes.store import path_of
from preludes.words import reachable_shares, unreachable_positions
from preludes.write import text

SPEC = Path(__file__).parents[2] / "spec"


def main() -> None:
    """Write the preludes if asked to, and print how many positions can be reached."""
    parser = argparse.ArgumentParser(prog="python -m preludes", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="a ruleset; by default, all")
    parser.add_argument("--write", action="store_true", help="find and write preludes that are missing or out of date")
    parser.add_argument("--anew", action="store_true", help="with --write, find all again, which takes long")
    parser.add_argument("--none", action="store_true", help="list each position without a prelude, by the reason")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="the number of processes for --write (2)")
    words = parser.parse_args()
    suite = load_suite(SPEC, positions=False)
    if unknown := {*words.rulesets} - {*suite.rules.names}:
        parser.error(f"there is no ruleset {unknown.pop()}")
    chosen = words.rulesets or list(suite.rules.names)
    if words.write:
        tables = list(dict.fromkeys(name.partition("+")[0] for name in chosen))
        with ProcessPoolExecutor(words.jobs) as pool:
            for table, lines in zip(tables, pool.map(partial(found, anew=words.anew), tables), strict=True):
                path_of(suite, table).write_bytes(compress(lines.encode(), mtime=0))
                print(f"Wrote {suite.shown(path_of(suite, table))}.")
    print(*(unreachable_positions if words.none else reachable_shares)(suite, chosen), sep="\n")


def found(table: str, *, anew: bool) -> str:
    """Return the text of the file of a ruleset."""
    return text(load_suite(SPEC, positions=False), table, anew=anew)


if __name__ == "__main__":
    main()
