"""The protections of a sandbox, its limits, and the plan of a sandbox that this system can set up."""

import enum
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_reference.frozen import frozen


class Protection(enum.StrEnum):
    """A protection, by the name that reports and records have."""

    NETWORK = "network"
    FILES = "files"
    TEMPORARY_FOLDER = "temporary-folder"
    MEMORY = "memory"
    PROCESSOR_TIME = "processor-time"
    OPEN_FILES = "open-files"
    PROCESSES = "processes"
    SIGNALS = "signals"
    PRIVILEGES = "privileges"


#: What each protection means, for the message that names the missing ones.
MEANINGS: Final = MappingProxyType(
    {
        Protection.NETWORK: "no network, and no sockets of other programs",
        Protection.FILES: "no writing outside the temporary folder",
        Protection.TEMPORARY_FOLDER: "a limit for the size of the temporary folder",
        Protection.MEMORY: "a limit for memory",
        Protection.PROCESSOR_TIME: "a limit for processor time",
        Protection.OPEN_FILES: "a limit for open files",
        Protection.PROCESSES: "a limit for the number of processes",
        Protection.SIGNALS: "no signals to other programs, and no access to their memory",
        Protection.PRIVILEGES: "no privileges, and no way to get new ones",
    }
)


@frozen
class SandboxLimits:
    """The limits of one adapter, with all its processes: bytes of `memory` and of the `folder` for temporary files,
    seconds of `processor` time, open `files` of each process, and `processes`, which threads count towards."""

    memory: int = 4 << 30
    folder: int = 256 << 20
    processor: int = 3_600
    files: int = 1_024
    processes: int = 256


@frozen
class Missing:
    """A protection that this system does not have, and the reason."""

    protection: Protection
    reason: str


@frozen
class Sandbox:
    """A sandbox that this system can set up.

    `means` names what it is made of: `bubblewrap`, `landlock`, `limits` alone, or nothing where it protects from
    nothing. `begins` are the words before the script that confines the adapter, with `FOLDER` for its temporary
    folder; `steps` is what this script does. `remedy` is how to get what is `missing`.
    """

    means: str
    limits: SandboxLimits
    missing: tuple[Missing, ...] = ()
    begins: tuple[str, ...] = ()
    steps: tuple[tuple[str, Any], ...] = ()
    remedy: str = ""

    @property
    def held(self) -> Sequence[Protection]:
        """The protections that hold, in their usual order."""
        missing = {each.protection for each in self.missing}
        return [each for each in Protection if each not in missing]

    @property
    def data(self) -> dict[str, Any]:
        """The sandbox as the record of a run has it."""
        missing = {str(each.protection): each.reason for each in self.missing}
        return {"means": self.means, "held": list(map(str, self.held)), "missing": missing}


#: Stands for the temporary folder in the words and steps of a sandbox.
FOLDER: Final = "{folder}"
