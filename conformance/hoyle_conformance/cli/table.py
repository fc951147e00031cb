"""`hoyle table`: serve a page for setting up and playing positions to the browsers of this machine."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import click

from hoyle_conformance.cli.exit import WrongUsageIfInvalid
from hoyle_conformance.cli.options import RulesFile, no_such_file, spec_option, suite_or_exit
from hoyle_conformance.files.diagnostics import Invalid, shown_path
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.pipes import start_thread

if TYPE_CHECKING:
    from hoyle_conformance.suite.model import Scenario
    from hoyle_conformance.web.server.server import Server

#: The first port to try; if it is in use, the next ones are tried.
PORT: Final = 7310
_TRIES: Final = 20


@click.command("table")
@click.argument("what", metavar="[SCENARIO|FILE|LINK]", default="")
@click.option(
    "--rules",
    "house",
    type=RulesFile(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE|NAME",
    help="Also play by house rules: a file, or a name that 'hoyle suite list house-rules' shows (repeatable).",
)
@click.option("--port", type=click.IntRange(0, 65535), help=f"Use this port, not the first free one from {PORT} on.")
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@spec_option
def command(what: str, spec: Path | None, **options: Any) -> None:
    """Open a page in your browser on which you set up a position and play it by touching cards; the page shows at
    once what follows under each source. The site has the same page; here, Hoyle on your machine computes the answers.

    The page begins with a SCENARIO (its id, or its name alone), with that of a FILE, or with the position of a LINK, if
    you name one.

    \b
    hoyle table
    hoyle table to-score.the-example
    hoyle table drafts/tricks/my-question.scenario.yaml
    hoyle table 'https://…/table.html#1.…'
    hoyle table --rules mine.yaml --rules theirs.yaml

    You can save a position as the draft of a scenario. The outcomes of a draft are proposals of the reference
    interpreter: confirm each from its source. 'hoyle validate' shows what is left to do.

    Hoyle answers only browsers on this machine that have opened the printed address, which contains a token. Hoyle
    sends nothing anywhere. Ctrl-C ends the command.
    """
    from hoyle_conformance.tools.house_rules import join_all

    with WrongUsageIfInvalid():
        suite = join_all(suite_or_exit(spec, drafts=True), options["house"])
    begins = _fragment_or_exit(suite, what)
    with _server_or_exit(options["port"], suite) as server:
        address = f"{server.address}{begins}"
        with _opened(address) if sys.stdout.isatty() and not options["no_browser"] else nullcontext():
            click.echo(f"The table is at {address}")
            click.echo("Ctrl-C ends it.")
            sys.stdout.flush()
            with suppress(KeyboardInterrupt):
                server.serve_forever()


@contextmanager
def _opened(address: str) -> Iterator[None]:
    """Open a browser at an address."""
    with TemporaryDirectory(prefix="hoyle-", ignore_cleanup_errors=True) as private:
        start_thread(click.launch, _page_that_opens(address, Path(private)))
        yield


def _page_that_opens(address: str, private: Path) -> str:
    """Write a page that redirects to an address into a folder that only this user can read, and return its path. The
    address has a token, and every user of a machine can read the words of a command."""
    page = private / "open.html"
    refresh = f'<meta http-equiv="refresh" content="0;url={escape(address)}">'
    page.write_text(f'<!doctype html><meta charset="utf-8"><title>Hoyle</title>{refresh}', "utf-8", newline="\n")
    return str(page)


def _report(line: str) -> None:
    """Print a line on standard error."""
    click.echo(line, err=True)


def _fragment_or_exit(suite: Suite, what: str) -> str:
    """Return the fragment of the page's address; raise UsageError if the position cannot be set up."""
    from hoyle_conformance.web.explorer.engine import layout_of
    from hoyle_conformance.web.explorer.layout import Wrong, link_of, open_link

    address, _, link = what.partition("#")
    try:
        if link and not link.startswith("p="):
            open_link(link)
            return f"#{link}"
        if not link and address.endswith((".yaml", ".yml")):
            return f"#{link_of(layout_of(_draft_or_exit(suite, Path(what))))}"
    except Wrong as wrong:
        raise click.UsageError(f"{wrong.says} {wrong.remedy}") from wrong
    return f"#p={_named_or_exit(suite, link.removeprefix('p=') or address)}" if what else ""


def _named_or_exit(suite: Suite, what: str) -> str:
    """Return the id of the scenario that a word names; raise UsageError if there is none."""
    from hoyle_conformance.cli.explain import scenario_or_exit

    return scenario_or_exit(suite, what.partition("@")[0], what).id


def _draft_or_exit(suite: Suite, path: Path) -> "Scenario":
    """Return the scenario in a file; exit with code 4 if the file is invalid."""
    if not path.is_file():
        raise click.UsageError(no_such_file(path).capitalize())
    with WrongUsageIfInvalid():
        return read_draft(suite, path)


def read_draft(suite: Suite, path: Path) -> "Scenario":
    """Return the scenario in a file, with its proposals as its outcomes; raise Invalid if it is not sound."""
    from hoyle_conformance.checks.load import lint_position
    from hoyle_conformance.suite.build import scenario_from
    from hoyle_conformance.suite.lint.ids import as_if_confirmed
    from hoyle_conformance.suite.lint.scenarios import lint_scenario
    from hoyle_conformance.suite.load import read_document

    scenario = scenario_from(read_document(suite.schemas, "scenario", path, shown_path(path), within=path.parent))
    confirmed = as_if_confirmed(scenario) if scenario.proposals else scenario
    faults = [each for each in lint_scenario(suite, confirmed) if each.code != "file-name"]  # a download has any name
    if faults := faults or list(lint_position(suite, confirmed)):
        raise Invalid(faults)
    return confirmed


def _server_or_exit(port: int | None, suite: Suite) -> "Server":
    """Return the server at this port, or at the first free one; raise UsageError if there is none."""
    from hoyle_conformance.web.server.server import Server

    for each in range(PORT, PORT + _TRIES) if port is None else (port,):
        with suppress(OSError):
            return Server(each, suite, _report)
    which = f"Port {port} is" if port is not None else f"The ports from {PORT} to {PORT + _TRIES - 1} are all"
    raise click.UsageError(f"{which} in use, or not available to you. Choose another: --port 0 takes any free one.")
