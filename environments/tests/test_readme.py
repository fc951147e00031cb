"""The examples of README, and the programs in examples/, do what they show."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
README = (HERE / "README.md").read_text("utf-8")


def test_readme_prints_what_it_shows() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", README, re.DOTALL)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README", "README.md", 0)
    printed: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(example, out=printed.append)
    assert results.attempted > 15
    assert results.failed == 0, "".join(printed)


@pytest.mark.parametrize(("package", "printed"), [("pettingzoo", ""), ("pyspiel", r"\[-?\d+\.0, -?\d+\.0\]\n")])
def test_environments_are_played_as_shown(package: str, printed: str) -> None:
    pytest.importorskip(package, reason="needs the extras (make environments)")
    (code,) = (each for each in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if package in each)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.fullmatch(printed, done.stdout)


@pytest.mark.parametrize("words", [["bot.py"], ["learner.py", "200"]], ids=" ".join)
def test_example_beats_a_random_player(words: list[str]) -> None:
    done = subprocess.run([sys.executable, *words], cwd=HERE / "examples", capture_output=True, text=True, check=True)
    assert int(re.findall(r"leads by (-?\d+) points", done.stdout)[0]) > 0
