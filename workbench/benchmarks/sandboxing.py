"""The cost of the sandbox: a run with `--sandbox`, as a ratio to the same run without it."""

import sys
from pathlib import Path

from commands import as_installed, process
from hoyle_conformance.protocol.sandbox import problem
from measuring import ratio

ADAPTERS = Path(__file__).parents[1] / "adapters/python"
#: Engines, each with a ruleset that it plays: many checks, and few.
EXAMPLES = {"rubicon.py": "rubicon-hoyle", "bezique_hoyle.py": "bezique-hoyle"}
GOAL = 1.15
TRIES = 7


def main() -> None:
    """Print the ratios of the engines, with and without the sandbox in turn, so that both are as disturbed."""
    if why := problem():
        print(f"\nThere is no sandbox on this system: {why}.")
        return
    with as_installed():
        process("check")  # compiles bytecode and suite
        for name, ruleset in EXAMPLES.items():
            words = ("-r", ruleset, sys.executable, str(ADAPTERS / name))
            tries = [(process("check", "--sandbox", *words), process("check", *words)) for _ in range(TRIES)]
            confined, free = map(min, zip(*tries, strict=True))
            print(ratio(f"hoyle check of {name} in the sandbox", confined / free, "the run without it", GOAL))


if __name__ == "__main__":
    main()
