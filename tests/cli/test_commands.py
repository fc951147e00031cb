"""The command, as a person uses it: what it prints, and how it ends."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import HANGS, PLAIN, ROOT, Done, golden
from hoyle_conformance import __version__
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.cli import COMMANDS
from hoyle_conformance.cli.group import removed
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate import whole_suite
from hoyle_conformance.tools.validate.inherit import updated_at_work

pytestmark = pytest.mark.slow

OUTPUT = ROOT / "tests/output"


Hoyle = Callable[..., Done]


def process(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, where that is the point."""
    command = [sys.executable, "-m", "hoyle_conformance", *words]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **PLAIN},
        timeout=HANGS,
        check=False,
        encoding="utf-8",
    )


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A spec folder to spoil: all sources and rulesets, of the scenarios those of the cut, and nothing kept of them."""
    folder, lock = tmp_path / "spec", (ROOT / "spec/ids.lock").read_text("utf-8")

    def others(inside: str, names: list[str]) -> list[str]:
        if Path(inside).name == "scenarios":
            return [name for name in names if name != "cut"]
        return ["suite", "preludes"]

    shutil.copytree(ROOT / "spec", folder, ignore=others)
    (folder / "ids.lock").write_text(re.sub(r"^scenario (?!cut\.).*\n", "", lock, flags=re.MULTILINE), "utf-8")
    (folder / "at-work.jsonl").write_text(at_work_in_the_cut(folder), "utf-8")
    return folder


#: What `hoyle validate --lock` writes for such a folder, once for all tests.
_AT_WORK: list[str] = []


def at_work_in_the_cut(folder: Path) -> str:
    if not _AT_WORK:
        whole = (ROOT / "spec/at-work.jsonl").read_text("utf-8")
        of_the_cut = re.sub(r'^{"scenario": "(?!cut\.).*\n', "", whole, flags=re.MULTILINE)
        (folder / "at-work.jsonl").write_text(of_the_cut, "utf-8")
        text, faults, _ = updated_at_work(load_suite(folder, positions=False))
        assert faults == []
        _AT_WORK.append(text)
    return _AT_WORK[0]


def test_the_version() -> None:
    assert process("--version").stdout == f"hoyle {__version__}\n"


def test_the_main_job_ends_with_the_totals_in_any_folder(suite: Suite, tmp_path: Path) -> None:
    done = process("check", "-s", "cut", cwd=tmp_path)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[-1] == f"{len(of_the_cut(suite))} passed, 0 failed, 0 skipped"
    assert lines[0] == f"Hoyle {__version__}, suite {suite.version} ({suite.digest[:8]})"
    assert any(line.startswith("cut") for line in lines)
    assert any("check your own engine" in line for line in lines)


def test_a_known_failure_that_passes_ends_with_1_and_counts_as_passed(hoyle: Hoyle, tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text("tricks.identical-trumps@bezique-hoyle\n")
    done = hoyle("check", "-s", "tricks", "--baseline", str(path))
    assert done.returncode == 1
    assert "UNEXPECTED-PASS  tricks.identical-trumps@bezique-hoyle" in done.stdout
    *_, next_step, among, totals, reason = done.stdout.splitlines()
    assert next_step.startswith("Next: remove from the baseline what passes now")
    assert among == "Among the passed: 1 known failure of the baseline."
    assert re.fullmatch(r"[1-9]\d+ passed, 0 failed, 0 skipped", totals)
    assert reason == "exit 1: 1 known failure now passes; remove its line from the baseline."


def of_the_cut(suite: Suite) -> list[str]:
    """The checks that `hoyle check cut` runs."""
    return [check.id for check in suite.index.checks.values() if check.scenario.topic == "cut"]


def test_a_known_failure_is_no_failure(hoyle: Hoyle, tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text(
        "tricks.identical-trumps@bezique-hoyle\ntricks.identical-plain-cards@bezique-hoyle\n"
        "tricks.identical-aces-led-by-the-dealer@bezique-hoyle\n"
    )
    adapter = [sys.executable, str(ROOT / "tests/faulty_adapters/main.py"), "second-identical-card-wins"]
    words = ["check", "-s", "tricks.identical-*", "-r", "bezique-hoyle", "--baseline", str(path)]
    done = hoyle(*words, "-s", "tricks.need-not-win", *adapter)
    assert done.returncode == 0
    assert done.stdout.endswith(
        "Nothing new: 3 known failures left.\n3 failed as expected\n1 passed, 0 failed, 0 skipped\n"
    )


def test_a_suite_that_is_invalid_is_told_file_by_file(hoyle: Hoyle, spec: Path) -> None:
    (spec / "scenarios/cut/equal-cards.scenario.yaml").write_text("id: cut.equal-cards\n")
    (spec / "scenarios/cut/notes.yaml").write_text("a: b\n")
    done = hoyle("check", "--spec", str(spec))
    assert done.returncode == 5
    assert done.stdout == ""
    assert "spec/scenarios/cut/equal-cards.scenario.yaml:1:1: 'title' is missing in the file" in done.stderr
    assert done.stderr.endswith("mistakes found.\n")
    shutil.copy(ROOT / "spec/scenarios/cut/equal-cards.scenario.yaml", spec / "scenarios/cut/")
    done = hoyle("check", "--spec", str(spec))
    assert "spec/scenarios/cut/notes.yaml:1:1: this file is of an unknown kind, and Hoyle never reads it" in done.stderr


def test_a_draft_with_mistakes_does_not_keep_anybody_from_looking_something_up(hoyle: Hoyle, spec: Path) -> None:
    draft = spec / "scenarios/cut/equal-cards.scenario.yaml"
    draft.write_text(
        draft.read_text("utf-8").replace("britannica/cut/highest-deals", "britannica/cut/highest"), "utf-8"
    )
    for words in (["suite", "list"], ["rules", "bezique-hoyle"], ["explain", "cut.the-same-card"]):
        done = hoyle(*words, "--spec", str(spec))
        assert done.returncode == 0
        assert done.stdout
        assert "cut.equal-cards@" not in done.stdout
        assert done.stderr.startswith("Left out because of mistakes (see 'hoyle validate'): spec/scenarios/cut/equal-")
    assert hoyle("check", "--spec", str(spec)).returncode == 5
    (spec / "sources/bicycle.source.yaml").write_text("id: bicycle\n")
    assert hoyle("suite", "list", "--spec", str(spec)).returncode == 5


def test_a_position_can_be_explained(hoyle: Hoyle) -> None:
    done = hoyle("explain", "to-score.marriage-kept-beside-the-sequence", "-r", "bezique-hoyle")
    assert done.returncode == 0
    golden(OUTPUT / "explain.txt", done.stdout)
    only = hoyle("explain", "last-tricks.ten-and-king@bezique-hoyle+ten-at-whist-rank").stdout
    assert "Under bezique-hoyle+ten-at-whist-rank:" in only
    assert "Under bezique-hoyle:" not in only


def test_a_ruleset_is_a_rule_book(hoyle: Hoyle) -> None:
    done = hoyle("rules", "bezique-hoyle")
    assert done.returncode == 0
    golden(OUTPUT / "rules.txt", done.stdout)
    assert max(map(len, done.stdout.splitlines())) <= 100
    option = hoyle("rules", "bezique-hoyle+brisques-at-end").stdout
    assert "With the option: Brisques counted at the end of the hand." in option
    assert "Brisques are scored at the end of the deal." in option


def test_rulesets_are_printed_side_by_side(hoyle: Hoyle) -> None:
    done = hoyle("rules", "bezique-hoyle", "bezique-britannica", "--differences")
    assert done.returncode == 0
    golden(OUTPUT / "compare.txt", done.stdout)
    whole = hoyle("rules", "bezique-hoyle", "bezique-britannica").stdout
    assert whole.count("≠") == done.stdout.count("≠") > 5
    assert max(map(len, whole.splitlines())) <= 120


def test_lists(hoyle: Hoyle, suite: Suite) -> None:
    assert hoyle("suite", "list", "--ids").stdout.splitlines() == list(suite.index.headings)
    one = hoyle("suite", "list", "checks", "hoyle/bezique/second-seven").stdout
    assert re.search(r"^seven\.second-is-not-exchanged  .*\n    bezique-hoyle", one, re.MULTILINE)
    waived = hoyle("suite", "list", "checks", "hoyle/bezique/hint-risk-an-ace").stdout
    assert "Waived: Advice on what to play." in waived
    assert not hoyle("suite", "list", "checks", "example", "--disputed", "--ids").stdout, "not even an empty line"
    one, other = "piquet-rubicon-parlett", "piquet-rubicon-hoyle"
    answers = {
        name: {each.scenario.id for each in suite.index.checks.values() if each.ruleset == name}
        for name in (one, other)
    }
    ids = hoyle("suite", "list", "--ids", "--ruleset", one, "--without", other).stdout.splitlines()
    assert {line.partition("@")[0] for line in ids} == answers[one] - answers[other] > set()
    some = replace(suite, scenarios=dict(list(suite.scenarios.items())[::20]))  # each is put to each kind of engine
    claims, engines = (hoyle("suite", "list", what, installed=lambda: some).stdout for what in ("claims", "engines"))
    for word in ("tricks", "refuse-play", "winner", "score", "legal_acts"):
        assert re.search(rf"^{word} +[0-9,]+ checks?  [A-Z]", claims, re.MULTILINE), word
    assert re.search(r"who wins a trick +[0-9,]+ checks  winner; position: none$", engines, re.MULTILINE)


@pytest.fixture
def without_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole games have nothing to do with it: that they are proved is tested with the census."""
    monkeypatch.setattr(whole_suite, "prove_censuses", lambda _suite, _proofs: [])


