"""Programs that play random games, each in a process of its own: Hoyle, as it is and as it was, and its peers."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple, Self, TypeVar

PLAYING: Final = Path(__file__).with_name("playing.py")
#: The deals of which the calls are counted.
COUNTED: Final = 6
ROUNDS: Final = 5
#: How long each plays in a round, in seconds, in whole deals.
SHARE: Final = 0.1
_Name = TypeVar("_Name")


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

    def deals_of_a_share(self, game: str) -> int:
        """Return how many deals take about one share of a round."""
        return max(1, round(SHARE / min(self._ask(game, 2, calls=False)["seconds"] / 2 for _ in range(2))))

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


class Turn(NamedTuple):
    """What one process plays in each round."""

    player: Player
    game: str
    deals: int

    @classmethod
    def of(cls, player: Player, game: str) -> Self:
        """Return a turn that takes about one share of a round."""
        return cls(player, game, player.deals_of_a_share(game))


def rates(turns: Mapping[_Name, Turn]) -> dict[_Name, float]:
    """Return the decisions a second of each, the best of several rounds in which all play in turn."""
    rounds = [{name: turn.player.seconds(turn.game, turn.deals) for name, turn in turns.items()} for _ in range(ROUNDS)]
    return {name: 1 / min(each[name] for each in rounds) for name in turns}


@contextmanager
def able(players: Mapping[_Name, Player]) -> Iterator[dict[_Name, Player]]:
    """Give those that can play here, and end all of them at last."""
    with ExitStack() as stack:
        yield {name: player for name, player in players.items() if stack.enter_context(player).can_play}


def calls_each(env: Mapping[str, str], rulesets: list[str]) -> dict[str, float]:
    """Return the function calls for each decision of some rulesets, with the Hoyle of an environment; nothing if it
    cannot play.

    They are counted in a fresh process, and so are the same on every machine with the same version of Python.
    """
    with Player("hoyle", env) as player:
        return {ruleset: player.calls(ruleset) for ruleset in rulesets} if player.can_play else {}
