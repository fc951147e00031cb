"""MkDocs calls this: the generated pages join those that are written by hand, each in its frame.

A generated page is HTML already, so Markdown does not read it: MkDocs is given an empty page, and its body is put in
when it would have been read.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from hoyle_conformance import __version__
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.tools.adequacy.measure import stored_measurements
from hoyle_conformance.web.site import machine_readable as machines
from hoyle_conformance.web.site.browser_bundle import bundle
from hoyle_conformance.web.site.explorer_styles import scripts_of, styles_of
from hoyle_conformance.web.site.navigation import NavTab, door_of, doors
from hoyle_conformance.web.site.offline import kept_offline
from hoyle_conformance.web.site.page import Page as Made
from hoyle_conformance.web.site.pages import pages
from hoyle_conformance.web.site.published_schemas import published

#: The generated pages that are HTML, by their paths in the docs folder.
_made: dict[str, Made] = {}
_doors: list[NavTab] = []


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """A site that does not know where it is served from has no sitemap."""
    if not config.site_url:
        config.theme.static_templates.discard("sitemap.xml")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every generated page to what MkDocs found in the docs folder."""
    for file in [file for file in files if file.src_uri == "sitemap.xml"]:
        files.remove(file)
    suite = open_suite()
    made = list(pages(suite, stored_measurements(suite.root)))
    hold(doors(suite), made)
    for page in (*made, *published(suite.root), *machines.files(suite, made)):
        files.append(File.generated(config, page.path, content=page.text))
    for path, content in bundle(suite).items():
        files.append(File.generated(config, path, content=content))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """What a browser keeps of the table for when there is no network is listed once all of it is there."""
    kept_offline(Path(config.site_dir))


def hold(at_the_top: Iterable[NavTab], made: Iterable[Made]) -> None:
    """Take note of the doors and of the pages that are made: they are asked for when each is put into its frame."""
    _doors[:] = at_the_top
    _made.update((page.path, page) for page in made if page.body)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 -- MkDocs names them
    """What the frame of a page says of it."""
    made = _made.get(page.file.src_uri)
    about: dict[str, Any] = {"kind": "documents", "door": door_of(page.url, tuple(_doors))}
    if made:
        about |= {"title": made.title, "about": made.about, "kind": made.kind, "id": made.id}
        about |= {"door": made.door} if made.door else {}
    page.meta = {**about, **page.meta}
    return markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 -- MkDocs names them
    """The body of a page that is HTML already; of others whatever scrolls by itself can be reached by the keyboard, and
    a table has no heading that says nothing."""
    made = _made.get(page.file.src_uri)
    if made:
        return made.body
    tables = html.replace("<table>", '<div class="scrolls" tabindex="0"><table>').replace("</table>", "</table></div>")
    return tables.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Any) -> dict[str, Any]:  # noqa: ARG001 -- MkDocs names them
    """The styles and scripts of a page: of every page, and of its kind."""
    kind = page.meta["kind"]
    context["styles"] = ["base", "search", *styles_of(kind)]
    context["scripts"] = ["search", *scripts_of(kind)]
    return context


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:  # noqa: ARG001 -- MkDocs names them
    """What the frame of every page needs; and a title without its tags, which is words that never become tags again."""
    env.globals |= {"doors": _doors, "version": __version__, "styles": ["base", "search"], "scripts": ["search"]}
    env.filters["striptags"] = lambda html: escape(Markup(html).striptags())  # noqa: S704 -- tags are taken out of it
    return env
