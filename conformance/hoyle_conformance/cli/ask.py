"""`hoyle ask`: the answer to a question in players' words."""

import json
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from hoyle_conformance.cli.exit import exit_with
from hoyle_conformance.cli.names import ruleset_or_exit
from hoyle_conformance.cli.options import rules_option, spec_option, suite_or_exit


def _complete(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the ids of rulesets and irregularities that complete a word."""
    from hoyle_conformance.checks.cache.cached_suite import open_suite
    from hoyle_conformance.files.diagnostics import Invalid
    from hoyle_conformance.tools.ask.subjects import IRREGULARITIES

    try:
        suite = open_suite(context.params.get("spec"), drafts=True, positions=False)
    except (Invalid, OSError):
        return []
    titles = {name: suite.rules.title(name) for name in suite.rules.names}
    for name in suite.rulesets:
        rows = (cell.value for cell in suite.rules.cells(name) if cell.path.startswith(IRREGULARITIES))
        titles |= {row["id"]: row["title"] for row in rows}
    return [CompletionItem(name, help=title) for name, title in titles.items() if name.startswith(incomplete)]


@click.command("ask", short_help="Answer a question about the rules.")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION…", shell_complete=_complete)
@click.option("--ruleset", "-r", metavar="NAME", default="", help="Answer for this ruleset.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON, for other programs.")
@rules_option
@spec_option
def command(words: tuple[str, ...], ruleset: str, as_json: bool, spec: Path | None) -> None:
    """Answer a QUESTION about the rules, in players' words, from the books: a sentence for each group of books that
    agree, the clauses behind it, other readings, and positions that show it.

    Words that name a game, a book or a form of a game ('six deck', 'Parlett', 'rubicon piquet') choose the rulesets. A
    question that is not understood is not answered: three rules are offered instead. The id of a rule, a clause, an
    irregularity or a ruleset finds exactly that.

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
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.tools.ask.answer import Verdict, ask
    from hoyle_conformance.tools.ask.report import answer_data, answer_lines

    suite = suite_or_exit(spec, drafts=True)
    if ruleset:
        ruleset_or_exit(suite, ruleset)
    asked = " ".join(words)
    if not asked.strip():
        raise click.UsageError("Ask something.")
    answer = ask(suite, asked, ruleset)
    if as_json:
        click.echo(json.dumps(answer_data(suite, answer), ensure_ascii=False, indent=2))
    else:
        for line in answer_lines(suite, answer):
            click.echo(line)
    codes = {
        Verdict.SURE: Exit.AS_EXPECTED,
        Verdict.UNSURE: Exit.UNEXPECTED_RESULT,
        Verdict.NOTHING: Exit.TOO_LITTLE_RAN,
    }
    if answer.verdict is not Verdict.SURE:
        exit_with(codes[answer.verdict])
