"""What options write: never over anything of the user's, never two at once, and to standard output if that is asked."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import HANGS, READY_MESSAGE, ROOT, Done, lines, timeless
from hoyle_conformance.files.write import lines_to, write_whole

pytestmark = pytest.mark.posix

Hoyle = Callable[..., Done]
#: Few checks, and an adapter that claims nothing of them: what is written matters here, not what it says.
CHECK = ("check", "-s", "cut.*")
ADAPTER_FILE = ROOT / "conformance/adapters/python/tricks.py"
ADAPTER = (sys.executable, str(ADAPTER_FILE))
HEADER = b'{"type": "header", "hoyle": "0.0"}\n'
HELLO = b'{"type":"hello"}\n'
READY = json.dumps({**READY_MESSAGE, "position": "any"})


def process(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hoyle_conformance", *words]
    streams = options or {"capture_output": True}
    return subprocess.run(command, text=True, cwd=ROOT, timeout=HANGS, check=False, **streams)


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with what a user may have there."""
    (tmp_path / "thesis.txt").write_text("ten years of work\n", "utf-8")
    (tmp_path / "known.txt").write_text("tricks.identical-trumps@bezique-hoyle\n", "utf-8")
    (tmp_path / "adapter.py").write_text("raise SystemExit('it was started')\n", "utf-8")
    (tmp_path / "run.jsonl").write_bytes(HEADER)
    (tmp_path / "log.jsonl").write_bytes(HELLO)
    (tmp_path / "mine.yaml").write_text("id: my-rules\nextends: bezique-hoyle\n", "utf-8")
    (tmp_path / "ready.json").write_text(READY, "utf-8")
    (tmp_path / "hard.txt").hardlink_to(tmp_path / "known.txt")
    (tmp_path / "soft.txt").symlink_to("known.txt")
    (tmp_path / "same.py").symlink_to("adapter.py")
    (tmp_path / "dangling").symlink_to("new.jsonl")
    return tmp_path


