"""Citations of books, tables and clauses, and the addresses of tables and rules on the site."""

import re
from collections.abc import Iterable
from typing import Final

from hoyle_conformance.suite.model import Clause
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell

_PARAGRAPH: Final = re.compile(r"paragraph(s?)")


def form(suite: Suite, ruleset: str) -> str:
    """Return the form of the game for a table: ``Bézique for two``."""
    of = suite.rulesets[ruleset.partition("+")[0]]
    return of.form or of.title


def book(suite: Suite, ruleset: str) -> str:
    """Return the book that a table follows, as cited: ``Hoyle``."""
    return suite.sources[suite.rulesets[ruleset.partition("+")[0]].sources[0]].short


def with_options(suite: Suite, ruleset: str) -> str:
    """Return all books that a table follows, with the titles of its options."""
    name, *options = ruleset.split("+")
    titles = suite.rules.options(name)
    of = " and ".join(suite.sources[source].short for source in suite.rulesets[name].sources)
    return f"{of} ({', '.join(titles[option].lower() for option in options)})" if options else of


def by_form(suite: Suite, rulesets: Iterable[str]) -> dict[str, list[str]]:
    """Return tables grouped by form of the game; the forms are in the order of their first tables."""
    forms: dict[str, list[str]] = {}
    for name in rulesets:
        forms.setdefault(form(suite, name), []).append(name)
    return forms


def place(suite: Suite, clause: Clause) -> str:
    """Return the place of a clause, as cited: ``Hoyle, para. 5``."""
    source = suite.sources[clause.id.partition("/")[0]]
    return f"{source.short}, {_PARAGRAPH.sub(lambda found: 'paras' if found[1] else 'para.', clause.where)}"


def places(suite: Suite, clauses: Iterable[str]) -> str:
    """Return the places of clauses, naming each book once: ``Hoyle, para. 5, para. 8``."""
    said: dict[str, dict[str, None]] = {}
    for clause in clauses:
        short, _, where = place(suite, suite.clauses[clause]).partition(", ")
        said.setdefault(short, {})[where] = None
    return "; ".join(", ".join([short, *where]) for short, where in said.items())


def ruleset_path(ruleset: str) -> str:
    """Return the address of a table's page."""
    return f"rulesets/{ruleset.partition('+')[0]}.html"


def rule_path(ruleset: str, cell: str) -> str:
    """Return the permanent address of a rule: the page of its table and the path of its cell."""
    return f"{ruleset_path(ruleset)}#{cell}"


def grade(cell: Cell) -> str:
    """Return a word for the certainty of a rule; empty if its source simply states it."""
    return "" if cell.status == "stated" else cell.status
