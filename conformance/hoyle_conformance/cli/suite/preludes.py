"""`hoyle suite preludes`: how an engine that plays from a deal gets to the positions of the suite."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hoyle_conformance.cli.completion import complete_rulesets
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.names import rulesets_or_exit
from hoyle_conformance.cli.options import spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import write_in_place
from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("preludes", short_help="Show which positions can be reached from a deal.")
@click.argument("rulesets", nargs=-1, metavar="[RULESET…]", shell_complete=complete_rulesets)
@click.option("--none", is_flag=True, help="List each position without a prelude, by the reason.")
@click.option(
    "--write", is_flag=True, help="Find all preludes again and write them into spec/preludes, in some minutes."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="The number of processes for --write.",
)
@json_option
@spec_option
def command(rulesets: tuple[str, ...], none: bool, write: bool, jobs: int, as_json: bool, spec: Path | None) -> None:
    """Show how many positions of each RULESET can be reached from a deal, and from the deal of a new game.

    An engine that cannot be set up in any position, but can be given a deal, plays to a position by its prelude: legal
    acts from the deal that no disputed rule decides. With --write, the command finds preludes and stores them in
    spec/preludes; Hoyle finds the prelude of a new scenario when it needs one.

    \b
    hoyle suite preludes
    hoyle suite preludes rubicon-hoyle --none
    hoyle suite preludes --write bezique-hoyle        after a rule or a scenario has changed
    """
    if as_json and write:
        raise click.UsageError("--json prints which positions can be reached: leave out --write.")
    suite = suite_or_exit(spec)
    rulesets_or_exit(suite, rulesets)
    chosen = list(dict.fromkeys(rulesets)) or list(suite.rules.names)
    if write:
        _write(suite, list(dict.fromkeys(name.partition("+")[0] for name in chosen)), jobs)
        return
    from hoyle_conformance.wording import preludes

    if as_json:
        print_json((preludes.unreachable_data if none else preludes.reachable_data)(suite, chosen))
        return
    for line in preludes.unreachable_positions(suite, chosen) if none else preludes.reachable_shares(suite, chosen):
        click.echo(line)


def _write(suite: Suite, tables: list[str], jobs: int) -> None:
    """Find the preludes of rulesets anew and write their files."""
    from hoyle_conformance.checks.preludes.store import path_of

    for table, text in _texts(suite.root, tables, jobs):
        path = path_of(suite, table)
        write_in_place(path, text)
        click.echo(f"Wrote {suite.shown(path)}.")


def _texts(root: Path, tables: list[str], jobs: int) -> "Iterator[tuple[str, str]]":
    """Yield each ruleset with the text of its file, made by so many processes."""
    if jobs == 1 or len(tables) == 1:
        yield from ((table, _text(root, table)) for table in tables)
        return
    from hoyle_conformance.runner.workers import workers

    with workers(jobs) as pool:
        yield from zip(tables, pool.map(_text, [root] * len(tables), tables), strict=True)


def _text(root: Path, table: str) -> str:
    """Return the text of the file of a ruleset."""
    from hoyle_conformance.checks.load import load_suite
    from hoyle_conformance.checks.preludes.write import text

    return text(load_suite(root, positions=False), table)
