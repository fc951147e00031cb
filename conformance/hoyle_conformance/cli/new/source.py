"""`hoyle new source`: create the starter ledger of a printed text."""

import re
from pathlib import Path
from typing import Any

import click

from hoyle_conformance.cli.exit import WrongUsageIfInvalid
from hoyle_conformance.cli.options import complete_files, force_option, spec_option
from hoyle_conformance.cli.outputs import Output, safe_or_exit, to_write, write_or_exit
from hoyle_conformance.files.diagnostics import UNSEEN, shown_path
from hoyle_conformance.files.diagnostics import named as character
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.tools.authoring.ledger import NewSource, ledger_text, read_text_blocks, split_sections
from hoyle_conformance.wording.text import plural


@click.command("source")
@click.argument("text", metavar="TEXT", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("file", metavar="[FILE]", callback=to_write, shell_complete=complete_files, required=False)
@click.option("--id", "name", required=True, metavar="ID", help="The short name of the source.")
@click.option("--title", default="", metavar="TITLE", help="The title of the text.")
@click.option(
    "--printing",
    "printings",
    multiple=True,
    metavar="NAME",
    help="A printing or copy that you have read, if you have read several; name that of the TEXT first (repeatable).",
)
@force_option
@spec_option
def command(
    text: Path, file: str | None, name: str, title: str, printings: tuple[str, ...], force: bool, spec: Path | None
) -> None:
    """Write a FILE for the ledger of a TEXT (ID.source.yaml if you name none; - prints it): an entry for every
    sentence, with its section, paragraph and line. The sentences themselves stay in the text: write what they say in
    your own words. 'hoyle validate' shows what is left to write.

    \b
    hoyle new source chapter.txt --id foster --title "Foster on Piquet"
    hoyle new source chapter.txt spec/sources/foster.source.yaml --id foster
    hoyle validate spec/sources/foster.source.yaml
    """
    root, named = spec or find_spec(), NewSource(name, " ".join(title.split()), printings)
    _sound_or_exit(named, root)
    output = Output("FILE", file or f"{name}.source.yaml", force=force)
    if not output.is_standard_output and (root / "sources" / f"{name}.source.yaml").exists():
        for_a_part = (
            "If this TEXT is another part of that source, print the entries, with - for the FILE, "
            "and add them to its ledger."
        )
        raise click.UsageError(f"--id: there is a source '{name}' already. Choose another name. {for_a_part}")
    safe_or_exit([output], root, {"TEXT": text})
    with WrongUsageIfInvalid():
        sections = split_sections(read_text_blocks(text, shown_path(text)))
        written = ledger_text(named, sections, shown_path(text))
    write_or_exit(output, written)
    if not output.is_standard_output:
        paragraphs = [each for section in sections for each in section.paragraphs]
        sentences = sum(len(each.sentences) for each in paragraphs)
        found = f"{plural(sentences, 'sentence')} in {plural(len(paragraphs), 'paragraph')}, rows, items and footnotes"
        click.echo(f"Wrote {output.named}: {found}.")
        click.echo("Open it next to the text, and write in your own words what each sentence says.")
        click.echo(f"To see what is left: hoyle validate {output.named}")


def _sound_or_exit(named: NewSource, root: Path) -> None:
    """Raise UsageError if a source cannot have this id, title or printings."""
    data: dict[str, Any] = {"id": named.id, "title": named.title or "?"}
    if named.printings:
        data |= {"printings": [{"id": each, "title": "?", "about": "?"} for each in named.printings]}
    for complaint in Schemas(root / "schemas").complaints("source", data):
        if complaint.path:
            option = {"printings": "--printing"}.get(str(complaint.path[0]), f"--{complaint.path[0]}")
            raise click.UsageError(f"{option}: {complaint.message}. {complaint.remedy}")
    if unseen := re.search(UNSEEN, named.title):
        raise click.UsageError(f"--title: the character {character(unseen[0])} is not allowed in a title.")
    if again := [each for each in named.printings if named.printings.count(each) > 1]:
        raise click.UsageError(f"--printing: '{again[0]}' is named twice. Every printing needs its own name.")
