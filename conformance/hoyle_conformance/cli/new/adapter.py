"""`hoyle new adapter`: create a starter adapter."""

import json
import os
import shutil
from pathlib import Path

import click

from hoyle_conformance.cli.outputs import Output, safe_or_exit, write_or_exit
from hoyle_conformance.files.diagnostics import nearest
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.system.processes import join_command
from hoyle_conformance.tools.authoring.templates.templates import AdapterTemplate, adapter_template, adapter_templates


@click.command("adapter")
@click.option(
    "--language", "-l", default="", metavar="NAME", help="The language: python, javascript, go, rust, java or c."
)
@click.argument("place", metavar="[FILE|FOLDER]", default=".")
def command(language: str, place: str) -> None:
    """Write an adapter that runs as it is and answers one question: who wins a trick. The word ENGINE marks where you
    connect your engine. Until you do, the first card always wins, and 'hoyle check' shows where that is
    wrong.

    \b
    hoyle new adapter --language python          writes my_adapter.py
    hoyle new adapter --language go bezique.go   writes another file
    hoyle new adapter --language c -             prints the adapter

    An existing file is never overwritten.
    """
    starter = _starter_or_exit(language, place)
    is_folder = place.endswith(("/", "\\")) or Path(place).is_dir()
    output = Output("FILE", str(Path(place) / starter.file) if is_folder else place)
    path, ending = output.path, Path(starter.file).suffix
    if output.is_standard_output:
        click.echo(starter.text, nl=False)
        return
    others = {Path(each.file).suffix for each in adapter_templates().values()} - {ending}
    if path.suffix in others or (starter.build and path.suffix != ending):
        raise click.UsageError(f"{path} is not a name for a file of {starter.language}: it must end in {ending}.")
    if os.path.lexists(path):
        raise click.UsageError(f"{path} already exists, and is unchanged. Name another file.")
    safe_or_exit([output], find_spec())
    write_or_exit(output, starter.text)
    for line in _next_steps(starter.at(path)):
        click.echo(line)


def _starter_or_exit(language: str, place: str) -> AdapterTemplate:
    """Return the starter in a language; raise UsageError if there is none, with the language that `place` suggests."""
    names = list(adapter_templates())
    known = f"The languages are {', '.join(names[:-1])} and {names[-1]}"
    if not language.strip():
        wanted = adapter_template(place) or adapter_template(Path(place).suffix.removeprefix("."))
        file = f" {place}" if wanted and not adapter_template(place) else ""
        name = wanted.language if wanted else names[0]
        raise click.UsageError(f"Name the language: hoyle new adapter --language {name}{file}. {known}.")
    if found := adapter_template(language):
        return found
    near = nearest(language.lower(), names)
    meant = f" Did you mean '{near}'?" if near else ""
    other = (
        "For any other language, read spec/PROTOCOL.md, which is two screens long. A starter in one of these "
        "languages is an example"
    )
    raise click.UsageError(f"There is no starter adapter in '{language[:40]}'.{meant} {known}. {other}.")


def _next_steps(starter: AdapterTemplate) -> list[str]:
    """Return the commands that build, diagnose and check the adapter."""
    run = join_command(starter.run)
    commands = [(f"hoyle doctor {run}", "does the adapter work?"), (f"hoyle check {run}", "are its answers right?")]
    if starter.build:
        commands.insert(0, (join_command(starter.build), "build it"))
    width = max(len(each) for each, _ in commands)
    missing = "" if shutil.which(starter.needs) else f"'{starter.needs}' was not found here: install it first."
    return [
        f"Wrote {starter.file}. Until you connect your engine, it answers that the first card wins every trick.",
        *([missing] if missing else []),
        "",
        *(f"  {each:<{width}}   {why}" for each, why in commands),
        "",
        "Connect your engine where the file says ENGINE. To see what else it can answer: hoyle suite list engines",
        f"To run it with 'hoyle check' alone, write into hoyle.toml: command = {json.dumps(run, ensure_ascii=False)}",
    ]
