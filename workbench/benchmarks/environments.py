"""Steps a second of the library's environments in random play, in one run with those of other libraries.

    python workbench/benchmarks/environments.py

The same is timed for all: an episode is reset, and before each random legal action of a player the position is
observed. A step is an action of a player. An episode of Hoyle is one deal. All play in turn, each in a process of its
own; a figure is the best of several rounds, in processor time.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

import hoyle
from processes import Player, Turn, able, hoyle_player, rates

_TWO: Final = 2  # players


class Peer(NamedTuple):
    """A game of another library, the program of `playing.py` that plays it, and the environments of Hoyle that it is
    compared with."""

    library: str
    program: str
    game: str
    beside: str


class Own(NamedTuple):
    """A ruleset in one kind of Hoyle's environments."""

    ruleset: str
    kind: str


#: The kinds of Hoyle's environments, each with its program.
KINDS: Final = {"PettingZoo": "environment", "OpenSpiel": "observed"}
PEERS: Final = (
    Peer("PettingZoo", "environment", "leduc_holdem_v4", "PettingZoo"),
    Peer("PettingZoo", "environment", "texas_holdem_v4", "PettingZoo"),
    Peer("PettingZoo", "environment", "hanabi_v5", "PettingZoo"),
    Peer("RLCard", "rlcard", "leduc-holdem", "PettingZoo"),
    Peer("RLCard", "rlcard", "gin-rummy", "PettingZoo"),
    Peer("OpenSpiel (Python)", "observed", "python_kuhn_poker", "OpenSpiel"),
    Peer("OpenSpiel (Python)", "observed", "python_liars_poker", "OpenSpiel"),
    Peer("OpenSpiel (C++)", "observed", "gin_rummy", "OpenSpiel"),
)
Figures = Mapping[Own | Peer, float]


def main() -> None:
    """Print the steps a second of Hoyle's environments, and then those of the other libraries."""
    started = {kind: hoyle_player(program) for kind, program in KINDS.items()}
    programs = dict.fromkeys(peer.program for peer in PEERS)
    with able(started) as ours, able({program: Player(program) for program in programs}) as theirs:
        figures = rates(dict(_own_turns(ours)) | dict(_peer_turns(theirs)))
        missing = dict(_missing(theirs))
    print("\nSteps a second of environments in random play, with an observation before each step")
    _print_own(figures)
    _print_peers(figures)
    for name, reason in missing.items():
        print(f"Nothing of {name}: {reason}.")


def game_of(kind: str, ruleset: str) -> str | None:
    """Return the name of a ruleset's game in one kind of environment, or None if there is none."""
    if kind == "PettingZoo":
        return f"hoyle:{ruleset}"
    for_two = len(hoyle.rules(ruleset).players) == _TWO
    return f"hoyle_{ruleset.replace('-', '_')}(deals=1)" if for_two else None


def _own_turns(players: Mapping[str, Player]) -> Iterator[tuple[Own | Peer, Turn]]:
    """Yield what Hoyle plays in a round."""
    for kind, ruleset in ((kind, ruleset) for kind in KINDS for ruleset in hoyle.rulesets()):
        game = game_of(kind, ruleset)
        if game and kind in players:
            yield Own(ruleset, kind), Turn.of(players[kind], game)


def _peer_turns(players: Mapping[str, Player]) -> Iterator[tuple[Own | Peer, Turn]]:
    for peer in PEERS:
        if peer.program in players:
            yield peer, Turn.of(players[peer.program], peer.game)


def _missing(theirs: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what has no figures, with the reason."""
    for peer in PEERS:
        if peer.program not in theirs:
            yield peer.library, "the package is not installed; it may have no wheel for this Python"


def _print_own(figures: Figures) -> None:
    """Print a row for each ruleset."""
    print(f"{'':<26}{''.join(f'{kind:>20}' for kind in KINDS)}")
    for ruleset in hoyle.rulesets():
        cells = (figures.get(Own(ruleset, kind)) for kind in KINDS)
        print(f"{ruleset:<26}{''.join(f'{_number(cell):>20}' for cell in cells)}")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _print_peers(figures: Figures) -> None:
    """Print a row for each game of another library, with how many times as many steps Hoyle's environments make."""
    print(f"\n{'':<26}{'':<20}{'steps/s':>9}{'Hoyle':>18}")
    for peer in PEERS:
        if peer in figures:
            print(f"{peer.library:<26}{peer.game:<20}{figures[peer]:>9,.0f}{_range(figures, peer):>18}")


def _range(figures: Figures, peer: Peer) -> str:
    """Return how many times as many steps Hoyle's environments make: the least and the most of all rulesets."""
    ratios = [rate / figures[peer] for own, rate in figures.items() if isinstance(own, Own) and own.kind == peer.beside]
    return f"{min(ratios):.2f} to {max(ratios):.2f}" if ratios else "-"


if __name__ == "__main__":
    main()
