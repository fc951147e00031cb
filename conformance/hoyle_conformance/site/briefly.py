"""Books named briefly, as a page that speaks of several names them."""

from collections.abc import Iterable, Mapping

from ..markup import Markup, joined, text
from ..suite.value import Suite
from .links import ruleset_a


def book(suite: Suite, ruleset: str) -> str:
    """The book behind a ruleset, as it is cited; with an option, its title too."""
    name, *options = ruleset.split("+")
    titles = suite.options(name)
    short = " and ".join(suite.sources[source].short for source in suite.rulesets[name].sources) or name
    return f"{short} ({', '.join(titles[option].lower() for option in options)})" if options else short


def form(suite: Suite, ruleset: str) -> str:
    """The form of the game that a ruleset is of."""
    return suite.rulesets[ruleset.partition("+")[0]].form


def brief(suite: Suite, rulesets: Iterable[str]) -> str:
    """Some rulesets by form and book: ``Bézique for two: Hoyle, Bicycle; Rubicon Bézique: Hoyle``. The options of a
    book that stands among them are not named one by one."""
    forms = _forms(suite, rulesets)
    return "; ".join(f"{title}: {', '.join(_brief(suite, some))}" for title, some in forms.items())


def _brief(suite: Suite, rulesets: list[str]) -> list[str]:
    plain = {name for name in rulesets if "+" not in name}
    with_options = {name.partition("+")[0] for name in rulesets if "+" in name} & plain
    return [
        f"{book(suite, each)} (also with options)" if each in with_options else book(suite, each)
        for each in rulesets
        if each in plain or each.partition("+")[0] not in plain
    ]


def linked(suite: Suite, rulesets: Iterable[str], all_of: Iterable[str], here: str) -> Markup:
    """The same as links. Where a book says the same with each option spoken of (`all_of`), that is said once."""
    some, spoken = list(rulesets), list(all_of)
    forms = (
        joined([text(f"{title}: "), joined(_books(suite, each, spoken, here), ", ")])
        for title, each in _forms(suite, some).items()
    )
    return joined(forms, "; ")


def _books(suite: Suite, rulesets: list[str], spoken: list[str], here: str) -> list[Markup]:
    shown = []
    whole = {name for name in rulesets if "+" not in name and _whole(suite, name, rulesets, spoken)}
    for ruleset in rulesets:
        name, option, _ = ruleset.partition("+")
        if name in whole and option:
            continue
        link = ruleset_a(suite, ruleset, here, book(suite, ruleset))
        shown.append(joined([link, text(" with or without its options")]) if name in whole else link)
    return shown


def _whole(suite: Suite, name: str, rulesets: list[str], spoken: list[str]) -> bool:
    """Whether a ruleset stands here with all its options, of which there are some."""
    options = {each for each in spoken if each.startswith(f"{name}+")}
    return len(options) == len(suite.options(name)) > 0 and options <= set(rulesets)


def _forms(suite: Suite, rulesets: Iterable[str]) -> Mapping[str, list[str]]:
    forms: dict[str, list[str]] = {}
    for ruleset in rulesets:
        forms.setdefault(form(suite, ruleset), []).append(ruleset)
    return forms
