"""``python -m hoyle_conformance`` is the `hoyle` command."""

from hoyle_conformance.cli import run

run()
