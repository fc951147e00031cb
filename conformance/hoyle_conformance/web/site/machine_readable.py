"""Files for programs: the schemas, and a guide to the pages for language models."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.navigation import tabs
from hoyle_conformance.web.site.page import Page, href

#: The rules as resolved data.
RULESETS: Final = "spec-json/rulesets.json"
GUIDE: Final = "llms.txt"
#: The folder of the schemas. Its number rises when something is no longer valid that was.
SCHEMAS: Final = "schemas/1"


def guide(suite: Suite, pages: Iterable[Page]) -> Page:
    """Return the guide to these pages."""
    return Page(GUIDE, "\n".join(_guide(suite, {href(page.path, ""): page for page in pages})))


def schemas(spec: Path) -> Iterator[Page]:
    """Yield every schema of a spec folder as it is there, in order of their names."""
    for path in sorted((spec / "schemas").glob("*.schema.json")):
        yield Page(f"{SCHEMAS}/{path.name}", path.read_text("utf-8"))


def _guide(suite: Suite, pages: dict[str, Page]) -> Iterator[str]:
    """Yield the lines of the guide, as llmstxt.org describes it: the name of the site, and the pages to begin with."""
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
