"""The cost of a sandbox: a run with `--sandbox-best-effort`, as a ratio to the same run without it."""

import os
import shutil
import sys
from pathlib import Path

from commands import as_installed, process
from hoyle_conformance.protocol.sandbox.probe import find_sandbox
from measuring import ratio

ADAPTERS = Path(__file__).parents[2] / "conformance/adapters/python"
#: The example adapters, each with a ruleset that it plays: many checks, and few.
EXAMPLES = {"rubicon.py": "rubicon-hoyle", "bezique_hoyle.py": "bezique-hoyle", "tricks.py": "bezique-hoyle"}
SANDBOX = "--sandbox-best-effort"
GOAL = 1.15
TRIES = 7


def main() -> None:
    """Print how much longer a run takes in each sandbox that this system has."""
    means = find_sandbox().means
    print(f"\nThe sandbox of this system: {means or 'none'}.")
    with as_installed():
        process("check")  # compiles bytecode and suite
        measure(means)
        if means == "bubblewrap":
            hide_bubblewrap()
            measure(find_sandbox().means)


def measure(means: str) -> None:
    """Print the ratios of the example adapters, with and without a sandbox in turn, so that both are as disturbed."""
    for name, ruleset in EXAMPLES.items():
        words = ("-r", ruleset, sys.executable, str(ADAPTERS / name))
        tries = [(process("check", SANDBOX, *words), process("check", *words)) for _ in range(TRIES)]
        confined, free = map(min, zip(*tries, strict=True))
        print(ratio(f"hoyle check of {name} with {means or 'no sandbox'}", confined / free, "the run without it", GOAL))


def hide_bubblewrap() -> None:
    """Leave out the folders of the path that have bubblewrap."""
    folders = os.environ["PATH"].split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(each for each in folders if not shutil.which("bwrap", path=each))


if __name__ == "__main__":
    main()
