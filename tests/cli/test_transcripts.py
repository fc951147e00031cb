"""`hoyle check --transcript`: an engine that only logs games, its report, and the exit codes."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import HANGS, ROOT, Done, golden

Hoyle = Callable[..., Done]
SELFPLAY = ROOT / "conformance/adapters/transcripts/selfplay.py"
OUTPUT = ROOT / "tests/output"
#: Games of the example engine, of which the seventh has a sequence in a plain suit.
GAMES = range(1, 9)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with games that the example engine has written down."""
    folder = tmp_path_factory.mktemp("games")
    for number in GAMES:
        done = subprocess.run(
            [sys.executable, SELFPLAY, str(number)], stdout=subprocess.PIPE, timeout=HANGS, check=True
        )
        (folder / f"game-{number}.jsonl").write_bytes(done.stdout)
    return folder


@pytest.mark.whole
def test_an_engine_that_only_logs_games_has_its_bug_reported(hoyle: Hoyle, logged: Path) -> None:
    done = hoyle("check", "--transcript", ".", cwd=logged, together=True)
    golden(OUTPUT / "check-transcript.txt", done.stdout)
    assert done.returncode == 1


@pytest.mark.whole
def test_house_rules_judge_what_the_engine_is_meant_to_play(hoyle: Hoyle, logged: Path, tmp_path: Path) -> None:
    rules = tmp_path / "mine.yaml"
    rules.write_text("id: mine\ntitle: Mine\nextends: bezique-hoyle\nrules:\n  score.last_trick.points: 20\n", "utf-8")
    done = hoyle("check", "--rules", str(rules), "--transcript", "game-1.jsonl", cwd=logged)
    assert done.returncode == 1
    assert "line 115 differs" in done.stdout


def test_identify_needs_no_ruleset_for_transcripts(hoyle: Hoyle, logged: Path) -> None:
    done = hoyle("identify", "-r", "bezique-hoyle", "--transcript", ".", cwd=logged)
    assert done.returncode == 4
    assert "--transcript and --ruleset cannot be combined" in done.stderr or "-r cannot be combined" in done.stderr


NO_DEAL = '{"game": 1, "ruleset": "bezique-hoyle"}\n{"by": "A", "do": "play", "card": "KS"}\n'
WRONG = {
    "no-ruleset.jsonl": ('{"game": 1}\n{"by": "A", "do": "play", "card": "KS"}\n', "does not name its ruleset"),
    "no-deal.jsonl": (NO_DEAL, "neither its cut nor its deal"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_cannot_be_judged_ends_with_4(hoyle: Hoyle, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(WRONG[name][0], encoding="utf-8")
    done = hoyle("check", "--transcript", name, cwd=tmp_path)
    assert done.returncode == 4
    assert WRONG[name][1] in done.stderr
    assert f"{name}:" in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [(("./adapter",), "needs no COMMAND"), (("-r", "bezique-hoyle", "-r", "piquet-hoyle"), "give -r once")],
)
def test_what_needs_an_engine_is_refused(hoyle: Hoyle, logged: Path, words: tuple[str, ...], says: str) -> None:
    done = hoyle("check", "--transcript", ".", *words, cwd=logged)
    assert done.returncode == 4
    assert says in done.stderr
