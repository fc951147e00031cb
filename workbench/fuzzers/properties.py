"""Properties that what Hoyle prints must have, whatever it read."""

import re
from dataclasses import replace

from hoyle_conformance.files.diagnostics import UNSEEN, Invalid


def assert_printable(text: str) -> None:
    """Check that nothing in a text moves the cursor, changes colours or is invisible."""
    found = re.search(UNSEEN, text)
    assert found is None, f"{found[0]!r} in {text[:300]!r}"


def assert_explained(invalid: Invalid, content: bytes) -> None:
    """Check that every mistake has a message, and a place in the content."""
    lines = content.decode("utf-8", "replace").split("\n")
    assert invalid.diagnostics
    for each in invalid.diagnostics:
        assert each.message
        assert 1 <= each.line <= len(lines), each
        assert 1 <= each.column <= len(lines[each.line - 1]) + 1, each
        # Without its remedy: to look for names that were meant takes long.
        for line in str(replace(each, remedy="")).split("\n"):
            assert_printable(line)