COMMAND = ("--", sys.executable, "adapter.py")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((*CHECK, "--record", "thesis.txt"), "thesis.txt already exists, and is not the record of a run: name anot"),
        ((*CHECK, "--log", "run.jsonl", *COMMAND), "run.jsonl already exists, and is not the log of a run"),
        ((*CHECK, "--baseline", "known.txt", "--record", "hard.txt"), "would overwrite the file of --baseline"),
        (("check", "--rules", "mine.yaml", "--record", "mine.yaml"), "would overwrite the file of --rules"),
        ((*CHECK, "--record", "same.py", *COMMAND), "would overwrite 'adapter.py'"),
        ((*CHECK, "--record", str(ROOT / "spec/VERSION")), "VERSION, a file of the suite"),
        (("identify", "--write", "mine.yaml", *COMMAND), "mine.yaml already exists: name another file for --write, o"),
        (("identify", "--force", "--write", "adapter.py", *COMMAND), "would overwrite 'adapter.py'"),
        (("new", "rules", "mine.yaml"), "mine.yaml already exists: name another file for FILE, or overwrite it with"),
        ((*CHECK, "--junit", "thesis.txt"), "thesis.txt already exists, and is not a report in JUnit XML"),
        ((*CHECK, "--record", "x" * 300), "file name too long. Name another file."),
        (
            ("new", "rules", "--force", str(ROOT / "spec/rulesets/bezique-hoyle.ruleset.yaml")),
            "ruleset.yaml, a file of the suite: name another file.",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_output_overwrites_no_file_of_the_user(hoyle: Hoyle, here: Path, words: tuple[str, ...], says: str) -> None:
    before = {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()}
    done = hoyle(*words, cwd=here)
    assert says in " ".join(done.stderr.split())
    assert done.returncode == 4
    assert done.stdout == ""
    assert "it was started" not in done.stderr
    assert {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()} == before


@pytest.mark.slow
def test_output_overwrites_a_file_of_its_own_kind(hoyle: Hoyle, here: Path) -> None:
    (here / "empty").touch()
    for record, log in (("run.jsonl", "log.jsonl"), ("empty", "dangling"), ("new", "./-")):
        done = hoyle(*CHECK, "--record", record, "--log", log, "--", *ADAPTER, cwd=here)
        assert done.stderr == ""
        assert [line["type"] for line in lines(here / record)][:: len(lines(here / record)) - 1] == ["header", "footer"]
        assert lines(here / log)[0]["type"] == "hello"
    assert (here / "dangling").is_symlink()
    assert not list(here.glob(".*"))


def test_what_is_written_whole_can_be_written_again(hoyle: Hoyle, here: Path) -> None:
    words = ("new", "rules", "--force", "theirs.yaml")
    first = hoyle(*words, cwd=here)
    path = here / words[-1]
    was = path.read_bytes()
    path.chmod(0o640)
    assert first.returncode == 0
    assert hoyle(*words, cwd=here) == first
    assert path.read_bytes() == was
    assert path.stat().st_mode & 0o777 == 0o640


def test_an_older_record_stays_where_the_adapter_cannot_be_started(hoyle: Hoyle, here: Path) -> None:
    done = hoyle(*CHECK, "--record", "run.jsonl", "--log", "new", "--", "/no/such/adapter", cwd=here)
    assert done.returncode == 2
    assert (here / "run.jsonl").read_bytes() == HEADER
    assert not (here / "new").exists()


@pytest.mark.slow
def test_a_dash_is_standard_output_and_the_report_goes_beside_it(hoyle: Hoyle, here: Path) -> None:
    plain = hoyle(*CHECK, "--record", "new", "--", *ADAPTER, cwd=here)
    done = hoyle(*CHECK, "--record", "-", "--", *ADAPTER, cwd=here)
    (here / "dash").write_text(done.stdout, "utf-8")
    assert timeless(here / "dash") == timeless(here / "new")
    assert done.stderr == plain.stdout
    log = hoyle(*CHECK, "--log", "-", "--", *ADAPTER, cwd=here)
    assert json.loads(log.stdout.splitlines()[0])["type"] == "hello"
    assert log.stderr == plain.stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
@pytest.mark.skipif(not Path("/dev/fd/1").exists(), reason="needs /dev/fd")
def test_standard_output_is_known_by_its_other_names(tmp_path: Path, name: str) -> None:
    with (tmp_path / "out").open("wb") as out:
        done = process(*CHECK, "--record", name, stdout=out, stderr=subprocess.PIPE)
    assert "passed, 0 failed" in done.stderr
    assert [line["type"] for line in lines(tmp_path / "out")][-1] == "footer"


def test_pipes_and_devices_are_written(hoyle: Hoyle, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = (
        "check",
        "-s",
        "cut.equal-cards",
        "--record",
        str(pipe),
    )  # little enough for a pipe that is read afterwards
    nobody = hoyle(*words)
    assert nobody.returncode == 4
    assert f"cannot write {pipe}: nothing reads from it." in " ".join(nobody.stderr.split())
    reads = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    done = hoyle(*words, "--log", "/dev/null", "--", *ADAPTER)
    read = os.read(reads, 1_000_000)
    os.close(reads)
    assert done.stderr == ""
    assert json.loads(read.splitlines()[-1])["type"] == "footer"


def test_two_runs_do_not_write_one_file(hoyle: Hoyle, here: Path) -> None:
    first = lines_to(here / "run.jsonl")
    second = hoyle(*CHECK, "--record", "run.jsonl", cwd=here)
    assert second.returncode == 4
    assert "--record: cannot write run.jsonl: another run is writing it." in " ".join(second.stderr.split())
    first.write(HEADER)
    first.write(b'{"type": "result"}\n')
    first.close()
    assert len(lines(here / "run.jsonl")) == 2
    assert hoyle(*CHECK, "--record", "run.jsonl", cwd=here).returncode == 0


@pytest.mark.slow
def test_what_was_measured_is_there_however_a_run_ends(tmp_path: Path) -> None:
    """It is killed in the middle, by its adapter, past the supervisor: the record holds what came before, no footer."""
    record, adapter = tmp_path / "run.jsonl", tmp_path / "adapter.py"
    text = ADAPTER_FILE.read_text("utf-8")
    loop = "    for line in sys.stdin:\n"
    kills = (
        "    for number, line in enumerate(sys.stdin):\n        number == 9 and os.kill(int(os.environ['VICTIM']), 9)\n"
    )
    assert text.count(loop) == 1
    adapter.write_text(f"import os\n{text.replace(loop, kills)}", "utf-8")
    words = ["check", "-s", "tricks", "--record", str(record), "--", sys.executable, str(adapter)]
    command = 'VICTIM=$$ exec "$@"', "sh", sys.executable, "-m", "hoyle_conformance", *words
    done = subprocess.run(["sh", "-c", *command], cwd=ROOT, timeout=HANGS, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL
    kinds = [line["type"] for line in lines(record)]
    assert kinds[0] == "header"
    assert kinds.count("result") > 5
    assert "footer" not in kinds


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr)
def test_what_cannot_be_written_whole_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "file"
    write_whole(path, "one")

    def full(self: Path, *_: object, **__: object) -> None:
        self.touch()
        raise error

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(type(error)):
        write_whole(path, "two")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert path.read_text("utf-8") == "one"


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", "one")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text("utf-8") == "one"
    write_whole(Path("/dev/null"), "one")
    assert Path("/dev/null").is_char_device()
