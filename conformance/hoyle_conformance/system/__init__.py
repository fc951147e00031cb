"""The operating system. Apart from the supervisor and the sandbox, only this package distinguishes between systems.

Each module is about one kind of difference. Each function behaves on every system as its docstring says. The package
itself has the errors when the system denies an operation: every command needs them, so nothing else is imported here.
"""

from typing import Final

#: The errors when the system denies a file, a process, a thread or memory. They do not concern a single check or
#: request, because the next one may fail in the same way.
DENIED: Final = (OSError, MemoryError)


def words_of(error: OSError) -> str:
    """Return the system's words for an error, without the file."""
    return (error.strerror or str(error)).lower()


def reason_of(denied: OSError | MemoryError) -> str:
    """Return the reason why the system denied something, in words, with the name of the file if there is one."""
    if isinstance(denied, MemoryError):
        return "there is not enough memory"
    file = f"{denied.filename}: " if denied.filename else ""
    return f"{file}{words_of(denied)}"


def denied_in(error: BaseException | None) -> OSError | MemoryError | None:
    """Return the denial that this error is or is caused by, since a library may wrap it in an error of its own; None if
    there is none."""
    while error:
        if isinstance(error, DENIED):
            return error
        error = error.__cause__
    return None
