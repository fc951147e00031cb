"""A piece of a campaign: some games of one ruleset, run against one adapter."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.reference_adapter import start_command, start_reference
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.fuzz.compare import GameDifference, declined, first_difference, suits_better, with_readings
from hoyle_conformance.tools.fuzz.game import Feature, FuzzGame, Recipe, Setting, play
from hoyle_reference.frozen import frozen

#: How often a broken adapter is started again in one piece.
_MOST_FAULTS: Final = 3
_OBSERVED: Final = "observed"


@frozen
class Opponent:
    """How to start the engine: a command, or nothing for the built-in reference; its time limit in seconds; the folder
    that it runs in, if that is not the working folder; and whether that is in a sandbox."""

    command: tuple[str, ...]
    timeout: float
    folder: Path | None = None
    sandbox: bool = False

    def start(self, suite: Suite) -> Implementation:
        """Return the adapter, not introduced yet."""
        return (
            start_command(self.command, self.timeout, suite, _ignore, folder=self.folder, sandbox=self.sandbox)
            if self.command
            else start_reference(suite, _ignore)
        )


def _ignore(_line: bytes) -> None:
    """Drop a line of the conversation."""


@frozen
class Cause:
    """What games that differ have in common: the kind of act after which they differ first, the irregularity in it, and
    the observables that differ; or the code of a fault of the adapter."""

    ruleset: str
    act: str
    irregularity: str
    differs: tuple[str, ...]


@frozen
class Found:
    """The first game with a cause, where it differs, under which readings, and the number of such games."""

    cause: Cause
    recipe: Recipe
    message: Mapping[str, Any]
    difference: GameDifference | None
    readings: tuple[tuple[str, str], ...]
    games: int = 1
    detail: str = ""


@frozen
class Piece:
    """The games of a piece, by their recipes, under the readings that the engine has been found to follow."""

    root: Path
    opponent: Opponent
    ruleset: str
    recipes: tuple[Recipe, ...]
    readings: tuple[tuple[str, str], ...] = ()


@dataclass
class PieceResult:
    """The results of a piece: the numbers of its games, acts, refused and irregular acts and declined games; what
    differs; the recipes that reached something new for this piece; and the readings that the engine follows."""

    ruleset: str
    counts: Counter[str] = field(default_factory=Counter)
    found: dict[Cause, Found] = field(default_factory=dict)
    reached: dict[Feature, tuple[Recipe, int]] = field(default_factory=dict)
    readings: tuple[tuple[str, str], ...] = ()

    def add(self, game: FuzzGame) -> None:
        """Count a game, and note what it reached first."""
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
def _suite(root: Path) -> Suite:
    """Return the suite, opened once in each process."""
    return open_suite(root, positions=False)


def run_piece(piece: Piece) -> PieceResult:
    """Run the games of a piece and return what was found; raises ProtocolError if the adapter cannot be introduced."""
    suite = _suite(piece.root)
    adapter = piece.opponent.start(suite)
    try:
        return _PieceRun(suite, adapter, adapter.introduce(), piece).results()
    finally:
        adapter.close()


def setting_of(suite: Suite, info: AdapterInfo, ruleset: str) -> Setting:
    """Return the setting of an engine's games."""
    return Setting(ruleset, suite.rules.of(ruleset), suite.capabilities, info.claims, info.position)


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
                self._note(game, None, (), fault.code, fault.message)
                self._faults += 1
                if self._faults == _MOST_FAULTS:
                    break
                continue
            if response.kind != _OBSERVED:
                self._decline(game, response.kind, response.reason)
            else:
                self._compare(game, response.steps)
        return self._result

    def _decline(self, game: FuzzGame, kind: str, reason: str) -> None:
        self._result.counts["declined"] += 1
        if kind == "error":
            self._note(game, None, (), kind, reason)

    def _compare(self, game: FuzzGame, observed: Sequence[Mapping[str, Any]]) -> None:
        """Note the first difference, if no reading explains it; a reading that does is followed from here on."""
        self._result.counts["declined"] += declined(observed) < len(observed)
        difference = first_difference(game.observed, observed, game.message["observe"], deals=self._deals)
        if difference is None:
            return
        if (cause := _cause(self._piece.ruleset, game, difference)) in self._result.found:
            self._again(cause)
            return
        taken = dict(self._result.readings)
        readings, left = suits_better(self._suite, self._setting, taken, game.message, observed, deals=self._deals)
        if left is None:
            self._result.readings = tuple(sorted(readings.items()))
            self._setting = with_readings(self._suite, self._setting, readings)
        else:
            self._note(game, left, tuple(sorted(readings.items())))

    def _note(
        self,
        game: FuzzGame,
        difference: GameDifference | None,
        readings: tuple[tuple[str, str], ...],
        code: str = "",
        detail: str = "",
    ) -> None:
        ruleset = self._piece.ruleset
        cause = _cause(ruleset, game, difference) if difference else Cause(ruleset, "", "", (code,))
        if cause in self._result.found:
            self._again(cause)
        else:
            found = Found(cause, game.recipe, game.message, difference, readings, detail=detail)
            self._result.found[cause] = found

    def _again(self, cause: Cause) -> None:
        self._result.found[cause] = joined(self._result.found[cause], 1)


def joined(found: Found, games: int) -> Found:
    """Return a find with the number of games that have its cause raised."""
    return replace(found, games=found.games + games)


def _cause(ruleset: str, game: FuzzGame, difference: GameDifference) -> Cause:
    step = game.message["steps"][difference.at]
    irregularity = step.get("irregular", step.get("irregularity", ""))
    return Cause(ruleset, str(step["do"]), str(irregularity), difference.keys)
