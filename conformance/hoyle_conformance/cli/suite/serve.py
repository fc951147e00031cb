"""`hoyle suite serve`: the reference interpreter as an adapter."""

import sys
from pathlib import Path

import click

from hoyle_conformance.cli.options import spec_option, suite_or_exit
from hoyle_conformance.protocol.messages import ProtocolError, decode, encode
from hoyle_conformance.runner.reference_adapter import Reference

#: The messages that the harness may send.
_KNOWN = ("hello", "run", "bye")


@click.command("serve")
@spec_option
def command(spec: Path | None) -> None:
    """Answer the messages of the protocol, line by line, with the reference interpreter.

    The command tests the protocol itself, and is an example to compare your adapter's answers with:

    \b
    hoyle check hoyle suite serve
    """
    suite = suite_or_exit(spec)
    respond = Reference(suite)
    for number, line in enumerate(sys.stdin.buffer, start=1):
        try:
            message = decode(line)
        except ProtocolError as fault:
            raise click.UsageError(
                f"Line {number}: {fault.message.replace('the adapter', 'the other side')}."
            ) from fault
        kind = message.get("type") if isinstance(message, dict) else None
        if kind not in _KNOWN:
            raise click.UsageError(f"Line {number}: a message has a 'type', one of {', '.join(_KNOWN)}.")
        if complaint := suite.schemas.complaint(f"message-{kind}", message):
            raise click.UsageError(f"Line {number}, '{kind}': {complaint}")
        if kind == "bye":
            return
        sys.stdout.buffer.write(encode(respond(message)))
        sys.stdout.buffer.flush()
