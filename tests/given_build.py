"""MkDocs, with given pages and no others: ``python tests/given_build.py FILE build …``."""

import pickle
import sys
from pathlib import Path
from types import SimpleNamespace

from mkdocs.__main__ import cli

from hoyle_conformance import load
from hoyle_conformance.adequacy import keeping
from hoyle_conformance.site import pages
from hoyle_conformance.suite.folder import find_spec

given = pickle.loads(Path(sys.argv.pop(1)).read_bytes())  # noqa: S301 -- the tests have written it
load.load_suite = lambda: SimpleNamespace(root=find_spec())
keeping.kept = lambda _root: None
pages.pages = lambda _suite, _measured: given
cli(prog_name="mkdocs")
