"""`hoyle serve`: the reference interpreter as an adapter."""

import json
import sys
from pathlib import Path

import click

from .common import spec_option, suite_or_leave


@click.command("serve", short_help="Answer the protocol with the reference interpreter.")
@spec_option
def command(spec: Path | None) -> None:
    r"""Answer the messages of the protocol, line by line, with the reference interpreter.

    It is how the protocol itself is tested, and an example to compare your adapter's answers with:

    \b
    hoyle check -- hoyle serve
    """
    from ..protocol.reference import Reference

    respond = Reference(suite_or_leave(spec))
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            return
        sys.stdout.write(json.dumps(respond(message), separators=(",", ":")) + "\n")
        sys.stdout.flush()
