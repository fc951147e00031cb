"""The supervisor of an adapter: a small process between Hoyle and the adapter, which ends all that this has started.

``python -I -S supervisor.py HELD UNTOLD COMMAND…``

HELD is the end to read of a pipe whose other end only Hoyle has. When something comes through it, or when Hoyle is no
more, however it has ended, everything here is ended. Into UNTOLD goes the number of the error if the command cannot be
started; where it can, it is closed. Standard input, output and error are the adapter's own: nothing is passed on. When
the adapter ends, what it leaves behind is ended, and then the supervisor ends as the adapter has.

On Linux whatever the adapter has started is found, also in a session of its own, since orphans become children of the
supervisor; and the adapter ends with the supervisor. Elsewhere it is the process group of the adapter that is ended.

It is started with every adapter, so it is a script that imports little, and nothing of Hoyle.
"""

# Of what `signal` is a wrapper, which takes longer to import than all the rest.
import _signal as signal  # type: ignore[import-not-found]
import os
import select
import sys
from time import sleep

assert sys.platform != "win32"  # Windows has no process groups, and starts adapters without a supervisor

LINUX = sys.platform == "linux"
CANNOT_START = 127
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl

#: Seconds after which it is looked whether the adapter has ended, in case the signal of that was lost; less than Hoyle
#: waits for its end.
LOOK_FOR_ITS_END = 1.0
#: Seconds after which it is looked again whether anything is left of what is being ended.
LOOK_AGAIN = 0.001

Ended = dict[int, int]  # how processes have ended, by their numbers


def supervise(held: int, untold: int, command: list[str]) -> int:
    """Run the command to its end, or until Hoyle lets go of it, and end all that it has started; return how it ended,
    as `os.waitstatus_to_exitcode` does."""
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
    let_go_of_the_streams(nothing)
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
    """Start the command in a session of its own, with signals as they were, and return its process number."""
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


def let_go_of_the_streams(nothing: int) -> None:
    """Put `nothing` in place of the streams, so that they are closed when the adapter closes them."""
    for stream in range(3):
        os.dup2(nothing, stream)


def end_all(adapter: int) -> Ended:
    """End everything, again and again until nothing is left: what is just being started is found the next time."""
    ended: Ended = {}
    kill(-adapter)  # its group
    while (more := reaped()) is not None:
        ended |= more
        for each in descendants():
            kill(each)
        sleep(LOOK_AGAIN)  # no longer, for a process may not have been seen
    return ended


def kill(number: int) -> None:
    """End a process, or a group if the number is negative, if it is there and may be ended."""
    try:
        os.kill(number, signal.SIGKILL)
    except OSError:
        return


def reaped() -> Ended | None:
    """Return how children have ended that were not known to have, or None if there are no children any more."""
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
    """Return the numbers of everything that was started from here, as far as the system shows."""
    parents: dict[int, int] = {}
    for name in names_in("/proc") if LINUX else ():
        try:
            with open(f"/proc/{name}/stat", "rb") as status:
                parents[int(name)] = int(status.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue  # no process, or one that has ended meanwhile
    ours, found = {os.getpid()}, set[int]()
    while ours:
        ours = {number for number, parent in parents.items() if parent in ours}
        found |= ours
    return found


def names_in(folder: str) -> list[str]:
    """Return the names of everything in a folder; none if it cannot be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


def empty(pipe: int) -> None:
    """Read what there is in a pipe; if it cannot be read, it is read the next time."""
    try:
        os.read(pipe, 4096)
    except OSError:
        return


def write(pipe: int, text: bytes) -> None:
    """Write into a pipe, if that is possible."""
    try:
        os.write(pipe, text)
    except OSError:
        return


def prctl(option: int, value: int) -> None:
    """Ask Linux for something; without Linux, what it is for is not promised."""
    if LINUX:
        try:
            import ctypes

            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
        except (ImportError, OSError, AttributeError):
            return


def end_as(code: int) -> None:
    """End in the same way, but leave no image of this process behind."""
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
