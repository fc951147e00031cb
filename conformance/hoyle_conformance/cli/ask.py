"""`hoyle ask`: the answer to a question in players' words."""

from collections.abc import Mapping
from pathlib import Path

import click

from hoyle_conformance.cli.exit import exit_with
from hoyle_conformance.cli.options import (
    complete_from,
    complete_rulesets,
    named_rulesets,
    print_answer,
    reading_options,
    ruleset_or_exit,
    suite_or_exit,
)
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import Verdict, ask
from hoyle_conformance.tools.ask.report import answer_data, styled_lines
from hoyle_conformance.tools.ask.subjects import IRREGULARITIES


def _subjects(suite: Suite, incomplete: str) -> Mapping[str, str]:
    """Return the ids of rulesets and irregularities, with their titles."""
    titles = dict(named_rulesets(suite, incomplete))
    for name in suite.rulesets:
        rows = (cell.value for cell in suite.rules.cells(name) if cell.path.startswith(IRREGULARITIES))
        titles |= {row["id"]: row["title"] for row in rows}
    return titles


@click.command("ask")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION…", shell_complete=complete_from(_subjects))
@click.option(
    "--ruleset", "-r", metavar="NAME", default="", shell_complete=complete_rulesets, help="Answer for this ruleset."
)
@click.option("--long", "whole", is_flag=True, help="Add the clauses in words, other readings, positions and ids.")
@reading_options
def command(words: tuple[str, ...], ruleset: str, whole: bool, as_json: bool, spec: Path | None) -> None:
    """Answer a QUESTION about the rules, in players' words, from the books: in at most six lines, with the place in the
    book and how certain the answer is.

    Words that name a game, a book or a form of a game ('six deck', 'Parlett', 'rubicon piquet') choose the rulesets.
    Two final scores are settled. A question that no rule clearly answers gets three rules to choose from. The id of a
    rule, a clause, an irregularity or a ruleset finds exactly that.

    \b
    hoyle ask "may a queen be married twice?"
    hoyle ask "how much is a quint worth"
    hoyle ask revoke -r rubicon-hoyle
    hoyle ask hoyle/rubicon/law-55

    \b
    Exit codes:
      0  answered                        3  nothing was found
      1  not sure: three are offered     4  wrong usage
    """
    suite = suite_or_exit(spec, drafts=True)
    if ruleset:
        ruleset_or_exit(suite, ruleset)
    if not "".join(words).strip():
        raise click.UsageError("Ask something.")
    answer = ask(suite, " ".join(words), ruleset)
    print_answer(lambda: answer_data(suite, answer), lambda: styled_lines(suite, answer, whole), as_json=as_json)
    if answer.verdict in {Verdict.UNSURE, Verdict.NOTHING}:
        exit_with(Exit.UNEXPECTED_RESULT if answer.verdict is Verdict.UNSURE else Exit.TOO_LITTLE_RAN)
