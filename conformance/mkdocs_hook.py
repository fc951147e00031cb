"""MkDocs calls this: the generated pages join those that are written by hand."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from hoyle_conformance.adequacy.keeping import kept
from hoyle_conformance.load import load_suite
from hoyle_conformance.site.pages import pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every generated page to what MkDocs found in the docs folder."""
    suite = load_suite()
    for page in pages(suite, kept(suite.root)):
        files.append(File.generated(config, page.path, content=page.text))
    return files
