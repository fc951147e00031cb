"""MkDocs calls this: the generated pages join those that are written by hand."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from hoyle_conformance.load import load_suite
from hoyle_conformance.site.pages import pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every generated page to what MkDocs found in the docs folder."""
    for page in pages(load_suite()):
        files.append(File.generated(config, page.path, content=page.text))
    return files
