"""Print how much code there is, part by part, and fail where a part is larger than its limit in limits.toml.

A code line of Python is neither blank, nor a comment, nor part of a docstring. In scripts, styles and templates, every
line that is not blank counts. A limit may only go down; to raise one, name the decision record under [raised].
"""

import argparse
import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
BUDGET = ".ci/limits.toml"
FOLDERS = {
    "interpreter": "reference_impl/",
    "library": "conformance/hoyle/",
    "harness": "conformance/hoyle_conformance/",
    "examples": "conformance/adapters/",
    "environments": "environments/",
    "workbench": "workbench/",
    "tests": "tests/",
}
BUILD = "build scripts"
WEB = "scripts, styles, templates"
WEB_FILES = (".js", ".css", ".html", ".jinja", ".j2")
NOT_WEB = ("tests/", "workbench/", "conformance/adapters/", "spec/")
INSTALLED = ("interpreter", "library", "harness", WEB)


class Size(NamedTuple):
    """Code lines and files."""

    lines: int
    files: int

    def __str__(self) -> str:
        return f"{self.lines:>7} lines {self.files:>4} files"


def git(*words: str) -> str:
    """Return what a git command prints."""
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=True).stdout


def code_lines(path: Path) -> int:
    """Return the number of code lines of a file."""
    text = path.read_text("utf-8", errors="replace")
    skipped = docstring_lines(ast.parse(text)) if path.suffix == ".py" else set()
    return sum(
        1
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and number not in skipped and not (path.suffix == ".py" and line.strip().startswith("#"))
    )


def docstring_lines(tree: ast.AST) -> set[int]:
    """Return the numbers of all lines of docstrings."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                lines.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return lines


def measure() -> dict[str, Size]:
    """Return the size of each part, of each package of the harness, and of everything that is installed."""
    names = [name for name in git("ls-files", "-co", "--exclude-standard").splitlines() if (ROOT / name).is_file()]
    sizes: dict[str, Size] = {}
    for part, folder in FOLDERS.items():
        mine = [name for name in names if name.startswith(folder) and name.endswith(".py")]
        sizes |= {part: total(mine)} if mine else {}
        if part == "harness":
            packages = sorted(
                {name.removeprefix(folder).partition("/")[0] for name in mine if "/" in name.removeprefix(folder)}
            )
            sizes |= {
                f"harness/{each}": total(name for name in mine if name.startswith(f"{folder}{each}/"))
                for each in packages
            }
    python = (name for name in names if name.endswith(".py") and not name.startswith(tuple(FOLDERS.values())))
    sizes[BUILD] = total(python)
    sizes[WEB] = total(name for name in names if name.endswith(WEB_FILES) and not name.startswith(NOT_WEB))
    sizes["installed"] = Size(*map(sum, zip(*(sizes[part] for part in INSTALLED), strict=True)))
    return sizes


def total(names: Iterable[str]) -> Size:
    """Return the size of some files together."""
    counted = [code_lines(ROOT / name) for name in names]
    return Size(sum(counted), len(counted))


def limits_in(text: str) -> tuple[dict[str, Size], dict[str, str]]:
    """Return the limits in the text of a budget, and the decision for each that was raised."""
    budget = tomllib.loads(text)
    return {part: Size(*limit) for part, limit in budget["limits"].items()}, budget.get("raised", {})


def faults(sizes: dict[str, Size]) -> Iterator[str]:
    """Yield each part that is over its limit or has none, and each limit that was raised without a decision."""
    limits, raised = limits_in((ROOT / BUDGET).read_text("utf-8"))
    yield from (f"{part} has no limit in {BUDGET}" for part in sizes if part not in limits)
    yield from (f"{part} does not exist: remove its limit" for part in limits if part not in sizes)
    for part, size in sizes.items():
        if part in limits and (size.lines > limits[part].lines or size.files > limits[part].files):
            yield f"{part} is over its limit of {limits[part].lines} lines in {limits[part].files} files"
    for commit in git("log", "--format=%H", "--", BUDGET).split():
        before, _ = limits_in(git("show", f"{commit}:{BUDGET}"))
        for part, limit in limits.items():
            old = before.get(part, limit)
            if (limit.lines > old.lines or limit.files > old.files) and not (
                ROOT / raised.get(part, "missing")
            ).is_file():
                yield f"the limit of {part} was raised: name the decision record under [raised], or lower it again"
                limits[part] = old  # once


def lowered(sizes: dict[str, Size]) -> str:
    """Return the budget with each limit lowered to what there is."""
    text = (ROOT / BUDGET).read_text("utf-8")
    limits, _ = limits_in(text)
    for part, limit in limits.items():
        size = sizes.get(part, Size(0, 0))
        now = Size(min(limit.lines, size.lines), min(limit.files, size.files))
        line = f'"{part}" = [{limit.lines}, {limit.files}]\n'
        text = text.replace(line, f'"{part}" = [{now.lines}, {now.files}]\n' if part in sizes else "")
    return text


def main() -> int:
    """Print the table and the faults; return 1 if there are any."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lower", action="store_true", help="lower each limit to the present size")
    sizes = measure()
    if parser.parse_args().lower:
        (ROOT / BUDGET).write_text(lowered(sizes), "utf-8")
    for part, size in sizes.items():
        indent, _, name = part.rpartition("/")
        print(f"{('    ' if indent else '') + name:<28}{size}")
    found = list(dict.fromkeys(faults(sizes)))
    print(*found, sep="\n", file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
