"""Child processes: started so that they can be ended together with everything they start.

The parts are: programs and command lines, signals, and processes.
"""

import ntpath
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shutil import which
from subprocess import list2cmdline
from threading import Event, Timer
from types import FrameType
from typing import Final

# ---- programs and command lines


#: On Windows, paths contain backslashes, and only double quotes keep a word together.
_WORD: Final = re.compile(r'(?:[^\s"]|"[^"]*")+')


def split_command(line: str) -> tuple[str, ...]:
    """Split a command line into words; raises ValueError if a quotation is not closed."""
    if sys.platform != "win32":
        return tuple(shlex.split(line))
    if line.count('"') % 2:
        raise ValueError("No closing quotation")
    return tuple(word.replace('"', "") for word in _WORD.findall(line))


def join_command(words: Iterable[str]) -> str:
    """Join words into a command line that can be pasted into a shell."""
    if sys.platform != "win32":
        return shlex.join(words)
    return list2cmdline(words)


def program_ending() -> str:
    """Return the suffix of the names of compiled programs."""
    return ".exe" if sys.platform == "win32" else ""


def is_executable(path: Path) -> bool:
    """Return whether the system can run a file; on Windows, its name decides."""
    if sys.platform == "win32":
        endings = os.environ.get("PATHEXT", ".com;.exe;.bat;.cmd").lower().split(";")
        return bool(path.suffix) and path.suffix.lower() in endings
    return os.access(path, os.X_OK)


def how_to_make_executable(path: str) -> str:
    """Return how to make a file executable; its path is already quoted."""
    if sys.platform == "win32":
        return f"give it a name that ends with {program_ending()}"
    return f"chmod +x {path}"


# ---- signals


#: The signals that ask a program to end, except those that the system lacks and the one that ends a program at once.
ENDING: Final = tuple(
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if (number := getattr(signal, name, None)) is not None
)


def end_by(number: int) -> None:
    """End this process by a signal, as a shell expects of an interrupted program. On Windows, where shells do not
    expect it, return."""
    if sys.platform != "win32":
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


@contextmanager
def alarm(seconds: float, note: Callable[[], None], ring: Callable[[], None]) -> Iterator[None]:
    """Call `note` after this number of seconds, and then `ring` in the main thread, even if it is waiting, unless the
    block ends first. On Windows, a handler of SIGINT set inside the block is called instead of `ring`."""
    if sys.platform == "win32":
        with _timer(seconds, note, ring):
            yield
        return

    def take(_number: int, _frame: FrameType | None) -> None:
        note()
        ring()

    before = signal.signal(signal.SIGALRM, take)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _timer(seconds: float, note: Callable[[], None], ring: Callable[[], None]) -> Iterator[None]:
    """Do the same as `alarm` without an alarm: another thread raises SIGINT, the only signal that interrupts waiting on
    Windows."""
    due, before = Event(), signal.getsignal(signal.SIGINT)

    def take(number: int, frame: FrameType | None) -> None:
        if due.is_set():
            ring()
        elif callable(before):
            before(number, frame)

    def raise_it() -> None:
        due.set()
        note()
        signal.raise_signal(signal.SIGINT)

    timer = Timer(seconds, raise_it)
    timer.daemon = True
    signal.signal(signal.SIGINT, take)
    try:
        timer.start()  # on a busy machine, the time may be over before this returns
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)


#: The start method for Hoyle's own processes: a forked copy need not load anything. macOS does not allow forks of a
#: process that uses its libraries, and Windows has no forks.
START_METHOD: Final = "spawn" if sys.platform in {"darwin", "win32"} else "fork"
_SECONDS: Final = 20.0  # for Windows to end processes
#: A process, and the function that ends it.
Started = tuple[subprocess.Popen[bytes], Callable[[], object]]


def start(command: Sequence[str], folder: Path | None, supervisor: str) -> Started:
    """Start a command, and return its process and a function that ends it with everything it started; raises OSError.

    Except on Windows, the process is that of the script `supervisor` (`protocol/supervisor.py`), which ends in the same
    way as the command.
    """
    if sys.platform == "win32":
        return _alone(command, folder)
    return _supervised(command, folder, supervisor)


def _alone(command: Sequence[str], folder: Path | None) -> Started:
    """Start a command by itself on Windows.

    Windows starts a script, such as those of npm (`.cmd`), only by its full name. Ctrl-C reaches all processes of a
    terminal except those in a group of their own.
    """
    child = subprocess.Popen(  # noqa: S603 -- running the user's own command is the purpose
        [which(command[0]) or command[0], *command[1:]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        cwd=folder,
    )
    return child, partial(_end_tree_of, child)


def _end_tree_of(child: "subprocess.Popen[bytes]") -> None:
    if child.poll() is None:
        _end_tree(child.pid)
    child.kill()


def _end_tree(number: int) -> None:
    """End a process on Windows together with everything it started, which the system knows only while the process is
    running."""
    taskkill = ntpath.join(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")
    with suppress(OSError, subprocess.TimeoutExpired):
        command = [taskkill, "/T", "/F", "/PID", str(number)]
        subprocess.run(command, capture_output=True, check=False, timeout=_SECONDS)  # noqa: S603 -- the system's own


def _supervised(command: Sequence[str], folder: Path | None, supervisor: str) -> Started:
    """Start a command under its supervisor, which holds the other end of a pipe."""
    held, hold = os.pipe()
    holding = os.fdopen(hold, "wb", buffering=0)
    try:
        child = _started(command, folder, supervisor, held)
    except BaseException:  # also if Hoyle is interrupted here
        holding.close()
        raise
    finally:
        os.close(held)

    def let_go() -> None:
        with suppress(OSError, ValueError), holding:
            holding.write(b"\n")  # another process may also hold this end of the pipe
        if child.poll() is None:
            resume(child.pid)

    return child, let_go


def _started(command: Sequence[str], folder: Path | None, supervisor: str, held: int) -> subprocess.Popen[bytes]:
    """Start the supervisor of a command, which reports through a pipe if the command cannot be started."""
    told, untold = os.pipe()
    with os.fdopen(told, "rb") as tells:
        try:
            child = subprocess.Popen(  # noqa: S603 -- as above
                [sys.executable, "-I", "-S", supervisor, str(held), str(untold), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(held, untold),
                start_new_session=True,
                cwd=folder,
            )
        finally:
            os.close(untold)
        error = tells.read()
    if error:
        child.communicate()
        raise OSError(int(error), os.strerror(int(error)))
    return child


def resume(number: int) -> None:
    """Continue a stopped process, because it handles no signal before that. Windows stops no processes."""
    if sys.platform != "win32":
        os.kill(number, signal.SIGCONT)


def ask_to_end(number: int) -> None:
    """Ask a process to end. Windows cannot ask, so it ends the process and everything it started."""
    if sys.platform == "win32":
        _end_tree(number)
    with suppress(OSError):  # the process has ended meanwhile
        os.kill(number, signal.SIGTERM)
