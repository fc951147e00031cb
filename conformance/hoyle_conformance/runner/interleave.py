"""In turn: the log of several jobs, in which what was said about a check stands where its turn comes.

What becomes of a check is certain only when the next one has been asked (`hindsight`), and so its lines would come too
soon.
"""

from typing import Final

from hoyle_conformance.runner.start_adapter import Log

_RUN: Final = b'{"type":"run","seq":'


class InTurn:
    """A log that keeps the lines about a check until its result is given out."""

    def __init__(self, write: Log) -> None:
        self._write = write
        self._number = 0
        self._held: list[tuple[int, bytes]] = []

    def __call__(self, line: bytes) -> None:
        """Take a line to or from an adapter, which is about the check that was asked last."""
        if line.startswith(_RUN):
            self._number = int(line.removeprefix(_RUN).partition(b",")[0])
        self._held.append((self._number, line))

    def given(self, number: int) -> None:
        """The result of the check of this number is given out: write what was said until then."""
        while self._held and self._held[0][0] <= number:
            self._write(self._held.pop(0)[1])

    def rest(self) -> None:
        """Write what is left."""
        self.given(self._number)
