"""What the site has for machines: the compiled suite as JSON, and a guide to its pages for language models."""

import json
from collections.abc import Iterable, Iterator

from hoyle_conformance.checks.export import as_they_are, compiled
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.navigation import doors
from hoyle_conformance.web.site.page import Page, href

SUITE = "suite.json"
GUIDE = "llms.txt"


def files(suite: Suite, pages: Iterable[Page]) -> Iterator[Page]:
    """The compiled suite, and the guide to these pages."""
    whole = compiled(suite, as_they_are(suite, suite.index.checks.values()))
    yield Page(SUITE, json.dumps(whole, ensure_ascii=False, separators=(",", ":")))
    yield Page(GUIDE, "\n".join(_guide(suite, {href(page.path, ""): page for page in pages})))


def _guide(suite: Suite, pages: dict[str, Page]) -> Iterator[str]:
    """The guide, in the form that llmstxt.org describes: what this is, and the pages one begins with."""
    yield "# Hoyle"
    yield ""
    yield "> The rules of Bézique and Piquet as their printed sources give them: every rule has an address and says"
    yield "> where it comes from, and what the sources leave open is told apart from what they say."
    yield ""
    yield "Cite a rule by the address of its page with its anchor, and the book by the place beside it."
    for door in doors(suite):
        yield f"\n## {door.title}\n"
        rooms = {room.path: room.title for room in door.rooms} or {door.path: door.title}
        for path, title in rooms.items():
            yield _line(pages[path].title or title if path in pages else title, path, _about(pages.get(path)))
        for ruleset in suite.rules.games.get(door.title, ()):
            yield _line(ruleset.title, f"rulesets/{ruleset.id}.html", ruleset.summary)
    yield "\n## Optional\n"
    yield _line("The compiled suite", SUITE, "every source, rule table and check as JSON; schemas/1 describes it")


def _line(title: str, path: str, about: str) -> str:
    return f"- [{title}]({path}){f': {about}' if about else ''}"


def _about(page: Page | None) -> str:
    return page.about if page else ""
