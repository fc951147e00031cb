"""The semantics define every word of the vocabulary once, and each paragraph names scenarios that show it."""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator

import pytest

from conftest import ROOT
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.runner.select import CENSUS
from hoyle_conformance.suite.semantics import (
    DEAL,
    RUNGS,
    SemanticParagraph,
    defined_in,
    documents,
    paragraphs,
)
from hoyle_conformance.suite.suite import Suite
from protocol_pages import rules_of, vocabulary, written
from reading_lists import needed_by

SPEC = ROOT / "spec"
CHAPTERS = ROOT / "reference_impl/hoyle_reference/chapters"
PARAGRAPHS = list(paragraphs(SPEC))
BY_ID = {paragraph.id: paragraph for paragraph in PARAGRAPHS}
SCHEMAS = Schemas(SPEC / "schemas")
#: Chapters of notation and convention: what they say is not shown by one scenario.
CONVENTIONS = frozenset({"general"})
#: Modules of chapters that hold no rule of their own.
NO_RULE = frozenset({*(f"{folder}__init__.py" for folder in ("", "calling/", "declare/", "referee/"))})


def facts(name: str) -> list[str]:
    return [word for paragraph in PARAGRAPHS for word in paragraph.facts.get(name, ())]


def words(kind: str) -> list[str]:
    known = SCHEMAS.documents["common"]["$defs"][kind]
    return list(known.get("enum", known))


def test_generated_schemas_are_those_of_the_vocabulary() -> None:
    for path, text in written(SPEC, SCHEMAS):
        assert path.read_text("utf-8") == text, "run 'make protocol'"
    assert vocabulary(SPEC, SCHEMAS).keys() == dict(rules_of(SCHEMAS)).keys()


def test_every_cell_links_to_its_paragraph() -> None:
    assert [path for path, schema in rules_of(SCHEMAS) if "$comment" not in schema] == []


def test_every_cell_is_defined_once() -> None:
    defined = Counter(path for paragraph in PARAGRAPHS for path in paragraph.cells)
    assert defined == Counter(path for path, _ in rules_of(SCHEMAS))


def values_of_rules() -> Iterator[tuple[str, str]]:
    """The values of every cell that has several; the generated table says all there is to say of a single one."""
    for path, schema in rules_of(SCHEMAS):
        values = schema["properties"]["is"].get("enum", ()) if "properties" in schema else ()
        yield from ((path, value) for value in values if len(values) > 1)


def test_every_value_is_explained_where_its_cell_is_defined() -> None:
    defined = defined_in(SPEC)
    assert [(path, value) for path, value in values_of_rules() if f"`{value}`" not in defined[path].by_hand] == []


def words_of_rows() -> Iterator[tuple[str, str]]:
    for path, schema in rules_of(SCHEMAS):
        if schema.get("type") == "array":
            row = SCHEMAS.documents["ruleset"]["$defs"][schema["items"]["$ref"].rpartition("/")[2]]
            yield from ((path, word) for word in sorted(set(_words_in(row))))


def _words_in(schema: dict) -> Iterator[str]:
    for name, each in schema["properties"].items():
        items = each.get("items", each)
        yield name
        yield from (str(word) for word in items.get("enum", ()))
        if "properties" in items:
            yield from _words_in(items)


def test_every_key_and_value_of_a_row_is_explained() -> None:
    for path, word in words_of_rows():
        document = defined_in(SPEC)[path].document
        assert any(f"`{word}`" in each.by_hand for each in PARAGRAPHS if each.document == document), (path, word)


@pytest.mark.parametrize(("fact", "kind"), [("Act", "do"), ("Question", "ask"), ("Phase", "phase")])
def test_every_act_question_and_phase_is_defined_once_for_a_game(fact: str, kind: str) -> None:
    defined_once_for_a_game(fact, words(kind))


def test_every_field_of_a_position_is_defined_once_for_a_game() -> None:
    defined_once_for_a_game("Fields", SCHEMAS.documents["position"]["properties"])


def defined_once_for_a_game(fact: str, known: Collection[str]) -> None:
    """Bézique and Piquet may each define a word, since no game has the chapters of both."""
    for other in ("SEMANTICS-PIQUET.md", "SEMANTICS-BEZIQUE.md"):
        game = [word for each in PARAGRAPHS if each.document != other for word in each.facts.get(fact, ())]
        assert [word for word, times in Counter(game).items() if times > 1] == []
    assert set(facts(fact)) == set(known)


def test_every_reason_for_refusal_is_given_with_an_act() -> None:
    observed = SCHEMAS.documents["scenario"]["$defs"]["expectation"]["properties"]["refused"]["enum"]
    assert set(facts("Refused")) == set(observed)


def test_an_act_is_refused_for_the_reasons_that_its_paragraph_gives(suite: Suite) -> None:
    reasons: dict[str, set[str]] = {}
    for paragraph in PARAGRAPHS:
        for act in paragraph.facts.get("Act", ()):
            reasons.setdefault(act, set()).update(paragraph.facts.get("Refused", ()))
    unknown = {
        (act, reason)
        for scenario in suite.scenarios.values()
        for act, reason in _refusals(scenario.document.data)
        if reason not in reasons.get(act, ())
    }
    assert unknown == set()


