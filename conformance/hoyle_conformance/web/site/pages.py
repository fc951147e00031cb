"""The generated pages of the site, in sections, including the project's documents, and the files for programs."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.games import inline
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import dispute_pages as disputes
from hoyle_conformance.web.site import engine_pages as engines
from hoyle_conformance.web.site import glossary_pages as glossary
from hoyle_conformance.web.site import irregularity_pages as irregularities
from hoyle_conformance.web.site import learn_pages as learn
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site import ruleset_pages as rulesets
from hoyle_conformance.web.site import scenario_pages as scenarios
from hoyle_conformance.web.site import search_index as searching
from hoyle_conformance.web.site import source_pages as sources
from hoyle_conformance.web.site.navigation import POSITIONS, TABLE, folder, tabs
from hoyle_conformance.web.site.page import Page, href, scenario_path
from hoyle_conformance.web.site.scenario_pages import answers_by_book
from hoyle_conformance.wording import citations
from hoyle_conformance.wording.comparison import compare_rules
from hoyle_conformance.wording.html import Markup
from hoyle_conformance.wording.walkthrough import tracks, walk

#: Documents of the project that the site also shows: their paths in the project and on the site.
DOCUMENTS = (
    ("spec/PROTOCOL.md", "protocol.md"),
    ("spec/PROTOCOL-REFERENCE.md", "protocol-reference.md"),
    ("spec/README.md", "specification.md"),
    ("spec/SEMANTICS.md", "semantics.md"),
    ("spec/SEMANTICS-BEZIQUE.md", "semantics-bezique.md"),
    ("spec/SEMANTICS-PIQUET.md", "semantics-piquet.md"),
    ("spec/SEMANTICS-PENALTIES.md", "semantics-penalties.md"),
    ("spec/READING-LISTS.md", "reading-lists.md"),
    ("spec/INDEX.md", "semantics-index.md"),
    ("spec/CENSUS.md", "census.md"),
    ("CONTRIBUTING.md", "contributing.md"),
    ("ARCHITECTURE.md", "architecture.md"),
    ("CHANGELOG.md", "changelog.md"),
    ("SECURITY.md", "security.md"),
)
HOME: Final = "index.md"
#: The position on the first page: the books themselves decide it, and differently.
EXAMPLE: Final = "reuse.four-kings-that-have-all-married"
#: The rules as resolved data.
RULESETS: Final = "spec-json/rulesets.json"
GUIDE: Final = "llms.txt"
#: The folder of the schemas. Its number rises with each incompatible change.
SCHEMAS: Final = "schemas/1"


def pages(suite: Suite) -> Iterator[Page]:
    """Yield every page made from the suite, and the project's documents."""
    for section in sections(suite):
        yield from section.pages()
    yield engines.claims_page(suite)
    yield from searching.files(suite, [*documents(suite), *_found_by_title(suite)])
    yield from scenarios.pages(suite)


def page_at(suite: Suite, path: str) -> Page | None:
    """Return the page at a path of the site, or None. A page of a position is made alone; any other is made with those
    before it in its section."""
    scenario = suite.scenarios.get(path.removeprefix("scenarios/").removesuffix(".html").replace("/", "."))
    if scenario and path == href(scenario_path(scenario), ""):
        return scenarios.page(suite, scenario)
    address = href(path, "") if path.endswith(".md") else path
    folder, _, _ = address.rpartition("/")
    every = (PageSection(frozenset({SCHEMAS}), partial(schemas, suite.root)), *sections(suite))
    here = (page for section in every if folder in section.folders for page in section.pages())
    made = _alone(suite).get(address, lambda: here)()
    return next((page for page in made if address in {page.path, href(page.path, "")}), None)


def _found_by_title(suite: Suite) -> Iterator[Page]:
    """Yield the generated pages that the search finds by their titles alone."""
    others = (each for each in learn.pages(suite) if not each.path.endswith("/learn.md"))  # which the tabs have
    return (Page(each.path, f"# {each.title}") for each in (*comparison.pair_pages(suite), *others))


def _alone(suite: Suite) -> Mapping[str, Callable[[], Iterator[Page]]]:
    """Return the pages that take longer to make than all others together, by address; no other page waits for them."""
    return {
        href(engines.CLAIMS, ""): lambda: iter([engines.claims_page(suite)]),
        href(scenarios.LIST, ""): lambda: iter([scenarios.overview(suite)]),
        href(searching.PAGE, ""): lambda: iter([searching.page(suite)]),
        searching.INDEX: lambda: searching.files(suite, [*documents(suite), *_found_by_title(suite)]),
        **{sources.choices_path(each): lambda: scenarios.pages(suite) for each in suite.sources.values()},
    }


class PageSection(NamedTuple):
    """Pages that are made together, and their folders: "" is the top of the site."""

    folders: frozenset[str]
    pages: Callable[[], Iterable[Page]]


def sections(suite: Suite) -> list[PageSection]:
    """Return all pages except those of positions and those made alone."""

    def section(pages: Callable[[Suite], Iterable[Page]], *folders: str) -> PageSection:
        return PageSection(frozenset(folders), partial(pages, suite))

    top, of_games = "", [page.path.rpartition("/")[0] for page in _games(suite)]
    return [
        section(lambda suite: (_home(suite), _table(suite)), top),
        section(_games, *of_games),
        section(comparison.pages, *comparison.folders(suite)),
        section(rulesets.pages, "rulesets"),
        section(sources.pages, *sources.folders(suite)),
        section(irregularities.pages, top, *of_games),
        section(learn.pages, *of_games),
        section(disputes.pages, "disputes", top, *of_games),
        section(glossary.pages, "terms", *of_games),
        section(engines.pages, "engines"),
        section(documents, top),
    ]


