"""Programs that play random games, each in a process of its own: Hoyle, as it is and as it was, and its peers."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Self

PLAYING = Path(__file__).with_name("playing.py")
#: The deals of which the calls are counted.
COUNTED = 6


class Player:
    """A process of `playing.py`."""

    def __init__(self, program: str, env: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, PLAYING, program], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout, "it is a pipe"
        #: Whether the program and its packages are there.
        self.can_play = bool(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin, "it is a pipe"
        self._process.stdin.close()
        self._process.wait()

    def seconds(self, game: str, deals: int) -> float:
        """Return the processor time for each decision in so many deals, in seconds."""
        answer = self._ask(game, deals, calls=False)
        return answer["seconds"] / answer["decisions"]

    def seconds_of_a_deal(self, game: str) -> float:
        """Return the processor time for a deal, in seconds."""
        return self._ask(game, 2, calls=False)["seconds"] / 2

    def calls(self, game: str) -> float:
        """Return the function calls for each decision."""
        answer = self._ask(game, COUNTED, calls=True)
        return answer["calls"] / answer["decisions"]

    def _ask(self, game: str, deals: int, *, calls: bool) -> dict[str, float]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin, "it is a pipe"
        assert stdout, "it is a pipe"
        stdin.write(json.dumps({"game": game, "deals": deals, "calls": calls}) + "\n")
        stdin.flush()
        answer: dict[str, float] = json.loads(stdout.readline())
        return answer


def calls_each(env: Mapping[str, str], rulesets: list[str]) -> dict[str, float]:
    """Return the function calls for each decision of some rulesets, with the Hoyle of an environment; nothing if it
    cannot play.

    They are counted in a fresh process, and so are the same on every machine with the same version of Python.
    """
    with Player("hoyle", env) as player:
        return {ruleset: player.calls(ruleset) for ruleset in rulesets} if player.can_play else {}
