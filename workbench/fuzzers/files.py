"""Files of the suite and house rules: each mistake has its place, and accepted house rules are printed and played."""

import json
from pathlib import Path
from random import Random
from typing import Final

import fuzz_files
from hoyle import Game, Rules
from hoyle._rules import rules_of
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.read import decode
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import read_house_rules
from hoyle_conformance.wording.rulebook.compose import book
from hoyle_conformance.wording.rulebook_data import comparison_data, rules_data

from .target import Input, Read

_PATHS: Final = {
    "scenario": "spec/scenarios/a/b.scenario.yaml",
    "ruleset": "spec/rulesets/a.ruleset.yaml",
    "source": "spec/sources/a.source.yaml",
    "house": "mine.yaml",
}
#: A census is left out: to prove one is to play its games.
VARIANTS: Final = tuple(_PATHS)
#: So many acts of a game are played by house rules.
_ACTS: Final = 60


def prepare(suite: Suite, folder: Path) -> Read:
    """Return the function that checks a file as `hoyle validate FILE` does, and uses house rules."""
    trial = fuzz_files.trial(suite, folder)

    def read(given: Input) -> None:
        kind = given.variant if given.variant in _PATHS else VARIANTS[0]
        fault = trial.fault(fuzz_files.Mutant(kind, _PATHS[kind], "", given.content, wrong=False))
        assert not fault, fault
        _check_round_trip(given.content)
        if kind == "house":
            _use_house_rules(suite, folder / _PATHS[kind])

    return read


def _check_round_trip(content: bytes) -> None:
    """Check that what is read from YAML is the same when it is written as JSON, which is YAML too."""
    try:
        data = load(decode(content, "file"), "file").data
    except Invalid:
        return
    assert load(json.dumps(data, ensure_ascii=False), "again").data == data


def _use_house_rules(suite: Suite, path: Path) -> None:
    """Print house rules, compare them with those that they extend, and play by them."""
    try:
        house = read_house_rules(suite, path)
    except Invalid:
        return
    name, joined = house.ruleset.id, house.joined(suite)
    book(joined, name)
    rules_data(joined, name)
    comparison_data(joined, [house.base, name], differences=True)
    _play(rules_of(name, house.ruleset.title, house.ruleset.game, {}, joined.rules.cells(name)))


def _play(rules: Rules) -> None:
    """Play the beginning of a game at random, always the same one."""
    game, rng = Game(rules), Random(1)
    for _ in range(_ACTS):
        if game.is_terminal():
            return
        chance = game.is_chance_node()
        game.apply_action(game.sample_chance(rng) if chance else rng.choice(game.legal_actions()))