@pytest.mark.usefixtures("without_games")
def test_a_sound_suite_is_valid(hoyle: Hoyle, spec: Path, suite: Suite) -> None:
    """That every scenario of the whole suite proves itself, and no id is lost, is tested with the suite."""
    scenarios = len(list((spec / "scenarios").rglob("*.yaml")))
    counts = f"{scenarios} scenarios, {len(suite.rulesets)} rulesets and {len(suite.clauses):,} clauses"
    done = hoyle("validate", "--spec", str(spec))
    assert (done.returncode, done.stdout) == (0, f"{counts}: all valid.\n")


def test_ids_are_added_to_the_lock_and_never_taken_out(
    hoyle: Hoyle, spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_suite, "prove_censuses", lambda _suite, _proofs: [])
    lock = spec / "ids.lock"
    whole = lock.read_text("utf-8")
    lock.write_text(whole.replace("scenario cut.equal-cards\n", "scenario old.one retired 2026: wrong\n"), "utf-8")
    told = hoyle("validate", "--spec", str(spec))
    assert told.returncode == 5
    assert "the scenario cut.equal-cards is new and not in ids.lock" in told.stderr
    assert hoyle("validate", "--lock", "--spec", str(spec)).returncode == 0
    assert set(lock.read_text("utf-8").splitlines()) == {*whole.splitlines(), "scenario old.one retired 2026: wrong"}


