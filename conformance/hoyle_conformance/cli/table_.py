"""`hoyle table`: the page on which a position is laid out, served to a browser of this machine."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..files.diagnostics import Invalid
from ..report.layout import harmless
from ..suite.value import Suite
from .common import leave_invalid, spec_option, suite_or_leave

if TYPE_CHECKING:
    from ..served.server import Room, Server

#: The port that is tried first; if it is in use, those behind it.
PORT: Final = 7310
_TRIES: Final = 20


@click.command("table", short_help="Lay out a position, and see what every source says of it.")
@click.argument("what", metavar="[WHAT]", default="")
@click.option(
    "--rules",
    "rules",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Ask house rules too: a file as 'hoyle new rules' writes it. Repeatable.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where your drafts are, and new ones are written: spec/scenarios in a clone, otherwise ./scenarios.",
)
@click.option("--port", type=click.IntRange(0, 65535), help=f"Listen there, not at the first free port from {PORT} on.")
@click.option("--no-browser", is_flag=True, help="Only say the address.")
@spec_option
def command(what: str, spec: Path | None, **options: Any) -> None:
    """Open the table in your browser: cards are laid out and played by touching them, and every source says at once
    what its rules make of it. It is the page of the site, answered by this Hoyle, until Ctrl-C.

    WHAT lies on it to begin with: the id of a scenario, or the link of a position that somebody has sent.

    \b
    hoyle table
    hoyle table to-score.the-example
    hoyle table --rules mine.yaml --folder drafts

    A position is written into the folder as a draft of a scenario. What it expects there is what the reference
    interpreter does, as a proposal: confirm each outcome from its source. 'hoyle validate' says what is left to do.

    Only this machine is served, and nothing is sent anywhere.
    """
    from ..served.folder import usual_folder
    from ..served.server import Room

    suite = _with_rules_or_leave(suite_or_leave(spec, drafts=True), options["rules"])
    room = Room(suite, options["folder"] or usual_folder(), _tell)
    room.current()  # what is wrong with a draft is told before the address
    begins = _begins_or_leave(room, what)
    with _server_or_leave(options["port"], room) as server:
        address = f"{server.address}{begins}"
        click.echo(f"The table is at {address}\nDrafts are written into {room.folder}. It ends with Ctrl-C.")
        if not options["no_browser"] and sys.stdout.isatty():
            click.launch(address)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def _tell(line: str) -> None:
    click.echo(line, err=True)


def _with_rules_or_leave(suite: Suite, files: Sequence[Path]) -> Suite:
    """The suite with the house rules of some files; where one is invalid the command ends with 4."""
    from ..house.reading import read_house_rules
    from ..run.results import Exit

    for file in files:
        try:
            suite = read_house_rules(suite, file).joined(suite)
        except Invalid as invalid:
            leave_invalid(invalid, Exit.USAGE)
    return suite


def _begins_or_leave(room: "Room", what: str) -> str:
    """What stands behind the page's address; raises UsageError where it is no position."""
    if not what:
        return ""
    link = what.partition("#")[2] if "#" in what else ""
    if link:
        from ..table import link as links

        try:
            links.read(link)
        except ValueError as error:
            raise click.UsageError(f"This link cannot be read: {harmless(str(error))}") from error
        return f"#{link}"
    told: Mapping[str, Any] = room.ask({"ask": "position", "id": what})
    if "error" in told:
        says, remedy = (harmless(str(told["error"].get(key, ""))) for key in ("says", "remedy"))
        raise click.UsageError(f"{says}. {remedy}".strip())
    return f"#p={what}"


def _server_or_leave(port: int | None, room: "Room") -> "Server":
    """The server, at this port or at the first that is free; raises UsageError where there is none."""
    from ..served.server import Server

    tried = range(PORT, PORT + _TRIES) if port is None else (port,)
    for each in tried:
        with suppress(OSError):
            return Server(each, room)
    which = f"Port {port} is" if port is not None else f"The ports from {PORT} to {PORT + _TRIES - 1} are all"
    raise click.UsageError(f"{which} in use, or not yours to use. Name another one: --port 0 takes any that is free.")
