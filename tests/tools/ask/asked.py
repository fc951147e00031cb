"""Questions in players' words with their answers from the printed sources, as the files in `questions/` keep them.

Nothing in them is taken from what Hoyle answers. `questions.schema.json` describes the fields.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hoyle_conformance.files.strict_yaml import read_file

FOLDER = Path(__file__).parent / "questions"
#: The game that each file is about, as a ruleset names it.
FAMILIES = {"bezique": "Bézique", "piquet": "Piquet"}
#: The files of questions of both games by people who had not seen the rule tables: those to which words were fitted,
#: and those that were written after the code.
BLIND, UNSEEN = "blind", "unseen"
#: Every file that there is.
FILES = [*FAMILIES, BLIND, UNSEEN]


@dataclass(frozen=True)
class AskedQuestion:
    """A question and what is right to answer. `clauses` maps every ruleset for which it can be checked to the clauses
    that decide there; of each fact one of its forms must be stated. It may be asked `under` a ruleset."""

    question: str
    scope: frozenset[str]
    clauses: Mapping[str, frozenset[str]]
    answer: str
    facts: tuple[tuple[str, ...], ...]
    silent: frozenset[str]
    unsure: bool
    entry: tuple[str, ...]
    under: str = ""


@cache
def rows(family: str) -> Sequence[Mapping[str, Any]]:
    """Return the questions of a file as they are written."""
    written: Sequence[Mapping[str, Any]] = read_file(FOLDER / f"{family}.yaml", f"{family}.yaml").data
    return written


def asked_questions(family: str, games: Mapping[str, frozenset[str]]) -> list[AskedQuestion]:
    """Return the questions of a file; `games` maps each game to its rulesets."""
    return [_asked(row, games) for row in rows(family)]


def _asked(row: Mapping[str, Any], games: Mapping[str, frozenset[str]]) -> AskedQuestion:
    scope = _scope(row["scope"], games)
    clauses, entry = row["clauses"], row.get("entry", ())
    by_ruleset = clauses if isinstance(clauses, Mapping) else dict.fromkeys(scope, clauses) if clauses else {}
    return AskedQuestion(
        row["question"],
        scope,
        {ruleset: frozenset(ids) for ruleset, ids in by_ruleset.items()},
        row["answer"],
        tuple((fact,) if isinstance(fact, str) else tuple(fact) for fact in row["facts"]),
        frozenset(row.get("silent", ())),
        row.get("unsure", False),
        (entry,) if isinstance(entry, str) else tuple(entry),
        row.get("under", ""),
    )


def _scope(written: str | Sequence[str], games: Mapping[str, frozenset[str]]) -> frozenset[str]:
    if not isinstance(written, str):
        return frozenset(written)
    family = written.removeprefix("any").strip()
    return games[FAMILIES[family]] if family else frozenset().union(*games.values())


def unstated(answer: str, question: AskedQuestion) -> list[tuple[str, ...]]:
    """Return the facts of a question of which an answer states no form."""
    return [forms for forms in question.facts if not any(states(answer, form) for form in forms)]


def states(answer: str, fact: str) -> bool:
    """Whether an answer states a fact: a number or a word of one or two letters as such, a longer one also as the
    beginning of one. Case, accents and the commas of thousands make no difference."""
    end = r"(?![a-z0-9])" if fact.isdigit() or len(fact) <= WHOLE_UP_TO else ""
    return re.search(rf"(?<![a-z0-9]){re.escape(_plain(fact))}{end}", _plain(answer)) is not None


#: Words of up to so many letters are looked for as whole words.
WHOLE_UP_TO = 2


@cache
def _plain(text: str) -> str:
    letters = "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))
    return re.sub(r"(?<=\d),(?=\d{3})", "", letters.lower())
