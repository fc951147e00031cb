"""The interface as a whole: its names, how long it takes to import, and what it imports."""

import importlib.util
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import hoyle
from conftest import HANGS, need

#: The interface. Programs of others import these names: to change one here is to break them.
NAMES = [
    "Action",
    "ChanceOutcomes",
    "Clause",
    "EngineError",
    "Game",
    "HoyleError",
    "IllegalActionError",
    "InformationState",
    "NotNowError",
    "NotationError",
    "Observation",
    "Position",
    "Rules",
    "RulesError",
    "Ruleset",
    "Run",
    "Scenario",
    "Suite",
    "UnknownNameError",
    "__version__",
    "check",
    "explain",
    "rules",
    "rulesets",
    "suite",
]
#: The public names of each class, inherited ones included.
MEMBERS = {
    "Action": ["cards", "kind", "player", "to_json"],
    "ChanceOutcomes": ["count", "probability", "sample"],
    "Clause": [],
    "Game": [
        "action",
        "actions",
        "apply_action",
        "chance_outcomes",
        "clone",
        "current_player",
        "from_json",
        "from_text",
        "information_state",
        "is_chance_node",
        "is_legal",
        "is_terminal",
        "legal_actions",
        "observation",
        "players",
        "position",
        "returns",
        "rules",
        "sample_chance",
        "scores",
        "to_json",
        "undo",
    ],
    "InformationState": ["to_json"],
    "Observation": ["to_json"],
    "Position": ["from_json", "from_text", "to_json"],
    "Rules": ["clauses", "options", "packs", "players", "ruleset", "values"],
    "Ruleset": [],
    "Run": ["exit_code", "failures", "ok", "record", "report", "results", "totals"],
    "Scenario": ["topic"],
    "Suite": ["checks"],
}
#: The fields of the values.
FIELDS = {
    "Clause": ["id", "source", "where", "kind", "says"],
    "InformationState": ["seat"],
    "Observation": ["seat"],
    "Position": ["rules"],
    "Rules": ["name", "title", "game", "readings"],
    "Ruleset": ["id", "title", "game", "summary", "extends", "options"],
    "Scenario": ["id", "title", "checks", "data"],
    "Suite": ["version", "digest", "rulesets", "clauses", "scenarios"],
}


def test_exported_names_are_these() -> None:
    assert sorted(hoyle.__all__) == NAMES
    assert dir(hoyle) == NAMES


def test_another_name_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'hoyle' has no attribute 'Board'"):
        hoyle.Board  # type: ignore[attr-defined]  # noqa: B018 -- the access is the test


@pytest.mark.parametrize("name", MEMBERS)
def test_members_of_a_class_are_these(name: str) -> None:
    made = getattr(hoyle, name)
    public = [each for each in dir(made) if not each.startswith("_")]
    assert public == MEMBERS[name]
    fields = [each for each in getattr(made, "__dataclass_fields__", ()) if not each.startswith("_")]
    assert fields == FIELDS.get(name, [])
    for each in public:
        assert inspect.getdoc(inspect.getattr_static(made, each)), each


def test_every_class_of_the_interface_is_listed() -> None:
    classes = {name for name in NAMES if inspect.isclass(getattr(hoyle, name))}
    errors = {name for name in classes if issubclass(getattr(hoyle, name), hoyle.HoyleError)}
    assert classes - errors == set(MEMBERS)


def test_import_alone_loads_nothing_else() -> None:
    """Nothing that costs time; the harness only when something of it is needed, not to play."""
    script = (
        "import sys, json; before = {*sys.modules}; import hoyle; first = {*sys.modules} - before; "
        "hoyle.Game; hoyle.Position; then = {*sys.modules}; print(json.dumps([sorted(first), sorted(then)]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS, check=True)
    first, then = json.loads(done.stdout)
    assert first == ["hoyle"]
    assert "hoyle_reference.machine" in then
    assert not [name for name in then if name.startswith("hoyle_conformance")]


#: A program of a user, in which every value has the type that is written.
PROGRAM = """
import random
import hoyle
from hoyle import Game, rules

class Engine:
    rulesets = ["bezique-hoyle"]
    claims = ("winner",)
    def run(self, request: dict[str, object]) -> list[dict[str, str]]:
        return []

def respond(message: dict[str, object]) -> dict[str, object]:
    return {}

game: hoyle.Game = Game(rules("bezique-hoyle", options=["brisques-at-end"], readings={"deal.cut_winner": "deals"}))
game.apply_action(game.sample_chance(random))
game.apply_action(game.sample_chance(random.Random(1)))
actions: tuple[hoyle.Action, ...] = game.legal_actions()
returns: dict[str, int] = game.returns()
seat: str | None = game.current_player()
seen: set[hoyle.Observation | hoyle.InformationState] = {game.observation("A"), game.information_state("A")}
run: hoyle.Run = hoyle.check(Engine(), "bezique-hoyle")
report: str = hoyle.check(respond, ["bezique-hoyle"]).report("html")
says: str = hoyle.suite().clauses["hoyle/bezique/identical-cards"].says
wrong: int = hoyle.explain("tricks.identical-plain-cards")
"""


@pytest.mark.slow
def test_programs_that_use_it_are_typed(tmp_path: Path) -> None:
    need(importlib.util.find_spec("mypy"), "mypy (make lint)")
    (tmp_path / "program.py").write_text(PROGRAM, "utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "program.py"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=HANGS, check=False)
    wrong, total = done.stdout.splitlines()
    assert wrong.startswith(f"program.py:{len(PROGRAM.splitlines())}: error: Incompatible types in assignment")
    assert total == "Found 1 error in 1 file (checked 1 source file)"
