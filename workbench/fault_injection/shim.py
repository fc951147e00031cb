"""The library that fails calls, compiled from `shim.c`, and the fault that it is to inject."""

import mmap
import os
import struct
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_name("shim.c")
FAMILIES: Final = ("open", "read", "write", "rename", "fork", "allocation")
#: What `struct counts` in `shim.c` holds: calls of each family, those that the fault is about, those that failed, and a
#: description of the first that failed.
_COUNTS: Final = struct.Struct(f"@{len(FAMILIES)}LLL512s")


@dataclass(frozen=True)
class Fault:
    """The calls that fail: the one with the number `at` of a family, or, if `ever`, that one and all later ones.

    Only calls are counted whose description, such as ``supervisor open64 /dev/null``, matches the pattern `only`.
    """

    family: str
    at: int
    ever: bool = False
    only: str = ""

    def __str__(self) -> str:
        later = " and later" if self.ever else ""
        only = f" of '{self.only}'" if self.only else ""
        return f"{self.family} {self.at}{later}{only}"


#: Nothing fails: the number is never reached.
NOTHING: Final = Fault("none", 0)


@dataclass(frozen=True)
class Counts:
    """How many calls a command has made of each family, how many that a fault is about, how many of these failed, and a
    description of the first that did."""

    made: Mapping[str, int]
    reached: int
    failed: int
    first: str


def compile_shim(folder: Path) -> Path:
    """Compile the library into a folder, and return its path."""
    library = folder / "shim.so"
    words = ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run([*words, "-lpthread"], check=True)
    return library


def environment(library: Path, fault: Fault, counts: Path) -> dict[str, str]:
    """Return the variables with which a command has a fault, and writes its counts into a file."""
    counts.write_bytes(bytes(mmap.PAGESIZE))
    return {
        "LD_PRELOAD": str(library),
        "HOYLE_FAULT_COUNTS": str(counts),
        "HOYLE_FAULT_FAMILY": fault.family,
        "HOYLE_FAULT_AT": str(fault.at),
        "HOYLE_FAULT_MODE": "ever" if fault.ever else "once",
        "HOYLE_FAULT_ONLY": fault.only,
    }


def read_counts(counts: Path) -> Counts:
    """Return what a command has counted."""
    *made, reached, failed, first = _COUNTS.unpack_from(counts.read_bytes())
    return Counts(dict(zip(FAMILIES, made, strict=True)), reached, failed, os.fsdecode(first.rstrip(b"\0")))
