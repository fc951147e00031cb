"""`hoyle build`: the suite as JSON, for harnesses in other languages."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..model import Check
from ..suite.value import Suite
from .common import spec_option, suite_or_leave, turned_or_leave, turning_options


@click.command("build", short_help="Compile the suite to JSON for other languages.")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; standard output if it is - or not given.",
)
@click.option("--census", is_flag=True, help="With the games of the census in full, which make it five times as large.")
@turning_options
@spec_option
def command(output: Path | None, census: bool, seed: str, as_written: bool, spec: Path | None) -> None:
    """Compile the suite to one JSON document: sources, rulesets, and every check with its position completed.

    A harness in another language needs nothing else: `run` is the body of the message for a check, and `expect` what
    each step must show. Both are turned as 'hoyle check' turns them.
    """
    suite = suite_or_leave(spec, positions=True)
    checks = turned_or_leave(suite, suite.checks.values(), seed, as_written=as_written)
    whole = {**compiled(suite, checks), **({"census": _games(suite)} if census else {})}
    text = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
    if output is None or str(output) == "-":
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"Cannot write {output}: {(error.strerror or '').lower()}.") from error
    click.echo(f"Wrote {output}.")


def compiled(suite: Suite, put: Sequence[Check]) -> dict[str, Any]:
    """The whole suite as plain data, with its checks as they are put."""
    checks = []
    for check in put:
        prepared = suite.plan(check)
        checks.append(
            {
                "id": check.id,
                "scenario": check.scenario.id,
                "ruleset": check.ruleset,
                "title": check.scenario.title,
                "cites": check.cites,
                "needs": sorted(prepared.needs),
                "run": prepared.message,
                "step_ends": prepared.ends,
                "expect": {name or "decided": dict(expected) for name, expected in check.branches.items()},
                "follows": check.follows or "decided",
            }
        )
    return {
        "suite": {"version": suite.version, "digest": suite.digest},
        "sources": [source.document.data for source in suite.sources.values()],
        "rulesets": [ruleset.document.data for ruleset in suite.rulesets.values()],
        "checks": checks,
    }


def _games(suite: Suite) -> list[dict[str, Any]]:
    """Every game of the census in full."""
    from ..census.holding import Stale, checks, compiled_game

    try:
        return [compiled_game(suite, check) for check in checks(suite, suite.ruleset_names)]
    except Stale as stale:
        raise click.UsageError(
            f"The census is not what the rules give: {stale}. 'hoyle validate' says more."
        ) from stale
