"""The time of a diagnosis against that of the checks, for engines that are wrong.

Measured is the processor time of a command and its adapter: how long the search for rules that explain failures takes,
compared with the checks, and how long `hoyle identify` takes, compared with `hoyle check`. Then follows what is known
when `hoyle identify` ends after two seconds.
"""

import sys
from pathlib import Path

from measuring import processor_time, ratio

ROOT = Path(__file__).resolve().parents[2]
HOYLE = Path(sys.executable).with_name("hoyle")
FAULTY = (sys.executable, "tests/faulty_adapters/main.py")
#: Wrong engines, each with a ruleset to check, or "" for all that it claims.
ENGINES = {
    "plays-a-mixture": "",
    "stamps-cards": "bezique-hoyle",
    "rejected-meld-still-scores": "bezique-hoyle",
    "accepts-everything": "bezique-hoyle",
    "counts-a-repique-by-totals": "piquet-rubicon-parlett",
}
#: The search of `check` takes at most as long as the checks themselves, and `identify` five times as long as `check`.
MOST_OF_SEARCH, MOST_OF_IDENTIFY = 1.0, 5.0


#: The command, as it is and without a search for the rules that explain failures.
COMMAND = (str(HOYLE),)
WITHOUT_SEARCH = (
    sys.executable,
    "-c",
    (
        "from hoyle_conformance import cli; from hoyle_conformance.runner import group_failures;"
        "group_failures.explain_failures = lambda *_: group_failures.ExplainedFailures(); cli.run()"
    ),
)


def measure(name: str, ruleset: str) -> None:
    """Print the figures of one engine."""
    of = ("-r", ruleset) if ruleset else ()
    check = ("check", *of, "--", *FAULTY, name)
    whole, _ = processor_time([*COMMAND, *check], cwd=ROOT)
    plain, _ = processor_time([*WITHOUT_SEARCH, *check], cwd=ROOT)
    identify, _ = processor_time([*COMMAND, "identify", *of, "--", *FAULTY, name], cwd=ROOT)
    _, said = processor_time([*COMMAND, "identify", *of, "--deadline", "2s", "--", *FAULTY, name], cwd=ROOT)
    named = next((line for line in said.splitlines() if line.startswith(("Nearest", "The engine plays"))), "nothing")
    print(ratio(f"{name}: search", (whole - plain) / plain, "the checks", MOST_OF_SEARCH))
    print(ratio(f"{name}: identify", identify / whole, "check", MOST_OF_IDENTIFY))
    print(f"{name}: known after 2 s: {named}")


def main() -> None:
    """Print the figures of every engine."""
    for name, ruleset in ENGINES.items():
        measure(name, ruleset)


if __name__ == "__main__":
    main()
