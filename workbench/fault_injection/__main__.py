"""Inject faults into commands, and print how many points were reached and which promises were broken.

In the folder tests: `python -m fault_injection --help`. The exit code is 1 if a promise was broken.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from fault_injection.campaign import Campaign, every_point
from fault_injection.commands import commands
from fault_injection.running import Workplace
from fault_injection.shim import FAMILIES

#: Seconds that a campaign waits for the response to a message that was not written.
TIMEOUT = 3


def main() -> int:
    """Run the campaigns that the options select."""
    words = _words()
    number = 0
    with tempfile.TemporaryDirectory(prefix="hoyle-faults-") as folder:
        place = Workplace.made(Path(folder))
        every = commands(place.spec, TIMEOUT)
        chosen = [each for each in every if any(part in each.name for part in words.command)]
        if not chosen:
            print("No command has such a name. The commands are", ", ".join(f"'{each.name}'" for each in every))
            return 2
        for command in chosen:
            campaign = Campaign.of(place, command)
            for family in words.family:
                for mode in words.mode:
                    number += _run(campaign, family, mode, words)
    print(f"{number} broken.")
    return int(number > 0)


def _run(campaign: Campaign, family: str, mode: str, words: argparse.Namespace) -> int:
    """Run one campaign and print its line; return how many faults broke a promise."""
    began = time.monotonic()
    points = every_point(
        campaign,
        family,
        ever=mode == "ever",
        wanted=lambda at: (at + words.seed) % words.every == 0,
        only=words.only,
    )
    seconds = time.monotonic() - began
    print(
        f"{campaign.command.name:28}{family:12}{mode:6}{points.reached:6} calls{points.tried:6} failed"
        f"{len(points.broken):6} broken{seconds:8.0f} s",
        flush=True,
    )
    for each in points.broken:
        print(each, flush=True)
    return len(points.broken)


def _words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fault_injection", description=__doc__)
    parser.add_argument("--command", nargs="+", default=[""], help="commands whose names contain one of these words")
    parser.add_argument("--family", nargs="+", choices=FAMILIES, default=FAMILIES)
    parser.add_argument("--mode", nargs="+", choices=("once", "ever"), default=("once", "ever"))
    parser.add_argument("--only", default="", help="count only calls described so, such as 'supervisor *'")
    parser.add_argument("--every", type=int, default=1, help="fail every n-th call only")
    parser.add_argument("--seed", type=int, default=0, help="the number of calls to begin with")
    words = parser.parse_args()
    if words.every < 1:
        parser.error("--every is 1 or more")
    return words


if __name__ == "__main__":
    sys.exit(main())
