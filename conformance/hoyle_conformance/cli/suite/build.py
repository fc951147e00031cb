"""`hoyle suite build`: the suite as JSON, for harnesses in other languages."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hoyle_conformance.cli.options import relabel_options, relabelled_or_exit, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import BUILD, STANDARD_OUTPUT, Output, output_option, safe_or_exit, write_or_exit
from hoyle_conformance.cli.select_options import checks_or_exit, clause_option, ruleset_option, topic_option
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from hoyle_conformance.checks.adapt.adapted import Adapted
    from hoyle_conformance.protocol.messages import AdapterInfo


@click.command("build", short_help="Compile the suite to JSON for other languages.")
@click.argument("patterns", nargs=-1, metavar="[CHECK…]")
@ruleset_option
@topic_option
@clause_option
@output_option("--output", "-o", default=STANDARD_OUTPUT, help="The file to write; by default standard output.")
@click.option(
    "--ready",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Only the checks that Hoyle sends to the engine whose 'ready' message is in this file, as Hoyle sends them.",
)
@click.option(
    "--census", is_flag=True, help="Add the games of the census in full, which makes the file five times as long."
)
@relabel_options
@spec_option
def command(output: str, ready: Path | None, spec: Path | None, **options: Any) -> None:
    """Compile the suite to one JSON document: sources, rulesets, and every check with its position completed.

    A harness in another language needs nothing else: `run` is the body of the message for a check, and `expect` what
    each step must show. Both are relabelled, as for 'hoyle check'. spec/schemas/build.schema.json describes the
    document.

    \b
    hoyle suite build -o suite.json                      everything
    hoyle suite build -r bezique-hoyle -t seven          some checks
    hoyle suite build --ready ready.json -o mine.json    what this engine is sent

    With --ready, unclaimed parts are left out, positions are reached from a deal, points are booked later, and so on,
    as the engine's 'ready' message says.
    """
    from hoyle_conformance.checks.export import as_they_are, compiled
    from hoyle_conformance.cli.adapter_options import adapter_info_in, ready_message_in

    message = ready_message_in(ready) if ready else None
    suite = suite_or_exit(spec, positions=True)
    output_file = Output("--output", output, BUILD)
    safe_or_exit([output_file], suite.root, {"--ready": ready})
    chosen = checks_or_exit(suite, options["patterns"], options["rulesets"], options["topics"], options["clauses"])
    checks = relabelled_or_exit(suite, chosen, options["seed"], as_written=options["as_written"])
    adapted = (
        _adapted_checks(suite, adapter_info_in(suite, ready, message), checks) if ready else as_they_are(suite, checks)
    )
    whole = compiled(suite, adapted)
    if ready:
        whole["ready"] = message
    if options["census"]:
        whole["census"] = _games(suite, {check.ruleset for check in checks})
    write_or_exit(output_file, json.dumps(whole, ensure_ascii=False, indent=1) + "\n")
    if not output_file.is_standard_output:
        click.echo(f"Wrote {output}.")


def _adapted_checks(suite: Suite, ready: "AdapterInfo", checks: Iterable[Check]) -> "Iterator[Adapted]":
    """Return the checks that the adapter is sent, as they are sent."""
    from hoyle_conformance.checks.adapt.adapt import adapt
    from hoyle_conformance.checks.adapt.adapted import Adapted

    return (each for each in (adapt(suite, ready, check) for check in checks) if isinstance(each, Adapted))


def _games(suite: Suite, rulesets: set[str]) -> list[dict[str, Any]]:
    """Return the census games of these rulesets in full; raise UsageError if they are stale."""
    from hoyle_conformance.tools.games.census import StaleCensus, export_game, game_checks

    try:
        return [export_game(suite, check) for check in game_checks(suite, sorted(rulesets))]
    except StaleCensus as stale:
        raise click.UsageError(f"The census does not match the rules: {stale}. 'hoyle validate' shows more.") from stale
