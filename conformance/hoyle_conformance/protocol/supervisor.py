"""The supervisor of an adapter: a small process between Hoyle and the adapter, which ends all that this has started.

``python -I -S supervisor.py HELD UNTOLD WATCHED COMMAND…``

HELD is the end to read of a pipe whose other end only Hoyle has. When something comes through it, or when Hoyle is no
more, however it has ended, everything here is ended. Into UNTOLD goes the number of the error if the command cannot be
started; where it can, it is closed. Standard input, output and error are the adapter's own: nothing is passed on. When
the adapter ends, what it leaves behind is ended, and then the supervisor ends as the adapter has.

WATCHED is empty, or the limits of a sandbox for the adapter and all its processes: the number of processes and threads,
bytes of memory, seconds of processor time, bytes of the temporary folder; 1 if another program reports how the adapter
has ended, as shells do; and the temporary folder, which is removed at the end. The numbers are separated by colons. An
adapter beyond a limit is ended, and its error output says why.

On Linux whatever the adapter has started is found, also in a session of its own, since orphans become children of the
supervisor; and the adapter ends with the supervisor. Elsewhere it is the process group of the adapter that is ended.

It is started with every adapter, so it is a script that imports little, and nothing of Hoyle.
"""

# Of what `signal` is a wrapper, which takes longer to import than all the rest.
import _signal as signal  # type: ignore[import-not-found]
import os
import select
import sys
from time import monotonic, sleep

assert sys.platform != "win32"  # Windows has no process groups, and starts adapters without a supervisor

LINUX = sys.platform == "linux"
CANNOT_START = 127
SHELL_SIGNAL = 128  # added to the number of a signal by shells, and by bubblewrap
BLOCK = 512
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl


#: The variable in which the script that confines the adapter finds its streams: see `sandbox/confine.py`.
STREAMS = "HOYLE_SANDBOX_STREAMS"
#: Seconds after which the limits of a sandbox are looked at: more if looking takes long, but never more than the last.
LOOK_AFTER, LOOK_SHARE, LOOK_AT_LAST = 0.25, 20, 2.0
#: Seconds after which it is looked whether the adapter has ended, in case the signal of that was lost; less than Hoyle
#: waits for its end.
LOOK_FOR_ITS_END = 1.0
#: Seconds after which it is looked again whether anything is left of what is being ended.
LOOK_AGAIN = 0.001

Ended = dict[int, int]  # how processes have ended, by their numbers


def supervise(held: int, untold: int, watched: str, command: list[str]) -> int:
    """Run the command to its end, or until Hoyle lets go of it, and end all that it has started; return how it ended,
    as `os.waitstatus_to_exitcode` does."""
    watch = Watch(watched) if watched else None
    for ours in (held, untold):
        os.set_inheritable(ours, False)
    try:
        (woken, wake), nothing = os.pipe(), os.open(os.devnull, os.O_RDWR)
        os.set_blocking(wake, False)
        before = signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals() - {signal.SIGCHLD})
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)
        prctl(SET_CHILD_SUBREAPER, 1)
        adapter = start(command, untold, before, confined=bool(watch))
    except OSError as error:
        write(untold, b"%d" % (error.errno or 0))
        return CANNOT_START
    os.close(untold)
    let_go_of_the_streams(nothing)
    ended: Ended = {}
    while adapter not in ended:
        ready = select.select((held, woken), (), (), watch.seconds if watch else LOOK_FOR_ITS_END)[0]
        if held in ready or (watch and watch.ends_it()):
            break
        if woken in ready:
            empty(woken)
        ended |= reaped() or {}
    if adapter not in ended:
        kill(adapter)
    ended |= end_all(adapter)
    return watch.ended(ended[adapter]) if watch else os.waitstatus_to_exitcode(ended[adapter])


