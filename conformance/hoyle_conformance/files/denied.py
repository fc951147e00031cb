"""What the system may deny any part of a program: a file, a process, a thread, or memory."""

from typing import Final

#: No matter of one check or one request: what raises these may be raised by the next one too.
DENIED: Final = (OSError, MemoryError)


def words_of(error: OSError) -> str:
    """Return the system's words for an error, without the file."""
    return (error.strerror or str(error)).lower()


def reason_of(denied: OSError | MemoryError) -> str:
    """Return why the system has denied something, in words, with the name of the file if there is one."""
    if isinstance(denied, MemoryError):
        return "there is not enough memory"
    file = f"{denied.filename}: " if denied.filename else ""
    return f"{file}{words_of(denied)}"


def denied_in(error: BaseException | None) -> OSError | MemoryError | None:
    """Return what the system has denied if that is an error, or the cause of it, as in a library that has its own."""
    while error:
        if isinstance(error, DENIED):
            return error
        error = error.__cause__
    return None
