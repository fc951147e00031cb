"""Whatever is done to a file, it is judged, and what is wrong with it is told: five hundred mutants of the real files.

Any number is tried by hand: see `fuzz_files`."""

import re
import shutil
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest

import fuzz_files
from conftest import ROOT
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow

SEED = "the tests"
#: So many mutants, in parts that the processes share out among them.
PARTS, OF_A_PART = 20, 25


def quick(start: int) -> Iterator[tuple[int, fuzz_files.Mutant]]:
    """The mutants from a number on; without those of a census, whose games would all be played."""
    mutants = ((number, fuzz_files.mutant(SEED, number)) for number in count(start))
    return ((number, each) for number, each in mutants if each.kind != "census")


@pytest.mark.parametrize("part", range(PARTS))
def test_what_must_hold_of_every_file_holds_of_mutants(part: int, suite: Suite, tmp_path: Path) -> None:
    tried = fuzz_files.trial(suite, tmp_path)
    for number, each in islice(quick(part * 1000), OF_A_PART):
        fault = tried.fault(each)
        assert not fault, f"workbench/fuzz_files.py --seed {SEED!r} --only {number}: {each.path} ({each.how}): {fault}"


def test_a_mutant_is_always_the_same_and_hardly_ever_another() -> None:
    first, again = ([fuzz_files.mutant(SEED, number) for number in range(40)] for _ in range(2))
    assert first == again
    assert len({each.content for each in first}) > 35
    assert {each.wrong for each in first} == {True, False}


def test_every_way_to_make_a_file_wrong_changes_what_it_says() -> None:
    changes = {each.how for each in islice((fuzz_files.mutant(SEED, number) for number in count()), 400)}
    assert changes == {change.__name__.strip("_") for change in (*fuzz_files.ANY, *fuzz_files.OF_YAML)}


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spec with all its rules, and with few scenarios."""
    folder = tmp_path_factory.mktemp("small") / "spec"
    others = shutil.ignore_patterns("preludes", "census", *(each.name for each in (ROOT / "spec/scenarios").iterdir()))
    shutil.copytree(ROOT / "spec", folder, ignore=others)
    shutil.copytree(ROOT / "spec/scenarios/to-score", folder / "scenarios/to-score")
    return folder


def test_a_mutant_in_its_tree_is_told_too(spec: Path) -> None:
    """A few, put in the place of their original, where all files are read."""
    mutants = (fuzz_files.mutant(SEED, number) for number in count())
    wrong = (each for each in mutants if each.wrong and each.kind in ("scenario", "ruleset", "source"))
    known = {"spec/scenarios/to-score": 2, "spec/rulesets": 1, "spec/sources": 1}
    for each in wrong:
        folder = next((folder for folder in known if each.path.startswith(folder)), "")
        if not known.get(folder) or each.how == "number_off":
            continue
        known[folder] -= 1
        path = spec.parent / each.path
        sound = path.read_bytes()
        path.write_bytes(each.content)
        with pytest.raises(Invalid) as raised:
            load_suite(spec, positions=False)
        path.write_bytes(sound)
        assert all(re.match(r"[\w./-]+:\d+:\d+: \S", text) for text in raised.value.shown())
        assert each.path in {diagnostic.file for diagnostic in raised.value.diagnostics}, each.how
        if not any(known.values()):
            return
