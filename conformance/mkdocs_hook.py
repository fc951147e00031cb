"""MkDocs calls this: the generated pages join those that are written by hand."""

from jinja2 import Environment
from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from hoyle_conformance.adequacy.keeping import kept
from hoyle_conformance.load import load_suite
from hoyle_conformance.site.pages import pages
from hoyle_conformance.site.schemas import published

#: What the theme brings for searching in other languages than English, under other licences than ours.
_OTHER_LANGUAGES = "assets/javascripts/lunr/"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every generated page to what MkDocs found in the docs folder, and leave out what the site has no use for."""
    for file in [file for file in files if file.src_uri.startswith(_OTHER_LANGUAGES)]:
        files.remove(file)
    suite = load_suite()
    for page in (*pages(suite, kept(suite.root)), *published(suite.root)):
        files.append(File.generated(config, page.path, content=page.text))
    return files


def on_env(env: Environment, config: MkDocsConfig, files: Files) -> Environment:  # noqa: ARG001 -- MkDocs names them
    """A title without its tags is words: the theme puts them into a page, where they must not become tags again."""
    env.filters["striptags"] = lambda html: escape(Markup(html).striptags())  # noqa: S704 -- tags are taken out of it
    return env
