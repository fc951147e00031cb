"""Citing: how books, their tables and clauses are called, and where on the site a table and a rule are found."""

import re
from collections.abc import Iterable
from typing import Final

from hoyle_conformance.suite.model import Clause
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.cells import Cell

_PARAGRAPH: Final = re.compile(r"paragraph(s?)")


def form(suite: Suite, ruleset: str) -> str:
    """The form of the game that a table is of: ``Bézique for two``."""
    of = suite.rulesets[ruleset.partition("+")[0]]
    return of.form or of.title


def book(suite: Suite, ruleset: str) -> str:
    """The book that a table follows, as it is called in a citation: ``Hoyle``."""
    return suite.sources[suite.rulesets[ruleset.partition("+")[0]].sources[0]].short


def with_options(suite: Suite, ruleset: str) -> str:
    """All books that a table follows, and the titles of its options."""
    name, *options = ruleset.split("+")
    titles = suite.options(name)
    of = " and ".join(suite.sources[source].short for source in suite.rulesets[name].sources)
    return f"{of} ({', '.join(titles[option].lower() for option in options)})" if options else of


def by_form(suite: Suite, rulesets: Iterable[str]) -> dict[str, list[str]]:
    """Tables by the forms of their game, each form where the first of its tables stands."""
    forms: dict[str, list[str]] = {}
    for name in rulesets:
        forms.setdefault(form(suite, name), []).append(name)
    return forms


def place(suite: Suite, clause: Clause) -> str:
    """Where a clause stands, as books are cited: ``Hoyle, para. 5``."""
    source = suite.sources[clause.id.partition("/")[0]]
    return f"{source.short}, {_PARAGRAPH.sub(_short, clause.where)}"


def _short(paragraph: re.Match[str]) -> str:
    return "paras" if paragraph[1] else "para."


def places(suite: Suite, clauses: Iterable[str]) -> str:
    """Where clauses stand, each book named once: ``Hoyle, para. 5, para. 8``."""
    said: dict[str, dict[str, None]] = {}
    for clause in clauses:
        short, _, where = place(suite, suite.clauses[clause]).partition(", ")
        said.setdefault(short, {})[where] = None
    return "; ".join(", ".join([short, *where]) for short, where in said.items())


def ruleset_path(ruleset: str) -> str:
    """The address of the page of a table."""
    return f"rulesets/{ruleset.partition('+')[0]}.html"


def rule_path(ruleset: str, cell: str) -> str:
    """The address of a rule, which it has for ever: on the page of its table, under the path of its cell."""
    return f"{ruleset_path(ruleset)}#{cell}"


def grade(cell: Cell) -> str:
    """How certain a rule is, in a word; nothing where its source simply states it."""
    return "" if cell.status == "stated" else cell.status
