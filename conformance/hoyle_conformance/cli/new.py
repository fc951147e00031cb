"""`hoyle new`: a file to begin with."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hoyle_conformance.cli.new_scenario import scenario
from hoyle_conformance.cli.options import leave_invalid, perhaps, spec_folder_option, spec_option, suite_or_leave
from hoyle_conformance.cli.outputs import Output, sure_or_leave, to_write, write_or_leave

if TYPE_CHECKING:
    from hoyle_conformance.tools.authoring.ledger import NewSource, TextSection

_force_option = click.option("--force", is_flag=True, help="Overwrite the FILE.")


@click.group("new", short_help="Begin a scenario, house rules or the ledger of a source.")
def command() -> None:
    """Write a file to begin with, and say what to do with it.

    \b
    hoyle new scenario
    hoyle new rules --extends bezique-hoyle mine.yaml
    hoyle new source chapter.txt --id cavendish
    """


command.add_command(scenario)


@command.command("rules", short_help="House rules: a ruleset with a few rules changed.")
@click.argument("file", metavar="[FILE]", callback=to_write, default="mine.yaml")
@click.option(
    "--extends",
    default="bezique-hoyle",
    show_default=True,
    metavar="RULESET",
    help="The ruleset that is changed. 'hoyle suite list rulesets' shows which there are.",
)
@_force_option
@spec_option
def rules(file: str, extends: str, force: bool, spec: Path | None) -> None:
    """Write a FILE of house rules (mine.yaml, if none is named; - prints it): a RULESET, and every rule in which others
    like it differ, as a line to take or leave. As it is written, it changes nothing.

    \b
    hoyle new rules --extends bezique-hoyle mine.yaml
    hoyle check --rules mine.yaml ./adapter
    """
    from hoyle_conformance.tools.house_rules.template import house_rules_template

    suite = suite_or_leave(spec)
    if extends not in suite.rulesets:
        base = extends.partition("+")[0]
        hint = " Its options are chosen in the file." if base in suite.rulesets else perhaps(extends, suite)
        raise click.UsageError(f"No ruleset '{extends}'.{hint}")
    output = Output("FILE", file, force=force)
    sure_or_leave([output], suite.root)
    name = "mine.yaml" if output.is_standard_output else output.path.name
    write_or_leave(output, "\n".join(house_rules_template(suite, extends, name)) + "\n")
    if not output.is_standard_output:
        click.echo(f"Wrote {file}. Change what you play otherwise, then: hoyle check --rules {file} COMMAND")


@command.command("source", short_help="The ledger of a printed text, paragraph by paragraph.")
@click.argument("text", metavar="TEXT", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("file", metavar="[FILE]", callback=to_write, required=False)
@click.option("--id", "name", required=True, metavar="ID", help="The short name of the source.")
@click.option("--title", default="", metavar="TITLE", help="The title of the text.")
@click.option(
    "--printing",
    "printings",
    multiple=True,
    metavar="NAME",
    help="A printing or copy that was read, where there are several: first that of the TEXT. Repeatable.",
)
@_force_option
@spec_folder_option
def source(
    text: Path, file: str | None, name: str, title: str, printings: tuple[str, ...], force: bool, spec: Path | None
) -> None:
    """Write a FILE for the ledger of a TEXT (ID.source.yaml, if none is named; - prints it): an entry for every
    sentence, with the section, the paragraph and the line where it stands. The sentences themselves stay in the text:
    what they say is yours to write, in your own words, and 'hoyle validate' says what is left.

    \b
    hoyle new source chapter.txt --id cavendish --title "Cavendish on Piquet"
    hoyle new source chapter.txt spec/sources/cavendish.source.yaml --id cavendish
    hoyle validate spec/sources/cavendish.source.yaml
    """
    from hoyle_conformance.suite.paths import find_spec
    from hoyle_conformance.tools.authoring.ledger import NewSource
    from hoyle_conformance.wording.text import plural

    root, named = spec or find_spec(), NewSource(name, " ".join(title.split()), printings)
    _sound_or_leave(named, root)
    output = Output("FILE", file or f"{name}.source.yaml", force=force)
    if not output.is_standard_output and (root / "sources" / f"{name}.source.yaml").exists():
        for_a_part = (
            "If this is another part of it, print the entries, with - for the FILE, and add them to its ledger."
        )
        raise click.UsageError(f"--id: there is a source '{name}' already. Choose another name. {for_a_part}")
    if not output.is_standard_output and output.path.name != f"{name}.source.yaml":
        raise click.UsageError(f"The FILE of this ledger must be named {name}.source.yaml, in any folder.")
    sure_or_leave([output], root, {"TEXT": text})
    sections, written = _ledger_or_leave(text, named)
    write_or_leave(output, written)
    if not output.is_standard_output:
        paragraphs = [each for section in sections for each in section.paragraphs]
        sentences = sum(len(each.sentences) for each in paragraphs)
        found = f"{plural(sentences, 'sentence')} in {plural(len(paragraphs), 'paragraph')}, rows, items and footnotes"
        click.echo(f"Wrote {output.named}: {found}.")
        click.echo("Open it beside the text, and write in your own words what each sentence says.")
        click.echo(f"What is left: hoyle validate {output.named}")


def _sound_or_leave(named: "NewSource", root: Path) -> None:
    """Raises UsageError where a source cannot have such a name."""
    from hoyle_conformance.files.safe_text import UNSEEN
    from hoyle_conformance.files.safe_text import named as character
    from hoyle_conformance.files.schemas import Schemas

    data: dict[str, Any] = {"id": named.id, "title": named.title or "?"}
    if named.printings:
        data |= {"printings": [{"id": each, "title": "?", "about": "?"} for each in named.printings]}
    for complaint in Schemas(root / "schemas").complaints("source", data):
        if complaint.path:
            option = {"printings": "--printing"}.get(str(complaint.path[0]), f"--{complaint.path[0]}")
            raise click.UsageError(f"{option}: {complaint.message}. {complaint.remedy}")
    if unseen := re.search(UNSEEN, named.title):
        raise click.UsageError(f"--title: the character {character(unseen[0])} has no place in a title.")
    if again := [each for each in named.printings if named.printings.count(each) > 1]:
        raise click.UsageError(f"--printing: '{again[0]}' is named twice. Every printing has a name of its own.")


def _ledger_or_leave(text: Path, named: "NewSource") -> "tuple[list[TextSection], str]":
    """The sections of a text, and the ledger to begin with; where the text cannot be used the command ends with 4."""
    from hoyle_conformance.files.diagnostics import Invalid, shown_path
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.tools.authoring.ledger import limited_ledger_text, split_sections
    from hoyle_conformance.tools.authoring.text_blocks import read_text_blocks

    shown = shown_path(text)
    try:
        sections = split_sections(read_text_blocks(text, shown))
        return sections, limited_ledger_text(named, sections, shown)
    except Invalid as invalid:
        leave_invalid(invalid, Exit.USAGE)
