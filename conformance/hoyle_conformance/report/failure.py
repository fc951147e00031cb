"""A failure on one screen: what was checked, where it stands, expected against observed in words, the clause, a hint,
and the command that repeats it."""

import shlex
from collections.abc import Iterator, Sequence

from ..model import Check
from ..run.results import Mismatch, Result
from ..suite.value import Suite
from . import printed, words
from .layout import harmless, labelled


def failure(suite: Suite, result: Result, again: Sequence[str], command: Sequence[str]) -> str:
    """Everything a person needs to know about one failed check; `again` begins the command that repeats it."""
    check = result.check
    place = check.scenario.document.line_of(["steps", result.mismatch.step - 1] if result.mismatch else ["steps"])
    title = f"{result.status.upper()}  {check.id}"
    lines = [title, f"  {check.scenario.title}", f"  {check.scenario.file}:{place}", ""]
    if result.mismatch:
        lines += [*_mismatch(suite, check, result.mismatch), "", *_clauses(suite, check), *_readings(check)]
    else:
        lines += labelled("reason", harmless(result.reason or "none given"))
        lines += labelled("remedy", result.remedy)
    repeat = shlex.join([*again, check.id, *(["--", *command] if command else [])])
    lines += labelled("again", harmless(repeat), whole=True)
    lines += labelled("page", f"scenarios/{check.scenario.id.replace('.', '/')}.html on the site", whole=True)
    return "\n".join(lines)


def _mismatch(suite: Suite, check: Check, mismatch: Mismatch) -> Iterator[str]:
    melds = suite.meld_names(check.ruleset)
    for line in words.turned(check.turned):
        yield from labelled("turned", line.removeprefix("Turned, "))
    for line in (*words.position(check.scenario.given, melds), *words.partners(suite.rules(check.ruleset))):
        yield from labelled("given", line)
    for number, step in enumerate(check.scenario.steps[: mismatch.step], start=1):
        yield from labelled(f"step {number}", words.step(step, melds))
    yield ""
    what = words.asked(check.scenario.steps[mismatch.step - 1], mismatch.what)
    yield from labelled("expected", words.value(what, mismatch.expected, melds))
    yield from labelled("observed", words.value(what, mismatch.observed, melds))
    yield from labelled("hint", _hint(check, mismatch))


def _hint(check: Check, mismatch: Mismatch) -> str:
    if mismatch.what.startswith("unchanged "):
        return "A refused act must leave everything as it was: check before you change."
    match mismatch.what:
        case "accepted":
            return check.scenario.why or "The act is legal here, and the steps after it depend on it."
        case "cards":
            return "Each card of the pack must lie in exactly one place after every step."
        case "players":
            return "The score is given for every player, also for one who has none; for partners once, under the first."
        case _:
            return check.scenario.why


def _clauses(suite: Suite, check: Check) -> Iterator[str]:
    for cited in check.cites:
        clause = suite.clauses[cited]
        source = suite.sources[cited.partition("/")[0]]
        yield from labelled("rule", f"{clause.says}")
        yield from labelled("", f"{cited}: {source.title}, {clause.where}")


def _readings(check: Check) -> Iterator[str]:
    if check.follows:
        others = printed.listed(sorted(set(check.branches)), "or")
        text = f"The source does not decide; any of {others} would do. Shown is {check.follows}."
        yield from labelled("readings", text)
