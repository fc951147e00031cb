"""Which sandbox is found, and what is said to be missing from it."""

import os
import platform
import shutil
import sys

import pytest

from hoyle_conformance.protocol.sandbox import probe
from hoyle_conformance.protocol.sandbox.probe import find_sandbox, landlock_sandbox
from hoyle_conformance.protocol.sandbox.protections import MEANINGS, Protection, SandboxLimits

linux = pytest.mark.skipif(sys.platform != "linux", reason="only there are sandboxes")
LIMITS = SandboxLimits()


@pytest.mark.parametrize("system", ["darwin", "win32", "freebsd14"])
def test_elsewhere_than_on_linux_everything_is_missing(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    found = find_sandbox()
    assert (found.means, found.held, found.steps) == ("", [], ())
    assert {each.protection for each in found.missing} == set(Protection)
    assert "Linux" in found.remedy


@linux
def test_without_bubblewrap_it_is_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setattr(probe, "fault_of", lambda _sandbox: "")
    found = find_sandbox()
    assert (found.means, found.begins) == ("landlock", ())
    assert not found.missing or "Install bubblewrap" in found.remedy


@linux
def test_where_bubblewrap_does_not_work_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: "/usr/bin/bwrap")
    monkeypatch.setattr(probe, "fault_of", lambda found: "bwrap: no new namespaces" if found.begins else "")
    monkeypatch.setattr(probe, "landlock_version", lambda: 0)
    found = find_sandbox()
    assert found.means == "landlock"
    assert "It does not work here: bwrap: no new namespaces." in found.remedy


@linux
def test_where_nothing_works_nothing_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "fault_of", lambda _sandbox: "no calls of this kind")
    found = find_sandbox()
    assert (found.means, found.held) == ("", [])
    assert {each.reason for each in found.missing} == {"no calls of this kind"}


@linux
def test_a_command_that_does_not_work_is_a_fault() -> None:
    found = landlock_sandbox(LIMITS, "", 0)
    assert probe.fault_of(found) == ""
    broken = type(found)("landlock", LIMITS, steps=(("files", (b"", ())),))
    assert "The sandbox could not be set up (files)" in probe.fault_of(broken)
    absent = type(found)("bubblewrap", LIMITS, begins=("/no/such/program",))
    assert "No such file" in probe.fault_of(absent)


@linux
@pytest.mark.parametrize(
    ("version", "user", "missing"),
    [
        (0, 1000, {Protection.FILES, Protection.SIGNALS}),
        (1, 1000, {Protection.SIGNALS}),
        (5, 1000, {Protection.SIGNALS}),
        (6, 1000, set()),
        (6, 0, {Protection.PROCESSES}),
    ],
)
def test_what_landlock_lacks(
    monkeypatch: pytest.MonkeyPatch, version: int, user: int, missing: set[Protection]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(probe, "_filter", lambda _refused: b"filter")
    found = landlock_sandbox(LIMITS, "Install it.", version)
    assert {each.protection for each in found.missing} == missing
    assert found.remedy == ("Install it." if missing else "")


@linux
def test_without_a_filter_the_network_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "m68k")
    for found in (landlock_sandbox(LIMITS, "", 7), probe.bubblewrap_sandbox(LIMITS, "bwrap")):
        assert Protection.NETWORK in {each.protection for each in found.missing}
        assert Protection.NETWORK not in found.held


def test_every_protection_has_a_meaning() -> None:
    assert list(MEANINGS) == list(Protection)
