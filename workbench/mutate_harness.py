"""Whether a test notices, when one thing is changed in the harness: 'python workbench/mutate_harness.py --help'.

What no test notices, and need not, stands in workbench/mutants/survivors.yaml with its reason.
"""

import argparse
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

import pytest
import yaml

from mutants.code_changes import SourceChange, code_changes
from mutants.trying import NOTICED, Trying

#: No cache and no other processes. Pytest warns that Hoyle's plugin was imported before it, which is meant.
OPTIONS: Final = [
    *("-p", "no:cacheprovider", "-p", "no:xdist"),
    *("-W", "ignore:Module already imported so cannot be rewritten:pytest.PytestAssertRewriteWarning"),
]
ROOT: Final = Path(__file__).resolve().parents[1]
HARNESS: Final = ROOT / "conformance" / "hoyle_conformance"
SURVIVORS: Final = Path(__file__).parent / "mutants" / "survivors.yaml"
#: What judges, runs, talks, and says how it ended.
MODULES: Final = [
    *("runner/*.py", "protocol/*.py", "system/pipes.py", "system/processes.py"),
    *("cli/__init__.py", "cli/check.py", "cli/options.py", "cli/exit.py", "cli/outputs.py"),
]
#: The tests of these.
TESTS: Final = [
    "checks/combinations",
    "checks/relabel",
    "checks/rewrites",
    "cli/check",
    "cli/commands",
    "cli/exit",
    "cli/outputs",
    "cli/suite/what_if",
    "files/write",
    "protocol/messages",
    "protocol/process",
    "protocol/supervisor",
    "reports/causes",
    "reports/claims",
    "reports/progress",
    "runner/baseline",
    "runner/checker",
    "runner/group_failures",
    "runner/jobs",
    "runner/judge",
    "runner/lifecycle",
    "runner/open_after_rulings",
    "runner/questions",
    "runner/readings",
    "runner/results",
    "runner/run",
    "runner/select",
    "system/files",
    "system/pipes",
    "system/processes",
    "tools/house_rules",
    "tools/identify/identify",
    "whole/engine_kinds",
    "whole/faulty_adapters",
]


def main() -> int:
    """Try mutants, and say which of them no test notices: 0 where each of those is in the list."""
    words = _words()
    chosen = _chosen(words.modules, words.changed)
    if words.most and len(chosen) > words.most:
        chosen = random.Random(words.seed).sample(chosen, words.most)
    if not chosen:
        print("Nothing of the harness was changed.")
        return 0
    trying = Trying(chosen, words.jobs, os.fdopen(os.dup(sys.stderr.fileno()), "w"))
    tests = [str(_test_file(name)) for name in words.tests or TESTS]
    code = pytest.main(["-q", *OPTIONS, *tests], plugins=[trying])
    if not trying.became:
        return int(code) or 1
    return _told(trying, whole=not (words.modules or words.changed or words.most))


def _words() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "modules", nargs="*", help="such as runner/judge.py; all that talks, runs and judges unless given"
    )
    parser.add_argument("--changed", metavar="REVISION", help="only functions whose lines are other than in REVISION")
    parser.add_argument("--most", type=int, metavar="N", help="so many at most, chosen by chance")
    parser.add_argument("--seed", type=int, default=0, help="of that chance")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="so many at a time")
    parser.add_argument("--tests", nargs="+", metavar="NAME", help="only these, such as runner/judge")
    return parser.parse_args()


def _test_file(name: str) -> Path:
    """Return the path of a test file, given as `runner/judge`."""
    folder, _, module = name.rpartition("/")
    return ROOT / "tests" / folder / f"test_{module}.py"


def _chosen(patterns: Sequence[str], revision: str | None) -> list[SourceChange]:
    paths = sorted({path for pattern in patterns or MODULES for path in HARNESS.glob(pattern)})
    found = [mutant for path in paths for mutant in code_changes(path)]
    if revision is None:
        return found
    lines = {path: _changed_lines(path, revision) for path in paths}
    return [each for each in found if lines[each.path] & {*range(each.line, each.last_line + 1)}]


def _changed_lines(path: Path, revision: str) -> set[int]:
    """The numbers of the lines of a file that are not as they were in a revision."""
    command = ["git", "diff", "--unified=0", revision, "--", str(path)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found: set[int] = set()
    for line in said.splitlines():
        if line.startswith("@@"):
            first, _, count = line.split("+")[1].split(" ")[0].partition(",")
            found |= {*range(int(first), int(first) + int(count or 1))}
    return found


def _told(trying: Trying, *, whole: bool) -> int:
    """Print what became of the mutants; 1 where one survived that is not in the list, or one that is did not."""
    reasons = yaml.safe_load(SURVIVORS.read_text("utf-8")) or []
    left = [mutant for mutant, became in trying.became.items() if became != NOTICED]
    new = [mutant for mutant in left if not any(fnmatchcase(mutant.name, each["mutant"]) for each in reasons)]
    needless = [
        each["mutant"]
        for each in reasons
        if whole and not any(fnmatchcase(mutant.name, each["mutant"]) for mutant in left)
    ]
    for mutant in new:
        place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
        print(f"{place}: {mutant.function}: {mutant.change}: {trying.became[mutant]}")
        print(f"    {mutant.text}")
    for name in needless:
        print(
            f"workbench/mutants/survivors.yaml: {name}: a test notices this, or it is not there any more: take it out"
        )
    counted = Counter(trying.became.values())
    print(f"{len(trying.became)} mutants: " + ", ".join(f"{count} {became}" for became, count in counted.most_common()))
    return int(bool(new or needless))


if __name__ == "__main__":
    sys.exit(main())
