"""A filter of system calls, as a program for the kernel: it refuses calls that lead out of the sandbox.

A filter is a list of calls that are refused, always or by one argument. All other calls are allowed. Calls of another
processor family, and those of x32, are refused as unknown, since their numbers differ.
"""

import errno
import struct
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple


class Family(NamedTuple):
    """A family of processors: its number for the kernel, its numbers of system calls, and the first number that is
    refused, if any is."""

    audit: int
    calls: Mapping[str, int]
    refused_from: int | None = None


class RefusedCall(NamedTuple):
    """A system call that is refused with an error.

    With an `argument`, it is refused only if this, under the `mask`, is one of the `values`; if it is none of them
    where they are the `allowed` ones; or if it is not 0 where there are no values.
    """

    name: str
    error: int = errno.EPERM
    argument: int | None = None
    mask: int = 0xFFFFFFFF
    values: tuple[int, ...] = ()
    allowed: bool = False


#: These numbers are the same in all families.
_COMMON: Final = {
    "pidfd_getfd": 438, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "move_mount": 429,
    "open_tree": 428, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433, "mount_setattr": 442,
    "clone3": 435, "memfd_secret": 447, "process_madvise": 440, "fchmodat2": 452, "setxattrat": 463,
    "removexattrat": 466, "open_tree_attr": 467, "file_setattr": 469,
}  # fmt: skip
_X86_64: Final = {
    "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "mount": 165, "umount2": 166,
    "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308, "clone": 56, "bpf": 321, "perf_event_open": 298,
    "userfaultfd": 323, "keyctl": 250, "add_key": 248, "request_key": 249, "memfd_create": 319, "socket": 41,
    "socketpair": 53, "ioctl": 16, "truncate": 76, "chmod": 90, "fchmod": 91, "fchmodat": 268, "chown": 92,
    "fchown": 93, "lchown": 94, "fchownat": 260, "utime": 132, "utimes": 235, "futimesat": 261, "utimensat": 280,
    "setxattr": 188, "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198,
    "fremovexattr": 199, "shmget": 29, "semget": 64, "msgget": 68, "mq_open": 240, "mq_unlink": 241,
    "open_by_handle_at": 304,
}  # fmt: skip
_AARCH64: Final = {
    "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "mount": 40, "umount2": 39,
    "pivot_root": 41, "chroot": 51, "unshare": 97, "setns": 268, "clone": 220, "bpf": 280, "perf_event_open": 241,
    "userfaultfd": 282, "keyctl": 219, "add_key": 217, "request_key": 218, "memfd_create": 279, "socket": 198,
    "socketpair": 199, "ioctl": 29, "truncate": 45, "fchmod": 52, "fchmodat": 53, "fchown": 55, "fchownat": 54,
    "utimensat": 88, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15,
    "fremovexattr": 16, "shmget": 194, "semget": 190, "msgget": 186, "mq_open": 180, "mq_unlink": 181,
    "open_by_handle_at": 265,
}  # fmt: skip
#: By the names that `platform.machine()` has for them.
FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "x86_64": Family(0xC000003E, _COMMON | _X86_64, refused_from=0x40000000),
        "aarch64": Family(0xC00000B7, _COMMON | _AARCH64),
    }
)

_INTERNET: Final = (2, 10, 16)  # AF_INET, AF_INET6, and AF_NETLINK, which only configures them
_DATAGRAM: Final = 2
_NAMESPACES: Final = 0x7E020000  # the flags CLONE_NEW… of clone
_OF_TERMINALS: Final = (0x5412, 0x541C)  # TIOCSTI, which types into a terminal, and TIOCLINUX
_OF_FILES: Final = (0x40086602, 0x401C5820)  # FS_IOC_SETFLAGS and FS_IOC_FSSETXATTR

