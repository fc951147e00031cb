"""The structure of the code: imports go one way, and each thing is stated in one place."""

import ast
import importlib
import json
import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import hoyle_conformance
import hoyle_reference
from conftest import ROOT
from games import acts as random_acts
from hoyle_conformance.checks.cache.store import LAYERS as MAKE_A_SUITE
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.events import EVENT_SENTENCES, SILENT
from hoyle_reference import CHAPTERS, Game, Malformed, Refusal, Rules, compile_cells, new_game, read_act, write_act
from hoyle_reference import events as events_package
from hoyle_reference.acts import Act, Irregular, Partie, Visible, word_of
from hoyle_reference.cells import Cell, Cells, Rule, number
from hoyle_reference.chapters.chapter import Ask, Chapter, Move, during
from hoyle_reference.events import Event, Scored
from hoyle_reference.notation.positions import position_schema
from hoyle_reference.seats import Seat
from hoyle_reference.table.states import Phase
from hoyle_reference.table.table import FIELDS, Table

pytestmark = pytest.mark.interpreter

REFERENCE = Path(hoyle_reference.__file__).parent
CONFORMANCE = Path(hoyle_conformance.__file__).parent
A = Seat(0)

#: The layers of the interpreter, the lowest first. `lint-imports` holds those of the harness.
LAYERS = (
    "frozen",
    "cards",
    "seats",
    "refusals",
    "acts",
    "table",
    "cells",
    "events",
    "chapters",
    "rules",
    "questions",
    "machine",
    "notation",
    "__init__",
)


def sources(package: Path) -> list[Path]:
    return sorted(path for path in package.rglob("*.py") if "spec" not in path.relative_to(package).parts)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path) -> Iterator[str]:
    """The parts of the interpreter that one of its modules imports."""
    here = path.relative_to(REFERENCE).parts[:-1]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.level:
            up = here[: len(here) - node.level + 1]
            parts = [*up, *(node.module or "").split(".")] if node.module else list(up)
            yield from [parts[0]] if parts and parts[0] else [alias.name for alias in node.names]


def test_each_part_of_the_interpreter_imports_only_from_those_below_it() -> None:
    upwards = []
    for path in sources(REFERENCE):
        shown = path.relative_to(REFERENCE).as_posix()
        layer = shown.partition("/")[0].removesuffix(".py")
        for other in imports(path):
            if other not in LAYERS:  # a name that the package has of its own
                continue
            if LAYERS.index(other) > LAYERS.index(layer):
                upwards.append((shown, other))
    assert upwards == []


def test_a_suite_is_cached_under_all_the_code_that_makes_it() -> None:
    reached = {
        module.split(".")[1]
        for path in sources(CONFORMANCE)
        if path.relative_to(CONFORMANCE).parts[0] in MAKE_A_SUITE
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and not node.level and (module := node.module or "").count(".")
        if module.startswith("hoyle_conformance.")
    }
    assert reached == MAKE_A_SUITE


def test_the_interpreter_knows_nothing_but_itself_and_the_standard_library() -> None:
    from sys import stdlib_module_names

    for path in sources(REFERENCE):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= stdlib_module_names, path
            if isinstance(node, ast.ImportFrom) and not node.level:
                assert (node.module or "").partition(".")[0] in stdlib_module_names, path


def test_every_cell_is_read_in_one_place(suite: Suite) -> None:
    """Each path of the vocabulary stands once in the interpreter: a rule and its grounds are one thing."""
    known = {cell.path for name in suite.rules.names for cell in suite.rules.of(name).cells}
    stands: Counter[str] = Counter()
    for path in sources(REFERENCE):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Constant) and node.value in known:
                stands[str(node.value)] += 1
    assert {path: times for path, times in stands.items() if times > 1} == {}
    assert len(stands) > 80


def test_one_file_knows_all_that_a_position_holds() -> None:
    names = {field.name for field in FIELDS}
    for path in [*sources(REFERENCE), *sources(CONFORMANCE)]:
        known = names & set(re.findall(r"\w+", path.read_text("utf-8")))
        assert (known == names) == (path == REFERENCE / "table" / "table.py"), path


def test_every_field_belongs_to_every_game_or_to_some_chapter(suite: Suite) -> None:
    readings = [(ruleset, {}) for ruleset in suite.rulesets]
    readings += [
        (ruleset, {path: name}) for ruleset in suite.rulesets for path, name in suite.rules.other_readings(ruleset)
    ]
    claimed = {name for ruleset, read in readings for name in needed(suite.rules.of(ruleset, read))}
    assert claimed == {field.name for field in FIELDS if not field.everywhere}


