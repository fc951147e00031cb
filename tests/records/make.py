"""The records that the tests read, made anew by running faulty adapters: ``python tests/records/make.py``."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FAULTY_ADAPTERS = "tests/faulty_adapters/main.py"
KNOWN = "tricks.identical-trumps@bezique-hoyle\ntricks.need-not-win@bezique-hoyle\n"
#: Each record: the engine that is checked, and the words that choose what it is asked.
RECORDS = {
    "right": (
        "knows-no-copies",
        ["--select=tricks.identical-*", "--select=tricks.need-not-win", "-r", "bezique-hoyle"],
    ),
    "wrong": (
        "second-identical-card-wins",
        [
            "--select=tricks.identical-*",
            "--select=tricks.need-not-win",
            "--select=melds.bezique",
            "-r",
            "bezique-hoyle",
            "-r",
            "bezique-bicycle",
        ],
    ),
    "short": (
        "second-identical-card-wins",
        ["--select=tricks.identical-plain-cards", "--select=melds.bezique", "-r", "bezique-hoyle"],
    ),
    "skips": ("fails-and-then-skips", ["--select=tricks.identical-*", "--select=melds.bezique", "-r", "bezique-hoyle"]),
    "broken": (
        "crashes-in-one-scenario",
        ["--select=tricks.identical-*", "--select=melds.bezique", "-r", "bezique-hoyle"],
    ),
    "dangerous": ("is-named-dangerously", ["--select=tricks.identical-*", "-r", "bezique-hoyle"]),
}


def make(name: str) -> None:
    """Write one record, in which the interpreter is `python`, whatever it is called here."""
    adapter, words = RECORDS[name]
    record = HERE / f"{name}.jsonl"
    with TemporaryDirectory() as folder:
        known = Path(folder) / "known.txt"
        known.write_text(KNOWN if name == "wrong" else "", "utf-8")
        options = [*words, "--baseline", str(known), "--record", str(record)]
        command = [
            sys.executable,
            "-m",
            "hoyle_conformance",
            "check",
            *options,
            "--",
            sys.executable,
            FAULTY_ADAPTERS,
            adapter,
        ]
        subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    record.write_text(record.read_text("utf-8").replace(sys.executable, "python"), "utf-8")


if __name__ == "__main__":
    for each in RECORDS:
        make(each)
