"""The acts, questions and givens that the games of a scenario have, so that no others are proposed for a wrong word."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.setup.given import not_given
from hoyle_conformance.files.schema_errors import Complaint, Path
from hoyle_conformance.files.suggest import Suggestion
from hoyle_conformance.suite.lint.ids import ALL_CLAUSES
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules
from hoyle_reference.acts import Visible, word_of

#: What steps call several acts at once.
_SEVERAL: Final = {"trick": "play", "draw-all": "draw"}


def acts(rules: Rules) -> list[str]:
    """Return the words for the acts of the game, and for several of them at once."""
    words = [word_of(kind) for kind in rules.procedure.moves if word_of(kind) != "irregular"]
    return [*words, *(several for several, single in _SEVERAL.items() if single in words)]


def questions(rules: Rules) -> list[str]:
    """Return the words for the questions of the game."""
    return [word_of(kind) for kind in (*rules.procedure.asks, Visible)]


def in_this_suite(suite: Suite, data: Any, complaint: Complaint) -> Complaint:
    """Narrow the remedy of a complaint about a scenario, which need not be valid.

    Proposed acts, questions and givens are those of the games that the scenario names; for an unknown clause, similar
    clauses are proposed.
    """
    if complaint.path[-2:-1] == ("cites",) and complaint.code == "misfit":
        word = str(_value(data, complaint.path))
        return replace(complaint, remedy=Suggestion(word, suite.clauses, ALL_CLAUSES))
    remedy, games = complaint.remedy, list(_games(suite, data))
    if not isinstance(remedy, Suggestion) or not games:
        return complaint
    steps, given = (suite.schemas.documents["scenario"]["$defs"][part]["properties"] for part in ("step", "given"))
    kinds: Sequence[tuple[list[str], Callable[[Rules], Iterable[str]]]] = (
        (steps["do"]["enum"], acts),
        (steps["ask"]["enum"], questions),
        (list(given), lambda rules: set(given) - set(not_given(rules))),
    )
    for every, of in kinds:
        if list(remedy.known) == every:
            known = set().union(*map(of, games))
            return replace(complaint, remedy=replace(remedy, known=[word for word in every if word in known]))
    return complaint


def _value(data: Any, path: Path) -> Any:
    for at in path:
        data = data[at]
    return data


def _games(suite: Suite, data: Any) -> Iterator[Rules]:
    """Yield the rules of the rulesets that a scenario names, without unknown ones."""
    entries = [each for key in ("outcomes", "followed_by", "proposals") for each in _list(_at(data, key))]
    for name in {str(name) for entry in entries for name in _list(_at(entry, "rulesets"))}:
        try:
            yield suite.rules.of(name)
        except Malformed:
            continue


def _at(data: Any, key: str) -> Any:
    return data.get(key) if isinstance(data, Mapping) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
