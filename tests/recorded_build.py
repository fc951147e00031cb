"""MkDocs, with pages that were made before: ``python tests/recorded_build.py FILE build …``.

FILE has all pages; some are made anew here, and written down in their place.
"""

import pickle
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from mkdocs.__main__ import cli

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import pages
from hoyle_conformance.web.site.page import Page

#: So many pages are made anew: among them those of all rulesets and sources.
ANEW = 60
made, record = pages.pages, Path(sys.argv.pop(1))


def recorded(suite: Suite, _measured: object = None) -> Iterator[Page]:
    before = pickle.loads(record.read_bytes())  # noqa: S301 -- the tests have written it
    anew = {page.path: page for page in islice(made(suite), ANEW)}
    record.write_bytes(pickle.dumps(anew))
    yield from {**before, **anew}.values()


pages.pages = recorded
cli(prog_name="mkdocs")
