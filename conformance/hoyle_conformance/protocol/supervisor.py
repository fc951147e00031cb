"""The supervisor of an adapter: a small process between Hoyle and the adapter, which ends all that the adapter starts.

``python -I -S supervisor.py HELD UNTOLD COMMAND…``

HELD is the read end of a pipe whose other end only Hoyle holds. When data arrives through the pipe, or Hoyle has ended
in any way, the supervisor ends all processes here. UNTOLD receives the error number if the command cannot be started;
otherwise it is closed. Standard input, output and error belong to the adapter, and the supervisor passes nothing on.
When the adapter ends, the supervisor ends the processes left behind, and then itself in the same way as the adapter.

On Linux, the supervisor finds every process that the adapter has started, even in a session of its own, because
orphans become children of the supervisor; and the adapter ends with the supervisor. Elsewhere, the supervisor ends the
process group of the adapter.

The supervisor runs with every adapter, so this script imports little, and nothing of Hoyle.
"""

# The module that `signal` wraps; importing the wrapper takes longer than everything else here.
import _signal as signal  # type: ignore[import-not-found]
import os
import select
import sys
from time import sleep

assert sys.platform != "win32"  # Windows has no process groups, and starts adapters without a supervisor

LINUX = sys.platform == "linux"
CANNOT_START = 127
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl

#: The number of seconds between checks whether the adapter has ended, in case its signal was lost; shorter than Hoyle
#: waits for the end.
LOOK_FOR_ITS_END = 1.0
#: The number of seconds between checks whether any process being ended is left.
LOOK_AGAIN = 0.001

Ended = dict[int, int]  # how processes ended, by process number


def supervise(held: int, untold: int, command: list[str]) -> int:
    """Run the command until it ends or Hoyle releases it, and end everything it started. Return how it ended, in the
    form of `os.waitstatus_to_exitcode`."""
    for ours in (held, untold):
        os.set_inheritable(ours, False)
    try:
        (woken, wake), nothing = os.pipe(), os.open(os.devnull, os.O_RDWR)
        os.set_blocking(wake, False)
        before = signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals() - {signal.SIGCHLD})
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)
        prctl(SET_CHILD_SUBREAPER, 1)
        adapter = start(command, untold, before)
    except OSError as error:
        write(untold, b"%d" % (error.errno or 0))
        return CANNOT_START
    os.close(untold)
    for stream in range(3):  # so that they are closed when the adapter closes them
        os.dup2(nothing, stream)
    ended: Ended = {}
    while adapter not in ended:
        ready = select.select((held, woken), (), (), LOOK_FOR_ITS_END)[0]
        if held in ready:
            break
        if woken in ready:
            empty(woken)
        ended |= reaped() or {}
    if adapter not in ended:
        kill(adapter)
    ended |= end_all(adapter)
    return os.waitstatus_to_exitcode(ended[adapter])


def start(command: list[str], untold: int, mask: object) -> int:
    """Start the command in a session of its own, with the original signal mask, and return its process number."""
    ours = os.getpid()
    if adapter := os.fork():
        return adapter
    try:
        os.setsid()
        prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != ours:
            os._exit(CANNOT_START)
        for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored_by_python, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.execvp(command[0], command)  # noqa: S606 -- the user's own command, without a shell
    except OSError as error:
        write(untold, b"%d" % (error.errno or 0))
    finally:
        os._exit(CANNOT_START)


def end_all(adapter: int) -> Ended:
    """End all processes, repeatedly until none is left, since one that is just being started is found only the next
    time."""
    ended: Ended = {}
    kill(-adapter)  # its group
    while (more := reaped()) is not None:
        ended |= more
        for each in descendants():
            kill(each)
        sleep(LOOK_AGAIN)  # no longer, because a process may not have been seen
    return ended


def kill(number: int) -> None:
    """End a process, or a group if the number is negative, if it exists and may be ended."""
    try:
        os.kill(number, signal.SIGKILL)
    except OSError:
        return


def reaped() -> Ended | None:
    """Return how further children ended; None if there are no children left."""
    ended: Ended = {}
    while True:
        try:
            number, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended or None
        if not number:
            return ended
        ended[number] = status


def descendants() -> set[int]:
    """Return the numbers of all processes started from here, as far as the system shows them."""
    parents: dict[int, int] = {}
    for name in names_in("/proc") if LINUX else ():
        try:
            with open(f"/proc/{name}/stat", "rb") as status:
                parents[int(name)] = int(status.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue  # not a process, or one that has ended meanwhile
    ours, found = {os.getpid()}, set[int]()
    while ours:
        ours = {number for number, parent in parents.items() if parent in ours}
        found |= ours
    return found


def names_in(folder: str) -> list[str]:
    """Return the names of all entries of a folder; none if it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def empty(pipe: int) -> None:
    """Read everything available in a pipe; if it cannot be read now, it is read the next time."""
    try:
        os.read(pipe, 4096)
    except OSError:
        return


def write(pipe: int, text: bytes) -> None:
    """Write to a pipe, if possible."""
    try:
        os.write(pipe, text)
    except OSError:
        return


def prctl(option: int, value: int) -> None:
    """Call prctl on Linux, if possible. Other systems do nothing here, and Hoyle does not promise its effect there."""
    if LINUX:
        try:
            import ctypes

            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
        except (ImportError, OSError, AttributeError):
            return


def end_as(code: int) -> None:
    """End this process in the same way, but without a core dump."""
    if code < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.kill(os.getpid(), -code)
    os._exit(code % 256)


if __name__ == "__main__":
    end_as(supervise(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
