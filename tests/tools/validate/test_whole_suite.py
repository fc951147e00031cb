"""After any edits, a suite with stored proofs has the same faults as one in which everything is proved anew."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import replace
from functools import partial
from gzip import compress, decompress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import KEPT_IN, ROOT, Done, the_suite
from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache import store as cache_key
from hoyle_conformance.checks.cache.proofs import ALL_ANEW, stored_proofs
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.checks.preludes.store import ENDING
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.tools.validate import prove, whole_suite
from hoyle_conformance.tools.validate.inherit import updated_at_work
from hoyle_conformance.tools.validate.prove import prove_scenario
from hoyle_conformance.tools.validate.whole_suite import locked_faults, read_and_lint, suite_faults
from write_census import census_text

pytestmark = pytest.mark.slow

EXAMPLE = "to-score.the-example"
SCENARIOS = (EXAMPLE, "cut.equal-cards", "brisques.ace")
CENSUS = "bezique-britannica"
PRELUDES = "bezique-hoyle"


def file_of(scenario: str) -> str:
    return f"scenarios/{scenario.replace('.', '/')}.scenario.yaml"


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small spec, and the proofs that are stored of it."""
    here = tmp_path_factory.mktemp("proved")
    for part in ("sources", "rulesets", "house", "schemas"):
        shutil.copytree(ROOT / "spec" / part, here / "spec" / part)
    for name in ("VERSION", *map(file_of, SCENARIOS)):
        (here / "spec" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "spec" / name, here / "spec" / name)
    for path in ROOT.glob("spec/*.md"):
        shutil.copy(path, here / "spec")
    lock = (ROOT / "spec/ids.lock").read_text("utf-8").splitlines(keepends=True)
    ours = [each for each in lock if not each.startswith("scenario ") or each.split()[1] in SCENARIOS]
    (here / "spec/ids.lock").write_text("".join(ours), "utf-8")
    lines = (ROOT / "spec/at-work.jsonl").read_text("utf-8").splitlines(keepends=True)
    heads = ('{"rulesets"', *(f'{{"scenario": "{name}"' for name in SCENARIOS))
    (here / "spec/at-work.jsonl").write_text("".join(each for each in lines if each.startswith(heads)), "utf-8")
    write_games_and_preludes(here / "spec")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEPT_IN, str(here / "kept"))
        suite = load_suite(here / "spec", positions=False)
        (here / "spec/at-work.jsonl").write_text(updated_at_work(suite)[0], "utf-8")
        found = faults_of(here / "spec", stored=True)
    assert {each.code for each in found} <= {"no-census", "missing-table", "cited-nowhere"}, found
    return here


def write_games_and_preludes(spec: Path) -> None:
    """Write one game of a census, and the preludes of the scenarios under one ruleset."""
    (spec / "census").mkdir()
    (spec / "preludes").mkdir()
    table = the_suite().censuses[CENSUS].tables[0]
    few = replace(table, games=table.games[:1])
    (spec / f"census/{CENSUS}.census.yaml").write_text(census_text(CENSUS, [few]), "utf-8")
    name = f"preludes/{PRELUDES}{ENDING}"
    lines = decompress((ROOT / "spec" / name).read_bytes()).decode().splitlines(keepends=True)
    ours = [each for each in lines if json.loads(each).get("scenario", EXAMPLE) in SCENARIOS]
    (spec / name).write_bytes(compress("".join(ours).encode()))


