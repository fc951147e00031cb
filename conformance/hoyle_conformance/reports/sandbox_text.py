"""The sandbox of a run in words: its means, the protections that held, and those that were missing."""

from collections.abc import Iterator, Mapping
from typing import Any

from hoyle_conformance.protocol.sandbox.protections import MEANINGS, Sandbox
from hoyle_conformance.wording.text import join_and


def missing_lines(sandbox: Sandbox) -> Iterator[str]:
    """Yield the protections that are missing from a sandbox, each with its meaning and the reason."""
    yield "The sandbox on this system lacks these protections:"
    for each in sandbox.missing:
        yield f"  {each.protection}: {MEANINGS[each.protection]}. Missing because {each.reason}."


def sandbox_text(data: Mapping[str, Any]) -> str:
    """Return the sandbox of a run, as its record has it, in one line."""
    missing = join_and(list(data["missing"]))
    if not data["held"]:
        return "none on this system; the adapter ran without protection"
    return f"{data['means']}, with {'all protections' if not missing else f'all protections but {missing}'}"