def documents(suite: Suite) -> Iterator[Page]:
    """Yield the project's own documents, if available: an installation does not include those outside the spec."""
    root = suite.root.parent
    for source, path in DOCUMENTS:
        if (root / source).is_file():
            written = (root / source).read_text("utf-8")
            if "SEMANTICS" in source:
                written = _scenarios_linked(suite, written)
            yield Page(path, _links_on_the_site(written, source.rpartition("/")[0]))


def _links_on_the_site(text: str, folder: str) -> str:
    """Return a document with links to the pages of the site; `folder` is that of the document in the project."""
    for source, path in (*DOCUMENTS, ("docs/", "")):
        text = text.replace(f"]({source}", f"]({path}").replace(f"](../{source}", f"]({path}")
        if folder and source.startswith(f"{folder}/"):
            text = text.replace(f"]({source.removeprefix(f'{folder}/')}", f"]({path}")
    return text


def _scenarios_linked(suite: Suite, text: str) -> str:
    """Return a document in which each scenario named as code links to its page."""

    def link(found: re.Match[str]) -> str:
        scenario = suite.scenarios.get(found[1])
        return f"[`{scenario.id}`]({scenario_path(scenario)})" if scenario else found[0]

    return re.sub(r"`([a-z0-9-]+\.[a-z0-9-]+)`", link, text)


# ---- the first page of the site, the first page of each game, and the page of the table


def _home(suite: Suite) -> Page:
    """Return the first page: a sentence about the site, a search, links, and a position with its answers."""
    about = "The rules of Bézique and Piquet in each printed book, where the books differ, and what they leave open."
    values: dict[str, Any] = {"folders": [(game, folder(game)) for game in suite.rules.games]}
    values["example"] = example = suite.scenarios.get(EXAMPLE)
    if example:
        checks = suite.index.checks_of(example)
        found = tracks(suite, [walk(suite, check) for check in checks])
        values["answers"] = answers_by_book(suite, checks, found, HOME)
    return links.page("home", suite, HOME, title="Hoyle", about=about, kind="home", **values)


def _games(suite: Suite) -> Iterator[Page]:
    """Yield one page a game: each form with its books, and the number of rules on which they differ."""
    for game in suite.rules.games:
        here = f"{folder(game)}/index.md"
        about = f"The rules of {game} by book: every form of the game, and the books that describe it."
        forms = citations.by_form(suite, links.in_order(suite, game)).items()
        shown = [(title, [_book(suite, name) for name in names], _rules(suite, names)) for title, names in forms]
        values: dict[str, Any] = {"game": game, "folder": folder(game), "forms": shown}
        yield links.page("game", suite, here, title=game, about=about, kind="game", tab=game, **values)


def _rules(suite: Suite, names: Sequence[str]) -> tuple[int, int]:
    """Return the number of rules in several books, and of those on which they differ."""
    rows = list(compare_rules(suite, names)) if len(names) > 1 else []
    return len(rows), sum(row.differs for row in rows)


def _book(suite: Suite, name: str) -> tuple[str, str, str, Sequence[str]]:
    """Return a table with its title, a one-sentence description, and the titles of its options."""
    ruleset = suite.rulesets[name]
    return name, suite.sources[ruleset.sources[0]].title, ruleset.summary, list(suite.rules.options(name).values())


def _table(suite: Suite) -> Page:
    """Return the page of the table: the parts that the scripts fill, and the data that they need initially, in a form
    that is safe inside a script element."""
    about = "Set up a position of Bézique or Piquet, play on from it, and see what each book says."
    data = json.dumps(inline(suite), ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    values: dict[str, Any] = {"positions": POSITIONS.path, "forms": Markup(data)}
    title = TABLE.title
    return links.page("explorer", suite, "table.md", title=title, about=about, kind="table", tab=title, **values)


# ---- files for programs and language models


def guide(suite: Suite, pages: Iterable[Page]) -> Page:
    """Return the guide to these pages."""
    return Page(GUIDE, "\n".join(_guide(suite, {href(page.path, ""): page for page in pages})))


def schemas(spec: Path) -> Iterator[Page]:
    """Yield every schema of a spec folder unchanged, sorted by name."""
    for path in sorted((spec / "schemas").glob("*.schema.json")):
        yield Page(f"{SCHEMAS}/{path.name}", path.read_text("utf-8"))


def _guide(suite: Suite, pages: dict[str, Page]) -> Iterator[str]:
    """Yield the lines of the guide in the format of llmstxt.org: the name of the site, and the pages to start with."""
    yield "# Hoyle"
    yield ""
    yield "> The rules of Bézique and Piquet in their printed sources. Every rule has an address and names its source,"
    yield "> and points that the sources leave open are marked."
    yield ""
    yield "To cite a rule, give the address of its page with the anchor, and the place in the book that is next to it."
    for tab in tabs(suite):
        yield f"\n## {tab.title}\n"
        titles = {item.path: item.title for item in tab.pages} or {tab.path: tab.title}
        for path, title in titles.items():
            yield _line(pages[path].title or title if path in pages else title, path, _about(pages.get(path)))
        for ruleset in suite.rules.games.get(tab.title, ()):
            yield _line(ruleset.title, f"rulesets/{ruleset.id}.html", ruleset.summary)
    yield "\n## Optional\n"
    about = "every cell and its value; suite/RULESET.json.gz, in the same folder, has the checks"
    yield _line("The rules as JSON", RULESETS, about)


def _line(title: str, path: str, about: str) -> str:
    return f"- [{title}]({path}){f': {about}' if about else ''}"


def _about(page: Page | None) -> str:
    return page.about if page else ""
