"""MkDocs, with given pages and no others, nor the table's Python: ``python tests/given_build.py FILE build …``."""

import pickle
import sys
from pathlib import Path

from mkdocs.__main__ import cli

import browser_bundle as bundle
from hoyle_conformance.web.site import pages

given = pickle.loads(Path(sys.argv.pop(1)).read_bytes())  # noqa: S301 -- the tests have written it
bundle.bundle = lambda _suite: {}
pages.pages = lambda _suite: given
cli(prog_name="mkdocs")
