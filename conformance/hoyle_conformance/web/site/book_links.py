"""Books as readers call them: a table by the book that it follows, beside its form of the game, and with its
options."""

from collections.abc import Callable, Iterable, Sequence

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.wording import citations as citing
from hoyle_conformance.wording.citations import book, by_form, form, with_options
from hoyle_conformance.wording.html import Markup, joined, tag, text

__all__ = ["book", "brief", "by_form", "form", "in_order", "label", "linked", "listed", "places", "with_options"]


def label(suite: Suite, ruleset: str) -> str:
    """Return form and book: ``Bézique for two, Hoyle``."""
    return f"{form(suite, ruleset)}, {book(suite, ruleset)}"


def in_order(suite: Suite, game: str) -> list[str]:
    """Return all tables of a game, those of one form beside each other, the form with the most books first."""
    forms = by_form(suite, (each.id for each in suite.rules.games[game]))
    return [name for names in sorted(forms.values(), key=len, reverse=True) for name in names]


def listed(suite: Suite, rulesets: Sequence[str], here: str, cell: str = "") -> Markup:
    """Return tables in a sentence: ``Bézique for two: Hoyle, Bicycle``, or, if that is shorter, ``h2g2: Bézique for
    two, Rubicon Bézique``; each leads to its page, or to a rule (its `cell`) on it."""
    forms, of_books = by_form(suite, rulesets), _by_book(suite, rulesets)
    by_forms = len(forms) <= len(of_books)
    words = book if by_forms else form
    said = [
        joined(
            [tag("span", f"{of}: ", class_="form"), joined((_a(suite, name, words, here, cell) for name in some), ", ")]
        )
        for of, some in (forms if by_forms else of_books).items()
    ]
    return joined(said, "; ")


def brief(suite: Suite, rulesets: Iterable[str]) -> str:
    """Return tables in words: ``Bézique for two: Hoyle, Bicycle; Rubicon Bézique: Hoyle``. The options of one that is
    among them are not named one by one."""
    forms = by_form(suite, rulesets)
    return "; ".join(f"{title}: {', '.join(_brief(suite, some))}" for title, some in forms.items())


def _brief(suite: Suite, rulesets: list[str]) -> list[str]:
    plain = {name for name in rulesets if "+" not in name}
    changed = {name.partition("+")[0] for name in rulesets if "+" in name} & plain
    return [
        f"{with_options(suite, each)} (also with options)" if each in changed else with_options(suite, each)
        for each in rulesets
        if each in plain or each.partition("+")[0] not in plain
    ]


def linked(suite: Suite, rulesets: Iterable[str], all_of: Iterable[str], here: str) -> Markup:
    """Return tables in words, as links. A table that agrees with all its options among `all_of` is named once."""
    spoken = list(all_of)
    forms = (
        joined([text(f"{title}: "), joined(_linked(suite, some, spoken, here), ", ")])
        for title, some in by_form(suite, rulesets).items()
    )
    return joined(forms, "; ")


def _linked(suite: Suite, rulesets: list[str], spoken: list[str], here: str) -> list[Markup]:
    shown = []
    whole = {name for name in rulesets if "+" not in name and _whole(suite, name, rulesets, spoken)}
    for ruleset in rulesets:
        name, option, _ = ruleset.partition("+")
        if name in whole and option:
            continue
        link = links.ruleset_a(suite, ruleset, here, with_options(suite, ruleset))
        shown.append(joined([link, text(" with or without its options")]) if name in whole else link)
    return shown


def _whole(suite: Suite, name: str, rulesets: list[str], spoken: list[str]) -> bool:
    """Whether a table stands here with all its options, of which there are some."""
    options = {each for each in spoken if each.startswith(f"{name}+")}
    return len(options) == len(suite.rules.options(name)) > 0 and options <= set(rulesets)


def _by_book(suite: Suite, rulesets: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in rulesets:
        found.setdefault(book(suite, name), []).append(name)
    return found


def _a(suite: Suite, ruleset: str, words: Callable[[Suite, str], str], here: str, cell: str) -> Markup:
    said = words(suite, ruleset)
    return links.rule_a(said, ruleset, cell, here) if cell else links.ruleset_a(suite, ruleset, here, said)


def places(suite: Suite, clauses: Iterable[str]) -> Markup:
    """Return the places of clauses, each book named once: ``Hoyle, para. 5, para. 8``."""
    return text(citing.places(suite, clauses))
