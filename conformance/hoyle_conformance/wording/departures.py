"""A rule that an engine plays otherwise than a ruleset, in one sentence."""

import re
from collections.abc import Mapping
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import parameter_schema
from hoyle_conformance.wording.rulebook_entries import heading_of_row, sentence, value_in_words
from hoyle_conformance.wording.text import join_and
from hoyle_reference import Cells

_NO_SUCH_RULE: Final = "This rule does not exist."
#: The beginnings of clauses that two sentences about one rule may share.
_CONDITIONS: Final = ("After ", "At ", "If ", "In ", "Once ", "When ", "While ")
#: The beginnings of combinations that are plural: ``Four kings``.
_PLURAL: Final = ("Three ", "Four ", "Five ", "Six ")
#: The end of a sentence that is a clause of its own.
_CLAUSE: Final = re.compile(r"[,:] .*")
#: The fields of a row that only name it.
_TITLES: Final = frozenset({"name", "title", "ruling"})


def rule_sentence(suite: Suite, cells: Cells, path: str) -> str:
    """Return what a table says at a path, as a sentence."""
    if path not in cells:
        return _NO_SUCH_RULE
    return sentence(parameter_schema(suite, path), cells[path].value)


def departure_sentence(suite: Suite, before: Cells, after: Cells, path: str, base: str) -> str:
    """Return the rule at a path after a change, and how it was before in the ruleset `base`, as one sentence."""
    said, said_before = rule_sentence(suite, after, path), rule_sentence(suite, before, path)
    was, now = (cells[path].value if path in cells else {} for cells in (before, after))
    if _is_combination(now or was) and _differs_only_in_points(was, now):
        return _points_sentence(was, now, base)
    if path not in after:
        return f"The engine plays without this rule of {base}: {_within(said_before)}"
    if path not in before:
        return f"{said.rstrip('.')}; {base} has no such rule."
    template = parameter_schema(suite, path).get("sentence", "")
    if "{value}" in template:
        return _value_sentence(said, template, f", not {value_in_words(was)} as in {base}")
    if isinstance(now, Mapping):
        return _row_sentence(was, now, (said, said_before), base)
    return f"{said.rstrip('.')}; in {base}, {_without_condition(said, said_before)}"


def _value_sentence(said: str, template: str, contrast: str) -> str:
    """Return a sentence with a contrast to its value: where the rest of it is a clause of its own, before that."""
    clause = _CLAUSE.search(template.partition("{value}")[2])
    end = clause.group() if clause else "."
    return f"{said.removesuffix(end)}{contrast}{end}"


def _is_combination(row: Any) -> bool:
    """Whether a value is a row with the name and the points of a combination."""
    return isinstance(row, Mapping) and {"name", "points"} <= row.keys()


def _differs_only_in_points(was: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether one of two rows is missing, or they differ in nothing else."""
    return not (was and now) or {**was, "points": 0} == {**now, "points": 0}


def _points_sentence(was: Mapping[str, Any], now: Mapping[str, Any], base: str) -> str:
    """Return what a combination scores, and what it scored before."""
    name = heading_of_row(now or was)
    scores = f"{name} {'score' if name.startswith(_PLURAL) else 'scores'} {_points(now)}"
    if not was:
        return f"{scores}; {base} has no such combination."
    return f"{scores}, not {_points(was)} as in {base}."


def _points(row: Mapping[str, Any]) -> str:
    return f"{row['points']:,}" if row and row["points"] else "nothing"


def _row_sentence(was: Mapping[str, Any], now: Mapping[str, Any], said: tuple[str, str], base: str) -> str:
    """Return what is said of a row and was not before, and what was said in its place."""
    new, old = (text.rstrip(".").split(". ") for text in said)
    gained, lost = ("; ".join(each for each in one if each not in other) for one, other in ((new, old), (old, new)))
    if gained and lost:
        return f"{gained}; in {base}, {_within(lost)}."
    if gained:
        return f"{heading_of_row(now)}: {_within(gained)}; {base} has no such rule."
    if lost:
        return f"{heading_of_row(now)}: the engine plays without this rule of {base}: {_within(lost)}."
    fields = [f"'{name}'" for name in {**was, **now} if was.get(name) != now.get(name) and name not in _TITLES]
    return f"{heading_of_row(now)}: {join_and(fields)} {'differ' if fields[1:] else 'differs'} from {base}."


def _without_condition(said: str, said_before: str) -> str:
    """Return the second of two sentences as a clause, without the condition that both begin with."""
    condition = said.partition(", ")[0] + ", "
    shared = said.startswith(_CONDITIONS) and said_before.startswith(condition)
    return said_before.removeprefix(condition) if shared else _within(said_before)


def _within(said: str) -> str:
    """Return a sentence as it is written within another."""
    return said[:1].lower() + said[1:]
