"""`hoyle doctor`: find out what is wrong with an adapter."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli.adapter_options import start_remedy, timeout_option
from hoyle_conformance.cli.configuration import (
    Configurable,
    configuration_option,
    configured_folder,
    words_at_the_end,
)
from hoyle_conformance.cli.exit import exit_with
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.options import spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import json_alone_or_exit, log_of, log_option, open_lines_or_exit, safe_or_exit
from hoyle_conformance.cli.sandbox_options import sandbox_option, sandbox_or_exit


@click.command(
    "doctor",
    cls=Configurable,
    options_metavar="[OPTIONS] [COMMAND…]",
    short_help="Find out what is wrong with an adapter.",
)
@timeout_option
@sandbox_option
@log_option
@json_option
@configuration_option
@spec_option
@click.pass_context
def command(
    context: click.Context,
    /,
    timeout: float,
    sandbox: bool,
    log: str | None,
    as_json: bool,
    spec: Path | None,
) -> None:
    """Send an adapter a few short conversations and report its faults, each with the lines that show it, and the
    remedy in the language of the adapter. Without COMMAND, Hoyle takes that of the configuration file.

    \b
    hoyle doctor python my_adapter.py
    hoyle doctor --timeout 60 ./adapter-that-thinks

    'hoyle doctor' finds out whether the adapter works; 'hoyle check' finds out whether its answers are right. The
    command takes a second or two; with a silent adapter, as long as --timeout allows.

    \b
    Exit codes:
      0  no fault
      1  'hoyle check' can run, but something should be fixed
      2  a fault: 'hoyle check' would break, or could send nothing
      4  wrong usage
    """
    adapter: tuple[str, ...] = context.meta["adapter"]
    if not adapter:
        raise click.UsageError("Name the command that starts your adapter: hoyle doctor python my_adapter.py")
    from hoyle_conformance.checks.cache.cached_suite import load_requests
    from hoyle_conformance.tools.doctor.diagnosis import diagnose
    from hoyle_conformance.tools.doctor.examine import examine
    from hoyle_conformance.tools.doctor.report import can_encode_marks, diagnosis_data, report_lines

    suite = suite_or_exit(spec)
    if planner_of(suite).cache_key:
        load_requests(suite)
    output = log_of(adapter, log)
    json_alone_or_exit([output], as_json=as_json)
    safe_or_exit([output], suite.root, {}, adapter)
    (file,) = open_lines_or_exit([output])
    write = file.write if file else lambda _line: None
    confined = sandbox_or_exit(context, wanted=sandbox)
    seen = examine(suite, adapter, timeout, write, configured_folder(context), sandbox=confined)
    diagnosis = diagnose(replace(seen, how_to_start=start_remedy(adapter)) if seen.cannot_start else seen)
    if as_json:
        print_json(diagnosis_data(diagnosis))
        exit_with(diagnosis.exit)
    for line in report_lines(diagnosis, words_at_the_end(context), plain=not can_encode_marks(sys.stdout.encoding)):
        click.echo(line)
    exit_with(diagnosis.exit)
