"""Bubblewrap, a program that starts another one with a file system, network and processes of its own."""

from typing import Final

from hoyle_conformance.protocol.sandbox.protections import FOLDER, SandboxLimits

PROGRAM: Final = "bwrap"


def bubblewrap_words(program: str, limits: SandboxLimits) -> tuple[str, ...]:
    """Return the words that come before a command: everything can be read, nothing but the temporary folder written,
    and there are no other processes and no network."""
    return (
        program,
        *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"),
        *("--die-with-parent", "--cap-drop", "ALL"),
        *("--ro-bind", "/", "/"),
        *("--dev", "/dev", "--remount-ro", "/dev"),
        *("--proc", "/proc"),
        *("--size", str(limits.folder), "--tmpfs", FOLDER),
        "--",
    )
