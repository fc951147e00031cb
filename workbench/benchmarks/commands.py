"""The time until commands answer, with a cached suite and without; all figures are ratios of one run.

Commands run as they are installed: with their bytecode, and with an empty folder for the cache.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.protocol.adapters import Command
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite
from measuring import best, line, processor_time, ratio, seconds

HERE = Path(__file__).parent
#: An adapter that answers at once.
TRIVIAL = HERE.parents[1] / "tests/faulty_adapters/trivial.py"
HOYLE = [sys.executable, "-m", "hoyle_conformance"]
#: What should be answered before a person notices, with the goals: times as long as `hoyle --version`.
LOOK_UPS = {
    "suite list": 6,
    "ask how much is a quint worth in piquet": 8,
    "rules bezique-hoyle": 6,
    "explain to-score.the-example@bezique-hoyle": 6,
    "compare bezique-hoyle bezique-britannica": 6,
    "check -s to-score.the-example": 6,
}
#: What an author runs after each edit of a scenario, and the file that is edited.
AFTER_AN_EDIT = (*LOOK_UPS, "ask who-deals-first -r bezique-hoyle", "validate to-score.the-example")
EDITED = "scenarios/to-score/the-example.scenario.yaml"
#: How many times as many scenarios, where every fourth of the suite is once as many.
SIZES = (1, 2, 5, 10)
EVERY = 4
#: Checks as they are put, with what is sent for them.
Planned = Sequence[tuple[Check, RunRequest]]


@contextmanager
def as_installed() -> Iterator[None]:
    """Give commands their bytecode, and a cache folder of their own."""
    before = dict(os.environ)
    with TemporaryDirectory() as kept:
        os.environ["HOYLE_CACHE_DIR"] = kept
        for name in ("PYTHONDONTWRITEBYTECODE", "HOYLE_NO_CACHE"):
            os.environ.pop(name, None)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def process(*words: str, env: Mapping[str, str] | None = None) -> float:
    """Return the time of a whole `hoyle` process, from start to end, in seconds."""
    return seconds(lambda: subprocess.run([*HOYLE, *words], capture_output=True, check=True, env=env))


def python(code: str) -> float:
    """Return the time of a Python process that runs some code, in seconds."""
    return seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True))


def processor(*words: str, env: Mapping[str, str] | None = None) -> float:
    """Return the processor's time for a `hoyle` process, in seconds."""
    return processor_time([*HOYLE, *words], check=True, env=env)[0]


def main() -> None:
    """Print how soon commands answer, and what the whole suite takes."""
    with as_installed():
        process("check")  # compiles bytecode and suite
        importing()
        look_ups()
        after_an_edit()
        whole_suite()
        through_the_protocol()
        growth()


def importing() -> None:
    """Compare importing the library with a Python process that does nothing."""
    in_turn = [(python("pass"), python("import hoyle")) for _ in range(15)]
    nothing, library = map(min, zip(*in_turn, strict=True))
    print(ratio(f'python -c "import hoyle" ({1000 * library:,.0f} ms)', library / nothing, "python -c pass", 3))


def look_ups() -> None:
    """Compare each look-up with `hoyle --version`, which imports next to nothing, and with itself without the cache."""
    version = best(15, partial(process, "--version"))
    print(f"{'':<52} {'measured':>9} {'':<4} {'goal':>15}   goal met if 1 or more")
    print(line("hoyle --version, whole process", 1000 * version, "ms", 150, least=False))
    print()
    for words, goal in LOOK_UPS.items():
        in_turn = [(process("--version"), process(*words.split())) for _ in range(12)]
        version, kept = map(min, zip(*in_turn, strict=True))
        anew = best(3, partial(process, *words.split(), env={**os.environ, "HOYLE_NO_CACHE": "1"}))
        print(ratio(f"hoyle {words} ({1000 * kept:,.0f} ms)", kept / version, "hoyle --version", goal))
        print(f"{'':<52} {kept / anew:>9.2f} times the same with HOYLE_NO_CACHE ({1000 * anew:,.0f} ms)")


def after_an_edit() -> None:
    """Compare the processor's time of each look-up straight after a scenario is edited with `hoyle --version`."""
    with TemporaryDirectory() as folder:
        spec = Path(shutil.copytree(find_spec(), Path(folder) / "spec"))
        processor("suite", "list", "--spec", str(spec))
        print()
        for words in AFTER_AN_EDIT:
            in_turn = []
            for number in range(5):
                with (spec / EDITED).open("a", encoding="utf-8") as file:
                    file.write(f"# {words} {number}\n")
                in_turn.append((processor("--version"), processor(*words.split(), "--spec", str(spec))))
            version, edited = map(min, zip(*in_turn, strict=True))
            print(ratio(f"hoyle {words} after an edit", edited / version, "hoyle --version", 8))


