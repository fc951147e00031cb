"""The filter of system calls, run here as the kernel runs it."""

import errno
import struct
from collections.abc import Sequence

import pytest

from hoyle_conformance.protocol.sandbox.seccomp import (
    FAMILIES,
    REFUSED_IN_A_NETWORK_OF_ITS_OWN,
    REFUSED_WITHOUT_NAMESPACES,
    Family,
    RefusedCall,
    filter_program,
)

ALLOWED, ERROR = 0x7FFF0000, 0x00050000
X86_64 = FAMILIES["x86_64"]
UNKNOWN = errno.ENOSYS


def error_of(program: bytes, number: int, *arguments: int, family: int = X86_64.audit) -> int:
    """The error with which a filter refuses a call; 0 if it is allowed."""
    data = struct.pack("=IIQ6Q", number, family, 0, *arguments, *[0] * (6 - len(arguments)))
    loaded, at = 0, 0
    while True:
        code, if_so, if_not, value = struct.unpack_from("=HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x20:
                loaded = struct.unpack_from("=I", data, value)[0]
            case 0x54:
                loaded &= value
            case 0x06:
                return 0 if value == ALLOWED else value - ERROR
            case 0x15 | 0x35 | 0x45:
                holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[code]
                at += if_so if holds else if_not
            case _:
                pytest.fail(f"an unknown instruction: {code}")


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
@pytest.mark.parametrize("refused", [REFUSED_IN_A_NETWORK_OF_ITS_OWN, REFUSED_WITHOUT_NAMESPACES])
def test_calls_that_lead_out_are_refused_and_others_allowed(family: Family, refused: Sequence[RefusedCall]) -> None:
    program = filter_program(family, refused)
    always = {family.calls[each.name] for each in refused if each.argument is None and each.name in family.calls}
    by_argument = {family.calls[each.name] for each in refused if each.argument is not None}
    for number in range(600):
        if number not in by_argument:
            assert bool(error_of(program, number, family=family.audit)) is (number in always)


def test_calls_of_other_processors_are_unknown() -> None:
    program = filter_program(X86_64, [])
    assert error_of(program, 0) == 0
    assert error_of(program, 0, family=0x40000003) == UNKNOWN  # i386, whose number 11 is execve
    assert error_of(program, 0x40000000) == UNKNOWN  # x32
    assert error_of(program, 2**32 - 1) == UNKNOWN


@pytest.mark.parametrize(
    ("kind", "error"), [(1, errno.EACCES), (2, 0), (10, 0), (16, 0), (17, errno.EACCES), (40, errno.EACCES)]
)
def test_in_a_network_of_its_own_there_are_sockets_of_the_internet(kind: int, error: int) -> None:
    program = filter_program(X86_64, REFUSED_IN_A_NETWORK_OF_ITS_OWN)
    assert error_of(program, X86_64.calls["socket"], kind) == error
    without = filter_program(X86_64, REFUSED_WITHOUT_NAMESPACES)
    assert error_of(without, X86_64.calls["socket"], kind) == errno.EACCES


@pytest.mark.parametrize(("kind", "error"), [(1, 0), (2, errno.EACCES), (2 | 0x80800, errno.EACCES), (5, 0)])
def test_a_pair_of_datagram_sockets_is_refused(kind: int, error: int) -> None:
    program = filter_program(X86_64, REFUSED_WITHOUT_NAMESPACES)
    assert error_of(program, X86_64.calls["socketpair"], 1, kind) == error


@pytest.mark.parametrize("flag", [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
def test_a_process_gets_no_new_namespace(flag: int) -> None:
    program, clone = filter_program(X86_64, REFUSED_IN_A_NETWORK_OF_ITS_OWN), X86_64.calls["clone"]
    assert error_of(program, clone, 17 | flag) == errno.EPERM
    assert error_of(program, clone, 0x3D0F00) == 0  # a thread


@pytest.mark.parametrize("number", [0x5412, 0x541C])
def test_it_types_into_no_terminal(number: int) -> None:
    for refused in (REFUSED_IN_A_NETWORK_OF_ITS_OWN, REFUSED_WITHOUT_NAMESPACES):
        program, ioctl = filter_program(X86_64, refused), X86_64.calls["ioctl"]
        assert error_of(program, ioctl, 0, number) == errno.EPERM
        assert error_of(program, ioctl, 0, (1 << 32) | number) == errno.EPERM  # the kernel takes the lower half
        assert error_of(program, ioctl, 0, 0x5401) == 0


def test_every_call_has_a_number_somewhere() -> None:
    names = {each.name for each in (*REFUSED_IN_A_NETWORK_OF_ITS_OWN, *REFUSED_WITHOUT_NAMESPACES)}
    assert names == set().union(*(family.calls for family in FAMILIES.values()))