#: Access to other processes, new namespaces and mounts, and calls that go around this filter or the limits.
REFUSED: Final[Sequence[RefusedCall]] = (
    *(
        RefusedCall(name)
        for name in (
            "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd", "mount",
            "umount2", "move_mount", "open_tree", "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick",
            "mount_setattr", "pivot_root", "chroot", "unshare", "setns", "bpf", "perf_event_open", "userfaultfd",
            "keyctl", "add_key", "request_key", "open_by_handle_at",
        )
    ),
    # Programs do without these if the system does not know them.
    *(
        RefusedCall(name, errno.ENOSYS)
        for name in ("io_uring_setup", "io_uring_enter", "io_uring_register", "clone3", "memfd_create", "memfd_secret")
    ),
    RefusedCall("clone", argument=0, mask=_NAMESPACES),
    # A datagram socket of a pair may send to the socket of any program.
    RefusedCall("socketpair", errno.EACCES, argument=1, mask=0xF, values=(_DATAGRAM,)),
)  # fmt: skip
#: Within a network of its own, an adapter may have sockets of the internet, and no others.
REFUSED_IN_A_NETWORK_OF_ITS_OWN: Final[Sequence[RefusedCall]] = (
    *REFUSED,
    RefusedCall("ioctl", argument=1, values=_OF_TERMINALS),
    RefusedCall("socket", errno.EACCES, argument=0, values=_INTERNET, allowed=True),
)
#: Without namespaces: no sockets at all, no memory shared with other programs, and no changes of files that Landlock
#: does not see, such as changes of their modes.
REFUSED_WITHOUT_NAMESPACES: Final[Sequence[RefusedCall]] = (
    *REFUSED,
    RefusedCall("ioctl", argument=1, values=(*_OF_TERMINALS, *_OF_FILES)),
    RefusedCall("socket", errno.EACCES),
    *(
        RefusedCall(name)
        for name in (
            "truncate", "chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime",
            "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr",
            "lremovexattr", "fremovexattr", "removexattrat", "file_setattr", "shmget", "semget", "msgget", "mq_open",
            "mq_unlink",
        )
    ),
)  # fmt: skip

# Codes of instructions.
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_JUMP_IF_EQUAL, _JUMP_IF_AT_LEAST, _JUMP_IF_ANY_BIT = 0x15, 0x35, 0x45
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
# Places in the data of a call: its number, the family, and the lower half of the first argument.
_NUMBER, _FAMILY, _ARGUMENTS = 0, 4, 16


class Instruction(NamedTuple):
    """An instruction of a filter: its code and value, and how many instructions a jump skips."""

    code: int
    value: int
    if_so: int = 0
    if_not: int = 0


def filter_program(family: Family, refused: Sequence[RefusedCall]) -> bytes:
    """Return the filter as the kernel takes it."""
    instructions = list(_instructions(family, refused))
    return b"".join(struct.pack("=HBBI", each.code, each.if_so, each.if_not, each.value) for each in instructions)


def _instructions(family: Family, refused: Sequence[RefusedCall]) -> Iterator[Instruction]:
    """Yield the instructions of a filter: the family first, then one call after the other."""
    unknown = _error(errno.ENOSYS)
    yield Instruction(_LOAD, _FAMILY)
    yield Instruction(_JUMP_IF_EQUAL, family.audit, if_so=1)
    yield unknown
    yield Instruction(_LOAD, _NUMBER)
    if family.refused_from is not None:
        yield Instruction(_JUMP_IF_AT_LEAST, family.refused_from, if_not=1)
        yield unknown
    for call in refused:
        if (number := family.calls.get(call.name)) is not None:
            body = list(_body(call))
            yield Instruction(_JUMP_IF_EQUAL, number, if_not=len(body))
            yield from body
    yield Instruction(_RETURN, _ALLOW)


def _body(call: RefusedCall) -> Iterator[Instruction]:
    """Yield the instructions that follow if the number is that of this call; they end with the number loaded."""
    if call.argument is None:
        yield _error(call.error)
        return
    yield Instruction(_LOAD, _ARGUMENTS + 8 * call.argument)
    if not call.values:
        yield Instruction(_JUMP_IF_ANY_BIT, call.mask, if_not=1)
    else:
        yield Instruction(_AND, call.mask)
        last = len(call.values) - 1
        for at, value in enumerate(call.values):
            # Go on to the error, or beyond it.
            yield Instruction(_JUMP_IF_EQUAL, value, last - at + call.allowed, int(at == last and not call.allowed))
    yield _error(call.error)
    yield Instruction(_LOAD, _NUMBER)


def _error(number: int) -> Instruction:
    """Return the instruction that refuses a call with this error."""
    return Instruction(_RETURN, _ERROR | number)
