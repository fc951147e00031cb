"""Coverage-guided fuzzers of everything that Hoyle reads from others: ``python workbench/run_fuzzers.py --help``.

`make fuzzers` runs them all; docs/maintaining.md explains them.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from fuzzers.campaign import HEADING, run
from fuzzers.replay import replay, table_lines
from fuzzers.target import TARGETS, Target, target_named


def main(words: Sequence[str] | None = None) -> int:
    """Do what the words of the command line say, and return the exit code."""
    chosen = _parser().parse_args(words)
    if chosen.needs_atheris and find_spec("atheris") is None:
        print("atheris is not installed: 'make .venv/ready-fuzz' installs it, on Linux.", file=sys.stderr)
        return 2
    code: int = chosen.call(chosen)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.set_defaults(needs_atheris=False)
    commands = parser.add_subparsers(required=True)
    some = commands.add_parser("run", help="run all targets in turn, or some")
    some.add_argument("--time", type=_seconds, default=60.0, help="for all of them together, such as 90s or 10m")
    some.add_argument("--seed", type=int, default=1)
    some.set_defaults(call=_run, needs_atheris=True)
    repeat = commands.add_parser("repeat", help="run inputs again, without atheris")
    repeat.add_argument("target", type=_target)
    repeat.add_argument("paths", nargs="+", type=Path, metavar="INPUT")
    repeat.set_defaults(call=_repeat)
    coverage = commands.add_parser("coverage", help="print what the corpora cover")
    coverage.set_defaults(call=_coverage)
    for command in (some, coverage):
        command.add_argument("targets", nargs="*", type=_target)
    one = commands.add_parser("one", help="run one target, with options of libFuzzer; 'run' starts this")
    one.add_argument("target", type=_target)
    one.add_argument("options", nargs=argparse.REMAINDER)
    one.set_defaults(call=_one, needs_atheris=True)
    return parser


def _target(name: str) -> Target:
    try:
        return target_named(name)
    except KeyError as error:
        raise argparse.ArgumentTypeError(f"the targets are {', '.join(each.name for each in TARGETS)}") from error


def _seconds(text: str) -> float:
    """Return a time such as ``90s`` or ``10m`` in seconds."""
    return float(text.rstrip("smh")) * {"m": 60, "h": 3600}.get(text[-1:], 1)


def _run(words: argparse.Namespace) -> int:
    targets, failed = words.targets or TARGETS, False
    print(HEADING)
    for target in targets:
        row, failure = run(target, [f"-max_total_time={words.time / len(targets):.0f}", f"-seed={words.seed}"])
        print(row, failure, sep="\n" if failure else "", flush=True)
        failed = failed or bool(failure)
    return int(failed)


def _repeat(words: argparse.Namespace) -> int:
    if missing := [path for path in words.paths if not path.is_file()]:
        print(f"There is no file {missing[0]}.", file=sys.stderr)
        return 2
    replay(words.target, words.paths)
    print("No defect was found.")
    return 0


def _coverage(words: argparse.Namespace) -> int:
    for line in table_lines(words.targets or TARGETS):
        print(line)
    return 0


def _one(words: argparse.Namespace) -> int:
    from fuzzers.fuzzing import fuzz

    fuzz(words.target, words.options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
