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

ERRORS = ["EngineError", "IllegalActionError", "NotNowError", "NotationError", "RulesError", "UnknownNameError"]
#: The methods of rules and games that answer a question.
QUESTIONS = ["ask", "class_winner", "counted", "declarable", "partie", "playable", "reckoning", "ruling", "settlement"]
QUESTIONS += ["trick_points", "winner", "worth"]
#: The public names of each class, inherited ones included. Programs of others use these names: to change one here is to
#: break them.
MEMBERS: dict[str, list[str]] = {
    "Action": ["cards", "from_text", "kind", "player", "to_json"],
    "Answer": [],
    "ChanceOutcomes": ["count", "probability", "sample"],
    "Clause": [],
    "Combination": ["cards", "meld"],
    "Game": [
        "action",
        "actions",
        "apply_action",
        "chance_outcomes",
        "clone",
        "current_player",
        "exchangeable",
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
        "to_text",
        "undo",
        "visible",
        *QUESTIONS,
    ],
    "InformationState": ["to_json"],
    "Observation": ["to_json"],
    "Position": ["from_json", "from_text", "to_json", "to_text"],
    "Rules": ["clauses", "options", "packs", "players", "ruleset", "values", *QUESTIONS],
    "Ruleset": [],
    "Ruling": ["chooses", "choices", "until"],
    "Run": ["exit_code", "failures", "ok", "record", "report", "results", "totals"],
    "Scenario": ["topic"],
    "Settlement": ["points", "winner"],
    "Suite": ["checks"],
    "Worth": ["meld", "points"],
}
#: The fields of the values.
FIELDS = {
    "Answer": ["value", "clauses"],
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
    names = [*MEMBERS, "HoyleError", *ERRORS, "__version__", "check", "explain", "rules", "rulesets", "suite"]
    assert dir(hoyle) == sorted(hoyle.__all__) == sorted(names)
    assert all(getattr(hoyle, name).__base__ is hoyle.HoyleError for name in ERRORS)


def test_another_name_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'hoyle' has no attribute 'Board'"):
        hoyle.Board  # type: ignore[attr-defined]  # noqa: B018 -- the access is the test


@pytest.mark.parametrize("name", MEMBERS)
def test_members_of_a_class_are_these(name: str) -> None:
    made = getattr(hoyle, name)
    public = [each for each in dir(made) if not each.startswith("_")]
    assert [each for each in public if not issubclass(made, tuple) or each not in dir(tuple)] == sorted(MEMBERS[name])
    fields = [each for each in getattr(made, "__dataclass_fields__", ()) if not each.startswith("_")]
    assert fields == FIELDS.get(name, [])
    for each in public:
        assert inspect.getdoc(inspect.getattr_static(made, each)), each


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
answer: hoyle.Answer[hoyle.Settlement] = game.rules.settlement({"A": 1000, "B": 900})
worth: hoyle.Worth | None = game.worth("QS JD", trumps=None).value
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
