"""`hoyle new`: a file to begin with."""

from pathlib import Path

import click

from .common import perhaps, spec_option, suite_or_leave
from .writing import Output, sure_or_leave, to_write, write_or_leave


@click.group("new", short_help="Write a file to begin with: house rules.")
def command() -> None:
    """Write a file to begin with, and say what to do with it.

    \b
    hoyle new rules --extends bezique-hoyle mine.yaml
    """


@command.command("rules", short_help="House rules: a ruleset with a few rules changed.")
@click.argument("file", metavar="[FILE]", callback=to_write, default="mine.yaml")
@click.option(
    "--extends",
    default="bezique-hoyle",
    show_default=True,
    metavar="RULESET",
    help="The ruleset that is changed. 'hoyle list rulesets' shows which there are.",
)
@click.option("--force", is_flag=True, help="Overwrite the FILE.")
@spec_option
def rules(file: str, extends: str, force: bool, spec: Path | None) -> None:
    """Write a FILE of house rules (mine.yaml, if none is named; - prints it): a RULESET, and every rule in which others
    like it differ, as a line to take or leave. As it is written, it changes nothing.

    \b
    hoyle new rules --extends bezique-hoyle mine.yaml
    hoyle check --rules mine.yaml -- ./adapter
    """
    from ..report.skeleton import skeleton

    suite = suite_or_leave(spec)
    if extends not in suite.rulesets:
        base = extends.partition("+")[0]
        hint = " Its options are chosen in the file." if base in suite.rulesets else perhaps(extends, suite)
        raise click.UsageError(f"No ruleset '{extends}'.{hint}")
    output = Output("FILE", file, force=force)
    sure_or_leave([output], suite.root)
    name = "mine.yaml" if output.is_standard_output else output.path.name
    write_or_leave(output, "\n".join(skeleton(suite, extends, name)) + "\n")
    if not output.is_standard_output:
        click.echo(f"Wrote {file}. Change what you play otherwise, then: hoyle check --rules {file} -- COMMAND")
