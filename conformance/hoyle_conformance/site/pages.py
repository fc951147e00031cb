"""All the generated pages of the site."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

from ..adequacy.measuring import Measured
from ..suite.value import Suite
from . import (
    adequacy,
    claims,
    comparison,
    disputes,
    games,
    glossary,
    home,
    irregularities,
    learn,
    rulesets,
    scenarios,
    searching,
    sources,
    table,
    vocabulary,
)
from .page import Page, href, scenario_path
from .schemas import published

#: Documents of the project that the site shows too: where they lie, and where they go.
DOCUMENTS = (
    ("spec/PROTOCOL.md", "protocol.md"),
    ("spec/PROTOCOL-REFERENCE.md", "protocol-reference.md"),
    ("spec/CENSUS.md", "census.md"),
    ("CONTRIBUTING.md", "contributing.md"),
    ("CHANGELOG.md", "changelog.md"),
)


def pages(suite: Suite, measured: Sequence[Measured] | None = None) -> Iterator[Page]:
    """Every page that is made from the suite, what was `measured` of it, and the project's documents."""
    yield from _but_positions(suite, measured)
    yield claims.page(suite)
    yield from searching.files(suite, documents(suite.root.parent))
    yield from scenarios.pages(suite)


def page_at(suite: Suite, path: str, measured: Sequence[Measured] | None = None) -> Page | None:
    """The page at a path of the site, made alone where it is that of a position; nothing where there is none."""
    scenario = suite.scenarios.get(path.removeprefix("scenarios/").removesuffix(".html").replace("/", "."))
    if scenario and path == href(scenario_path(scenario), ""):
        return scenarios.page(suite, scenario)
    address = href(path, "") if path.endswith(".md") else path
    others = partial(chain, published(suite.root), _but_positions(suite, measured))
    made = _alone(suite).get(address, others)()
    return next((page for page in made if address in {page.path, href(page.path, "")}), None)


def _alone(suite: Suite) -> Mapping[str, Callable[[], Iterator[Page]]]:
    """Pages that take longer to make than all others together, by their addresses: no other has to wait for them."""
    return {
        href("claims.md", ""): lambda: iter([claims.page(suite)]),
        href("scenarios/index.md", ""): lambda: iter([scenarios.overview(suite)]),
        href(searching.PAGE, ""): lambda: iter([searching.page(suite)]),
        searching.INDEX: lambda: searching.files(suite, documents(suite.root.parent)),
    }


def _but_positions(suite: Suite, measured: Sequence[Measured] | None) -> Iterator[Page]:
    yield home.page(suite)
    yield table.page(suite)
    yield from games.pages(suite)
    yield from rulesets.pages(suite)
    yield from sources.pages(suite)
    yield from disputes.pages(suite)
    yield from comparison.pages(suite)
    yield from irregularities.pages(suite)
    yield from learn.pages(suite)
    yield from glossary.pages(suite)
    yield vocabulary.page(suite)
    yield adequacy.page(suite, measured)
    yield from documents(suite.root.parent)


def documents(root: Path) -> Iterator[Page]:
    """The project's own documents, where they are at hand: an installation does not carry them."""
    for source, path in DOCUMENTS:
        if (root / source).is_file():
            yield Page(path, _links_on_the_site((root / source).read_text("utf-8")))


def _links_on_the_site(text: str) -> str:
    """A document's links, turned to where their targets are on the site."""
    for source, path in (*DOCUMENTS, ("docs/decisions/", "decisions/"), ("docs/check.md", "check.md")):
        beside = source.removeprefix("spec/")  # as the documents in one folder speak of each other
        text = text.replace(f"]({source}", f"]({path}").replace(f"]({beside}", f"]({path}")
    return text
