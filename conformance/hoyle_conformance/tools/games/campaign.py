"""A fuzzing campaign: pieces of random games, run against an engine in several processes, and guided by
the features that earlier games reached."""

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.rewrites import claimed_name
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError
from hoyle_conformance.runner.reference_adapter import start_command, start_reference
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.random_game import Feature, FuzzGame, Recipe, Setting, play
from hoyle_conformance.tools.games.shrink import GameDifference, declined, first_difference, suits_better, with_readings
from hoyle_conformance.tools.house_rules import read_house_rules

#: The maximum number of restarts of a broken adapter in one piece.
_MOST_FAULTS: Final = 3
_OBSERVED: Final = "observed"


@dataclass(frozen=True, slots=True)
class Opponent:
    """How to start the engine: its command (none for the built-in reference), its time limit in seconds, its folder if
    not the working folder, and whether it runs in a sandbox."""

    command: tuple[str, ...]
    timeout: float
    folder: Path | None = None
    sandbox: bool = False

    def start(self, suite: Suite) -> Implementation:
        """Return the started adapter, before hello is sent."""
        return (
            start_command(self.command, self.timeout, suite, _ignore, folder=self.folder, sandbox=self.sandbox)
            if self.command
            else start_reference(suite, _ignore)
        )


def _ignore(_line: bytes) -> None:
    """Drop a line of the conversation."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The common features of differing games: the kind of the first differing act, its irregularity and the differing
    observables; or the code of an adapter's fault."""

    ruleset: str
    act: str
    irregularity: str
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The first game with a cause, the place and readings of its difference, and the number of such games."""

    cause: Cause
    recipe: Recipe
    message: Mapping[str, Any]
    difference: GameDifference | None
    readings: tuple[tuple[str, str], ...]
    games: int = 1
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a campaign: the recipes of its games, the readings that the engine has been found to follow, and a
    file of house rules, if any."""

    root: Path
    opponent: Opponent
    ruleset: str
    recipes: tuple[Recipe, ...]
    readings: tuple[tuple[str, str], ...] = ()
    house: Path | None = None


@dataclass
class PieceResult:
    """The results of a piece: the numbers of games, acts, refused and irregular acts and declined games; the
    differences; the recipes that reached a new feature in this piece; and the readings that the engine follows."""

    ruleset: str
    counts: Counter[str] = field(default_factory=Counter)
    found: dict[Cause, Found] = field(default_factory=dict)
    reached: dict[Feature, tuple[Recipe, int]] = field(default_factory=dict)
    readings: tuple[tuple[str, str], ...] = ()

    def add(self, game: FuzzGame) -> None:
        """Count a game, and record the features that it is the first to reach."""
        steps = game.message["steps"]
        self.counts.update(
            games=1,
            acts=len(steps),
            refused=sum(not each["accepted"] for each in game.observed),
            irregular=sum("irregular" in step or step["do"] in {"mishap", "claim"} for step in steps),
        )
        for at, features in enumerate(game.features):
            for feature in features:
                self.reached.setdefault(feature, (game.recipe, at))


@cache
def _suite(root: Path, house: Path | None) -> Suite:
    """Return the suite, opened once in each process, with house rules if there are any."""
    suite = open_suite(root, positions=False)
    return read_house_rules(suite, house).joined(suite) if house else suite


def run_piece(piece: Piece) -> PieceResult:
    """Run the games of a piece and return the results; raise ProtocolError if the adapter sends no valid ready."""
    suite = _suite(piece.root, piece.house)
    adapter = piece.opponent.start(suite)
    try:
        return _PieceRun(suite, adapter, adapter.introduce(), piece).results()
    finally:
        adapter.close()


def setting_of(suite: Suite, info: AdapterInfo, ruleset: str) -> Setting:
    """Return the setting of an engine's games."""
    name = claimed_name(suite, info, ruleset)
    return Setting(ruleset, suite.rules.of(ruleset), suite.capabilities, info.claims, info.position, name)


