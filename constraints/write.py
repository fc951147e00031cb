"""Chooses the newest allowed version of every package that Hoyle needs, and writes the lists in this folder.

``make constraints`` runs it. There is a list for the build backend, for Hoyle itself, and for each extra and dependency
group of pyproject.toml. A list is complete: it names every package, with the digests of its files, for every Python and
system. A package has the same version on all lists, and no list says where a package comes from.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parent / "pyproject.toml"
#: The build backend needs this for an editable installation.
EDITABLE = "editables"
HEAD = "# Made by 'make constraints': every package with the digests of its files, and nothing else is installed.\n"


def main() -> None:
    """Write all lists; first one for everything together, to which the others keep."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))
    extras = list(project["project"]["optional-dependencies"])
    groups = {"build": [*project["build-system"]["requires"], EDITABLE], **project["dependency-groups"]}
    with tempfile.TemporaryDirectory() as folder:
        together = Path(folder) / "together.txt"
        inputs = {name: Path(folder) / f"{name}.in" for name in groups}
        for name, requirements in groups.items():
            inputs[name].write_text("\n".join(requirements), "utf-8")
        _write_list([PROJECT, *inputs.values()], extras, together)
        for name, path in inputs.items():
            _write_list([path], [], HERE / f"{name}.txt", together)
        _write_list([PROJECT], [], HERE / "run.txt", together)
        for extra in extras:
            _write_list([PROJECT], [extra], HERE / f"{extra}.txt", together)


def _write_list(wanted: list[Path], extras: list[str], written: Path, as_in: Path | None = None) -> None:
    """Write the versions of the requirements in `wanted` and of all their dependencies, `as_in` another list."""
    named = [word for extra in extras for word in ("--extra", extra)]
    bound = ["--constraints", str(as_in)] if as_in else []
    options = ["--universal", "--generate-hashes", "--no-header", "--no-annotate", "--quiet", "--upgrade"]
    command = [sys.executable, "-m", "uv", "pip", "compile", *options, *named, *bound, *map(str, wanted)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    written.write_text(HEAD + done.stdout, "utf-8")
    print(f"Wrote {written.name}.")


if __name__ == "__main__":
    main()