@pytest.fixture
def spec(proved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec to edit, of which proofs are stored."""
    shutil.copytree(proved / "kept", tmp_path / "kept")
    monkeypatch.setenv(KEPT_IN, str(tmp_path / "kept"))
    return shutil.copytree(proved / "spec", tmp_path / "spec")


def faults_of(root: Path, *, stored: bool) -> Sequence[Diagnostic]:
    """Return what `hoyle validate` finds, with stored proofs or without."""
    with stored_proofs(root) if stored else nullcontext(ALL_ANEW) as proofs:
        try:
            suite = read_and_lint(root, proofs)
            return Invalid([*suite_faults(suite, proofs), *locked_faults(suite, proofs)]).diagnostics
        except Invalid as invalid:
            return invalid.diagnostics


def shown(faults: Sequence[Diagnostic]) -> list[str]:
    return [str(each) for each in faults]


def replaced(name: str, old: str, new: str, count: int = 1) -> Callable[[Path], None]:
    """Return an edit: some text of a file is replaced by another, where it has not been already."""

    def edit(root: Path) -> None:
        if (root / name).is_file():
            text = (root / name).read_text("utf-8")
            (root / name).write_text(text.replace(old, new, count), "utf-8")

    return edit


def without_lines(name: str, beginning: str) -> Callable[[Path], None]:
    """Return an edit: the lines with some beginning are removed from a file."""

    def edit(root: Path) -> None:
        lines = (root / name).read_text("utf-8").splitlines(keepends=True)
        (root / name).write_text("".join(each for each in lines if not each.startswith(beginning)), "utf-8")

    return edit


def other_prelude(root: Path) -> None:
    """Add an act to the first stored prelude, where that has not been done already."""
    path = root / f"preludes/{PRELUDES}{ENDING}"
    text = decompress(path.read_bytes()).decode()
    path.write_bytes(compress(text.replace('"acts": "', '"acts": "A AH; ', 1).encode()))


def removed(root: Path) -> None:
    (root / file_of("cut.equal-cards")).unlink(missing_ok=True)


def restricted(root: Path) -> None:
    """Make the schema of scenarios stricter."""
    path = root / "schemas/scenario.schema.json"
    schema = json.loads(path.read_text("utf-8"))
    schema["properties"]["title"]["maxLength"] = 5
    path.write_text(json.dumps(schema), "utf-8")


BASE, HOYLE = "rulesets/bezique-h2g2.ruleset.yaml", "rulesets/bezique-hoyle.ruleset.yaml"
LEDGER = "sources/hoyle.source.yaml"
RUBICON, CUT = "rulesets/rubicon-hoyle.ruleset.yaml", file_of("cut.equal-cards")
#: Edits with new faults, by what is edited.
FAULTY = {
    "an outcome": replaced(file_of(EXAMPLE), "1: {scores: {A: 40}}", "1: {scores: {A: 50}}"),
    "an outcome with options": replaced(file_of("brisques.ace"), "expect:", "expect: {1: {scores: {A: 70}}} #"),
    "a position": replaced(file_of(EXAMPLE), "A: [KS, QS, JD, AC, ...]", "A: [KS, KS, KS, AC, ...]"),
    "steps": replaced(file_of(EXAMPLE), "cards: [AC, 8C]", "cards: [AC, AH]"),
    "a citation": replaced(file_of(EXAMPLE), "h2g2/declare/different-meld", "h2g2/declare/meld-after-trick"),
    "a scenario": removed,
    "syntax": replaced(CUT, "steps:", "steps: ["),
    "points": replaced(HOYLE, "points: 40", "points: 45", -1),
    "points of a brisque": replaced(HOYLE, "points: {is: 10, cites: [hoyle/bezique/score-brisques", "points: {is: 20, "
                                    "cites: [hoyle/bezique/score-brisques"),
    "points of an extended ruleset": replaced(BASE, "points: 40", "points: 45", -1),
    "points in the census": replaced("rulesets/bezique-britannica.ruleset.yaml", "{is: 10,", "{is: 15,"),
    "sources of a ruleset": replaced(HOYLE, "sources: [hoyle]", "sources: [h2g2]"),
    "house rules": replaced("house/piquet-pagat.yaml", "talon.younger.least", "talon.younger.fewest"),
    "the id of a clause": replaced(LEDGER, "id: hoyle/bezique/to-score-example", "id: hoyle/bezique/new"),
    "what a clause says": replaced(LEDGER, "  says: ", "  says: It is not said here. #"),
    "a schema": restricted,
    "a game": replaced(f"census/{CENSUS}.census.yaml", "acts: ", "acts: 1"),
    "a prelude": other_prelude,
    "inherited outcomes": without_lines("at-work.jsonl", '{"scenario": "brisques.ace"'),
    "the rulesets that may inherit": replaced("at-work.jsonl", '"bezique-hoyle+brisques-at-end", ', ""),
    "ids": without_lines("ids.lock", "scenario cut.equal-cards"),
}  # fmt: skip
#: Edits without faults.
SOUND = {
    "a comment": replaced(file_of(EXAMPLE), "given:", "# A comment.\ngiven:"),
    "a title": replaced(file_of(EXAMPLE), "title: ", "title: Now "),
    "a comment in a ruleset": replaced(HOYLE, "sources:", "# A comment.\nsources:"),
    "the title of a ruleset": replaced(RUBICON, "title: ", "title: Now "),
    "a comment in a ledger": replaced(LEDGER, "clauses:", "# A comment.\nclauses:"),
}
EDITS = {**FAULTY, **SOUND}


@pytest.mark.parametrize(
    "edit", ["an outcome", "points of an extended ruleset", "house rules", "a schema", "a game", "ids"]
)
def test_a_fault_that_an_edit_makes_is_found(spec: Path, edit: str) -> None:
    before = shown(faults_of(spec, stored=True))
    FAULTY[edit](spec)
    after = shown(faults_of(spec, stored=True))
    assert after == shown(faults_of(spec, stored=False))
    assert set(after) - set(before)


@given(rounds=st.lists(st.lists(st.sampled_from([*EDITS]), min_size=1, max_size=3), min_size=1, max_size=2))
@settings(
    deadline=None, max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_after_any_edits_the_faults_are_those_of_a_suite_proved_anew(
    rounds: Sequence[Sequence[str]], proved: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    here = tmp_path_factory.mktemp("edits")
    root = shutil.copytree(proved / "spec", here / "spec")
    shutil.copytree(proved / "kept", here / "kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEPT_IN, str(here / "kept"))
        for edits in rounds:
            for edit in edits:
                EDITS[edit](root)
            assert shown(faults_of(root, stored=True)) == shown(faults_of(root, stored=False))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The checks that are proved, each time that they are."""
    seen: list[str] = []
    plain = prove.check_faults
    monkeypatch.setattr(prove, "check_faults", lambda suite, check: (seen.append(check.id), plain(suite, check))[1])
    return seen


def test_only_what_rests_on_the_edited_file_is_proved(spec: Path, played: list[str]) -> None:
    for edit in ("a comment", "a comment in a ruleset", "the title of a ruleset", "a comment in a ledger"):
        EDITS[edit](spec)
    faults_of(spec, stored=True)
    assert played == []
    EDITS["a title"](spec)
    faults_of(spec, stored=True)
    assert {name.partition("@")[0] for name in played} == {EXAMPLE}
    played.clear()
    EDITS["points of a brisque"](spec)
    faults_of(spec, stored=True)
    assert played
    assert {name.partition("@")[2].partition("+")[0] for name in played} == {"bezique-hoyle"}


def test_what_is_faulty_is_proved_each_time(spec: Path, played: list[str]) -> None:
    EDITS["an outcome"](spec)
    first = shown(faults_of(spec, stored=True))
    assert {name.partition("@")[0] for name in played} == {EXAMPLE}
    played.clear()
    assert shown(faults_of(spec, stored=True)) == first
    assert played == [f"{EXAMPLE}@bezique-bicycle"]


@pytest.mark.posix
@pytest.mark.parametrize("damage", ["other code", "a digit", "permissions"])
def test_proofs_that_cannot_be_trusted_are_made_anew(
    damage: str, spec: Path, tmp_path: Path, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept" / store.FILE
    match damage:
        case "other code":
            monkeypatch.setattr(cache_key, "_code_digests", lambda **_: [("hoyle_reference/rules.py", "0")])
        case "a digit":
            with closing(sqlite3.connect(path)) as database, database:
                database.execute("UPDATE cached SET value = replace(value, '1', '2') WHERE kind = 'proofs'")
        case _:
            path.chmod(0o666)
    faults_of(spec, stored=True)
    assert {name.partition("@")[0] for name in played} == {*SCENARIOS}


def test_proofs_are_stored_when_validation_is_interrupted(spec: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "kept")

    def interrupted() -> Iterator[Diagnostic]:
        raise KeyboardInterrupt
        yield

    def validated() -> None:
        with stored_proofs(spec) as proofs:
            assert proofs.faults(lambda: ["one"], list) == []
            proofs.faults(lambda: ["two"], interrupted)

    with pytest.raises(KeyboardInterrupt):
        validated()
    with stored_proofs(spec) as proofs:
        assert (proofs.holds(lambda: ["one"]), proofs.holds(lambda: ["two"])) == (True, False)


def test_proofs_of_changing_code_are_not_stored(spec: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "kept")
    with stored_proofs(spec) as proofs:
        proofs.note(lambda: ["one"])
        restricted(spec)
    assert not (tmp_path / "kept").exists()


def test_many_scenarios_are_proved_by_several_processes(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    EDITS["an outcome"](spec)
    faults = shown(faults_of(spec, stored=False))
    monkeypatch.setattr(whole_suite, "_FEW", 1)
    for cached in (False, True):
        with stored_proofs(spec) if cached else nullcontext(ALL_ANEW) as proofs:
            suite = read_and_lint(spec, proofs)
            found = Invalid([*suite_faults(suite, proofs), *locked_faults(suite, proofs)]).diagnostics
        assert shown(found) == faults != []
    with stored_proofs(spec) as proofs:
        sound = [each for each in suite.scenarios.values() if each.id != EXAMPLE]
        assert all(proofs.are_stored(partial(prove_scenario, suite, each)) for each in sound)


def test_the_command_stores_its_proofs_unless_the_cache_is_turned_off(
    hoyle: Callable[..., Done], spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept" / store.FILE
    path.unlink()
    with monkeypatch.context() as patched:
        patched.setenv("HOYLE_NO_CACHE", "1")
        anew = hoyle("validate", "--spec", str(spec))
    assert not path.exists()
    first, second = (hoyle("validate", "--spec", str(spec)) for _ in range(2))
    assert path.exists()
    assert anew == first == second
    assert "has no census" in anew.stderr
