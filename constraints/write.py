"""Chooses the newest versions that are allowed, of all that Hoyle needs, and writes them down with their hashes.

``make constraints`` runs it. Of each extra of pyproject.toml it writes a file, with what that needs and nothing else,
for every Python and system at once; whatever is in several files has one version. No file says where a package is from.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parent / "pyproject.toml"
#: What an editable installation needs of the build backend beside itself.
EDITABLE = "editables"
HEAD = "# Made by 'make constraints': every package with the digests of its files, and nothing else is installed.\n"


def main() -> None:
    """Write a file for the build, one for Hoyle itself, and one for each extra."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))
    extras = list(project["project"]["optional-dependencies"])
    with tempfile.TemporaryDirectory() as room:
        build, together = Path(room) / "build.in", Path(room) / "together.txt"
        build.write_text("\n".join([*project["build-system"]["requires"], EDITABLE]), "utf-8")
        _chosen([build, PROJECT], extras, together)
        _chosen([build], [], HERE / "build.txt", together)
        _chosen([PROJECT], [], HERE / "run.txt", together)
        for extra in extras:
            _chosen([PROJECT], [extra], HERE / f"{extra}.txt", together)


def _chosen(wanted: list[Path], extras: list[str], written: Path, as_in: Path | None = None) -> None:
    """Write the versions of what is wanted, and of all that this needs; they are `as_in` another file."""
    named = [word for extra in extras for word in ("--extra", extra)]
    bound = ["--constraints", str(as_in)] if as_in else []
    options = ["--universal", "--generate-hashes", "--no-header", "--no-annotate", "--quiet", "--upgrade"]
    command = [sys.executable, "-m", "uv", "pip", "compile", *options, *named, *bound, *map(str, wanted)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    written.write_text(HEAD + done.stdout, "utf-8")
    print(f"Wrote {written.name}.")


if __name__ == "__main__":
    main()
