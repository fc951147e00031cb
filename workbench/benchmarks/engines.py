"""Check the example engines and some engines that are wrong on purpose, and write docs/engines: ``make engines``.

python workbench/benchmarks/engines.py                   all of them
python workbench/benchmarks/engines.py tricks-in-c       one, by the name of its file
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from hoyle_conformance.reports.engine_record import written

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/engines"
EXAMPLES = "conformance/adapters"
FAULTY = "python tests/faulty_adapters/main.py"


class Engine(NamedTuple):
    """An engine: the command that starts it, a sentence about it, its name, and the rulesets, if not all are checked.

    The command may name a file that is built first: ``{made}``.
    """

    command: str
    about: str
    name: str
    rulesets: tuple[str, ...] = ()
    build: str = ""


HOYLE, SAUNT, RUBICON_PIQUET = "bezique-hoyle", "piquet-saunt-parlett", "piquet-rubicon-parlett"

EXAMPLE_ENGINES = {
    "tricks-in-python": Engine(
        f"python {EXAMPLES}/python/tricks.py", "It judges tricks, in Python.", "Tricks in Python"
    ),
    "tricks-in-c": Engine(
        "{made}", "It judges tricks, in C.", "Tricks in C", build=f"cc -std=c11 -o {{made}} {EXAMPLES}/c/tricks.c"
    ),
    "deal-in-java": Engine(f"java {EXAMPLES}/java/Deal.java", "It deals, in Java.", "Deal in Java"),
    "bezique-in-javascript": Engine(
        f"node {EXAMPLES}/javascript/declarations.js", "It plays Bézique after Hoyle.", "Bézique in JavaScript"
    ),
    "bezique-bicycle": Engine(
        f"python {EXAMPLES}/python/bezique_bicycle.py", "It plays Bézique after Bicycle.", "Bézique, Bicycle"
    ),
    "bezique-britannica": Engine(
        f"python {EXAMPLES}/python/bezique_britannica.py", "It plays Bézique after Britannica.", "Bézique, Britannica"
    ),
    "bezique-h2g2": Engine(
        f"python {EXAMPLES}/python/bezique_h2g2.py", "It plays Bézique after h2g2.", "Bézique, h2g2"
    ),
    "bezique-hoyle": Engine(
        f"python {EXAMPLES}/python/bezique_hoyle.py", "It plays Bézique after Hoyle.", "Bézique, Hoyle"
    ),
    "rubicon": Engine(f"python {EXAMPLES}/python/rubicon.py", "It plays Rubicon Bézique.", "Rubicon Bézique"),
    "rubicon-referee": Engine(
        f"python {EXAMPLES}/python/rubicon_referee.py",
        "It plays Rubicon Bézique, with a referee.",
        "Rubicon Bézique with a referee",
    ),
    "piquet": Engine(f"python {EXAMPLES}/python/piquet.py", "It scores the hands of Piquet.", "Piquet hands"),
    "piquet-hoyle": Engine(
        f"python {EXAMPLES}/python/piquet_hoyle.py", "It plays Piquet after Hoyle.", "Piquet, Hoyle"
    ),
    "piquet-table": Engine(
        f"python {EXAMPLES}/python/piquet_table.py", "It plays Piquet after Parlett.", "Piquet, Parlett"
    ),
    "settlement-over-http": Engine(
        f"python {EXAMPLES}/http/settlement.py", "It settles Rubicon Piquet, behind HTTP.", "Settlement over HTTP"
    ),
    "worth-from-a-library": Engine(
        f"python {EXAMPLES}/shared_library/worth.py {{made}}",
        "It values combinations, in a shared library.",
        "Worth from a library",
        build=f"cc -std=c11 -shared -fPIC -o {{made}} {EXAMPLES}/shared_library/worth.c",
    ),
    "winner-in-webassembly": Engine(
        f"node {EXAMPLES}/webassembly/winner.js {{made}}",
        "It judges tricks, in WebAssembly.",
        "Winner in WebAssembly",
        build=f"node {EXAMPLES}/webassembly/assemble.js {EXAMPLES}/webassembly/winner.wat {{made}}",
    ),
}

FAULTY_ENGINES = {
    "first-card-wins": Engine(
        "python {made}",
        "The adapter that hoyle new adapter writes, before an engine is connected to it.",
        "First card always wins",
        build="hoyle new adapter --language python {made}",
    ),
    "second-copy-wins": Engine(
        f"{FAULTY} second-identical-card-wins", "Of two identical cards, the second wins.", "Second copy wins", (HOYLE,)
    ),
    "ten-below-king": Engine(
        f"{FAULTY} ten-below-the-king", "The ten ranks below the king, as in other games.", "Ten below king", (HOYLE,)
    ),
    "last-trick-twenty": Engine(
        f"{FAULTY} --cell score.last_trick.points=20", "The last trick scores 20.", "Last trick for 20", (HOYLE,)
    ),
    "plays-any-card": Engine(
        f"{FAULTY} --cell tricks.without_drawing.follow_suit=free",
        "Nobody must follow suit in the last tricks.",
        "Plays any card",
        ("bezique-bicycle",),
    ),
    "refused-meld-scores": Engine(
        f"{FAULTY} rejected-meld-still-scores",
        "A declaration that it refuses scores 40 all the same.",
        "Refused meld scores",
        (HOYLE,),
    ),
    "accepts-everything": Engine(
        f"{FAULTY} accepts-everything", "It reports every act as legal.", "Accepts everything", (HOYLE,)
    ),
    "refuses-everything": Engine(
        f"{FAULTY} refuses-everything", "It refuses every act.", "Refuses everything", (HOYLE,)
    ),
    "mixed-rules": Engine(
        f"{FAULTY} plays-a-mixture",
        "It plays Hoyle's game with rules from three other books, and two of nobody.",
        "Mixed rules",
        (HOYLE, "bezique-bicycle"),
    ),
    "revoke-taken-back": Engine(
        f"{FAULTY} rules-on-a-revoke-by-another-book",
        "It has a revoke taken back, where tricks are forfeited.",
        "Revoke taken back",
        ("rubicon-hoyle",),
    ),
    "crashes-once": Engine(
        f"{FAULTY} crashes-in-one-scenario", "It crashes in one position.", "Crashes once", (HOYLE,)
    ),
    "scores-best-only": Engine(
        f"{FAULTY} scores-the-best-alone",
        "The winner of a class scores the best combination only.",
        "Scores the best only",
        (RUBICON_PIQUET,),
    ),
    "equal-is-good": Engine(
        f"{FAULTY} equal-is-good-for-elder", "It takes an equal call for a good one.", "Equal is good", (SAUNT,)
    ),
    "repique-by-the-clock": Engine(
        f"{FAULTY} reckons-as-it-is-called",
        "The player who reaches 30 first scores a repique, regardless of what counts before.",
        "Repique by the clock",
        ("piquet-hoyle",),
    ),
    "capot-and-cards": Engine(
        f"{FAULTY} counts-the-cards-beside-capot",
        "A capot scores, and so do the cards.",
        "Capot and cards",
        (SAUNT,),
    ),
}


def write(name: str, engine: Engine, group: str, folder: Path) -> None:
    """Check an engine, and write its record."""
    made = folder / f"{name}.py"
    if engine.build:
        subprocess.run(shlex.split(engine.build.format(made=made)), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    record, short = folder / f"{name}.jsonl", folder / f"{name}.json"
    selected = [word for ruleset in engine.rulesets for word in ("-r", ruleset)]
    command = shlex.split(engine.command.format(made=made))
    check = ["hoyle", "check", *selected, "--no-progress", "--record", str(record), "--", *command]
    subprocess.run(check, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    subprocess.run(["hoyle", "report", str(record), "--engine", str(short)], check=True)
    data = json.loads(short.read_text("utf-8"))
    mine = {"type": "engine", "group": group, "name": engine.name, "about": engine.about}
    (FOLDER / short.name).write_text(written(mine | {key: data[key] for key in data if key not in mine}), "utf-8")


def main() -> None:
    """Write the records of the engines that are named, or of all."""
    # The commands above are those of this environment.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    FOLDER.mkdir(exist_ok=True)
    groups = {"example": EXAMPLE_ENGINES, "faulty": FAULTY_ENGINES}
    with TemporaryDirectory() as folder:
        for group, engines in groups.items():
            for name, engine in engines.items():
                if sys.argv[1:] in ([], [name]):
                    write(name, engine, group, Path(folder))
                    print(name)


if __name__ == "__main__":
    main()