def needed(rules: Rules) -> set[str]:
    return {field.name for field in rules.fields if not field.everywhere}


def test_the_schema_of_positions_is_made_from_the_fields() -> None:
    committed = (ROOT / "spec/schemas/position.schema.json").read_text("utf-8")
    assert json.loads(json.dumps(position_schema())) == json.loads(committed), "run 'make schema'"


def all_events() -> list[type]:
    below = pkgutil.iter_modules(events_package.__path__, f"{events_package.__name__}.")
    modules = [events_package, *(importlib.import_module(info.name) for info in below)]
    return [
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and each.__module__ == module.__name__ and each is not Event
        if not each.__subclasses__()  # which has the fields that several events share
    ]


def test_every_event_is_said_in_words() -> None:
    assert set(all_events()) == {*EVENT_SENTENCES, *SILENT}


def test_every_act_and_question_of_the_chapters_is_in_the_schemas(suite: Suite) -> None:
    words = suite.schemas.documents["common"]["$defs"]
    moves = {word_of(move.act) for chapter in CHAPTERS for move in chapter.moves if move.act is not Irregular}
    asks = {word_of(ask.question) for chapter in CHAPTERS for ask in chapter.asks} | {word_of(Visible)}
    assert moves == set(words["do"])
    assert asks == set(words["ask"])


def test_every_option_belongs_to_one_offer() -> None:
    options = [option for chapter in CHAPTERS for offer in chapter.offers for option in offer.choices]
    assert len(options) == len(set(options)) > 0


def test_a_rule_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match="ask for its value"):
        bool(Rule(value=False))


# ---- a made-up chapter touches no other module


@dataclass(frozen=True, slots=True)
class Applaud(Act):
    """A player applauds."""

    by: Seat


@dataclass(frozen=True, slots=True)
class ApplauseRules:
    points: Rule[int]


def read(cells: Cells) -> ApplauseRules:
    return ApplauseRules(cells.rule("applause.points", number))


def refuse_applaud(table: Table, act: Applaud) -> Refusal | None:
    why = table.rules.of(ApplauseRules).points.grounds
    return Refusal("not-your-turn", why) if act.by == table.turn else None


def applaud(table: Table, act: Applaud) -> Iterator[Event]:
    points = table.rules.of(ApplauseRules).points
    yield Scored(act.by, points.value, "applause", points.grounds)


APPLAUSE = Chapter(
    "applause",
    read,
    (
        Move(
            Applaud,
            refuse_applaud,
            applaud,
            during(Phase.PLAY),
            lambda table: [Applaud(Seat(seat)) for seat in range(table.players)],
        ),
    ),
)


def test_a_made_up_chapter_is_one_module(rules: Rules) -> None:
    cells = rules.cells.with_cells([Cell("applause.points", 5, ())])
    game = new_game(compile_cells("with applause", cells, (*CHAPTERS, APPLAUSE)))
    for act in random_acts(game, 1, b"\0"):
        if game.table.phase is Phase.PLAY:
            break
        game.apply(act)
    turn, other = game.table.turn, Seat(1 - game.table.turn)
    assert Applaud(other) in game.legal_actions
    assert [act for act in game.legal_actions if isinstance(act, Applaud)] == [Applaud(other)]
    assert game.attempt(Applaud(turn)) == Refusal("not-your-turn", ("applause.points",))
    spelt = write_act(Applaud(other))
    assert spelt == {"by": "AB"[other], "do": "applaud"}
    before = game.scores[other]
    assert game.attempt(read_act(game.rules, spelt)) == [Scored(other, 5, "applause", ("applause.points",))]
    assert game.scores[other] == before + 5


def test_a_chapter_that_a_table_lacks_is_not_in_the_game(rules: Rules) -> None:
    game = new_game(compile_cells("without applause", rules.cells, (*CHAPTERS, APPLAUSE)))
    with pytest.raises(Malformed, match="no act 'applaud' in this game"):
        game.check(Applaud(A))
    with pytest.raises(Malformed, match="ApplauseRules: the table has no such chapter"):
        game.rules.of(ApplauseRules)
    assert game.rules.get(ApplauseRules) is None


def test_a_chapter_may_ask(rules: Rules) -> None:
    """Questions are found where the chapter is, and nowhere else; the one for a partie, only where games make one."""
    asked = {ask.question for chapter in rules.book for ask in chapter.asks}
    assert asked == {*rules.procedure.asks, Partie}
    assert all(isinstance(ask, Ask) for ask in rules.procedure.asks.values())
    assert isinstance(new_game(rules), Game)
