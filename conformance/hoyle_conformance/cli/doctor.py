"""`hoyle doctor`: diagnose an adapter."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from hoyle_conformance.checks.cache.cached_suite import load_requests
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli.adapter_options import sandbox_option, sandbox_or_exit, start_remedy, timeout_option
from hoyle_conformance.cli.configuration import AdapterCall, Configurable, configuration_option
from hoyle_conformance.cli.exit import exit_with
from hoyle_conformance.cli.options import json_option, print_json, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import log_option, open_log_or_exit
from hoyle_conformance.tools.doctor.conversation import examine
from hoyle_conformance.tools.doctor.diagnosis import diagnose
from hoyle_conformance.tools.doctor.report import can_encode_marks, diagnosis_data, report_lines


@click.command("doctor", cls=Configurable)
@timeout_option
@sandbox_option
@log_option
@json_option
@configuration_option
@spec_option
@click.pass_obj
def command(call: AdapterCall, /, spec: Path | None, **options: Any) -> None:
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
    if not call.words:
        raise click.UsageError("Name the command that starts your adapter: hoyle doctor python my_adapter.py")
    suite = suite_or_exit(spec)
    if planner_of(suite).cache_key:
        load_requests(suite)
    file = open_log_or_exit(call.words, options["log"], suite.root, as_json=options["as_json"])
    write = file.write if file else lambda _line: None
    sandbox_or_exit(call, wanted=options["sandbox"])
    seen = examine(suite, call.words, options["timeout"], write, call.folder, sandbox=options["sandbox"])
    diagnosis = diagnose(replace(seen, how_to_start=start_remedy(call)) if seen.cannot_start else seen)
    if options["as_json"]:
        print_json(diagnosis_data(diagnosis))
        exit_with(diagnosis.exit)
    for line in report_lines(diagnosis, call.at_the_end, plain=not can_encode_marks(sys.stdout.encoding)):
        click.echo(line)
    exit_with(diagnosis.exit)
