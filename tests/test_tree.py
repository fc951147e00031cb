"""The tree of the tests: a module has a test file of its name, or tests/COVERED_BY.txt names the files that test it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import hoyle
import hoyle_conformance
import hoyle_reference
from conftest import ROOT

TESTS = ROOT / "tests"
#: The folder below tests/ for each package of the code.
PACKAGES = {
    "": Path(str(hoyle_conformance.__file__)).parent,
    "interpreter": Path(str(hoyle_reference.__file__)).parent,
    "library": Path(str(hoyle.__file__)).parent,
}
#: Folders that follow no package: laws of whatever is played, whole commands and documents, and what is run by itself.
OF_THEIR_OWN = {"laws", "whole", "browser", "setup"}
#: Folders with data that no package of the code reads yet.
DATA_ALONE = {Path("tools/ask")}


def modules() -> Iterator[str]:
    """The modules with something in them to test: `runner/judge`, `interpreter/table/fields`."""
    for prefix, package in PACKAGES.items():
        for path in sorted(package.rglob("*.py")):
            place = path.relative_to(package)
            if "spec" not in place.parts and not path.stem.startswith("__"):
                yield (prefix / place).with_suffix("").as_posix()


def own_test_file(module: str) -> Path:
    """The test file of a module's name: of `runner/judge` it is tests/runner/test_judge.py, of `library/_game` it is
    tests/library/test_game.py."""
    folder, _, name = module.rpartition("/")
    return TESTS / folder / f"test_{name.removeprefix('_')}.py"


def lines() -> list[str]:
    text = (TESTS / "COVERED_BY.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


MODULES = list(modules())
WITHOUT_OWN = [module for module in MODULES if not own_test_file(module).is_file()]
COVERED_BY = {place: files.split() for place, _, files in (line.partition(": ") for line in lines())}


def line_for(module: str, listed: Mapping[str, object]) -> str | None:
    """The line that speaks of a module: its own, or that of the nearest package, which ends with '/'."""
    folders = module.split("/")[:-1]
    packages = ["/".join(folders[:count]) + "/" for count in range(len(folders), 0, -1)]
    return next((place for place in (module, *packages) if place in listed), None)


def test_nearest_line_speaks_of_a_module() -> None:
    listed = dict.fromkeys(["a/", "a/b/", "a/b/c"])
    modules = ["a/b/c", "a/b/d", "a/e", "f"]
    assert [line_for(module, listed) for module in modules] == ["a/b/c", "a/b/", "a/", None]


def test_every_module_has_a_test_file_of_its_name_or_a_line() -> None:
    assert [module for module in WITHOUT_OWN if line_for(module, COVERED_BY) is None] == []


def test_every_line_is_needed() -> None:
    assert sorted({*COVERED_BY} - {line_for(module, COVERED_BY) for module in WITHOUT_OWN}) == []


@pytest.mark.parametrize("place", COVERED_BY)
def test_a_line_names_test_files_that_exist(place: str) -> None:
    assert COVERED_BY[place]
    assert [name for name in COVERED_BY[place] if not (TESTS / name).is_file()] == []


def test_lines_are_sorted_and_each_place_has_one() -> None:
    places = [line.partition(": ")[0] for line in lines()]
    assert places == sorted(set(places))


def test_every_folder_of_tests_is_a_package_of_the_code() -> None:
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    folders -= DATA_ALONE
    like_code = [folder for folder in folders if folder.parts and folder.parts[0] not in OF_THEIR_OWN]
    known = {Path(module).parent for module in MODULES}
    assert [
        folder for folder in like_code if not known & {folder, *(each for each in known if folder in each.parents)}
    ] == []
