"""The examples of the library in the documents are run, and print what is shown."""

import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hoyle
from conftest import HANGS, ROOT

PAGE = ROOT / "docs/library.md"
NOTATION = ROOT / "docs/notation.md"


def test_the_page_prints_what_it_shows() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    printed: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(example, out=printed.append)
    assert results.attempted > 15
    assert results.failed == 0, "".join(printed)


def test_the_reference_is_made_from_the_docstrings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run 'make reference' after a docstring has changed."""
    monkeypatch.syspath_prepend(ROOT / "conformance")
    made = importlib.import_module("library_reference").library_reference()
    assert made == (ROOT / "docs/library-reference.md").read_text("utf-8")
    for name in hoyle.__all__:
        assert name.startswith("_") or f".{name}`\n" in made


@pytest.mark.slow
def test_the_engine_in_pytest_is_checked(tmp_path: Path) -> None:
    """The example passes as it is, and fails with the report where the engine is wrong."""
    (shown,) = re.findall(r'```python title="test_engine.py"\n(.*?)```', PAGE.read_text("utf-8"), re.DOTALL)
    assert len([line for line in shown.splitlines() if line.strip()]) <= 10
    for text, code, said in ((shown, 0, "1 passed"), (shown.replace("10 *", "20 *"), 1, "The answer to 'counted'")):
        (tmp_path / "test_engine.py").write_text(text, "utf-8")
        words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_engine.py"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=HANGS, check=False)
        assert done.returncode == code, done.stdout
        assert said in done.stdout


def test_the_readme_plays_a_game() -> None:
    (shown,) = re.findall(
        r"```python\n(import random, hoyle\n.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
    )
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, timeout=HANGS, check=True)
    assert re.fullmatch(r"\{'A': \d+, 'B': \d+\} \{'A': -?1, 'B': -?1\}\n", done.stdout)


def test_every_action_of_the_notation_is_read(bezique_and_piquet: list[hoyle.Game]) -> None:
    rows = re.findall(
        r"^\| [a-z].*\| (`.*`) \|$", NOTATION.read_text("utf-8").replace("; two cards: ", ", "), re.MULTILINE
    )
    texts = [text for row in rows for text in re.findall(r"`([^`]+)`", row)]
    assert len(texts) > 10
    for text in texts:
        for game in bezique_and_piquet:
            if "#2" not in text or game.rules.packs > 1:
                assert str(game.action(text)) == text


@pytest.fixture
def bezique_and_piquet() -> list[hoyle.Game]:
    return [hoyle.Game(hoyle.rules(name)) for name in ("bezique-hoyle", "piquet-hoyle")]
