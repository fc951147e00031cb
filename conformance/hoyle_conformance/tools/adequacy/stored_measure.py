"""Keeping: what was measured, beside the compiled suite, under the content of the spec and of the code."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.key import address_of
from hoyle_conformance.tools.adequacy.measure import Measured, Missing

_KIND = "adequacy"


def keep(root: Path, measured: Sequence[Measured]) -> None:
    """Keep what was measured of the whole suite in a spec folder, as it is now."""
    if address := address_of(root, all_code=True):
        store.write(_KIND, address, [asdict(each) for each in measured])


def kept(root: Path) -> list[Measured] | None:
    """What was measured of this very suite by this very code; nothing if it never was."""
    lines = store.read(_KIND, address_of(root, all_code=True))
    return None if lines is None else [_measured(json.loads(line)) for line in lines]


def _measured(data: dict[str, Any]) -> Measured:
    missing = tuple(Missing(**each) for each in data["missing"])
    return Measured(data["ruleset"], data["measure"], data["of"], missing)