class _PieceRun:
    """The state of a piece in progress."""

    def __init__(self, suite: Suite, adapter: Implementation, info: AdapterInfo, piece: Piece) -> None:
        self._suite, self._adapter, self._piece = suite, adapter, piece
        self._deals = "deal" in info.claims
        self._setting = with_readings(suite, setting_of(suite, info, piece.ruleset), dict(piece.readings))
        self._result = PieceResult(piece.ruleset, readings=piece.readings)
        self._faults = 0

    def results(self) -> PieceResult:
        for seq, recipe in enumerate(self._piece.recipes, start=1):
            game = play(self._setting, recipe)
            self._result.add(game)
            try:
                response = self._adapter.run(seq, game.message)
            except ProtocolError as fault:
                self._note_fault(game, fault.code, fault.message)
                self._faults += 1
                if self._faults == _MOST_FAULTS:
                    break
                continue
            if response.kind == _OBSERVED:
                self._compare(game, response.steps)
                continue
            self._result.counts["declined"] += 1
            if response.kind == "error":
                self._note_fault(game, response.kind, response.reason)
        return self._result

    def _compare(self, game: FuzzGame, observed: Sequence[Mapping[str, Any]]) -> None:
        """Record the first difference, unless a reading explains it; later games of the piece follow that reading."""
        self._result.counts["declined"] += declined(observed) < len(observed)
        difference = first_difference(game.observed, observed, game.message["observe"], deals=self._deals)
        if difference is None:
            return
        cause = _cause(self._piece.ruleset, game, difference)
        if known := self._result.found.get(cause):
            self._note(known)
            return
        taken = dict(self._result.readings)
        readings, left = suits_better(self._suite, self._setting, taken, game.message, observed, deals=self._deals)
        if left is None:
            self._result.readings = tuple(sorted(readings.items()))
            self._setting = with_readings(self._suite, self._setting, readings)
        else:
            cause = _cause(self._piece.ruleset, game, left)
            self._note(Found(cause, game.recipe, game.message, left, tuple(sorted(readings.items()))))

    def _note_fault(self, game: FuzzGame, code: str, detail: str) -> None:
        self._note(
            Found(Cause(self._piece.ruleset, "", "", (code,)), game.recipe, game.message, None, (), detail=detail)
        )

    def _note(self, found: Found) -> None:
        """Record a find; of a known cause, only that there is one more game."""
        known = self._result.found.get(found.cause)
        self._result.found[found.cause] = joined(known, 1) if known else found


def joined(found: Found, games: int) -> Found:
    """Return a find with this many more games of the same cause."""
    return replace(found, games=found.games + games)


def _cause(ruleset: str, game: FuzzGame, difference: GameDifference) -> Cause:
    step = game.message["steps"][difference.at]
    irregularity = step.get("irregular", step.get("irregularity", ""))
    return Cause(ruleset, str(step["do"]), str(irregularity), difference.keys)


#: The number of games in a piece.
GAMES_OF_A_PIECE: Final = 5
#: The number of successive pieces of one ruleset.
_PIECES_IN_A_ROW: Final = 16
#: The minimum number of pieces in progress for each ruleset. It is independent of the number of processes, and so
#: are the results.
_FEWEST_AHEAD: Final = 8
_LARGEST_SEED: Final = 10**9


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a campaign: games of each of these rulesets against an engine, from a seed, and a file of house
    rules, if any."""

    root: Path
    opponent: Opponent
    rulesets: tuple[str, ...]
    games: int
    seed: int
    house: Path | None = None


@dataclass
class Corpus:
    """The games that reached new features: for each feature, the first recipe that reached it, and the act."""

    reached: dict[Feature, tuple[Recipe, int]] = field(default_factory=dict)

    def add(self, found: Mapping[Feature, tuple[Recipe, int]]) -> None:
        """Add the new features."""
        for feature, at in found.items():
            self.reached.setdefault(feature, at)

    def recipe(self, source: random.Random) -> Recipe:
        """Return a new game, or one that repeats another up to an act that reached a new feature and then continues
        differently."""
        seed = source.randrange(_LARGEST_SEED)
        if not self.reached or source.random() < 1 / 3:
            return Recipe(seed)
        recipe, at = source.choice(list(self.reached.values()))
        turns = tuple((act, other) for act, other in recipe.turns if act <= at)
        return Recipe(recipe.seed, (*turns, (at + 1, seed)))


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
    progress: Callable[[Campaign], object] = lambda _campaign: None,
) -> Campaign:
    """Run a campaign and return its results; if it is interrupted, return the results so far.

    Raise ProtocolError if the adapter sends no valid ready.
    """
    campaign = Campaign()
    try:
        with workers() as pool:
            for result in _results(pool, _pieces(plan, campaign), len(plan.rulesets)):
                campaign.add(result)
                progress(campaign)
    except KeyboardInterrupt:
        pass
    return campaign


def _results(pool: Executor, pieces: Iterator[Piece], rulesets: int) -> Iterator[PieceResult]:
    """Yield the results of pieces, in order. Few pieces are in progress at first, so that games soon build on earlier
    ones; later, the number in progress grows to half of those completed, so that many processes can share them."""
    waiting, taken = deque[Future[PieceResult]](), 0
    while True:
        while len(waiting) < max(_FEWEST_AHEAD * rulesets, taken // 2) and (piece := next(pieces, None)):
            waiting.append(pool.submit(run_piece, piece))
            taken += 1
        if not waiting:
            return
        yield waiting.popleft().result()


def _pieces(plan: Plan, campaign: Campaign) -> Iterator[Piece]:
    """Yield the pieces, several of each ruleset in turn; each begins with the current corpus of the campaign."""
    source, left = random.Random(plan.seed), dict.fromkeys(plan.rulesets, plan.games)  # noqa: S311 -- games, no secrets
    while any(left.values()):
        for ruleset in (each for each in plan.rulesets for _ in range(_PIECES_IN_A_ROW) if left[each]):
            count = min(left[ruleset], GAMES_OF_A_PIECE)
            left[ruleset] -= count
            corpus = campaign.corpora.get(ruleset) or Corpus()
            recipes = tuple(corpus.recipe(source) for _ in range(count))
            yield Piece(plan.root, plan.opponent, ruleset, recipes, campaign.readings.get(ruleset, ()), plan.house)
