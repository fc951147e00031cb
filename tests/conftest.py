import os
from pathlib import Path

import pytest

from hoyle_conformance.load import load_suite
from hoyle_conformance.suite.value import Suite
from hoyle_reference import Rules

ROOT = Path(__file__).resolve().parents[1]
#: On the gate nothing may be skipped: what a test needs is installed there.
ON_THE_GATE = bool(os.environ.get("HOYLE_GATE"))


@pytest.fixture(scope="session")
def suite() -> Suite:
    return load_suite(ROOT / "spec")


@pytest.fixture(scope="session")
def rules(suite: Suite) -> Rules:
    return suite.rules("bezique-hoyle")


def need(available: object, what: str) -> None:
    """Skip a test for want of something, except on the gate, where it fails instead."""
    if not available:
        if ON_THE_GATE:
            pytest.fail(f"{what} is missing on the gate")
        pytest.skip(f"needs {what}")


def golden(path: Path, text: str) -> None:
    """Compare with a file that a person has read; HOYLE_WRITE_GOLDEN=1 writes it anew, to be read again."""
    if os.environ.get("HOYLE_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{path} is missing: write it with HOYLE_WRITE_GOLDEN=1 and read it"
    assert text == path.read_text(encoding="utf-8")
