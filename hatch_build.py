"""Adds the compiled suite to a wheel, and writes nothing into the source tree for it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import cache_from_source
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
        self.app.display_waiting("Compiling the suite: about 15 seconds.")
        try:
            with _importing_from(root / "reference_impl", root / "conformance"):
                from hoyle_conformance.checks.cache.cached_suite import compile_for_wheel

                self.made = TemporaryDirectory()  # stays until all is packed
                compile_for_wheel(root / "spec", Path(self.made.name))
        except ImportError as error:
            self.app.display_warning(f"The wheel is built without the compiled suite: {error}.")
            return
        for path in sorted(Path(self.made.name).iterdir()):
            build_data["force_include"][str(path)] = f"hoyle_conformance/checks/cache/ready/{path.name}"


@contextmanager
def _importing_from(*folders: Path) -> Iterator[None]:
    """Import modules from these folders first, and write no bytecode next to them; afterwards, import as before."""
    path, writes_none = [*sys.path], sys.dont_write_bytecode
    sys.path[:0], sys.dont_write_bytecode = map(str, folders), True
    try:
        yield
    finally:
        sys.path[:], sys.dont_write_bytecode = path, writes_none


def _remove_own_bytecode() -> None:
    """Remove the bytecode of this script, which Hatchling's import has just written next to it."""
    written = Path(cache_from_source(__file__))
    with suppress(OSError):  # it was not written, or there is more in its folder
        written.unlink()
        written.parent.rmdir()


_remove_own_bytecode()
