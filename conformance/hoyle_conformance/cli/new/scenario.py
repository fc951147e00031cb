"""`hoyle new scenario`: create the starter file of a scenario."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from hoyle_conformance.cli.options import complete_files, force_option, no_such, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import Output, safe_or_exit, to_write, write_or_exit
from hoyle_conformance.files.diagnostics import did_you_mean, shown_path
from hoyle_conformance.suite.paths import VERSION, is_installed
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import id_taken, malformed_id, order_given, scenario_file, scenario_text
from hoyle_conformance.wording.text import sanitize, sentence, wrap

#: The explanation of each key, as comments before it.
_EXPLAINED: Final = {
    "title": ("The situation or the question, in at most 70 characters: Ace and ten of one suit.",),
    "given": (
        "The point in the game (before, exchanges, announces, leads or has_won), and the cards that matter:",
        "  leads: A",
        "  trumps: H",
        '  hands: {A: [KS, "QS#2", ...], B: [9S, ...]}',
        "... stands for cards that do not matter; QS#2 is the second queen of spades, T is a ten.",
    ),
    "steps": ("Acts and questions, in order; docs/scenario-files.md lists them:", "  - {by: A, do: play, card: KS}"),
    "outcomes": (
        "The outcome of the steps according to the source, and the clauses that decide it. Derive it by reading.",
        "Rulesets that differ have separate outcomes. The key 'why' explains an outcome that is not obvious.",
        "If the source leaves the outcome open, write readings instead: docs/scenario-files.md has an example.",
        "Rulesets: {rulesets}.",
    ),
}


@click.command("scenario")
@click.argument("name", metavar="ID")
@click.argument("file", metavar="[FILE]", callback=to_write, shell_complete=complete_files, required=False)
@click.option(
    "--like", default="", metavar="ID", help="Begin with the rulesets, the position and the steps of this scenario."
)
@force_option
@spec_option
def command(name: str, file: str | None, like: str, force: bool, spec: Path | None) -> None:
    """Write a FILE for a scenario (the one of its ID in spec/scenarios if you name none; - prints it): a position, some
    steps, and what they show. Comments explain each key.

    \b
    hoyle new scenario tricks.my-question
    hoyle new scenario tricks.my-question --like tricks.ace-over-ten
    hoyle validate tricks.my-question

    Derive what the steps show from the source: Hoyle fills in nothing from the reference interpreter. 'hoyle validate'
    shows what is left to write.
    """
    suite = suite_or_exit(spec, drafts=True, mention=False)
    if why := malformed_id(suite, name) or id_taken(suite, name):
        raise click.UsageError(f"ID: {sanitize(f'{sentence(why.says)} {sentence(why.remedy)}').rstrip()}")
    path = Path(file) if file else suite.root / "scenarios" / scenario_file(name)
    if not file and spec is None and is_installed(suite.root):
        here = "--spec spec" if (Path("spec") / VERSION).is_file() else "--spec FOLDER/spec"
        raise click.UsageError(
            "This Hoyle was installed without the repository that holds the scenarios: clone it, and name its "
            f"spec folder ({here}), or name a FILE (- prints it)."
        )
    text = "\n".join(_commented_lines(suite, _data_or_exit(suite, name, like))) + "\n"
    if not file and path.parent.parent.is_dir():
        path.parent.mkdir(exist_ok=True)  # of a new topic
    output = Output("FILE", str(path), force=force)
    safe_or_exit([output], suite.root)
    write_or_exit(output, text)
    if not output.is_standard_output:
        click.echo(f"Wrote {shown_path(path)}. Fill it in, then: hoyle validate {shown_path(path)}")
        topic, topics = name.partition(".")[0], {each.partition(".")[0] for each in suite.scenarios}
        if topic not in topics:
            click.echo(f"It begins the topic '{topic}'. {did_you_mean(topic, sorted(topics))}".rstrip())


def _data_or_exit(suite: Suite, name: str, like: str) -> dict[str, Any]:
    """Return the data of a new scenario, with the position and the steps of another one but without its outcomes."""
    if like and like not in suite.scenarios:
        raise click.UsageError(f"--like: {no_such('scenario', like, suite.scenarios, 'hoyle suite list')}")
    other = suite.scenarios[like] if like else None
    outcome = {"rulesets": list(other.named) if other else [""], "cites": [], "expect": {}}
    given, steps = (order_given(suite, other.given), list(other.steps)) if other else ({}, [])
    return {"id": name, "title": "", "given": given, "steps": steps, "outcomes": [outcome]}


def _commented_lines(suite: Suite, data: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a scenario's file, with an explanation before each key."""
    for line in scenario_text(data).splitlines():
        for comment in _EXPLAINED.get(line.partition(":")[0], ()):
            said = comment.format(rulesets=", ".join(suite.rulesets)) if "{rulesets}" in comment else comment
            yield from (f"# {each}" for each in (wrap(said) if said[0] != " " else [said]))
        yield line.removesuffix(" {}") if line == "given: {}" else line