def test_nothing_heavy_is_imported_for_the_version() -> None:
    heavy = ("rich", "yaml", "jsonschema_rs", "hoyle_reference")
    code = f"import sys; import hoyle_conformance.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS, check=True)
    assert done.stdout.strip() == "[]"


def test_a_help_text_has_no_marks_of_the_library_in_it(hoyle: Hoyle) -> None:
    from hoyle_conformance.cli import command_names

    for words in ([], *(name.split() for name in command_names())):
        said = hoyle(*words, "--help").stdout
        assert "Usage: hoyle" in said
        assert "\\" not in said
        assert "\b" not in said


def test_a_folder_of_files_is_checked(hoyle: Hoyle) -> None:
    done = hoyle("validate", "spec/scenarios/cut")
    count = len(list((ROOT / "spec/scenarios/cut").iterdir()))
    assert (done.returncode, done.stdout) == (0, f"{count} files checked and valid.\n")


def test_nothing_is_locked_as_long_as_anything_is_wrong(hoyle: Hoyle, spec: Path) -> None:
    path = spec / "scenarios/cut/new-one.scenario.yaml"
    sound = (spec / "scenarios/cut/equal-cards.scenario.yaml").read_text("utf-8")
    path.write_text(
        sound.replace("cut.equal-cards", "cut.new-one").replace("bicycle/cut/equal-cards", "hoyle/bezique/pack")
    )
    before = (spec / "ids.lock").read_bytes()
    assert hoyle("validate", "--lock", "--spec", str(spec)).returncode == 5
    assert (spec / "ids.lock").read_bytes() == before


def test_a_spec_folder_with_broken_schemas_is_told(hoyle: Hoyle, spec: Path) -> None:
    (spec / "schemas/common.schema.json").unlink()
    done = hoyle("check", "--spec", str(spec))
    assert done.returncode == 5
    assert "cannot read the schema: no such file or directory" in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hello\n", "Line 1: the other side wrote a line that is not JSON: 'hello'."),
        (b'{"type": "run", "seq": 1}\n', "Line 1, 'run': 'ruleset' is missing in the message."),
    ],
)
def test_the_reference_as_an_adapter_tells_what_it_does_not_understand(line: bytes, message: str) -> None:
    command = [sys.executable, "-m", "hoyle_conformance", "suite", "serve"]
    done = subprocess.run(command, input=line, capture_output=True, cwd=ROOT, timeout=HANGS, check=False)
    assert done.returncode == 4
    assert message in " ".join(done.stderr.decode().split())


@pytest.mark.posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_record_that_cannot_be_written_does_not_lose_the_report(suite: Suite) -> None:
    done = process("check", "-s", "cut", "--record", "/dev/full")
    assert done.returncode == 4
    assert f"{len(of_the_cut(suite))} passed, 0 failed, 0 skipped" in done.stdout
    assert done.stderr == "Not everything could be written. /dev/full: no space left on device.\n"


@pytest.mark.posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_that_cannot_be_written_is_no_result() -> None:
    command = f"{sys.executable} -m hoyle_conformance check -s cut > /dev/full"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, timeout=HANGS, check=False)
    assert done.returncode == 74
    assert done.stderr == "Hoyle cannot continue: standard output: no space left on device.\n"


# ---- help


def test_the_overview_fits_one_screen(hoyle: Hoyle) -> None:
    said = hoyle("--help").stdout
    lines = said.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert all(f"\n  {name} " in said for section in COMMANDS.values() for name in section)


@pytest.mark.parametrize("words", [["check"], ["suite", "list"]], ids=" ".join)
def test_help_before_a_command_is_its_help(hoyle: Hoyle, words: list[str]) -> None:
    done = hoyle("help", *words)
    assert (done.returncode, done.stdout) == (0, hoyle(*words, "--help").stdout)


def test_a_removed_option_is_answered_with_what_to_do_instead(hoyle: Hoyle) -> None:
    for (command, name), instead in removed().items():
        done = hoyle(*(command or ("check" if name.startswith("-") else "")).split(), name)
        assert (done.returncode, done.stderr.splitlines()[-1]) == (4, f"Error: {name} has been removed. {instead}")
