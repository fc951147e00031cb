"""Sandboxes for tests: one with chosen means, or a reason why this system cannot set it up."""

import shutil
import sys

import pytest

from hoyle_conformance.protocol.sandbox.landlock import landlock_version
from hoyle_conformance.protocol.sandbox.probe import bubblewrap_sandbox, fault_of, landlock_sandbox
from hoyle_conformance.protocol.sandbox.protections import Protection, Sandbox, SandboxLimits

MEANS = ["bubblewrap", "landlock"]


def sandbox_of(means: str, limits: SandboxLimits | None = None) -> Sandbox:
    """A sandbox with these means; skips where the system cannot set it up."""
    if sys.platform != "linux":
        pytest.skip("there are sandboxes only on Linux")
    limits = limits or SandboxLimits()
    if means == "bubblewrap":
        program = shutil.which("bwrap")
        if program is None:
            pytest.skip("needs bubblewrap")
        found = bubblewrap_sandbox(limits, program)
    else:
        found = landlock_sandbox(limits, "", landlock_version())
    if fault := fault_of(found):
        pytest.skip(f"{means} does not work here: {fault}")
    return found


def skip_without(sandbox: Sandbox | None, protection: Protection) -> None:
    """Skip where the sandbox says that it does not have a protection."""
    for each in sandbox.missing if sandbox else ():
        if each.protection is protection:
            pytest.skip(each.reason)
