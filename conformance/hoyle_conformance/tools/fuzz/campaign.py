"""A campaign: games in pieces, shared by processes or a Dask cluster, guided by what the games before have reached."""

import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hoyle_conformance.tools.fuzz.game import Feature, Recipe
from hoyle_conformance.tools.fuzz.piece import Cause, Found, Opponent, Piece, PieceResult, joined, run_piece
from hoyle_reference.frozen import frozen

#: The games of a piece.
GAMES_OF_A_PIECE: Final = 5
#: The pieces of a ruleset before those of the next.
_PIECES_IN_A_ROW: Final = 16
#: The fewest pieces in progress for each ruleset. The number does not depend on that of the processes, so that the
#: results do not either.
_FEWEST_AHEAD: Final = 8
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
    """The results of a campaign so far, by ruleset."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    corpora: dict[str, Corpus] = field(default_factory=dict)
    found: dict[Cause, Found] = field(default_factory=dict)
    readings: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def add(self, result: PieceResult) -> None:
        """Add the results of a piece."""
        self.counts.setdefault(result.ruleset, Counter()).update(result.counts)
        self.corpora.setdefault(result.ruleset, Corpus()).add(result.reached)
        followed = {**dict(self.readings.get(result.ruleset, ())), **dict(result.readings)}
        self.readings[result.ruleset] = tuple(sorted(followed.items()))
        for cause, found in result.found.items():
            self.found[cause] = joined(self.found[cause], found.games) if cause in self.found else found


def run_campaign(
    plan: Plan,
    workers: Callable[[], AbstractContextManager[Executor]],
    corpora: Mapping[str, Iterable[Recipe]],
    progress: Callable[[Campaign], object] = lambda _campaign: None,
) -> Campaign:
    """Run a campaign and return its results; an interruption ends it, and what was found until then is returned.

    `corpora` has recipes of earlier campaigns, which are played first. Raises ProtocolError if the adapter cannot be
    introduced.
    """
    campaign = Campaign()
    try:
        with workers() as pool:
            for result in _results(pool, _pieces(plan, campaign, corpora), len(plan.rulesets)):
                campaign.add(result)
                progress(campaign)
    except KeyboardInterrupt:
        pass
    return campaign


def _results(pool: Executor, pieces: Iterator[Piece], rulesets: int) -> Iterator[PieceResult]:
    """Yield the results of pieces, in order. Few are in progress at first, so that games soon follow what others have
    reached, and later half of those taken, so that many processes can share them."""
    waiting, taken = deque[Future[PieceResult]](), 0
    while True:
        while len(waiting) < max(_FEWEST_AHEAD * rulesets, taken // 2) and (piece := next(pieces, None)):
            waiting.append(pool.submit(run_piece, piece))
            taken += 1
        if not waiting:
            return
        yield waiting.popleft().result()


def _pieces(plan: Plan, campaign: Campaign, corpora: Mapping[str, Iterable[Recipe]]) -> Iterator[Piece]:
    """Yield the pieces, some of each ruleset in turn; each begins with the corpus that the campaign has then."""
    source, left = random.Random(plan.seed), dict.fromkeys(plan.rulesets, plan.games)  # noqa: S311 -- games, no secrets
    earlier = {ruleset: list(corpora.get(ruleset, ())) for ruleset in plan.rulesets}
    while any(left.values()):
        for ruleset in (each for each in plan.rulesets for _ in range(_PIECES_IN_A_ROW) if left[each]):
            count = min(left[ruleset], GAMES_OF_A_PIECE)
            left[ruleset] -= count
            recipes = _recipes(earlier[ruleset], campaign.corpora.get(ruleset) or Corpus(), source, count)
            yield Piece(plan.root, plan.opponent, ruleset, recipes, campaign.readings.get(ruleset, ()))


def _recipes(earlier: list[Recipe], corpus: Corpus, source: random.Random, count: int) -> tuple[Recipe, ...]:
    """Return the next recipes: those of earlier campaigns first."""
    first = [earlier.pop(0) for _ in range(min(count, len(earlier)))]
    return (*first, *(corpus.recipe(source) for _ in range(count - len(first))))
