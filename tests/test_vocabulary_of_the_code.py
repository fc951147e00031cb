"""One word, one thing: every public class has a name of its own, and the field's words lead to one place each."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import hoyle_conformance

HARNESS = Path(hoyle_conformance.__file__).parent
#: What a newcomer looks for, and the module where it is.
LEADS_TO = {
    "adapter": "protocol/adapters",
    "baseline": "runner/baseline",
    "badge": "reports/badge",
    "cause": "reports/failure",
    "cache": "checks/cache/cached_suite",
    "candidate": "runner/answers",
    "capability": "suite/capabilities",
    "citation": "wording/citations",
    "consensus": "runner/consensus",
    "deadline": "runner/interrupts",
    "diagnostic": "files/diagnostics",
    "diff": "reports/diff",
    "draft": "tools/authoring/draft",
    "event": "wording/events",
    "explanation": "runner/explain",
    "failure": "reports/failure",
    "glossary": "wording/glossary",
    "identify": "tools/identify/identify",
    "interrupt": "runner/interrupts",
    "judge": "runner/judge",
    "junit": "reports/junit",
    "keyword": "runner/select",
    "ledger": "tools/authoring/ledger",
    "navigation": "web/site/navigation",
    "prelude": "checks/request",
    "process": "protocol/process",
    "progress": "reports/progress",
    "relabel": "checks/relabel",
    "remedy": "tools/doctor/diagnosis",
    "replay": "web/site/replay",
    "request": "checks/request",
    "response": "protocol/messages",
    "rewrite": "checks/rewrites",
    "schema": "files/schemas",
    "search": "web/site/search_index",
    "select": "runner/select",
    "supervisor": "protocol/supervisor",
    "term": "tools/ask/terms",
    "template": "tools/authoring/templates/templates",
    "trace": "checks/setup/trace",
    "transcript": "tools/doctor/conversation",
    "unsupported": "checks/request",
    "worker": "runner/jobs",
}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the harness, by its place."""
    return dict(read())


def read() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(HARNESS.rglob("*.py")):
        place = path.relative_to(HARNESS)
        if "spec" not in place.parts:
            yield place.with_suffix("").as_posix(), ast.parse(path.read_text("utf-8"))


def public(module: ast.Module) -> list[str]:
    named = (ast.ClassDef, ast.FunctionDef)
    return [node.name for node in module.body if isinstance(node, named) and not node.name.startswith("_")]


def test_no_public_class_name_stands_for_two_things() -> None:
    places = defaultdict(list)
    for name, module in modules().items():
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


@pytest.mark.parametrize("word", LEADS_TO)
def test_a_word_of_the_field_leads_to_its_module(word: str) -> None:
    place = LEADS_TO[word]
    stem = word.removesuffix("y")
    names = [place.rpartition("/")[2], *public(modules()[place])]
    assert any(stem in name.lower() for name in names)
