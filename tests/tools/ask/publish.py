"""Writes into docs/read.md how often `hoyle ask` is right: ``cd tests && ../.venv/bin/python -m tools.ask.publish``.

It has a row for each kind of questions in `questions/`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import AskAnswer, Verdict, ask
from tools.ask.asked import BLIND, FAMILIES, UNSEEN, asked_questions
from tools.ask.judged import Judged, judged

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/read.md"
BEGINS, ENDS = "<!-- asked -->\n", "<!-- /asked -->"
HEAD = "| questions | number | right | not sure | wrong | wrong when sure |\n|---|--:|--:|--:|--:|--:|\n"
#: The rows, with the files of their questions.
ROWS = {
    "by people who had not seen the rule tables, written after the code": [UNSEEN],
    "by such people, to which the words of `ask` were fitted": [BLIND],
    "others to which they were fitted": list(FAMILIES),
}


def table(suite: Suite, answered: Callable[[str, str], AskAnswer]) -> str:
    """Return the table, measured by how questions are answered."""
    return HEAD + "".join(_row(suite, answered, name, files) for name, files in ROWS.items())


def _row(suite: Suite, answered: Callable[[str, str], AskAnswer], name: str, files: Sequence[str]) -> str:
    games = {game: frozenset(each.id for each in rulesets) for game, rulesets in suite.rules.games.items()}
    questions = [question for file in files for question in asked_questions(file, games)]
    answers = [answered(each.question, each.under) for each in questions]
    found = [judged(suite, *each) for each in zip(questions, answers, strict=True)]
    sure = [each for each, given in zip(found, answers, strict=True) if given.verdict is Verdict.SURE]
    shares = [f"{found.count(each) / len(found):.1%}" for each in (Judged.RIGHT, Judged.UNSURE, Judged.WRONG)]
    return f"| {name} | {len(found)} | {' | '.join(shares)} | {sure.count(Judged.WRONG) / (len(sure) or 1):.1%} |\n"


def published(page: str) -> str:
    """Return the table that a page has."""
    return page.partition(BEGINS)[2].partition(ENDS)[0]


def main() -> None:
    """Measure, and write the table into the page."""
    suite = open_suite(ROOT / "spec")
    page = PAGE.read_text("utf-8")
    PAGE.write_text(page.replace(BEGINS + published(page), BEGINS + table(suite, partial(ask, suite))), "utf-8")


if __name__ == "__main__":
    main()
