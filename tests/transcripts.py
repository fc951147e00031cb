"""Transcripts: documents whose commands are run, so that what they show is what a reader sees.

In a document every block that is fenced as ``console`` is a part of one session, in order: after the prompt ``$ `` a
command, which goes on in the next line where it ends in a backslash, and below it what it prints. A block of any other
language with a title (```` ```python title="my_adapter.py" ````) is a file that the reader writes at that point.

A line with nothing but ``…`` stands for lines that are left out. Times, dates and versions may be others than those
shown. What is printed otherwise than it is shown is written into the document with HOYLE_WRITE_GOLDEN=1: so many lines
before the first ``…`` and behind the last as there were.
"""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from conftest import HANGS, ROOT, Done, the_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.load import read_document
from hoyle_conformance.suite.paths import files, read_lock
from hoyle_conformance.suite.suite import Suite

LEFT_OUT: Final = "…"
_PROMPT: Final = "$ "
_BLOCK: Final = re.compile(r"^```(?P<language>\w+)(?P<more>[^\n]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
_TITLE: Final = re.compile(r'title="([^"]+)"')
#: What is another at another time: dates, versions, durations.
_PASSING: Final = tuple(
    re.compile(each)
    for each in (
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?",
        r"\b\d+\.\d+\.\d+\w*\b",
        r"\b\d+([.,]\d+)? ?(ms|s|seconds?|milliseconds?|minutes?)\b",
    )
)


@dataclass(frozen=True)
class Clone:
    """A checkout in which scenarios are written: its `folder` has a spec folder with schemas and ids.lock, and the new
    scenarios. All else of the suite is that of this installation, which is loaded already."""

    folder: Path

    @classmethod
    def in_folder(cls, folder: Path) -> "Clone":
        """A new one."""
        shutil.copytree(ROOT / "spec/schemas", folder / "spec/schemas")
        for name in ("VERSION", "ids.lock", "at-work.jsonl"):
            shutil.copyfile(ROOT / "spec" / name, folder / "spec" / name)
        (folder / "spec/scenarios").mkdir()
        return cls(folder)

    def suite(self) -> Suite:
        """The suite with the scenarios that have been written; those that are invalid are left out."""
        root, before, written = self.folder / "spec", the_suite(), {}
        for path in files(root, "scenario"):
            with suppress(Invalid):
                shown = path.relative_to(self.folder).as_posix()
                one = scenario_from(read_document(before.schemas, "scenario", path, shown))
                written[one.id] = one
        suite = replace(before, root=root, lock=read_lock(root), scenarios={**before.scenarios, **written})
        vars(suite)["rules"] = before.rules  # compiled already, and the same
        planner_of(suite).sound = planner_of(before).sound
        return suite


@dataclass
class Session:
    """Where the commands of a document are run: in a `folder`, `hoyle` in this process and all else as a program.

    In a `clone` the commands have its suite. What is typed may have something else run `instead`, by how it begins:
    ``{"pipx run --spec ./hoyle hoyle": "hoyle"}``; nothing is run, and nothing printed, where that is empty.
    """

    folder: Path
    hoyle: Callable[..., Done]
    instead: Mapping[str, str] = field(default_factory=dict)
    clone: Clone | None = None
    code: int = 0

    def __post_init__(self) -> None:
        self.inside = self.folder

    def run(self, typed: str) -> str:
        """What a command prints, on both streams, without what is particular to this machine."""
        for begins, other in self.instead.items():
            typed = other + typed.removeprefix(begins) if other and typed.startswith(begins) else typed
            if not other and typed.startswith(begins):
                return ""
        words, to = _redirected(shlex.split(typed.replace("\\\n", " "), comments=True))
        printed = self._run(words)
        if to:
            (self.inside / to).write_text(printed, encoding="utf-8")
            return ""
        return printed.replace(f"{self.folder}/", "").replace(str(self.folder), ".").replace(sys.executable, "python")

    def _run(self, words: Sequence[str]) -> str:
        match words:
            case ["cd", folder]:
                self.inside = (self.inside / folder).resolve(strict=True)
                return ""
            case ["echo", "$?"]:
                return f"{self.code}\n"
            case ["cat", *files]:
                return "".join((self.inside / file).read_text("utf-8") for file in files)
            case ["hoyle", *rest]:
                words = [sys.executable if word == "python" else word for word in rest]
                installed = self.clone.suite if self.clone else the_suite
                done = self.hoyle(*words, cwd=self.inside, together=True, installed=installed)
                assert "Traceback" not in done.stdout, done.stdout
                self.code = done.returncode
                return done.stdout
            case _:
                return self._program([sys.executable if words[0] == "python" else words[0], *words[1:]])

    def _program(self, words: Sequence[str]) -> str:
        done = subprocess.run(
            words,
            cwd=self.inside,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=HANGS,
            check=False,
        )
        self.code = done.returncode
        return done.stdout.decode()


def played(text: str, session: Session) -> str:
    """A document with what its commands print now, where that is not what it shows."""

    def anew(block: re.Match[str]) -> str:
        if block["language"] == "console":
            body = "".join(_typed_and_printed(block["body"], session))
            return f"```console{block['more']}\n{body}```"
        if title := _TITLE.search(block["more"]):
            file = session.inside / title[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block["body"], encoding="utf-8")
        return block[0]

    return _BLOCK.sub(anew, text)


def alike(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether lines are what a document shows of them."""
    pattern = "".join("(?:.*\n)*?" if _is_gap(line) else f"{re.escape(_lasting(line))}\n" for line in shown)
    return bool(re.fullmatch(pattern, "".join(f"{_lasting(line)}\n" for line in printed)))


def as_short(shown: Sequence[str], printed: Sequence[str]) -> list[str]:
    """What is to be shown of lines, where so much was shown of others: all of them, or those before a gap and those
    behind it; of what stood between gaps, what is still there."""
    parts = [list(lines) for is_gap, lines in groupby(shown, _is_gap) if not is_gap]
    gap = next((line for line in shown if _is_gap(line)), "")
    first = len(parts.pop(0)) if parts and not _is_gap(shown[0]) else 0
    last = len(parts.pop()) if parts and not _is_gap(shown[-1]) else 0
    if not gap or first + last >= len(printed):
        return list(printed)
    between = list(printed[first : len(printed) - last])
    kept = [line for part in parts for line in part if line in between]
    middle = [gap, *(each for line in kept for each in (line, gap))]
    return [*printed[:first], *middle, *printed[len(printed) - last :]]


def _typed_and_printed(body: str, session: Session) -> Iterator[str]:
    for typed, shown in _commands(body.splitlines()):
        printed = [line.rstrip() for line in session.run(typed.removeprefix(_PROMPT)).rstrip("\n").splitlines()]
        space = [""] if shown and not shown[-1] else []  # before the next command
        before = shown[: len(shown) - len(space)]
        lines = before if alike(before, printed) else as_short(before, printed)
        yield "".join(f"{line}\n" for line in (typed, *lines, *space))


def _commands(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each command of a block, in all its lines, with the lines that are shown below it."""
    starts = [at for at, line in enumerate(lines) if line.startswith(_PROMPT)]
    assert not lines or starts[:1] == [0], f"a console block begins with '{_PROMPT}', not with: {lines[0]}"
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        at = next(at for at in range(start, end) if not lines[at].endswith("\\"))
        yield "\n".join(lines[start : at + 1]), list(lines[at + 1 : end])


def _redirected(words: list[str]) -> tuple[list[str], str]:
    return (words[:-2], words[-1]) if words[-2:-1] == [">"] else (words, "")


def _is_gap(line: str) -> bool:
    return line.strip() == LEFT_OUT


def _lasting(line: str) -> str:
    """A line without what is another the next time."""
    for passing in _PASSING:
        line = passing.sub("#", line)
    return line
