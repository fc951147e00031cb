"""Which sandbox this system can set up: with bubblewrap if it works here, otherwise with Landlock and a filter of
system calls."""

import ctypes
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, Final

from hoyle_conformance.protocol.sandbox.bubblewrap import PROGRAM, bubblewrap_words
from hoyle_conformance.protocol.sandbox.confined_command import confined_words
from hoyle_conformance.protocol.sandbox.landlock import SCOPES_SINCE, landlock_rules, landlock_version
from hoyle_conformance.protocol.sandbox.protections import FOLDER, Missing, Protection, Sandbox, SandboxLimits
from hoyle_conformance.protocol.sandbox.seccomp import (
    FAMILIES,
    REFUSED_IN_A_NETWORK_OF_ITS_OWN,
    REFUSED_WITHOUT_NAMESPACES,
    filter_program,
)

#: The means of a sandbox.
BUBBLEWRAP, LANDLOCK = "bubblewrap", "landlock"
_SECONDS: Final = 20.0
_GET_SECCOMP: Final = 21  # of prctl
#: Since this version, Linux counts the processes of a user in each namespace of users by itself.
_COUNTS_BY_NAMESPACE: Final = (5, 14)
_INSTALL: Final = "Install bubblewrap, for example with 'apt install bubblewrap'."
_ALLOW: Final = "Allow bubblewrap to create user namespaces on this system."
_ON_LINUX: Final = "Run Hoyle on Linux, in a container or in a virtual machine."


def find_sandbox(limits: SandboxLimits | None = None) -> Sandbox:
    """Return the best sandbox that this system can set up, with everything that is missing from it."""
    limits = limits or SandboxLimits()
    if sys.platform != "linux":
        return _no_sandbox(limits, "Hoyle can only do this on Linux", _ON_LINUX)
    program, fault = shutil.which(PROGRAM), ""
    if program:
        found = bubblewrap_sandbox(limits, program)
        fault = fault_of(found)
        if not fault:
            return found
    remedy = f"{_ALLOW} It does not work here: {fault}." if program else _INSTALL
    found = landlock_sandbox(limits, remedy, landlock_version())
    fault = fault_of(found)
    return _no_sandbox(limits, fault, remedy) if fault else found


def _no_sandbox(limits: SandboxLimits, reason: str, remedy: str) -> Sandbox:
    """Return a sandbox that protects from nothing."""
    return Sandbox("", limits, tuple(Missing(each, reason) for each in Protection), remedy=remedy)


def fault_of(sandbox: Sandbox) -> str:
    """Run a trivial command in a sandbox, and return why that does not work; an empty text if it does."""
    with tempfile.TemporaryDirectory(prefix="hoyle-sandbox-") as folder:
        words = confined_words(sandbox, folder, [sys.executable, "-I", "-S", "-c", ""])
        try:
            done = subprocess.run(words, capture_output=True, check=False, timeout=_SECONDS)  # noqa: S603 -- our own
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"


def bubblewrap_sandbox(limits: SandboxLimits, program: str) -> Sandbox:
    """Return the sandbox with bubblewrap."""
    program_of_calls = _filter(REFUSED_IN_A_NETWORK_OF_ITS_OWN)
    missing = () if program_of_calls else (Missing(Protection.NETWORK, _no_filter()),)
    steps = [*_first_steps(limits, by_namespace=True), *_calls(program_of_calls)]
    return Sandbox(BUBBLEWRAP, limits, missing, bubblewrap_words(program, limits), tuple(steps))


def landlock_sandbox(limits: SandboxLimits, remedy: str, version: int) -> Sandbox:
    """Return the sandbox without bubblewrap, with this version of Landlock; `remedy` is how to get what is missing."""
    if sys.platform != "linux":
        raise NotImplementedError(_ON_LINUX)
    program_of_calls = _filter(REFUSED_WITHOUT_NAMESPACES)
    steps = [*_first_steps(limits, by_namespace=False)]
    if version:
        steps.append(("files", tuple(landlock_rules(version, FOLDER))))
    steps += _calls(program_of_calls)
    missing = tuple(_missing(version, filtered=program_of_calls is not None, root=os.geteuid() == 0))
    return Sandbox(LANDLOCK, limits, missing, (), tuple(steps), remedy if missing else "")


def _missing(version: int, *, filtered: bool, root: bool) -> Iterator[Missing]:
    """Yield what a sandbox without bubblewrap does not protect from."""
    if not filtered:
        yield Missing(Protection.NETWORK, _no_filter())
    if not version:
        yield Missing(Protection.FILES, "this kernel has no Landlock")
    elif not filtered:
        yield Missing(Protection.FILES, "modes and owners of files can still be changed")
    if root:
        yield Missing(Protection.PROCESSES, "Linux does not limit the number of processes of root")
    if version < SCOPES_SINCE:
        reason = f"this kernel has version {version} of Landlock, and this needs version {SCOPES_SINCE}"
        yield Missing(Protection.SIGNALS, reason if version else "this kernel has no Landlock")


def _first_steps(limits: SandboxLimits, *, by_namespace: bool) -> list[tuple[str, Any]]:
    """Return the steps that do not depend on the means: limits, and no new privileges."""
    if sys.platform != "linux":
        raise NotImplementedError(_ON_LINUX)
    import resource

    most = (
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_CPU, limits.processor + 1),  # the supervisor ends it before, and says why
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_CORE, 0),
        *(() if by_namespace else ((resource.RLIMIT_FSIZE, limits.folder),)),
    )
    steps: list[tuple[str, Any]] = [("environment", _environment()), ("limits", most)]
    if not by_namespace or _kernel() >= _COUNTS_BY_NAMESPACE:
        steps.append(("processes", limits.processes))
    if not by_namespace:
        steps.append(("capabilities", None))
    return [*steps, ("privileges", None)]


def _environment() -> dict[str, str | None]:
    """Return the variables that name the temporary folder, and those to remove, which name sockets."""
    folders = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
    removed = (*folders, "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK")
    return {**dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), FOLDER), **dict.fromkeys(removed)}


def _kernel() -> tuple[int, ...]:
    """Return the version of the kernel."""
    return tuple(map(int, re.findall(r"\d+", platform.release())[:2]))


def _filter(refused: Sequence[Any]) -> bytes | None:
    """Return the filter of system calls for this machine; None if its kernel has no filters, or Hoyle does not know its
    processor."""
    family = FAMILIES.get(platform.machine()) if sys.maxsize > 1 << 32 else None
    has_filters = ctypes.CDLL(None).prctl(_GET_SECCOMP, 0, 0, 0, 0) >= 0
    return filter_program(family, refused) if family and has_filters else None


def _calls(program_of_calls: bytes | None) -> list[tuple[str, Any]]:
    return [] if program_of_calls is None else [("calls", program_of_calls)]


def _no_filter() -> str:
    return f"there is no filter of system calls for this kernel or processor ({platform.machine()})"
