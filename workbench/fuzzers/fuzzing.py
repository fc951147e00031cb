"""One target under atheris, in a process of its own: its code is instrumented while it is imported."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from .replay import reader
from .target import Target

_PACKAGES: Final = Path(__file__).resolve().parents[2] / "conformance"
#: Seconds after which an input counts as one that hangs, and the most memory (MB).
_HANGS: Final = 60
_MEMORY: Final = 4_096


def fuzz(target: Target, arguments: Sequence[str]) -> None:
    """Run a target with the arguments of libFuzzer; the process ends with it."""
    import atheris

    from .mutate import Mutator
    from .words import all_words

    sys.dont_write_bytecode = True
    options = [f"-max_len={target.longest}", f"-timeout={_HANGS}", f"-rss_limit_mb={_MEMORY}", "-report_slow_units=30"]
    include, exclude = [each.partition(".")[0] for each in target.packages], list(_other_modules(target))
    # What the code under test imports late must be instrumented too, so the hook stays until the end.
    with atheris.instrument_imports(include, exclude), reader(target) as read:
        mutator = Mutator(target.load().VARIANTS, all_words(), _change_bytes)
        words = [sys.argv[0], *options, *arguments]
        atheris.Setup(words, read, custom_mutator=mutator.mutate, custom_crossover=mutator.cross)
        atheris.Fuzz()


def _change_bytes(data: bytes, longest: int) -> bytes:
    """Return data as libFuzzer changes it: atheris has this function only once it has begun."""
    import atheris

    changed: bytes = atheris.Mutate(data, longest)
    return changed


def _other_modules(target: Target) -> Iterator[str]:
    """Yield the modules that a target is not meant to reach: atheris includes whole packages only."""
    for path in _PACKAGES.rglob("*.py"):
        place = path.relative_to(_PACKAGES).with_suffix("")
        module = ".".join(place.parent.parts if place.name == "__init__" else place.parts)
        if not any(module == each or module.startswith(f"{each}.") for each in target.packages):
            yield module
