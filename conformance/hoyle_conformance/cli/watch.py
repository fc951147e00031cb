"""`hoyle validate --watch`: files are validated whenever they change, and only what is new is printed."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

import click

from hoyle_conformance.files.diagnostics import SHOWN, Diagnostic, Invalid, shown_path
from hoyle_conformance.files.watch import Changed, changes, snapshot
from hoyle_conformance.suite.paths import KINDS, kind_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import plural

#: So often it is looked whether something has changed, in seconds.
_PAUSE: Final = 0.4
#: Of more files at once, those that are sound are only counted.
_MANY: Final = 12
#: What changes the rules by which scenarios are judged.
_RULES: Final = ("rulesets", "sources")


def watch(suite: Suite, paths: Sequence[Path], load: Callable[[], Suite]) -> NoReturn:
    """Validate these files now, and after each change of them or of the rules; without files, what changes in the spec.

    Ends with KeyboardInterrupt.
    """
    watcher = _Watcher(suite, paths, load)
    named = list(snapshot(paths))
    rules = [suite.root / folder for folder in _RULES]
    watched = [*paths, *rules] if paths else [suite.root / folder for folder, _ in KINDS]
    before = snapshot(watched)  # what changes while the first are validated is not lost
    click.echo(f"Watching {plural(len(before), 'file')}, and validating those that change. Ctrl-C ends it.")
    for path in paths:
        if not path.exists():
            watcher.gone(path)
    watcher.validate(named)
    for each in changes(before, partial(snapshot, watched), partial(time.sleep, _PAUSE)):
        watcher.change(each)
    raise AssertionError("changes never end")


class _Watcher:
    """Validates changed files against the suite, and remembers the mistakes last printed of each."""

    def __init__(self, suite: Suite, paths: Sequence[Path], load: Callable[[], Suite]) -> None:
        self._suite, self._paths, self._load = suite, paths, load
        self._last_mistakes: dict[Path, list[str]] = {}

    def change(self, changed: Changed) -> None:
        """Validate what a change concerns: changed files, or all if the rules changed."""
        for path in changed.gone:
            self.gone(path)
        again = set(changed.files)
        if changed.gone or any(kind_of(path) != "scenario" for path in changed.files):  # an id may be free again
            if not self._reload():
                return
            again |= snapshot(self._paths).keys()
        self.validate(sorted(again))

    def gone(self, path: Path) -> None:
        """Print that a file does not exist."""
        self._last_mistakes.pop(path, None)
        _print_line(f"{shown_path(path)}: not found")

    def validate(self, paths: Sequence[Path]) -> None:
        """Print the mistakes of files, unless they were printed before; of many files, only count the sound ones."""
        from hoyle_conformance.tools.validate.check_file import check_file

        sound = 0
        for path in paths:
            faults = check_file(self._suite, path)
            shown = list(Invalid(faults).shown())
            if faults:
                self._print_mistakes(path, len(faults), shown)
            elif len(paths) <= _MANY:
                _print_line(f"{shown_path(path)}: valid")
            sound += not faults
            self._last_mistakes[path] = shown
        if len(paths) > _MANY:
            _print_line(f"{plural(len(paths), 'file')}, {sound:,} of them valid")

    def _print_mistakes(self, path: Path, count: int, shown: list[str]) -> None:
        """Print the mistakes of a file, or that they are still the same."""
        if shown == self._last_mistakes.get(path):
            _print_line(f"{shown_path(path)}: still {plural(count, 'mistake')}, as before")
        else:
            _print_line(f"{shown_path(path)}: {plural(count, 'mistake')}")
            _print_indented(shown)

    def _reload(self) -> bool:
        """Load the rules again and return whether they are valid; print their mistakes."""
        try:
            self._suite = self._load()
        except Invalid as invalid:
            faults: Sequence[Diagnostic] = invalid.diagnostics
            _print_line(f"the rules cannot be used: {plural(len(faults), 'mistake')}")
            _print_indented(list(invalid.shown()))
            return False
        return True


def _print_indented(faults: Sequence[str]) -> None:
    """Print the first mistakes, indented."""
    for each in faults[:SHOWN]:
        click.echo("\n".join(f"  {line}" for line in each.splitlines()))


def _print_line(what: str) -> None:
    """Print a line with the time."""
    from hoyle_conformance.files.safe_text import printable

    click.echo(f"{time.strftime('%H:%M:%S')}  {printable(what)}")
