"""MkDocs calls this: the generated pages join those that are written by hand.

The replays of positions are most of the site, and are HTML already. So neither Markdown nor the search reads them: each
is taken out of its page, and put into it again when the page is done.
"""

import re
from collections.abc import Iterator

from jinja2 import Environment
from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from hoyle_conformance.adequacy.keeping import kept
from hoyle_conformance.load import load_suite
from hoyle_conformance.site.pages import pages
from hoyle_conformance.site.schemas import published

#: What the theme brings for searching in other languages than English, under other licences than ours.
_OTHER_LANGUAGES = "assets/javascripts/lunr/"
_REPLAY = re.compile(r'^<div class="replay">.*?^</ol></hoyle-replay></div>$', re.DOTALL | re.MULTILINE)
#: What stands for a replay meanwhile.
_PLACE = '<div class="replay"></div>'
#: The replays of each page, in order, by its path in the docs folder.
_replays: dict[str, list[str]] = {}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every generated page to what MkDocs found in the docs folder, and leave out what the site has no use for."""
    for file in [file for file in files if file.src_uri.startswith(_OTHER_LANGUAGES)]:
        files.remove(file)
    suite = load_suite()
    for page in (*pages(suite, kept(suite.root)), *published(suite.root)):
        _replays[page.path] = _REPLAY.findall(page.text)
        files.append(File.generated(config, page.path, content=_REPLAY.sub(_PLACE, page.text)))
    return files


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001 -- MkDocs names them
    """Put the replays of a page back into it."""
    parts: Iterator[str] = iter(output.split(_PLACE))
    return next(parts) + "".join(replay + part for replay, part in zip(_of(page), parts, strict=True))


def _of(page: Page) -> list[str]:
    return _replays.get(page.file.src_uri, [])


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:  # noqa: ARG001 -- MkDocs names them
    """A title without its tags is words: the theme puts them into a page, where they must not become tags again."""
    env.filters["striptags"] = lambda html: escape(Markup(html).striptags())  # noqa: S704 -- tags are taken out of it
    return env
