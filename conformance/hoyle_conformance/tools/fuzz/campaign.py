"""A campaign: games in pieces, shared by processes or a Dask cluster, guided by what the games before have reached."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

from hoyle_conformance.runner.workers import LostWorker, Pool
from hoyle_conformance.tools.fuzz.game import Feature, Recipe
from hoyle_conformance.tools.fuzz.piece import Cause, Found, Opponent, Piece, PieceResult, joined, run_piece
from hoyle_reference.frozen import frozen

#: The games of a piece.
GAMES_OF_A_PIECE: Final = 5
#: The pieces that begin with the same corpus: the results do not depend on the number of processes.
_PIECES_OF_A_ROUND: Final = 16
_LARGEST_SEED: Final = 10**9


@frozen
class Plan:
    """What a campaign is to do: games of each of these rulesets against an engine, from a seed."""

    root: Path
    opponent: Opponent
    rulesets: tuple[str, ...]
    games: int
    seed: int


@dataclass
class Corpus:
    """The games that reached something new: each feature, with the first recipe that reached it and the act."""

    reached: dict[Feature, tuple[Recipe, int]] = field(default_factory=dict)

    def add(self, found: Mapping[Feature, tuple[Recipe, int]]) -> None:
        """Add the features that are new."""
        for feature, at in found.items():
            self.reached.setdefault(feature, at)

    def recipe(self, source: random.Random) -> Recipe:
        """Return a new game, or one that follows another to where it reached something new, and then goes on
        otherwise."""
        seed = source.randrange(_LARGEST_SEED)
        if not self.reached or source.random() < 1 / 3:
            return Recipe(seed)
        recipe, at = source.choice(list(self.reached.values()))
        turns = tuple((act, other) for act, other in recipe.turns if act <= at)
        return Recipe(recipe.seed, (*turns, (at + 1, seed)))

    def lines(self) -> list[str]:
        """Return the recipes, each once, as they are written into a file."""
        return list(dict.fromkeys(str(recipe) for recipe, _ in self.reached.values()))


@dataclass
class Campaign:
    """The results of a campaign so far, by ruleset; `lost` pieces have no results."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    corpora: dict[str, Corpus] = field(default_factory=dict)
    found: dict[Cause, Found] = field(default_factory=dict)
    readings: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    lost: int = 0

    def add(self, result: PieceResult) -> None:
        """Add the results of a piece."""
        self.counts.setdefault(result.ruleset, Counter()).update(result.counts)
        self.corpora.setdefault(result.ruleset, Corpus()).add(result.reached)
        followed = {**dict(self.readings.get(result.ruleset, ())), **dict(result.readings)}
        self.readings[result.ruleset] = tuple(sorted(followed.items()))
        for cause, found in result.found.items():
            self.found[cause] = joined(self.found[cause], found.games) if cause in self.found else found


#: Returns workers, for as long as they are used; called again if one of the last was lost.
Workers = Callable[[], AbstractContextManager[Pool]]


def run_campaign(
    plan: Plan,
    workers: Workers,
    corpora: Mapping[str, Iterable[Recipe]],
    progress: Callable[[Campaign], object] = lambda _campaign: None,
) -> Campaign:
    """Run a campaign and return its results; an interruption ends it, and what was found until then is returned.

    A piece whose worker was lost is run once more, by other workers. `corpora` has recipes of earlier campaigns, which
    are played first. Raises ProtocolError if the adapter cannot be introduced.
    """
    campaign, again = Campaign(), list[Piece]()
    rounds = _rounds(plan, campaign, corpora)
    try:
        while True:
            with workers() as pool:
                for pieces in chain([again] if again else [], rounds):
                    lost = _run_round(pool, pieces, campaign, progress)
                    campaign.lost += sum(piece in again for piece in lost)
                    again = [piece for piece in lost if piece not in again]
                    if lost:
                        break  # and begin again with other workers
                else:
                    return campaign
    except KeyboardInterrupt:
        return campaign


def _rounds(plan: Plan, campaign: Campaign, corpora: Mapping[str, Iterable[Recipe]]) -> Iterator[list[Piece]]:
    """Yield the pieces of each round: some of each ruleset in turn."""
    source, left = random.Random(plan.seed), dict.fromkeys(plan.rulesets, plan.games)  # noqa: S311 -- games, no secrets
    earlier = {ruleset: list(corpora.get(ruleset, ())) for ruleset in plan.rulesets}
    while any(left.values()):
        round_ = list[Piece]()
        for ruleset in (each for each in plan.rulesets if left[each]):
            for _ in range(_PIECES_OF_A_ROUND):
                count = min(left[ruleset], GAMES_OF_A_PIECE)
                left[ruleset] -= count
                recipes = _recipes(earlier[ruleset], campaign.corpora.get(ruleset) or Corpus(), source, count)
                readings = campaign.readings.get(ruleset, ())
                if recipes:
                    round_.append(Piece(plan.root, plan.opponent, ruleset, recipes, readings))
        yield round_


def _recipes(earlier: list[Recipe], corpus: Corpus, source: random.Random, count: int) -> tuple[Recipe, ...]:
    """Return the next recipes: those of earlier campaigns first."""
    first = [earlier.pop(0) for _ in range(min(count, len(earlier)))]
    return (*first, *(corpus.recipe(source) for _ in range(count - len(first))))


def _run_round(
    pool: Pool, pieces: Sequence[Piece], campaign: Campaign, progress: Callable[[Campaign], object]
) -> list[Piece]:
    """Add the results of some pieces to a campaign, in order; return the pieces whose workers were lost."""
    lost = []
    futures = [(piece, pool.submit(run_piece, piece)) for piece in pieces]
    for piece, future in futures:
        try:
            campaign.add(pool.result(future))
        except LostWorker:
            lost.append(piece)
        progress(campaign)
    return lost
