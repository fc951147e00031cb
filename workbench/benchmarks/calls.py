"""Report the rulesets whose decisions take more function calls than at an earlier commit: `calls.py [COMMIT]`.

The calls for each decision depend on nothing but the code and the version of Python, so that both are counted here, in
this Python. Without COMMIT, the earlier one is a day older than the newest. Nothing fails: a change may be worth it.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from history import ROOT, a_day_before, imports_of, paths, rulesets, unpack
from processes import calls_each

#: A ruleset is reported from so many times as many calls on.
MOST: Final = 1.1


def main(since: str = "") -> None:
    """Count the calls at both commits, and report what has become slower."""
    commit = since or a_day_before()
    with TemporaryDirectory() as name:
        then = Path(name)
        if not commit or not unpack(commit, then):
            print("The calls for each decision cannot be compared: this clone has no earlier commit.")
            return
        before = calls_each(imports_of(*paths(then)), rulesets(then))
    now = calls_each(imports_of(*paths(ROOT)), rulesets(ROOT))
    if not before:
        print(f"The calls for each decision cannot be compared: playing.py cannot play with {commit[:8]}.")
        return
    _print_compared(commit[:8], before, now)


def _print_compared(commit: str, before: Mapping[str, float], now: Mapping[str, float]) -> None:
    """Print the rulesets that have become slower by a tenth, or the range of all."""
    ratios = {ruleset: now[ruleset] / before[ruleset] for ruleset in now if ruleset in before}
    slower = [ruleset for ruleset, ratio in ratios.items() if ratio >= MOST]
    for ruleset in slower:
        calls = f"{now[ruleset]:.1f} function calls for each decision, at {commit} {before[ruleset]:.1f}"
        print(f"SLOWER by {ratios[ruleset] - 1:.0%}: {ruleset}, {calls}")
    least, most = min(ratios.values()), max(ratios.values())
    print(f"Function calls for each decision: {least:.2f} to {most:.2f} times those at {commit}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
