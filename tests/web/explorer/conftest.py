"""One table for the tests of a module."""

import pytest

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.engine import Engine


@pytest.fixture(scope="module")
def engine(suite: Suite) -> Engine:
    return Engine(suite)
