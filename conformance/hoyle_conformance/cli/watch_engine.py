"""`hoyle check --watch`: the checks run again whenever a file of the engine changes.

Each run is a process of its own, with the words of this one but `--watch`: so it is what `hoyle check` does, and a
changed configuration counts at once.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

import click

from hoyle_conformance.cli.exit import BY_A_SIGNAL
from hoyle_conformance.files.diagnostics import shown_path
from hoyle_conformance.files.watch import Changed, Snapshot, changes, snapshot
from hoyle_conformance.wording.text import plural

#: So often it is looked whether something has changed, in seconds.
_PAUSE: Final = 0.4
WATCH: Final = "--watch"
#: The exit codes of a process that Ctrl-C has ended: on Windows, and elsewhere.
_INTERRUPTED: Final = frozenset({BY_A_SIGNAL + signal.SIGINT, -signal.SIGINT})
#: Of many changed files so many are named.
_NAMED: Final = 3

watch_option = click.option(WATCH, is_flag=True, help="Run again whenever a file of the engine changes, until Ctrl-C.")
watch_path_option = click.option(
    "--watch-path",
    "watched",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="With --watch: watch this file or folder, not the folder of the engine (repeatable).",
)


def watch_engine(words: Sequence[str], paths: Sequence[Path], written: Collection[Path]) -> NoReturn:
    """Run 'hoyle check' with these words now, and after each change of a file in these paths, but for those that the
    run has `written`; ends with KeyboardInterrupt."""
    own = frozenset(path.resolve() for path in written)
    look = partial(_look, paths, own)
    folders = ", ".join(shown_path(path) for path in paths)
    click.echo(f"Watching {plural(len(look()), 'file')} in {folders}. Ctrl-C ends it.", err=True)
    run_at_each_change(look, partial(_run, words), partial(time.sleep, _PAUSE))


def run_at_each_change(look: Callable[[], Snapshot], run: Callable[[], object], wait: Callable[[], None]) -> NoReturn:
    """Run now, and after each change that `look` shows, also one that comes during a run; `wait` is called between two
    looks."""
    before = look()
    run()
    for changed in changes(before, look, wait):
        click.echo(f"\n{_change_line(changed)}", err=True)
        run()
    raise AssertionError("changes never end")


def _look(paths: Sequence[Path], written: Collection[Path]) -> Snapshot:
    """Return the present state of all files in these paths, but for those that the run writes."""
    return {path: seen for path, seen in snapshot(paths, "").items() if path.resolve() not in written}


def _change_line(changed: Changed) -> str:
    """Return a line that names the first changed files."""
    files = [shown_path(path) for path in (*changed.files, *changed.gone)]
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    return f"{time.strftime('%H:%M:%S')}  {', '.join(files[:_NAMED])}{more} changed."


def _run(words: Sequence[str]) -> None:
    """Run 'hoyle check' as a process of its own to its end; raise KeyboardInterrupt if it was interrupted."""
    command = [sys.executable, "-m", "hoyle_conformance", "check", *words]
    child = subprocess.Popen(command)  # noqa: S603 -- the words of the user
    try:
        code = child.wait()
    except KeyboardInterrupt:
        child.wait()  # it got the signal too, and reports what it has
        raise
    if code in _INTERRUPTED:
        raise KeyboardInterrupt


def paths_to_watch(command: Sequence[str], folder: Path | None, watched: Iterable[Path]) -> list[Path]:
    """Return the paths to watch: those that are named, or else the folder that the command runs in, and the files
    elsewhere that it names."""
    if named := list(watched):
        return named
    here = folder or Path.cwd()
    files = [here / word for word in command if (here / word).is_file()]
    return [here, *(path for path in files if not path.resolve().is_relative_to(here.resolve()))]


def without_watch(words: Sequence[str], adapter: Sequence[str]) -> list[str]:
    """Return the words of a call without `--watch`, which does not concern the words of the adapter's command."""
    end = len(words) - len(adapter)
    return [*(word for word in words[:end] if word != WATCH), *words[end:]]
