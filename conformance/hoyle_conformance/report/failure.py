"""A failure on one screen: what was checked, where it stands, expected against observed in words, the clause, a hint,
and the command that repeats it."""

import shlex
from collections.abc import Iterator, Sequence

from hoyle_reference.refusals import MESSAGES

from ..run.results import Mismatch, Result
from ..suite.load import Suite
from ..suite.model import Check
from . import words
from .pages import wrap

_LABEL = 10


def failure(suite: Suite, result: Result, command: Sequence[str]) -> str:
    """Everything a person needs to know about one failed check."""
    check = result.check
    lines = [f"{result.status.upper()}  {check.id}", f"  {check.scenario.title}", f"  {check.scenario.file}", ""]
    if result.mismatch:
        lines += [*_mismatch(suite, check, result.mismatch), "", *_clauses(suite, check), *_readings(check)]
    else:
        lines += _labelled("reason", result.reason or "none given")
        lines += _labelled("remedy", result.remedy)
    again = shlex.join(["hoyle", "check", check.id, *(["--", *command] if command else [])])
    lines += _labelled("again", again, whole=True)
    lines += _labelled("page", f"scenarios/{check.scenario.id.replace('.', '/')}/ on the site", whole=True)
    return "\n".join(lines)


def names(suite: Suite, ruleset: str) -> dict[str, str]:
    """The names of a ruleset's combinations, by id."""
    rules = suite.rules(ruleset)
    return {row.value["id"]: row.value["name"] for row in rules.cells.rows("declare.melds")}


def _mismatch(suite: Suite, check: Check, mismatch: Mismatch) -> Iterator[str]:
    melds = names(suite, check.ruleset)
    for line in words.position(check.scenario.given, melds):
        yield from _labelled("given", line)
    for number, step in enumerate(check.scenario.steps[: mismatch.step], start=1):
        yield from _labelled(f"step {number}", words.step(step, melds))
    yield ""
    yield from _labelled("expected", words.value(mismatch.what, mismatch.expected, melds))
    yield from _labelled("observed", words.value(mismatch.what, mismatch.observed, melds))
    hint = _hint(check, mismatch)
    if hint:
        yield from _labelled("hint", hint)


def _hint(check: Check, mismatch: Mismatch) -> str:
    match mismatch.what:
        case "refused" if mismatch.expected in MESSAGES:
            return (
                check.scenario.why or f"An implementation must refuse what is illegal: {MESSAGES[mismatch.expected]}."
            )
        case "accepted":
            return check.scenario.why or "The act is legal here, and the steps after it depend on it."
        case "unchanged score" | "unchanged cards":
            return "A refused act must leave everything as it was: check before you change."
        case "cards":
            return "Each card of the pack must lie in exactly one place after every step."
        case _:
            return check.scenario.why


def _clauses(suite: Suite, check: Check) -> Iterator[str]:
    for cited in check.cites:
        clause = suite.clauses[cited]
        source = suite.sources[cited.partition("/")[0]]
        yield from _labelled("rule", f"{clause.says}")
        yield from _labelled("", f"{cited}: {source.title}, {clause.where}")


def _readings(check: Check) -> Iterator[str]:
    if check.follows:
        others = words.listed(sorted(set(check.branches)), "or")
        yield from _labelled(
            "readings", f"The source does not decide; any of {others} would do. Shown is {check.follows}."
        )


def _labelled(label: str, text: str, *, whole: bool = False) -> Iterator[str]:
    if not text:
        return
    for paragraph in text.split("\n"):
        pieces = [paragraph] if whole else wrap(paragraph) or [""]
        for piece in pieces:
            yield f"  {label:<{_LABEL}}{piece}".rstrip()
            label = ""
