"""The exit code of a run in words: why it is not 0, each reason with a remedy."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from hoyle_conformance.reports.words import stop_reason
from hoyle_conformance.runner.guard import OWN_FAULT
from hoyle_conformance.runner.results import FAILED, Exit, Result, Run, Status
from hoyle_conformance.wording.text import join_and, plural, sanitize, tally

#: So many rulesets are named; of more, how many they are.
_NAMED: Final = 3
#: How it is said that a ruleset is not claimed.
_RULESET: Final = "ruleset "


def exit_line(code: int, *reasons: str) -> str:
    """Return the line that gives a command's exit code and the reasons for it."""
    return sanitize(f"exit {int(code)}: {'; '.join(reasons)}.").replace("\n", " ")


def explain_exit(run: Run, code: int = 0, noun: str = "check") -> str:
    """Return on one line why a run does not end with 0, or an empty text if it does.

    `code` is the one with which the command ends, where that is not the run's own, as after a signal; `noun` is what is
    counted.
    """
    if not (code or run.exit):
        return ""
    if code > Exit.SUITE_INVALID:
        return exit_line(
            code, f"interrupted, with {plural(len(run.not_run), noun)} not run; run the command again for these"
        )
    reasons = tuple(_REASONS[run.exit](run, noun)) or (_nothing_passed(run, noun),)
    return exit_line(code or run.exit, *reasons, *_differing(run, noun))


def _broke(run: Run, noun: str) -> Iterator[str]:
    """Yield what broke in the conversation."""
    broken = sum(result.broke for result in run.results)
    if broken:
        more = f", so {plural(len(run.not_run), noun)} did not run" if run.gave_up else ""
        remedy = "fix the adapter first: --log FILE writes every message"
        yield f"the conversation broke in {plural(broken, noun)}{more}; {remedy}"
    if run.ended_badly and run.ending:
        yield f"{run.ending.message}; it must end with exit code 0, and write only responses"


def _unexpected(run: Run, noun: str) -> Iterator[str]:
    """Yield what was not as expected."""
    passing = run.totals[Status.UNEXPECTED_PASS]
    ours = sum(result.code == OWN_FAULT for result in run.failures)
    if failed := run.count(FAILED) - ours:
        baseline = ", or add known failures to the baseline" if noun == "check" else ""
        yield f"{plural(failed, noun)} failed; fix the engine or its adapter{baseline}"
    if passing:
        its = "passes; remove its line" if passing == 1 else "pass; remove their lines"
        yield f"{plural(passing, 'known failure')} now {its} from the baseline"
    if ours:
        yield f"Hoyle itself failed in {plural(ours, noun)}; please report it"


def _nothing_passed(run: Run, noun: str) -> str:
    """Return why a run does not end with 0 in which every failure was expected."""
    observed = [result.observed_status for result in run.results if result.status is Status.EXPECTED_FAILURE]
    count = f"{plural(len(observed), noun)} failed as the baseline expects ({tally(observed)})"
    if run.exit is Exit.ADAPTER_BROKE:
        remedy = "fix the adapter first: --log FILE writes every message"
    else:
        remedy = "fix the engine or its adapter, or select checks that pass as well"
    return f"nothing passed, so the baseline excuses nothing: {count}; {remedy}"


def _differing(run: Run, noun: str) -> Iterator[str]:
    """Yield how many checks have another status than the baseline expects, apart from those that pass."""
    if count := sum(result.differs_from_baseline for result in run.results):
        has = "has" if count == 1 else "have"
        yield (
            f"{plural(count, noun)} {has} a status that the baseline does not expect; --write-baseline FILE updates it"
        )


def _too_little(run: Run, noun: str) -> Iterator[str]:
    """Yield what was selected and not done."""
    if run.not_run:
        why = stop_reason(run.stopped) if run.stopped else "the run was stopped"
        remedy = f"run the command again with more time, or with fewer {noun}s"
        yield f"{why}, with {plural(len(run.not_run), noun)} not run; {remedy}"
    not_done = [result for result in run.results if result.left_out and not result.known]
    if not_done:
        claimed = f"claimed {noun} was" if len(not_done) == 1 else f"claimed {noun}s were"
        word = _question_of_all(not_done)
        remedy = f"answer '{word}', or stop claiming it" if word else "do them, or claim less"
        baseline = "; or add them to the baseline" if noun == "check" else ""
        yield f"{len(not_done):,} {claimed} not done; {remedy}{baseline}"
    if not (run.not_run or not_done):
        yield f"nothing ran: {_why_nothing(run, noun)}"


def _question_of_all(results: list[Result]) -> str:
    """Return the one question that all of these ask, if there is one."""
    asked = [{step["ask"] for step in result.check.scenario.steps if "ask" in step} for result in results]
    common = set.intersection(*asked)
    return common.pop() if len(common) == 1 else ""


def _why_nothing(run: Run, noun: str) -> str:
    """Return why none of what was selected could be sent, with a remedy."""
    if not run.results:
        return f"no {noun} was selected"
    if not any(result.lacks for result in run.results):
        return f"every {noun} that was selected is in the baseline; select others"
    if not run.ready.rulesets:
        return "the engine claims no ruleset; name those that it plays under 'rulesets' in its answer to hello"
    needs = Counter(need for result in run.results for need in result.lacks)
    others = {need.removeprefix(_RULESET) for need in needs if need.startswith(_RULESET)}
    words = [need for need in needs if not need.startswith(_RULESET)]
    if not words:
        return (
            f"the engine claims {_some(run.ready.rulesets)}, not {_some(others)}; claim the rulesets that "
            "it plays, or select them with -r"
        )
    word = min(words, key=lambda need: (-needs[need], need))
    return (
        f"the engine does not claim what these {noun}s need, such as '{word}'; 'hoyle suite list claims' "
        "explains each word"
    )


def _some(names: Collection[str]) -> str:
    return join_and(sorted(names), "or") if len(names) <= _NAMED else f"any of {len(names)} others"


_REASONS: Final[Mapping[Exit, Callable[[Run, str], Iterator[str]]]] = MappingProxyType(
    {Exit.ADAPTER_BROKE: _broke, Exit.UNEXPECTED_RESULT: _unexpected, Exit.TOO_LITTLE_RAN: _too_little}
)
