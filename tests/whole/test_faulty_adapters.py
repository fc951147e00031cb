"""The harness held against wrong engines: each gets exactly its report, as a person has read it."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from conftest import HANGS, PLAIN, ROOT, Done, golden_among, goldens, need_sandbox
from faulty_adapters.slow_start import SlowStart
from hoyle_conformance.cli import check
from hoyle_conformance.protocol import process
from hoyle_conformance.reports import terminal
from hoyle_conformance.runner.results import Exit

pytestmark = pytest.mark.slow

FAULTY_ADAPTERS = ROOT / "tests/faulty_adapters/main.py"
REPORTS = ROOT / "tests/faulty_adapters/reports.yaml"
SLOW_START = ROOT / "tests/faulty_adapters/slow_start.py"

A_FEW = [
    "tricks.identical-*",
    "tricks.need-not-win",
    "melds.refused-marriage",
    "melds.bezique",
    "game.a-thousand-in-mid-deal",
]

#: The faults, each of which has its report: a new one is first an empty report.
FAULTS = sorted(goldens(REPORTS))
#: Those that play Piquet, and where their faults are shown.
PIQUET = {
    "scores-the-best-alone": ["sequence.elder-scores-the-lesser-too", "set.*"],
    "equal-is-good-for-elder": ["point.*", "sequence.equal"],
    "reckons-as-it-is-called": ["repique.younger-*", "repique.by-sets"],
    "counts-the-cards-beside-capot": ["highest.*", "trick-points.*capot*"],
    "counts-a-repique-by-totals": ["repique.*"],
}
#: Those that do not see what is irregular, or rule on it by another book; one of them does nothing wrong.
REFEREES = ("carries-out-nothing-irregular", "accepts-a-revoke-in-silence", "rules-on-a-revoke-by-another-book")
#: Engines with one mistake that engines have been seen to make, and where it is shown.
ENGINES = {
    "swaps-queens-and-knaves": ["melds.*"],
    "pays-any-sequence-150": ["melds.*"],
    "pays-little-for-four-knaves": ["melds.*", "declare.*", "last-tricks.*"],
    "stamps-cards": ["reuse.*", "to-score.*"],
    "throws-where-it-should-refuse": ["reuse.*"],
}

#: Where other checks show the fault.
CHECKS = {
    "ten-below-the-king": ["tricks.ten-over-king", "tricks.ace-over-ten", "tricks.king-over-queen"],
    "rejected-draw-passes-the-turn": ["draw.winner-draws-first"],
    "contradicts-itself": ["seven.after-a-declaration", "seven.before-a-declaration", "seven.both-after-one-trick"],
    "knows-no-copies": [
        "reuse.single-then-double",
        "reuse.four-other-queens",
        "seven.exchanged",
        "seven.second-is-shown",
    ],
    "crashes-in-one-scenario": ["tricks.identical-trumps", "melds.bezique"],
    **{f"leaves-{what}-behind": ["melds.bezique"] for what in ("a-child", "an-orphan", "a-daemon")},
}


#: Whoever does not answer is not waited for long: the report says how long. The others may take what they need.
HANGING = {"hangs": 3, "hangs-once": 3, "leaves-a-child-behind": 3, "leaves-a-daemon-behind": 3}
#: What else the command is told.
OPTIONS = {
    "hangs-until-the-deadline": ["--deadline", "6s"],
    "pays-little-for-four-knaves": ["--rules", "tests/faulty_adapters/family.yaml"],
}
#: Whoever does not end is not waited for either; the others may take what they need for that, too.
GRACE = dict.fromkeys(("never-ends", "hangs", "hangs-until-the-deadline", "floods"), 3)
#: What these leave behind would stay with the process that runs the tests; and that the command ends is the point.
LEAVING = {"leaves-an-orphan-behind", "leaves-a-child-behind", "leaves-a-daemon-behind"}


@pytest.mark.parametrize("fault", FAULTS)
def test_faulty_adapter_gets_its_report(
    hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    report, code = report_of(fault, hoyle, monkeypatch)
    golden_among(REPORTS, report, fault, "report")
    assert code == exit_code_in(report)


#: Some whose faults are of their processes, and one that is wrong in a rule.
IN_A_SANDBOX = ["hangs-once", "leaves-a-daemon-behind", "crashes-at-bye", "second-identical-card-wins"]


@pytest.mark.parametrize("fault", IN_A_SANDBOX)
def test_faulty_adapter_gets_the_same_report_in_a_sandbox(
    hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    need_sandbox()
    report, code = report_of(fault, hoyle, monkeypatch, "--sandbox")
    assert report.count("Sandbox: bubblewrap\n") or code in {Exit.ADAPTER_BROKE, Exit.TOO_LITTLE_RAN}
    golden_among(REPORTS, report.replace("Sandbox: bubblewrap\n", ""), fault, "report")
    assert code == exit_code_in(report)


def exit_code_in(report: str) -> int:
    """The exit code that a report explains, or 0 where everything is as expected."""
    explained = re.search(r"^exit (\d)", report, re.MULTILINE)
    return int(explained[1]) if explained else 0


def report_of(fault: str, hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, *more: str) -> tuple[str, int]:
    """The report that an fault gets, without what is not the same everywhere, and how the command ends."""
    adapter = [sys.executable, str(FAULTY_ADAPTERS.relative_to(ROOT)), fault]
    checks = ["irregular.revoke*"] if fault in REFEREES else {**PIQUET, **ENGINES, **CHECKS}.get(fault, A_FEW)
    others: dict[str, str | None] = {
        **dict.fromkeys(PIQUET, "piquet-rubicon-parlett"),
        **dict.fromkeys(REFEREES, "bezique-britannica"),
    }
    others |= dict.fromkeys(("crashes-in-one-scenario", "pays-little-for-four-knaves"))
    ruleset = others.get(fault, "bezique-hoyle")
    options = [*(["--ruleset", ruleset] if ruleset else []), "--timeout", str(HANGING.get(fault, HANGS))]
    options += [*OPTIONS.get(fault, []), *more]
    words = ["check", *(f"--select={each}" for each in checks), *options, "--", *adapter]
    if fault in LEAVING:
        done: Any = subprocess.run(
            [sys.executable, str(SLOW_START), *words],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **PLAIN},
            timeout=HANGS,
            check=False,
        )
    else:
        monkeypatch.setattr(check, "print_report", partial(terminal.print_report, failures=1))
        monkeypatch.setattr(process, "Process", SlowStart)
        monkeypatch.setattr(process, "_GRACE", GRACE.get(fault, HANGS))
        with TemporaryDirectory() as folder:
            monkeypatch.setenv("ANOTHER", f"{folder}/before")
            done = hoyle(*words)
    report = f"{done.stdout}{done.stderr}".replace(sys.executable, "python").replace(str(ROOT), ".")
    report = re.sub(r"^Hoyle \S+, suite \S+ \(\w+\)", "Hoyle VERSION, suite VERSION (DIGEST)", report)
    return re.sub(r" +$", "", report, flags=re.MULTILINE), done.returncode
