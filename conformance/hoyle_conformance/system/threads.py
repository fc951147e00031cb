"""Threads, whose start the system can refuse like that of a process."""

import errno
import threading
from collections.abc import Callable


def start_thread(work: Callable[..., object], *arguments: object) -> threading.Thread:
    """Start and return a thread that ends with the process; raises OSError if the system starts no more threads."""
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    try:
        thread.start()
    except RuntimeError as error:
        raise OSError(errno.EAGAIN, "The system starts no more threads") from error
    return thread
