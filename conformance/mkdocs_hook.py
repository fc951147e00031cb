"""MkDocs hooks by which the generated pages join those that are written by hand, each in its frame.

A generated page is HTML already, so Markdown does not read it: MkDocs is given an empty page, and its body is put in
when it would have been read.
"""

import re
import subprocess
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment
from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import spec_json
from browser_bundle import bundle
from hoyle_conformance import __version__
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.web.site.navigation import NavTab, tab_of, tabs
from hoyle_conformance.web.site.page import Page as GeneratedPage
from hoyle_conformance.web.site.page import chapters_of, policy_of, scripts_of, styles_of
from hoyle_conformance.web.site.pages import guide, pages, schemas

#: The generated pages that are HTML, by their paths in the docs folder.
_generated: dict[str, GeneratedPage] = {}
_tabs: list[NavTab] = []
#: Stands for the repository in documents.
_NOBODY: Final = "OWNER/hoyle"
_EXAMPLE: Final = re.compile(r"```yaml\n.*?\n```\n", re.DOTALL)


#: Finds the folder that the site is in, for the page that a server shows at any address without a page.
_FIND_BASE: Final = """
let folder = location.pathname;
for (const asked = new XMLHttpRequest(); folder !== "/"; folder = folder.replace(/[^/]*\\/?$/, "")) {
  if (!folder.endsWith("/")) continue;
  asked.open("HEAD", `${folder}assets/base.css`, false);
  asked.send();
  if (asked.status === 200) break;
}
document.head.append(Object.assign(document.createElement("base"), { href: folder }));
"""
#: The title of a code block, which names the file in it for those that read the document, and is no Markdown.
_TITLE: Final = re.compile(r'^(```\w+) title="[^"\n]*"$', re.MULTILINE)


@cache
def _repository() -> str:
    """Return the owner and name of the repository on GitHub that this is a clone of; empty if it is of none."""
    git = ["git", "-C", str(Path(__file__).parent), "remote", "get-url", "origin"]
    try:
        address = subprocess.run(git, stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return ""
    found = re.search(r"github\.com[:/]([\w-]+/[\w.-]+?)(?:\.git)?$", address.strip())
    return found[1] if found else ""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Leave the sitemap out of a site that does not know where it is served from."""
    if not config.site_url:
        config.theme.static_templates.discard("sitemap.xml")
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every generated page to what MkDocs found in the docs folder."""
    for file in [file for file in files if file.src_uri == "sitemap.xml"]:
        files.remove(file)
    suite = open_suite()
    generated = list(pages(suite))
    set_pages(tabs(suite), generated)
    for page in (*generated, *schemas(suite.root), guide(suite, generated)):
        files.append(File.generated(config, page.path, content=page.text))
    resolved = {f"spec-json/{name}": content for name, content in spec_json.files(suite)}
    for path, content in (bundle(suite) | resolved).items():
        files.append(File.generated(config, path, content=content))
    return files


def set_pages(at_the_top: Iterable[NavTab], generated: Iterable[GeneratedPage]) -> None:
    """Set the tabs and the generated pages, which are needed when each is put into its frame."""
    _tabs[:] = at_the_top
    _generated.update((page.path, page) for page in generated if page.body)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 -- MkDocs names them
    """Set what the frame of a page shows: its title, tab, kind and id."""
    generated = _generated.get(page.file.src_uri)
    about: dict[str, Any] = {"kind": "documents", "tab": tab_of(page.url, tuple(_tabs))}
    if generated:
        about |= {"title": generated.title, "about": generated.about, "kind": generated.kind, "id": generated.id}
        about |= {"contents": generated.contents}
        about |= {"tab": generated.tab} if generated.tab else {}
    page.meta = {**about, **page.meta}
    return with_repository(_TITLE.sub(r"\1", markdown))


def with_repository(markdown: str) -> str:
    """Return a document with the repository in its addresses; without the examples and lines that have one, if this is
    no clone of any."""
    if repository := _repository():
        return markdown.replace(_NOBODY, repository)
    kept = _EXAMPLE.sub(lambda block: "" if _NOBODY in block[0] else block[0], markdown)
    return "".join(line for line in kept.splitlines(keepends=True) if _NOBODY not in line)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 -- MkDocs names them
    """Return the body of a page, and set the chapters that its frame lists."""
    generated = _generated.get(page.file.src_uri)
    body = generated.body if generated else _reachable(html)
    page.meta["chapters"] = chapters_of(body)
    return body


def _reachable(html: str) -> str:
    """Return a document in which whatever scrolls by itself can be reached by the keyboard, and no table has an empty
    heading."""
    html = _headings_in_order(html)
    tables = html.replace("<table>", '<div class="scrolls" tabindex="0"><table>').replace("</table>", "</table></div>")
    return tables.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")


def _headings_in_order(html: str) -> str:
    """Return a document in which each heading is one level below the one that it belongs to."""
    above: list[int] = []

    def level(found: re.Match[str]) -> str:
        if found[1] == "</":
            return f"</h{len(above)}>"
        while above and above[-1] >= int(found[2]):
            above.pop()
        above.append(int(found[2]))
        return f"<h{len(above)}"

    return re.sub(r"(</?)h([1-6])(?:(?<=/h[1-6])>)?", level, html)


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Any) -> dict[str, Any]:  # noqa: ARG001 -- MkDocs names them
    """Set the styles, scripts and policy of a page: those of every page and of its kind."""
    kind = page.meta["kind"]
    context["policy"] = policy_of(kind)
    context["styles"] = styles_of(kind)
    context["scripts"] = ["frame", "search", *scripts_of(kind)]
    return context


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:  # noqa: ARG001 -- MkDocs names them
    """Set what the frame of every page needs, and a filter for titles without their tags, which stay escaped."""
    env.globals |= {"tabs": _tabs, "version": __version__, "styles": styles_of(""), "scripts": ["frame", "search"]}
    env.globals["policy"] = policy_of("")
    digest = b64encode(sha256(_FIND_BASE.encode()).digest()).decode()
    own = f"; script-src 'self' 'sha256-{digest}'"
    env.globals["lost_policy"] = policy_of("").replace("base-uri 'none'", "base-uri 'self'") + own
    env.globals |= {"find_base": _FIND_BASE, "finds_base": False}
    env.filters["striptags"] = lambda html: escape(Markup(html).striptags())  # noqa: S704 -- tags are taken out of it
    return env