def whole_suite() -> None:
    """Run the whole suite against the built-in reference."""
    in_turn = [(processor("check"), processor("check", env={**os.environ, "HOYLE_NO_CACHE": "1"})) for _ in range(4)]
    kept, anew = map(min, zip(*in_turn, strict=True))
    print()
    print(line("hoyle check, whole process", 1000 * best(3, partial(process, "check")), "ms", 2000, least=False))
    told = f"hoyle check, processor ({1000 * kept:,.0f} ms)"
    print(ratio(told, kept / anew, f"with HOYLE_NO_CACHE ({1000 * anew:,.0f} ms)", 0.4))


def through_the_protocol() -> None:
    """Measure scenarios a second through a child process, with cached messages, each judged while the next is answered;
    and without either."""
    suite = open_suite()
    planned = [(put, planner_of(suite).request(put)) for put in map(Relabeller(suite), suite.index.checks.values())]
    kept = _a_second(suite, planned, _overlapping)
    plain = [(check, RunRequest(dict(each.message), each.ends, each.needs, each.seats)) for check, each in planned]
    anew = _a_second(suite, plain, partial(_one_by_one, suite))
    print(line("scenarios through the protocol", kept, "/s", 5000, least=True))
    print(ratio("the same", kept / anew, f"one by one, made anew ({anew:,.0f} /s)", 1.5, least=True))


def _a_second(suite: Suite, planned: Planned, through: Callable[[Command, Planned], None]) -> float:
    """Return how many checks go through a child process in a second: sent, answered, the response validated, and
    judged."""
    adapter = Command(
        Wire(suite.schemas, suite.version),
        [sys.executable, str(TRIVIAL)],
        10,
    )
    adapter.introduce()
    try:
        return len(planned) / best(7, lambda: seconds(partial(through, adapter, planned)))
    finally:
        adapter.close()


def _overlapping(adapter: Command, planned: Planned) -> None:
    """Judge each check while the next is answered, as `hoyle check` does."""
    judged: Callable[[], object] = list
    for seq, (check, prepared) in enumerate(planned, start=1):
        sent = adapter.send(seq, prepared.message)
        judged()
        judged = partial(judge, check, prepared, adapter.receive(sent).steps, trusted=False)
    judged()


def _one_by_one(suite: Suite, adapter: Command, planned: Planned) -> None:
    """Validate each message and make its JSON before it is sent, and judge its response before the next."""
    for seq, (check, prepared) in enumerate(planned, start=1):
        suite.schemas.complaint("message-run", {"type": "run", "seq": 1, **prepared.message})
        judge(check, prepared, adapter.run(seq, prepared.message).steps, trusted=False)


def growth() -> None:
    """Measure what more scenarios take, for each of them: constant, or falling, if time grows with their number."""
    print(f"\n{'scenarios':>22} {'compile':>18} {'check':>18} {'list':>18}   (processor, and for each scenario)")
    for times in SIZES:
        with TemporaryDirectory() as folder:
            spec = Path(folder) / "spec"
            count = _grown(spec, times)
            of_spec = ("--spec", str(spec))
            took = [processor("check", *of_spec)]
            took += [best(3, partial(processor, *words, *of_spec)) for words in (["check"], ["suite", "list"])]
        figures = (f"{1000 * each:>7,.0f} ms {1000 * each / count:5.2f} ms" for each in took)
        print(f"{f'{times} x: {count:,}':>22} {' '.join(f'{figure:>18}' for figure in figures)}")


def _grown(spec: Path, times: int) -> int:
    """Return a spec with every fourth scenario so many times, each time under another id; and how many those are."""
    ours = find_spec()
    shutil.copytree(ours, spec, ignore=shutil.ignore_patterns("scenarios"))
    chosen = sorted((ours / "scenarios").rglob("*.scenario.yaml"))[::EVERY]
    for path in chosen:
        text = path.read_text("utf-8")
        for copy in range(times):
            more = f"-{copy}" if copy else ""
            name = path.name.replace(".scenario.yaml", f"{more}.scenario.yaml")
            there = spec / path.relative_to(ours).with_name(name)
            there.parent.mkdir(parents=True, exist_ok=True)
            there.write_text(re.sub(r"^(id: .*)$", rf"\g<1>{more}", text, count=1, flags=re.MULTILINE), "utf-8")
    return len(chosen) * times