def _refusals(written: dict) -> Iterator[tuple[str, str]]:
    """The act of each step that a scenario expects to be refused, and the reason."""
    entries = [*written.get("outcomes", ()), *written.get("readings", {}).values()]
    for entry in entries:
        for number, expected in (entry.get("expect") or {}).items():
            step = written["steps"][int(number) - 1] if str(number).isdigit() else {}
            if isinstance(expected, dict) and "refused" in expected and "irregular" not in step:
                yield step.get("do", ""), expected["refused"]


def test_ids_count_from_one_in_each_chapter_with_those_that_are_retired() -> None:
    assert len(BY_ID) == len(PARAGRAPHS)
    retired = re.findall(r"^paragraph (\S+) retired", (SPEC / "ids.lock").read_text("utf-8"), re.MULTILINE)
    counted: dict[str, list[int]] = {}
    for name in [*BY_ID, *retired]:
        chapter, _, number = name.rpartition("-")
        counted.setdefault(chapter, []).append(int(number))
    assert {name: sorted(each) for name, each in counted.items()} == {
        name: list(range(1, len(each) + 1)) for name, each in counted.items()
    }


def test_every_paragraph_is_a_heading_with_an_id() -> None:
    headings = [
        line for path in documents(SPEC) for line in path.read_text("utf-8").splitlines() if line.startswith("#### ")
    ]
    assert headings == [f"#### {paragraph.id}" for paragraph in PARAGRAPHS]


def test_a_paragraph_names_scenarios_that_exist(suite: Suite) -> None:
    for paragraph in PARAGRAPHS:
        shown = paragraph.facts.get("Shown by", ())
        assert shown or paragraph.id.rpartition("-")[0] in CONVENTIONS, paragraph.id
        assert [name for name in shown if name not in suite.scenarios] == [], paragraph.id


@pytest.mark.slow
@pytest.mark.parametrize("paragraph", [each for each in PARAGRAPHS if each.cells], ids=lambda each: each.id)
def test_what_a_paragraph_defines_is_at_work_where_it_is_shown(suite: Suite, paragraph: SemanticParagraph) -> None:
    at_work = (
        path
        for name in paragraph.facts["Shown by"]
        for check in suite.index.checks_of(suite.scenarios[name])
        for cells in ({}, *(reading.cells for reading in check.readings))
        for traced in trace(suite.rules.of(check.ruleset, cells), planner_of(suite).request(check).message)
        for path in traced.grounds
    )
    missing = set(paragraph.cells)
    while missing and (path := next(at_work, "")):
        missing = {cell for cell in missing if not _is_of(path, cell)}
    assert missing == set()


def _is_of(path: str, cell: str) -> bool:
    """Whether a path is of a cell, or of a row in a list."""
    return path == cell or path.startswith(f"{cell}.")


def test_references_lead_to_paragraphs() -> None:
    for path in documents(SPEC):
        text = path.read_text("utf-8")
        for target in re.findall(r"\]\((?:SEMANTICS[A-Z-]*\.md)?#([a-z]+(?:-[a-z]+)*-[0-9]+)\)", text):
            assert target in BY_ID, f"{path.name} refers to {target}"


def implemented() -> dict[str, set[str]]:
    """The paragraphs that each module of a chapter names."""
    named: dict[str, set[str]] = {}
    for path in sorted(CHAPTERS.rglob("*.py")):
        if path.relative_to(CHAPTERS).as_posix() not in NO_RULE:
            said = " ".join((ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split())
            _, _, listed = said.partition("Implements ")
            named[str(path.relative_to(CHAPTERS))] = set(_expanded(listed))
    return named


def _expanded(listed: str) -> Iterator[str]:
    """`draw-1 to draw-3 and seven-2` as single ids."""
    for first, last in re.findall(r"\b([a-z]+(?:-[a-z]+)*-[0-9]+)(?: to ([a-z]+(?:-[a-z]+)*-[0-9]+))?", listed):
        chapter, _, start = first.rpartition("-")
        end = (last or first).rpartition("-")[2]
        yield from (f"{chapter}-{number}" for number in range(int(start), int(end) + 1))


def test_every_chapter_of_the_interpreter_names_the_paragraphs_it_implements() -> None:
    named = implemented()
    assert [module for module, each in named.items() if not each] == []
    assert {module: each - set(BY_ID) for module, each in named.items() if each - set(BY_ID)} == {}


def test_every_paragraph_with_a_rule_is_implemented_by_a_chapter() -> None:
    named = set().union(*implemented().values())
    rules = [paragraph.id for paragraph in PARAGRAPHS if paragraph.cells or paragraph.facts.get("Act")]
    assert [name for name in rules if name not in named] == []


def test_a_reading_list_has_what_the_cells_and_checks_of_its_ruleset_need(suite: Suite) -> None:
    for name in suite.rules.names:
        needed, cells = {each.id for each in needed_by(suite, name)}, [each.path for each in suite.rules.cells(name)]
        shown = {check.scenario.id for check in suite.index.checks_under(name)}
        for paragraph in PARAGRAPHS:
            defines = any(_is_of(path, cell) for path in cells for cell in paragraph.cells)
            if defines or shown.intersection(paragraph.facts.get("Shown by", ())):
                assert paragraph.id in needed, name


def test_the_rungs_name_topics_and_chapters_that_exist_once(suite: Suite) -> None:
    for named, known in (
        ([topic for rung in RUNGS for topic in rung.topics], {*suite.index.checks_by_topic, CENSUS}),
        ([chapter for rung in RUNGS for chapter in rung.chapters], {each.chapter for each in PARAGRAPHS}),
    ):
        assert len(named) == len(set(named))
        assert set(named) < set(known)
    assert not DEAL.topics