def start(command: list[str], untold: int, mask: object, *, confined: bool) -> int:
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
        if confined:
            put_streams_aside(untold)
        os.execvp(command[0], command)  # noqa: S606 -- the user's own command, without a shell
    except OSError as error:
        write(untold, b"%d" % (error.errno or 0))
    finally:
        os._exit(CANNOT_START)


def put_streams_aside(untold: int) -> None:
    """Give the input and output of the adapter to the script that confines it, and to no program before that: if the
    adapter closes them, they are closed."""
    kept = [os.dup(stream) for stream in range(2)]
    for each in (untold, *kept):
        os.set_inheritable(each, True)
    os.environ[STREAMS] = " ".join(map(str, (untold, *kept)))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(2):
        os.dup2(nothing, stream)


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


def descendants() -> dict[int, list[bytes]]:
    """Return what the system shows of everything that was started from here, by the numbers of the processes: their
    state, their parent, and so on."""
    shown: dict[int, list[bytes]] = {}
    for name in names_in("/proc") if LINUX else ():
        try:
            with open(f"/proc/{name}/stat", "rb") as status:
                shown[int(name)] = status.read().rpartition(b")")[2].split()
        except (OSError, ValueError):
            continue  # no process, or one that has ended meanwhile
    ours, found = {os.getpid()}, dict[int, list[bytes]]()
    while ours:
        ours = {number for number, fields in shown.items() if fields and int(fields[1]) in ours}
        found |= {number: shown[number] for number in ours}
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


class Watch:
    """The limits of a sandbox, looked at again and again."""

    def __init__(self, watched: str) -> None:
        *numbers, by_another, self.folder = watched.split(":", 5)
        self.processes, self.memory, self.processor, self.size = map(int, numbers)
        self.by_another = by_another == "1"
        self.errors = os.dup(2)
        #: The time until the next look.
        self.seconds = LOOK_AFTER

    def ends_it(self) -> bool:
        """Look whether a limit is passed, and report it."""
        began = monotonic()
        passed = self.passed()
        self.seconds = min(LOOK_AT_LAST, max(LOOK_AFTER, LOOK_SHARE * (monotonic() - began)))
        if passed:
            write(self.errors, f"\nHoyle ended the adapter, because in the sandbox it had {passed}.\n".encode())
        return bool(passed)

    def passed(self) -> str:
        """Return the limit that is passed, in words."""
        shown = list(descendants().values())
        if (count := sum(int(each[17]) for each in shown)) > self.processes:
            return f"{count:,} processes and threads, more than {self.processes:,}"
        if (memory := sum(int(each[21]) for each in shown) * os.sysconf("SC_PAGE_SIZE")) > self.memory:
            return f"{memory:,} bytes of memory, more than {self.memory:,}"
        ticks = sum(int(field) for each in shown for field in each[11:15])
        if ticks / os.sysconf("SC_CLK_TCK") + sum(os.times()[2:4]) > self.processor:
            return f"more than {self.processor:,} seconds of processor time"
        if size_of(self.folder) > self.size:
            return f"more than {self.size:,} bytes in its temporary folder"
        return ""

    def ended(self, status: int) -> int:
        """Remove the temporary folder, and return how the adapter has ended."""
        import shutil

        shutil.rmtree(self.folder, ignore_errors=True)
        code = os.waitstatus_to_exitcode(status)
        is_signal = self.by_another and code - SHELL_SIGNAL in signal.valid_signals()
        return SHELL_SIGNAL - code if is_signal else code


def size_of(folder: str) -> int:
    """Return the bytes of the files in a folder, as far as they can be seen."""
    size = 0
    try:
        with os.scandir(folder) as entries:
            for each in entries:
                below = size_of(each.path) if each.is_dir(follow_symlinks=False) else 0
                size += below + each.stat(follow_symlinks=False).st_blocks * BLOCK
    except OSError:  # it has gone meanwhile, or is closed
        return size
    return size


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
    end_as(supervise(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4:]))
