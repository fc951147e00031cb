"""A wheel brings the compiled suite, ready: it is made of the very files that are packed into it."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ReadySuite(BuildHookInterface[Any]):
    """Compiles the suite before a wheel is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Have the compiled suite packed; where it cannot be made, each user's is made when it is first needed."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path[:0] = [str(root / "reference_impl"), str(root / "conformance")]
        try:
            from hoyle_conformance.kept.opening import make_ready

            self.made = TemporaryDirectory()  # stays until all is packed
            make_ready(root / "spec", Path(self.made.name))
        except ImportError as error:
            self.app.display_warning(f"The wheel is built without the compiled suite: {error}.")
            return
        for path in sorted(Path(self.made.name).iterdir()):
            build_data["force_include"][str(path)] = f"hoyle_conformance/kept/ready/{path.name}"
