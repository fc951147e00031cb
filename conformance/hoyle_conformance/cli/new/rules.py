"""`hoyle new rules`: house rules to begin with."""

from pathlib import Path

import click

from hoyle_conformance.cli.completion import complete_files
from hoyle_conformance.cli.names import similar_rulesets
from hoyle_conformance.cli.options import force_option, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import Output, safe_or_exit, to_write, write_or_exit
from hoyle_conformance.tools.house_rules.template import house_rules_template


@click.command("rules", short_help="Write house rules: a ruleset with a few rules changed.")
@click.argument("file", metavar="[FILE]", callback=to_write, shell_complete=complete_files, default="mine.yaml")
@click.option(
    "--extends",
    default="bezique-hoyle",
    show_default=True,
    metavar="RULESET",
    help="The ruleset to change, one of 'hoyle suite list rulesets'.",
)
@force_option
@spec_option
def command(file: str, extends: str, force: bool, spec: Path | None) -> None:
    """Write a FILE of house rules (mine.yaml if you name none; - prints it): a RULESET, and a line for every rule in
    which similar rulesets differ, to keep or remove. As it is written, the file changes nothing.

    \b
    hoyle new rules --extends bezique-hoyle mine.yaml
    hoyle check --rules mine.yaml ./adapter
    """
    suite = suite_or_exit(spec)
    if extends not in suite.rulesets:
        base = extends.partition("+")[0]
        hint = " Its options are chosen in the file." if base in suite.rulesets else similar_rulesets(extends, suite)
        raise click.UsageError(f"No ruleset '{extends}'.{hint}")
    output = Output("FILE", file, force=force)
    safe_or_exit([output], suite.root)
    name = "mine.yaml" if output.is_standard_output else output.path.name
    write_or_exit(output, "\n".join(house_rules_template(suite, extends, name)) + "\n")
    if not output.is_standard_output:
        click.echo(
            f"Wrote {file}. Change the rules that you play differently, then: hoyle check --rules {file} COMMAND"
        )
