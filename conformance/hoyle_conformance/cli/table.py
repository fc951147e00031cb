"""`hoyle table`: serve a page for setting up and playing positions to the browsers of this machine."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import click

from hoyle_conformance.cli.exit import exit_invalid
from hoyle_conformance.cli.options import spec_option, suite_or_exit, without_cache
from hoyle_conformance.files.diagnostics import Invalid, printable
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.pipes import start_thread

if TYPE_CHECKING:
    from hoyle_conformance.web.server.server import Server
    from hoyle_conformance.web.server.state import ServerState

#: The first port to try; if it is in use, the next ones are tried.
PORT: Final = 7310
_TRIES: Final = 20
#: The folders of a spec with the files of the rules.
_RULES: Final = ("rulesets", "sources")


@click.command("table")
@click.argument("what", metavar="[SCENARIO|FILE|LINK]", default="")
@click.option(
    "--rules",
    "house",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Also play by house rules: a file like the one that 'hoyle new rules' writes (repeatable).",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The folder of your drafts; by default drafts.",
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
    hoyle table --rules mine.yaml --rules theirs.yaml --folder drafts

    The page can write a position into the folder, as the draft of a scenario; it overwrites no file unless you
    confirm it. The outcomes of a draft are proposals of the reference interpreter: confirm each from its source.
    'hoyle validate' shows what is left to do. The page can open your drafts again.

    Hoyle answers only browsers on this machine that have opened the printed address, which contains a token. Hoyle
    sends nothing anywhere. If you change a rule table, house rules or a draft, Hoyle reads it again. Ctrl-C ends the
    command.
    """
    from hoyle_conformance.web.server.state import USUAL, ServerState

    suite, house = suite_or_exit(spec, drafts=True), options["house"]
    load = partial(_load, spec, house, anew=without_cache())
    named = [Path(what)] if _is_a_file(what) else []
    state = ServerState(
        _with_house_rules_or_exit(suite, house),
        options["folder"] or USUAL,
        _report,
        load,
        [*house, *(suite.root / folder for folder in _RULES)],
        named,
    )
    begins = _fragment_or_exit(state, what)
    with _server_or_exit(options["port"], state) as server:
        address = f"{server.address}{begins}"
        with _opened(address) if sys.stdout.isatty() and not options["no_browser"] else nullcontext():
            click.echo(f"The table is at {address}")
            click.echo(f"Drafts go into {printable(str(state.folder))}. Ctrl-C ends it.")
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


def _load(spec: Path | None, house: Sequence[Path], *, anew: bool) -> Suite:
    """Load the suite from its present files, with the house rules; raise Invalid."""
    from hoyle_conformance.checks.cache.cached_suite import open_suite
    from hoyle_conformance.checks.load import load_suite
    from hoyle_conformance.tools.house_rules import join_all

    load: Callable[..., Suite] = load_suite if anew else open_suite
    return join_all(load(spec, drafts=True, positions=False), house)


def _with_house_rules_or_exit(suite: Suite, house: Sequence[Path]) -> Suite:
    """Return the suite with the house rules; exit with code 4 if they are invalid."""
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.tools.house_rules import join_all

    try:
        return join_all(suite, house)
    except Invalid as invalid:
        exit_invalid(invalid, Exit.USAGE)


def _is_a_file(what: str) -> bool:
    """Whether the word names a file, and not a scenario or a link."""
    return "#" not in what and what.endswith((".yaml", ".yml"))


def _fragment_or_exit(state: "ServerState", what: str) -> str:
    """Return the fragment of the page's address; raise UsageError if the position cannot be set up."""
    if "#" in what:
        return _link_or_exit(state, what.partition("#")[2])
    if _is_a_file(what):
        return f"#p={_file_or_exit(state, Path(what))}"
    current = state.current()  # even if nothing is named: this reports mistakes in drafts before the address is printed
    return f"#p={_named_or_exit(current.suite, what)}" if what else ""


def _named_or_exit(suite: Suite, what: str) -> str:
    """Return the id of the scenario that a word names; raise UsageError if there is none."""
    from hoyle_conformance.cli.explain import scenario_or_exit

    return scenario_or_exit(suite, what.partition("@")[0], what).id


def _link_or_exit(state: "ServerState", link: str) -> str:
    """Return the fragment of a link; raise UsageError if it cannot be read."""
    from hoyle_conformance.web.explorer.layout import Wrong, open_link

    if link.startswith("p="):
        return f"#p={_named_or_exit(state.current().suite, link.removeprefix('p='))}"
    try:
        open_link(link)
    except Wrong as wrong:
        raise click.UsageError(f"{wrong.says} {wrong.remedy}") from wrong
    return f"#{link}"


def _file_or_exit(state: "ServerState", path: Path) -> str:
    """Return the id of the scenario in a file; exit with code 4 if the file is invalid."""
    from hoyle_conformance.cli.options import no_such_file
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.web.server.state import read_draft

    if not path.is_file():
        raise click.UsageError(no_such_file(path).capitalize())
    for scenario in state.suite.scenarios.values() if path.resolve().is_relative_to(state.suite.root.resolve()) else ():
        if scenario.document.path and scenario.document.path.resolve() == path.resolve():
            state.named = ()
            return scenario.id
    try:
        return read_draft(state.suite, path).id
    except Invalid as invalid:
        exit_invalid(invalid, Exit.USAGE)


def _server_or_exit(port: int | None, state: "ServerState") -> "Server":
    """Return the server at this port, or at the first free one; raise UsageError if there is none."""
    from hoyle_conformance.web.server.server import Server

    for each in range(PORT, PORT + _TRIES) if port is None else (port,):
        with suppress(OSError):
            return Server(each, state)
    which = f"Port {port} is" if port is not None else f"The ports from {PORT} to {PORT + _TRIES - 1} are all"
    raise click.UsageError(f"{which} in use, or not available to you. Choose another: --port 0 takes any free one.")
