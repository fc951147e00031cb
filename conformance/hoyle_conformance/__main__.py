"""``python -m hoyle_conformance`` is the `hoyle` command."""

from .cli import run

run()
