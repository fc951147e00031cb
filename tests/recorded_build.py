"""MkDocs, with the pages that are made for it written down: ``python tests/recorded_build.py FILE build …``."""

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

from mkdocs.__main__ import cli

from hoyle_conformance.site import pages
from hoyle_conformance.site.page import Page
from hoyle_conformance.suite.value import Suite

made, record = pages.pages, Path(sys.argv.pop(1))


def recorded(suite: Suite, _measured: object = None) -> Iterator[Page]:
    found = {page.path: page for page in made(suite)}
    record.write_bytes(pickle.dumps(found))
    yield from found.values()


pages.pages = recorded
cli(prog_name="mkdocs")
