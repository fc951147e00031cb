"""Templates of the site, filled with values, and with the functions by which they link from their page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.book_links import listed
from hoyle_conformance.web.site.page import Page, href
from hoyle_conformance.wording.html import Markup
from hoyle_conformance.wording.render import render


def fill(template: str, suite: Suite, here: str, /, **values: object) -> Markup:
    """Return the template of this name, filled for the page at `here`. To every template belong

    - `to(path)`, the address of a page of the site;
    - `prose(words)`, with links in place of ids, and cards drawn;
    - `clause_link(id)`, `rule_link(words, ruleset, cell)`, `ruleset_link(id)` and `scenario_link(scenario)`;
    - `book_list(rulesets)`, in a sentence.
    """
    return render(
        f"web/site/{template}.html.jinja",
        to=partial(href, here=here),
        prose=partial(links.linked, suite, here=here),
        clause_link=partial(links.clause_a, suite, here=here),
        rule_link=partial(links.rule_a, here=here),
        ruleset_link=partial(links.ruleset_a, suite, here=here),
        scenario_link=partial(links.scenario_a, here=here),
        book_list=partial(listed, suite, here=here),
        **values,
    )


@dataclass(frozen=True, slots=True)
class Way:
    """A way to a page of a game: its path, its title, and a note after it."""

    path: str
    title: str
    note: str = ""


def page_of_ways(suite: Suite, here: str, title: str, about: str, ways: Sequence[Way], *, kind: str) -> Page:
    """Return a short page that leads to the page of each game."""
    body = fill("ways", suite, here, title=title, about=about, ways=ways)
    return Page(here, body=body, title=title, about=about, kind=kind)
