"""The sentences of a report: codes and values of a run, in the words of `words.json`.

That file has the text of every message, by its name. To find the code behind a phrase of a report, search the file for
the phrase, and then search the code for its name, such as ``exit.broke``.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.checks.combinations import AS_ASKED
from hoyle_conformance.runner.interrupts import Stop
from hoyle_conformance.runner.results import DEBUG, FAILED, OWN_FAULT, Exit, Result, Run, Status
from hoyle_conformance.wording.text import join_and, plural, sanitize, tally

_FILE: Final = Path(__file__).with_name("words.json")
#: The maximum number of rulesets that are named; if there are more, their number is shown.
_NAMED: Final = 3
#: The prefix of a missing claim that is a ruleset.
_RULESET: Final = "ruleset "


@cache
def phrases() -> Mapping[str, str]:
    """Return the text of every message, by its name."""
    found: dict[str, str] = json.loads(_FILE.read_bytes())
    return found


def phrase(name: str, /, **values: Any) -> str:
    """Return the message of this name, with its values."""
    return phrases()[name].format_map(values)


def reason(result: Result) -> str:
    """Return the reason why a check did not simply pass, other than its mismatches; empty if there is none."""
    if result.code == OWN_FAULT:
        return phrase("result.own-fault", error=result.reason)
    if found := result.contradiction:
        here, there = (" or ".join(f"'{name}'" for name in names) for names in (found.here, found.there))
        return phrase("result.contradiction", path=found.path, here=here, there=there, other=found.other)
    if result.status is Status.UNEXPECTED_PASS:
        return phrase("result.now-passes")
    if result.lacks:
        name = "result.declared-nothing" if AS_ASKED in result.lacks else "result.not-claimed"
        return phrase(name, lacks=", ".join(result.lacks))
    return result.reason + (phrase("result.output", output=result.output) if result.output else "")


def remedy(result: Result) -> str:
    """Return a remedy for a result; empty if there is none."""
    if result.code == OWN_FAULT:
        return phrase("result.own-fault.remedy", debug=DEBUG)
    if result.contradiction:
        return phrase("result.contradiction.remedy")
    if result.status is Status.UNEXPECTED_PASS:
        by_id = result.expected_by == result.check.id
        return phrase("result.now-passes.remedy" if by_id else "result.now-passes.pattern", line=result.expected_by)
    return result.remedy


def stop_reason(stop: Stop) -> str:
    """Return the reason why a run ended before its last check."""
    return phrase(f"stop.{stop.code}", limit=stop.limit, failures=plural(int(stop.limit), "failure"))


# ---- reasons for an exit code other than 0


def exit_line(code: int, *reasons: str) -> str:
    """Return the line that gives a command's exit code and the reasons for it."""
    return sanitize(phrase("exit.line", code=int(code), reasons="; ".join(reasons))).replace("\n", " ")


def explain_exit(run: Run, code: int = 0) -> str:
    """Return one line with the reason why a run does not exit with code 0; empty if it does.

    `code` is the exit code of the command if that is not the run's own, as after a signal.
    """
    if not (code or run.exit):
        return ""
    if code > Exit.SUITE_INVALID:
        return exit_line(code, phrase("exit.interrupted", checks=plural(len(run.not_run), "check")))
    if run.exit is Exit.SUITE_INVALID:
        return exit_line(code or run.exit, phrase("exit.stale-census"))
    reasons = tuple(_REASONS[run.exit](run)) or (_nothing_passed(run),)
    return exit_line(code or run.exit, *reasons, *_differing(run))


def _broke(run: Run) -> Iterator[str]:
    """Yield the faults of the conversation."""
    if broken := sum(result.broke for result in run.results):
        more = phrase("exit.broke.more", checks=plural(len(run.not_run), "check")) if run.gave_up else ""
        yield phrase("exit.broke", checks=plural(broken, "check"), more=more)
    if run.ended_badly and run.ending:
        yield phrase("exit.ending", reason=run.ending.message)


def _unexpected(run: Run) -> Iterator[str]:
    """Yield the results that were not as expected."""
    passing = run.totals[Status.UNEXPECTED_PASS]
    ours = sum(result.code == OWN_FAULT for result in run.failures)
    if failed := run.count(FAILED) - ours:
        yield phrase("exit.failed", checks=plural(failed, "check"))
    if passing:
        yield phrase("exit.passes" if passing == 1 else "exit.pass", failures=plural(passing, "known failure"))
    if ours:
        yield phrase("exit.own-fault", checks=plural(ours, "check"))


def _nothing_passed(run: Run) -> str:
    """Return the reason for a nonzero exit code of a run in which every failure was expected."""
    observed = [result.observed_status for result in run.results if result.status is Status.EXPECTED_FAILURE]
    broke = run.exit is Exit.ADAPTER_BROKE
    remedy = phrase("exit.nothing-passed.broke" if broke else "exit.nothing-passed.failed")
    checks = plural(len(observed), "check")
    return phrase("exit.nothing-passed", checks=checks, statuses=tally(observed), remedy=remedy)


def _differing(run: Run) -> Iterator[str]:
    """Yield the number of checks whose status differs from the baseline, except those that pass."""
    if count := sum(result.differs_from_baseline for result in run.results):
        yield phrase("exit.differs.one" if count == 1 else "exit.differs.more", checks=plural(count, "check"))


def _too_little(run: Run) -> Iterator[str]:
    """Yield the checks that were selected but not done."""
    if run.not_run:
        why = stop_reason(run.stopped) if run.stopped else phrase("exit.stopped")
        yield phrase("exit.not-run", reason=why, checks=plural(len(run.not_run), "check"))
    not_done = [result for result in run.results if result.left_out and not result.known]
    if not_done:
        name = "exit.not-done.one" if len(not_done) == 1 else "exit.not-done.more"
        asked = [{step["ask"] for step in result.check.scenario.steps if "ask" in step} for result in not_done]
        common = set.intersection(*asked)
        word = common.pop() if len(common) == 1 else ""
        remedy = phrase("exit.not-done.answer" if word else "exit.not-done.do", question=word)
        yield phrase(name, count=len(not_done), remedy=remedy)
    if not (run.not_run or not_done):
        yield phrase("exit.nothing-ran", reason=_why_nothing(run))


def _why_nothing(run: Run) -> str:
    """Return the reason why no selected check could be sent, with a remedy."""
    if not run.results:
        return phrase("exit.none-selected")
    if not any(result.lacks for result in run.results):
        return phrase("exit.all-known")
    if not run.ready.rulesets:
        return phrase("exit.no-ruleset")
    needs = Counter(need for result in run.results for need in result.lacks)
    others = {need.removeprefix(_RULESET) for need in needs if need.startswith(_RULESET)}
    words = [need for need in needs if not need.startswith(_RULESET)]
    if not words:
        return phrase("exit.other-rulesets", claimed=_some(run.ready.rulesets), selected=_some(others))
    word = min(words, key=lambda need: (-needs[need], need))
    return phrase("exit.unclaimed", word=word)


def _some(names: Collection[str]) -> str:
    return join_and(sorted(names), "or") if len(names) <= _NAMED else phrase("exit.any-of", count=len(names))


_REASONS: Final[Mapping[Exit, Callable[[Run], Iterator[str]]]] = MappingProxyType(
    {Exit.ADAPTER_BROKE: _broke, Exit.UNEXPECTED_RESULT: _unexpected, Exit.TOO_LITTLE_RAN: _too_little}
)
