"""Mutants of the files that people write, and what must hold of each, whatever is done to it.

In the tests a few hundred are tried; any number, by hand:

    python workbench/fuzz_files.py --mutants 100000 --seed 7
    python workbench/fuzz_files.py --seed 7 --only 4711      one of them again, with its text and what is said of it

What must hold: it is judged, without an exception and within a minute; every complaint has a place that is in the file;
nothing that is printed holds a character that nobody sees; and a mutant that was made wrong on purpose is complained
about.
"""

import argparse
import json
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, Final

from fuzzers.properties import assert_explained
from fuzzers.words import in_schema
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.files.diagnostics import SHOWN, UNSEEN, Diagnostic, Invalid
from hoyle_conformance.files.yaml_nodes import Mark, Node, compose
from hoyle_conformance.runner.baseline import read_baseline
from hoyle_conformance.suite.paths import KINDS
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import read_house_rules
from hoyle_conformance.tools.validate.check_file import check_file

ROOT: Final = Path(__file__).resolve().parents[1]
#: Seconds after which a mutant is held to hang: far more than it takes on a busy machine.
HANGS: Final = 60
#: House rules and known failures, which are no files of the suite, but of those who use it.
HOUSE: Final = """\
id: at-our-table
extends: bezique-hoyle
options: [brisques-at-end]
rules:
  settle.target: 2000
  declare.melds.bezique.points: {is: 50, because: We always did.}
  seven.with_a_declaration: instead
"""
BASELINE: Final = """\
# what is known
to-score.the-example@bezique-hoyle
to-score.the-example@bezique-h2g2 crash  # for now
seven.*@bezique-hoyle fail
"""
#: What is strewn into a text.
TOKENS: Final = (
    *"[]{}:,-?&*!|>'\"%@`#\t\n\r\\~=",
    *("- ", ": ", "? ", "&a ", "*a", "!!str ", "!x ", "---\n", "...\n", "<<: ", "[[", "{{", "\\x1b", "\\u202e"),
    *("null", "true", "no", "-1", "0", "1e9", "1.5", "9" * 30, "0x10", "", " " * 50, "'", '"', "\r\n", "é", "♠", "😀"),
    *("\0", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u200b", "\u202e", "\u2066", "\ufeff", "\ufffe", "\U000e0041"),
)
#: Keys under which any word may stand as a key.
_OPEN: Final = frozenset({"readings", "options", "cells", "rules", "expect", "passed_over"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file that was changed: of what kind, how, what it holds now; and whether it must be wrong now."""

    kind: str
    path: str
    how: str
    content: bytes
    wrong: bool


@dataclass(frozen=True, slots=True)
class Original:
    """A sound file: of what kind it is, where it lies in a spec folder, its text, and the scalars in it, each with the
    path that leads there."""

    kind: str
    path: str
    text: str

    def scalars(self) -> Sequence[tuple[tuple[str | int, ...], Node]]:
        """The values that are no collections."""
        return [(path, node) for path, node in _nodes(self.text) if isinstance(node.value, str)]

    def named(self) -> Sequence[tuple[tuple[str | int, ...], Mark]]:
        """The keys of mappings, each with the path of its value."""
        return [
            ((*path, key), mark)
            for path, node in _nodes(self.text)
            if isinstance(node.value, dict)
            for key, (mark, _) in node.value.items()
        ]

    def offset(self, mark: Mark) -> int:
        """Where in the text a line and column are."""
        return _beginnings(self.text)[mark[0]] + mark[1]


@lru_cache(maxsize=64)
def _nodes(text: str) -> Sequence[tuple[tuple[str | int, ...], Node]]:
    return list(_walk(compose(text, ""), ()))


@lru_cache(maxsize=64)
def _beginnings(text: str) -> Sequence[int]:
    """Where each line begins."""
    return [0, *accumulate(len(line) + 1 for line in text.split("\n"))]


def _walk(node: Node, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Node]]:
    yield path, node
    if isinstance(node.value, dict):
        for key, (_, value) in node.value.items():
            yield from _walk(value, (*path, key))
    elif isinstance(node.value, list):
        for at, item in enumerate(node.value):
            yield from _walk(item, (*path, at))


@cache
def originals(kind: str) -> Sequence[Original]:
    """The files of a kind."""
    if kind in ("house", "baseline"):
        return [
            Original(kind, {"house": "mine.yaml", "baseline": "known.txt"}[kind], {"house": HOUSE}.get(kind, BASELINE))
        ]
    folder = next(folder for folder, each in KINDS if each == kind)
    paths = sorted((ROOT / "spec" / folder).rglob(f"*.{kind}.yaml"))
    return [Original(kind, path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in paths]


@cache
def known_keys() -> frozenset[str]:
    """Every key that a schema knows."""
    schemas = (json.loads(path.read_text("utf-8")) for path in (ROOT / "spec/schemas").glob("*.json"))
    return frozenset(key for schema in schemas for key, _ in in_schema("", schema) if key)


# Each way to change a text gives the new text and whether it must be wrong; or nothing, where it does not apply.

Change = Callable[[Original, Random], tuple[str | bytes, bool] | None]


def _strew(original: Original, rng: Random) -> tuple[str, bool]:
    text = original.text
    for _ in range(rng.choice((1, 1, 2, 5))):
        at, gone = rng.randrange(len(text) + 1), rng.choice((0, 0, 1, 3, 20))
        text = text[:at] + rng.choice(TOKENS) + text[at + gone :]
    return text, False


def _lines(original: Original, rng: Random) -> tuple[str, bool]:
    lines = original.text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(other, lines[at])
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = " " * rng.choice((1, 2, 4)) + lines[at]
        case _:
            del lines[at:]
    return "\n".join(lines), False


def _bytes(original: Original, rng: Random) -> tuple[bytes, bool]:
    content = bytearray(original.text.encode())
    for _ in range(rng.choice((1, 1, 3))):
        content[rng.randrange(len(content))] = rng.randrange(256)
    return bytes(content), False


def _another_scalar(original: Original, rng: Random) -> tuple[str, bool] | None:
    value = rng.choice(("10" * 9, "-1", "0", "9" * 40, "x" * 5000, "''", "null", "[]", "{}", "A", "QS", "1.5", "yes"))
    return _put(original, rng.choice(original.scalars()), value), False


def _borrowed(original: Original, rng: Random) -> tuple[str, bool] | None:
    """Values in place of others under the same key: each sound somewhere, but perhaps not here."""
    text = original.text
    for _ in range(rng.choice((1, 1, 2, 4))):
        taken = _simple(rng.choice((original, rng.choice(originals(original.kind)))), rng, lambda *_: True)
        here = replace(original, text=text)
        try:
            scalar = taken and _simple(here, rng, _under(_key(taken[0])))
        except Invalid:  # what was borrowed before has spoilt it as YAML
            break
        if scalar is None:
            return None
        text = _put(here, scalar, taken[1].value)
    return text, False


def _under(key: str) -> Callable[[tuple[str | int, ...], str], bool]:
    """Whether a scalar stands under a key."""
    return lambda path, _: _key(path) == key


def _key(path: tuple[str | int, ...]) -> str:
    """The last key on a path."""
    return next((at for at in reversed(path) if isinstance(at, str)), "")


def _spliced(original: Original, rng: Random) -> tuple[str, bool]:
    other = rng.choice(originals(original.kind)).text
    at, start = rng.randrange(len(original.text)), rng.randrange(len(other))
    return original.text[:at] + other[start : start + rng.choice((30, 300, 3000))] + original.text[at:], False


def _put(original: Original, scalar: tuple[tuple[str | int, ...], Node], value: str) -> str:
    """The text with another value in place of a scalar; one over several lines is left behind it."""
    at = original.offset(scalar[1].mark)
    written = str(scalar[1].value)
    there = original.text[at:]
    quoted = re.match(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\n]|\'\')*\'', there)
    length = quoted.end() if quoted else len(written) if there.startswith(written) else 0
    return original.text[:at] + value + original.text[at + length :]


def _simple(original: Original, rng: Random, wanted: Callable[[tuple[str | int, ...], str], bool]) -> Any:
    """A scalar that is written as it is, of those that are wanted."""
    found = [
        (path, node)
        for path, node in original.scalars()
        if node.plain and wanted(path, str(node.value)) and _is_written(original, node)
    ]
    return rng.choice(found) if found else None


def _is_written(original: Original, node: Node) -> bool:
    return bool(node.value) and original.text.startswith(str(node.value), original.offset(node.mark))


def _key_misspelt(original: Original, rng: Random) -> tuple[str, bool] | None:
    found = [
        mark
        for path, mark in original.named()
        if path[-1] in known_keys() and not _OPEN.intersection(map(str, path[-2:-1]))
    ]
    if not found:
        return None
    at = original.offset(rng.choice(found))
    return original.text[:at] + "zz" + original.text[at:], True


def _reference_misspelt(original: Original, rng: Random) -> tuple[str, bool] | None:
    scalar = _simple(original, rng, lambda path, _: "cites" in path)
    return scalar and (_put(original, scalar, f"{scalar[1].value}-zz"), True)


def _word_misspelt(original: Original, rng: Random) -> tuple[str, bool] | None:
    keys = {
        "do",
        "ask",
        "by",
        "meld",
        "status",
        "kind",
        "card",
        "trumps",
        "class",
        "effect",
        "reading",
        "over",
        "extends",
    }
    scalar = _simple(original, rng, lambda path, _: path[-1] in keys and path[-2:] != ("melds", "kind"))
    if scalar is None or (original.kind == "ruleset" and scalar[0][-1] == "kind"):
        return None
    return _put(original, scalar, f"{scalar[1].value}zz"), True


def _value_misspelt(original: Original, rng: Random) -> tuple[str, bool] | None:
    """The value of a cell, or of one of its readings, is a word that it cannot have."""
    scalar = _simple(original, rng, lambda path, value: path[-1] == "is" and not value.isdigit())
    return scalar and (_put(original, scalar, f"zz-{scalar[1].value}"), True)


def _number_off(original: Original, rng: Random) -> tuple[str, bool] | None:
    """What a scenario expects is one more than it comes to."""
    scalar = _simple(original, rng, lambda path, value: "expect" in path and bool(re.fullmatch(r"[0-9]+", value)))
    return scalar and (_put(original, scalar, str(int(scalar[1].value) + 1)), True)


def _card_unknown(original: Original, rng: Random) -> tuple[str, bool] | None:
    scalar = _simple(original, rng, lambda _, value: bool(re.fullmatch(r"[789TJQKA][CDHS]", value)))
    return scalar and (_put(original, scalar, f"{scalar[1].value}9"), True)


def _another_type(original: Original, rng: Random) -> tuple[str, bool] | None:
    scalar = _simple(original, rng, lambda *_: True)
    return scalar and (_put(original, scalar, "{zz: zz}"), True)


def _decorated(original: Original, rng: Random) -> tuple[str, bool] | None:
    scalar = _simple(original, rng, lambda *_: True)
    return scalar and (_put(original, scalar, rng.choice(("&a ", "!!str ", "! ", "!!int ")) + scalar[1].value), True)


def _too_deep(original: Original, rng: Random) -> tuple[str, bool] | None:
    scalar = _simple(original, rng, lambda *_: True)
    many = rng.choice((41, 1000, 50_000))
    hidden = rng.choice(("[" * many + "]" * many, "[" + '"]",[' * many + "]" * many, "{a: " * many + "1" + "}" * many))
    return scalar and (_put(original, scalar, hidden), True)


def _key_twice(original: Original, rng: Random) -> tuple[str, bool]:
    key = rng.choice(list(compose(original.text, "").value))
    return f"{original.text.rstrip()}\n{key}: again\n", True


def _second_document(original: Original, _rng: Random) -> tuple[str, bool]:
    return f"{original.text.rstrip()}\n---\nid: another\n", True


def _unseen(original: Original, rng: Random) -> tuple[str, bool]:
    at = rng.randrange(1, len(original.text))
    return original.text[:at] + rng.choice("\0\x07\x1b\x7f\x9b\u200b\u202e\u2066\u2028\u3164\ufe0f") + original.text[
        at:
    ], True


def _no_utf_8(original: Original, rng: Random) -> tuple[bytes, bool]:
    at = rng.randrange(len(original.text))
    ill = rng.choice((b"\xff", b"\xc3", b"\xed\xa0\x80"))
    return original.text[:at].encode() + ill + b" " + original.text[at:].encode(), True


def _many_mistakes(original: Original, rng: Random) -> tuple[str, bool]:
    many = rng.choice((60, 1500))
    return original.text.rstrip() + "\n" + "".join(f"zz{number}: 1\n" for number in range(many)), True


ANY: Final[Sequence[Change]] = (_strew, _strew, _lines, _bytes, _spliced)
OF_YAML: Final[Sequence[Change]] = (
    *(_borrowed, _borrowed, _borrowed, _borrowed),
    *(_another_scalar, _key_misspelt, _reference_misspelt, _word_misspelt, _value_misspelt, _number_off, _card_unknown),
    *(_another_type, _decorated, _too_deep, _key_twice, _second_document, _unseen, _no_utf_8, _many_mistakes),
)
#: How often each kind is taken. Whole games take seconds to be proved.
OFTEN: Final = {"scenario": 50, "ruleset": 25, "source": 10, "house": 10, "baseline": 4, "census": 1}


def mutant(seed: str, number: int) -> Mutant:
    """One of the mutants of a seed: always the same one."""
    rng = Random(f"{seed}/{number}")
    while True:
        kind = rng.choices(list(OFTEN), list(OFTEN.values()))[0]
        original = rng.choice(originals(kind))
        change = rng.choice(ANY if kind == "baseline" else (*ANY, *OF_YAML))
        made = change(original, rng)
        if made is not None:
            content = made[0].encode("utf-8", "surrogatepass") if isinstance(made[0], str) else made[0]
            return Mutant(kind, original.path, change.__name__.strip("_"), content, made[1])


@dataclass(frozen=True, slots=True)
class Trial:
    """Where mutants are tried: a suite whose folder is one of their own."""

    suite: Suite

    def said_of(self, each: Mutant) -> tuple[Diagnostic, ...]:
        """What is said of a mutant, in the place of its original."""
        path = self.suite.root.parent / each.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(each.content)
        try:
            if each.kind == "house":
                read_house_rules(self.suite, path)
            elif each.kind == "baseline":
                read_baseline(path, self.suite)
            else:
                return Invalid(check_file(self.suite, path)).diagnostics
        except Invalid as invalid:
            return invalid.diagnostics
        return ()

    def fault(self, each: Mutant) -> str:
        """What does not hold of a mutant; nothing where all does."""
        try:
            said = self.said_of(each)
            if said:
                assert_explained(Invalid(said), each.content)
        except Exception:  # noqa: BLE001 -- that none comes is what is tried
            return f"exception\n{traceback.format_exc(limit=-8)}"
        if each.wrong and not said:
            return "nothing is said of what is wrong"
        shown = list(Invalid(said).shown())
        if len(shown) > SHOWN + 1 or any(re.search(UNSEEN, line) for text in shown for line in text.split("\n")):
            return f"too much is shown, or what nobody sees: {shown[-1]}"
        return ""


def trial(suite: Suite, folder: Path) -> Trial:
    """Mutants of the files of a suite are tried in this folder."""
    return Trial(replace(suite, root=folder / "spec"))


def _hangs(_signal: int, _frame: Any) -> None:
    raise TimeoutError(f"it is not judged within {HANGS} seconds")


def main() -> None:
    """Try as many mutants as are asked for, and print those of which something does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _hangs)
    with tempfile.TemporaryDirectory() as folder:
        tried = trial(load_suite(ROOT / "spec", positions=False), Path(folder).resolve())
        if options.only is not None:
            _again(tried, mutant(options.seed, options.only))
            return
        _try(tried, options.seed, options.mutants)


def _try(tried: Trial, seed: str, many: int) -> None:
    found, slowest, took = Counter[str](), (0.0, 0), Counter[str]()
    for number in range(many):
        each, begun = mutant(seed, number), time.monotonic()
        signal.alarm(HANGS)
        fault = tried.fault(each)
        signal.alarm(0)
        seconds = time.monotonic() - begun
        slowest = max(slowest, (seconds, number))
        took[each.kind] += 1
        if fault:
            found[f"{each.kind} {each.how}"] += 1
            print(f"--- {number} {each.path} ({each.how}): {fault}", flush=True)
    print(f"{many} mutants of seed {seed} tried ({dict(took)}), {found.total()} with faults: {dict(found)}")
    print(f"The slowest is number {slowest[1]}: {slowest[0]:.2f} s.")
    sys.exit(1 if found else 0)


def _again(tried: Trial, each: Mutant) -> None:
    print(f"{each.path} ({each.how}{', wrong' if each.wrong else ''})")
    fault = tried.fault(each)
    print(fault or "\n".join(map(str, tried.said_of(each))[:5]) or "sound")
    Path("mutant.txt").write_bytes(each.content)
    print("Its text is in mutant.txt.")


if __name__ == "__main__":
    main()
