"""Failed: which checks have failed when a command was last run, kept until it is run again.

A command is known by the words that start the adapter, the folder in which it is run, the suite and the house rules. A
run of some checks changes only what is known of these.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from hoyle_conformance.checks.cache import store

_KIND: Final = "failed"


def address_of_command(adapter: Sequence[str], spec: Path, rules: Path | None) -> str:
    """The address under which is kept what has failed in a run of this adapter, in this folder."""
    where = [str(path.resolve()) if path else "" for path in (Path(), spec, rules)]
    return hashlib.sha256(json.dumps([list(adapter), where]).encode()).hexdigest()


def failed_last(address: str) -> frozenset[str]:
    """The ids of the checks that failed when they were last run; none where nothing is kept, or it is damaged."""
    lines = store.read(_KIND, address)
    try:
        names = json.loads(lines[0]) if lines else []
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()


def still_failed(before: frozenset[str], ran: Iterable[str], failed: Iterable[str]) -> frozenset[str]:
    """What has failed from now on: of what `ran` what `failed` in this run, of the rest what had failed before."""
    return before.difference(ran).union(failed)


def keep_failed(address: str, before: frozenset[str], failed: frozenset[str]) -> None:
    """Keep what has failed, where it is not what was kept before; where that cannot be written, nothing is kept."""
    if failed != before:
        store.write(_KIND, address, [sorted(failed)])
