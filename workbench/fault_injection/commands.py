"""The commands into which faults are injected, with the files that each finds and writes."""

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

ROOT: Final = Path(__file__).resolve().parents[2]
#: The one source of the small spec, its rulesets, and scenarios that are about them alone.
SOURCE: Final = "sources/parlett.source.yaml"
RULESETS: Final = ("piquet-saunt-parlett", "piquet-rubicon-parlett")
SCENARIOS: Final = ("hundred.on-a-blank", "pique.flat-points-capot-after-a-point", "nought.called")
#: An engine that passes all checks of the small spec.
ENGINE: Final = (sys.executable, str(ROOT / "workbench/adapters/python/piquet_table.py"))
RECORD: Final = "run.jsonl"
BASELINE: Final = "known.txt"
CACHE: Final = "cache"


@dataclass(frozen=True)
class Command:
    """The words of a command, the files that it writes, and the commands that are run before it in its folder.

    A command that `serves` pages runs until it is interrupted.
    """

    name: str
    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    before: tuple[tuple[str, ...], ...] = ()
    serves: bool = False


def commands(spec: Path, timeout: int) -> list[Command]:
    """Return all commands, with this spec; their adapters may take so many seconds to respond.

    A command whose name has 'cold' finds an empty cache, any other what the same command has cached.
    """
    of = ("--spec", str(spec))
    engine = ("--timeout", str(timeout), "--", *ENGINE)
    check, validate = ("check", *of, *engine), ("validate", *of)
    one_file = (*validate, str(spec / file_of(SCENARIOS[0])))
    recorded = ("check", *of, "--record", RECORD, "--write-baseline", BASELINE)
    known = (*recorded, "--baseline", BASELINE)
    reports = {each: f"run.{each}" for each in ("html", "junit", "markdown", "endpoint")}
    report = ("report", RECORD, *(word for name, file in reports.items() for word in (f"--{name}", file)))
    table = ("table", *of, "--no-browser", "--port", "0")
    return [
        Command("check", check, before=(check,)),
        Command("check, cold", check),
        Command("check --jobs 2", ("check", *of, "--jobs", "2", *engine), before=(check,)),
        Command("check --record --baseline", known, (RECORD, BASELINE), (recorded, known)),
        Command("validate", validate, before=(check, validate)),
        Command("validate, cold", validate),
        Command("validate FILE", one_file, before=(one_file,)),
        Command("report", ("report", RECORD), before=(recorded,)),
        Command("report --html …", report, tuple(reports.values()), (recorded, report)),
        Command("table", table, before=(check,), serves=True),
    ]


def write_small_spec(folder: Path) -> None:
    """Write a spec with the rulesets of one source, a few scenarios, and one game for each table of the census."""
    spec = ROOT / "spec"
    shutil.copytree(spec / "schemas", folder / "schemas")
    rulesets, scenarios = (f"rulesets/{each}.ruleset.yaml" for each in RULESETS), map(file_of, SCENARIOS)
    for name in ("VERSION", *(each.name for each in spec.glob("SEMANTICS*.md")), *rulesets, *scenarios):
        _write(folder / name, (spec / name).read_text("utf-8"))
    source = (spec / SOURCE).read_text("utf-8")
    _write(folder / SOURCE, source.replace("complete: true", "complete: false"))
    for ruleset in RULESETS:
        name = f"census/{ruleset}.census.yaml"
        census = yaml.safe_load((spec / name).read_text("utf-8"))
        tables = [{**table, "games": table["games"][:1]} for table in census["tables"]]
        _write(folder / name, yaml.safe_dump({**census, "tables": tables}))


def file_of(scenario: str) -> str:
    """Return the file of a scenario in a spec."""
    return f"scenarios/{scenario.replace('.', '/')}.scenario.yaml"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
