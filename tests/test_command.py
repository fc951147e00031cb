"""The command, as a person uses it: what it prints, and how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, golden
from hoyle_conformance import __version__
from hoyle_conformance.suite.load import Suite

OUTPUT = Path(__file__).parent / "output"


def hoyle(*words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "hoyle_conformance", *words]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=60, check=False, encoding="utf-8"
    )


def test_the_version() -> None:
    assert hoyle("--version").stdout == f"hoyle {__version__}\n"


def test_the_main_job_ends_with_the_totals(suite: Suite) -> None:
    done = hoyle("check")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[-1] == f"{len(suite.checks)} passed, 0 failed, 0 skipped"
    assert lines[0] == f"Hoyle {__version__}, suite {suite.version} ({suite.digest[:8]})"
    for topic in {scenario.topic for scenario in suite.scenarios.values()}:
        assert any(line.startswith(topic) for line in lines), topic
    assert any("hold your own engine" in line for line in lines)


def test_it_works_from_any_folder(tmp_path: Path) -> None:
    assert hoyle("check", "cut", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chek"], "No such command 'chek'. Did you mean 'check'?"),
        (["check", "trick.identical-trumps"], "no check fits 'trick.identical-trumps'. Did you mean"),
        (["check", "--ruleset", "bezique-hoile"], "no ruleset 'bezique-hoile'. Did you mean 'bezique-hoyle'?"),
        (["check", "--topic", "sevens"], "no topic 'sevens'. Did you mean 'seven'?"),
        (["check", "--clause", "hoyle/none"], "no clause 'hoyle/none'."),
        (["check", "--"], "A command must follow '--'."),
        (["check", "--timeout", "0"], "0.0 is not in the range x>=0.01"),
        (["check", "--timeout", "soon"], "'soon' is not a valid float range"),
        (["check", "--baseline", "none.txt"], "File 'none.txt' does not exist"),
        (["check", "--record", "/no/such/folder/x"], "No such file or directory"),
        (["check", "--spec", "docs"], "docs is not a spec folder: it has no VERSION."),
        (["check", "--fast"], "--fast"),
        (["explain", "to-score.example"], "No scenario 'to-score.example'. Did you mean 'to-score.the-example'?"),
        (["explain", "cut.equal-cards", "-r", "x"], "The scenario says nothing of 'x', only of: bezique-hoyle."),
        (["explain"], "Missing argument 'SCENARIO'."),
        (["rules", "bezique"], "no ruleset 'bezique' (there are: bezique-hoyle)."),
        (["rules", "bezique-hoyle+none"], "no option 'none' (it has: brisques-at-end, ten-at-whist-rank)."),
        (["list", "games"], "'games' is not one of"),
        (["list", "--topic", "none"], "no topic 'none'."),
        (["build", "--output", "/no/such/folder/x"], "Cannot write /no/such/folder/x: no such file or directory."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_call_gets_one_clear_message(words: list[str], message: str) -> None:
    done = hoyle(*words)
    assert done.returncode == 4
    assert done.stdout == ""
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_baseline_that_names_no_check_is_wrong_usage(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text("tricks.identical-trump@bezique-hoyle\n")
    done = hoyle("check", "--baseline", str(path))
    assert done.returncode == 4
    assert "known.txt:1:1: no check 'tricks.identical-trump@bezique-hoyle'" in done.stderr
    assert "Did you mean 'tricks.identical-trumps@bezique-hoyle'?" in done.stderr


def test_a_known_failure_that_passes_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text("tricks.identical-trumps@bezique-hoyle\n")
    done = hoyle("check", "tricks", "--baseline", str(path))
    assert done.returncode == 1
    assert "UNEXPECTED-PASS  tricks.identical-trumps@bezique-hoyle" in done.stdout
    assert "Among them: unexpected-pass 1." in done.stdout


def test_a_known_failure_is_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "known.txt"
    path.write_text(
        "tricks.identical-trumps@bezique-hoyle\ntricks.identical-plain-cards@bezique-hoyle\n"
        "tricks.identical-aces-led-by-the-dealer@bezique-hoyle\n"
    )
    animal = [sys.executable, str(ROOT / "tests/zoo/animals.py"), "second-identical-card-wins"]
    done = hoyle("check", "tricks.*", "--baseline", str(path), "--", *animal)
    assert done.returncode == 0
    assert "Among them: expected-failure 3." in done.stdout


def test_a_suite_that_is_invalid_is_told_file_by_file(tmp_path: Path) -> None:
    import shutil

    spec = tmp_path / "spec"
    shutil.copytree(ROOT / "spec", spec)
    (spec / "scenarios/cut/equal-cards.scenario.yaml").write_text("id: cut.equal-cards\n")
    (spec / "scenarios/cut/notes.yaml").write_text("a: b\n")
    done = hoyle("check", "--spec", str(spec))
    assert done.returncode == 5
    assert done.stdout == ""
    assert "spec/scenarios/cut/equal-cards.scenario.yaml:1:1: 'title' is missing in the file" in done.stderr
    assert done.stderr.endswith("mistakes found.\n")
    shutil.copy(ROOT / "spec/scenarios/cut/equal-cards.scenario.yaml", spec / "scenarios/cut/")
    done = hoyle("check", "--spec", str(spec))
    assert "spec/scenarios/cut/notes.yaml:1:1: this file is of no known kind and is never read" in done.stderr


def test_two_files_with_one_id_are_told(tmp_path: Path) -> None:
    import shutil

    spec = tmp_path / "spec"
    shutil.copytree(ROOT / "spec", spec)
    shutil.copy(spec / "scenarios/cut/equal-cards.scenario.yaml", spec / "scenarios/cut/equal-cards-too.scenario.yaml")
    done = hoyle("check", "--spec", str(spec))
    assert done.returncode == 5
    assert "the id 'cut.equal-cards' is already in use" in done.stderr


def test_the_record_and_the_log_of_a_run(tmp_path: Path) -> None:
    record, log = tmp_path / "run.jsonl", tmp_path / "messages.jsonl"
    adapter = [sys.executable, str(ROOT / "conformance/adapters/python/tricks.py")]
    done = hoyle("check", "tricks", "--record", str(record), "--log", str(log), "--", *adapter)
    assert done.returncode == 0
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    assert lines[0]["implementation"]["command"] == adapter
    assert lines[-1]["type"] == "footer"
    messages = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [message["type"] for message in messages[:4]] == ["hello", "ready", "run", "observed"]
    assert messages[-1] == {"type": "bye"}


def test_a_position_can_be_explained() -> None:
    done = hoyle("explain", "to-score.marriage-kept-beside-the-sequence")
    assert done.returncode == 0
    golden(OUTPUT / "explain.txt", done.stdout)
    only = hoyle("explain", "last-tricks.ten-and-king@bezique-hoyle+ten-at-whist-rank").stdout
    assert "Under bezique-hoyle+ten-at-whist-rank:" in only
    assert "Under bezique-hoyle:" not in only


def test_a_ruleset_is_a_rule_book() -> None:
    done = hoyle("rules", "bezique-hoyle")
    assert done.returncode == 0
    golden(OUTPUT / "rules.txt", done.stdout)
    assert max(map(len, done.stdout.splitlines())) <= 100
    option = hoyle("rules", "bezique-hoyle+brisques-at-end").stdout
    assert "With the option: Brisques counted at the end of the hand." in option
    assert "They are scored at the end of the deal." in option


def test_lists(suite: Suite) -> None:
    assert len(hoyle("list").stdout.splitlines()) == len(suite.checks)
    one = hoyle("list", "--clause", "hoyle/bezique/second-seven").stdout
    assert "seven.second-is-not-exchanged@bezique-hoyle" in one
    waived = hoyle("list", "--clause", "hoyle/bezique/hint-risk-an-ace").stdout
    assert "Waived: Advice on what to play." in waived
    borrowed = hoyle("list", "--clause", "bicycle/scores/bezique").stdout
    assert "Its source's ledger is not complete yet" in borrowed
    assert all("reading(" in line for line in hoyle("list", "--disputed").stdout.splitlines())
    assert "hoyle/bezique/cut " in hoyle("list", "clauses").stdout
    assert "bezique-hoyle+ten-at-whist-rank" in hoyle("list", "rulesets").stdout
    assert "seven" in hoyle("list", "topics").stdout


def test_the_suite_is_valid_and_can_be_built(tmp_path: Path) -> None:
    assert hoyle("validate").stdout.endswith("are sound.\n")
    path = tmp_path / "suite.json"
    assert hoyle("build", "-o", str(path)).stdout == f"Wrote {path}.\n"
    assert json.loads(path.read_text("utf-8")) == json.loads(hoyle("build").stdout)


def test_ids_are_added_to_the_lock_and_never_taken_out(tmp_path: Path) -> None:
    import shutil

    spec = tmp_path / "spec"
    shutil.copytree(ROOT / "spec", spec)
    lock = spec / "ids.lock"
    whole = lock.read_text("utf-8")
    lock.write_text(whole.replace("scenario cut.equal-cards\n", "scenario old.one retired 2026: wrong\n"), "utf-8")
    told = hoyle("validate", "--spec", str(spec))
    assert told.returncode == 5
    assert "the scenario cut.equal-cards is new and not in ids.lock" in told.stderr
    assert hoyle("validate", "--lock", "--spec", str(spec)).returncode == 0
    assert set(lock.read_text("utf-8").splitlines()) == {*whole.splitlines(), "scenario old.one retired 2026: wrong"}


def test_a_closed_pipe_is_no_crash() -> None:
    command = f"{sys.executable} -m hoyle_conformance list | head -n 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_a_terminal_without_card_symbols_is_no_crash() -> None:
    animal = [sys.executable, "tests/zoo/animals.py", "second-identical-card-wins"]
    command = [sys.executable, "-m", "hoyle_conformance", "check", "tricks.identical-trumps", "--", *animal]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=60, check=False)
    assert done.returncode == 1
    assert "Who wins the trick K? K?" in done.stdout


def test_nothing_heavy_is_imported_for_the_version() -> None:
    heavy = ("rich", "yaml", "jsonschema_rs", "hoyle_reference")
    code = f"import sys; import hoyle_conformance.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
