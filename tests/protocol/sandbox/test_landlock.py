"""What Landlock gives up in each of its versions."""

import struct

import pytest

from hoyle_conformance.protocol.sandbox.landlock import landlock_rules


def rights(bits: int) -> set[int]:
    return {bit for bit in range(64) if bits >> bit & 1}


#: Write to a file, remove and make folders and files of each kind.
FIRST = {1, *range(4, 13)}


@pytest.mark.parametrize(
    ("version", "more", "sizes"),
    [(1, set(), 8), (2, {13}, 8), (3, {13, 14}, 8), (4, {13, 14}, 16), (5, {13, 14, 15}, 16), (6, {13, 14, 15}, 24)],
)
def test_each_version_gives_up_all_that_it_can_write(version: int, more: set[int], sizes: int) -> None:
    rules = landlock_rules(version, "/folder")
    assert len(rules.given_up) == sizes
    assert rights(struct.unpack_from("=Q", rules.given_up)[0]) == FIRST | more


def test_signals_and_sockets_without_a_file_are_given_up_as_soon_as_they_can_be() -> None:
    assert struct.unpack("=QQQ", landlock_rules(7, "/folder").given_up)[1:] == (0, 3)


@pytest.mark.posix
def test_rights_are_kept_in_the_folder_and_for_files_that_keep_nothing() -> None:
    rules = landlock_rules(5, "/folder")
    kept = dict(rules.kept)
    assert rights(kept.pop("/folder")) == FIRST | {13, 14, 15}
    assert set(kept) == {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
    assert {frozenset(rights(each)) for each in kept.values()} == {frozenset({1, 14, 15})}
