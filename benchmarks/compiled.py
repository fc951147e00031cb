"""Compiles the reference interpreter to machine code with mypyc, and runs the suite against what has come of it.

    python benchmarks/compiled.py build [LEVEL]    into build/compiled/, with the C compiler's optimisation
    python benchmarks/compiled.py check            every check, by the compiled interpreter and no other
    python benchmarks/compiled.py wheel FOLDER     from the wheel in a folder, one with the compiled interpreter

A wheel with the compiled interpreter is for one Python and one system; the other wheel is for all.

Every module becomes a C file of its own, and the C compiler works on as many at once as there are processors: one file
for all takes twice as long, and its parts cannot be shared out.

mypyc takes annotations at their word, so compiling finds casts that are not true. It needs dataclasses that are not
generic, no `isinstance` with abstract base classes of the standard library, and no annotation in a dataclass with a
class that is defined later.
"""

import base64
import contextlib
import hashlib
import importlib
import io
import os
import re
import shutil
import sys
import sysconfig
import zipfile
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

from mypyc.build import mypycify
from setuptools import Distribution
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "reference_impl" / "hoyle_reference"
BUILT = ROOT / "build" / "compiled"
#: Only says where things are, and stays Python: compiled, its `__getattr__` would be asked before it is ready.
PACKAGE = SOURCE / "__init__.py"
#: What makes a class a frozen value; for the harness, it stays Python. Of what a decorator does mypyc knows nothing,
#: but where that is `dataclass`: so it compiles a copy in which it is.
FROZEN = SOURCE / "frozen.py"
#: The copy, the C files and the objects, and what mypy remembers.
SCRATCH = ROOT / "build" / "mypyc"
MACHINE_CODE = (".so", ".pyd")
#: What mypyc has to say of what it does as it should.
REMARK = ": warning: Treating generator comprehension as list"


class InParallel(build_ext):  # type: ignore[misc]  # setuptools has no types
    """A build that compiles the C files of one extension side by side; setuptools does that only with whole
    extensions."""

    def build_extensions(self) -> None:
        """Compile and link everything."""
        one_after_the_other = self.compiler.compile

        def side_by_side(sources: list[str], **options: Any) -> list[str]:
            return list(chain.from_iterable(pool.map(lambda c: one_after_the_other([c], **options), sources)))

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            self.compiler.compile = side_by_side
            super().build_extensions()


def modules() -> list[Path]:
    """Return every module of the interpreter, in its packages too, that does something."""
    return sorted(path for path in SOURCE.rglob("*.py") if path not in {PACKAGE, FROZEN})


def copied() -> list[str]:
    """Return the modules as they are compiled, by their paths in the folder of the copy."""
    here = SCRATCH / "source"
    shutil.rmtree(here, ignore_errors=True)
    shutil.copytree(SOURCE, here / SOURCE.name, ignore=shutil.ignore_patterns("__pycache__", FROZEN.name))
    paths = [path.relative_to(SOURCE.parent) for path in modules()]
    for path in paths:
        text = (here / path).read_text("utf-8").replace("@frozen\n", "@dataclass(frozen=True, slots=True)\n")
        (here / path).write_text(
            re.sub(r"from \.+frozen import frozen\n", "from dataclasses import dataclass\n", text), "utf-8"
        )
    os.chdir(here)  # objects go where their C file is, as seen from here
    return list(map(str, paths))


def build(level: str) -> None:
    """Compile every module of the interpreter."""
    shutil.rmtree(BUILT, ignore_errors=True)  # a module that is no more must not stay
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            extensions = mypycify(
                [f"--cache-dir={SCRATCH / 'cache'}", *copied()],
                opt_level=level,
                debug_level="0",
                multi_file=True,
                target_dir="c",
            )
    finally:
        sys.stdout.writelines(line for line in said.getvalue().splitlines(keepends=True) if REMARK not in line)
    # Without the setup() that would read pyproject.toml, which is about the wheel.
    command = InParallel(Distribution({"name": "hoyle-reference", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(BUILT), "."
    command.ensure_finalized()
    command.run()
    for path in (PACKAGE, FROZEN):
        shutil.copy(path, BUILT / SOURCE.name)
    (BUILT / f"level-{level}").touch()  # newer than all that it was made from


def check() -> None:
    """Run every check of the suite; leave with an error where any module is not the compiled one."""
    sys.path[:0] = [str(BUILT), str(ROOT / "conformance")]
    for path in modules():
        name = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        file = importlib.import_module(name).__file__ or ""
        if not (Path(file).is_relative_to(BUILT) and file.endswith(MACHINE_CODE)):
            sys.exit(f"{name} is not compiled: it comes from {file}")
    from hoyle_conformance.cli import run  # noqa: PLC0415  # it imports the interpreter

    sys.argv[1:] = ["check"]
    run()


def wheel(folder: Path) -> Path:
    """Write a wheel with the compiled interpreter beside the wheel for all systems in a folder, and return its path."""
    (plain,) = folder.glob("*-py3-none-any.whl")
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{version}-{version}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    with zipfile.ZipFile(plain) as archive:
        content = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/RECORD")}
    content = {name: data for name, data in content.items() if not name.startswith(f"{SOURCE.name}/")}
    built = [path for path in sorted(BUILT.rglob("*")) if path.suffix in {".py", *MACHINE_CODE}]
    content |= {path.relative_to(BUILT).as_posix(): path.read_bytes() for path in built}
    (about,) = (name for name in content if name.endswith(".dist-info/WHEEL"))
    described = content[about].decode().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    content[about] = re.sub("^Tag: .*$", f"Tag: {tag}", described, flags=re.MULTILINE).encode()
    record = about.replace("/WHEEL", "/RECORD")
    content[record] = "".join([*map(_recorded, content, content.values()), f"{record},,\n"]).encode()
    written = folder / plain.name.replace("py3-none-any", tag)
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return written


def _recorded(name: str, data: bytes) -> str:
    """Return the line of a file in the list of a wheel."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["build", *level]:
            build(*level or ["3"])
        case ["check"]:
            check()
        case ["wheel", folder]:
            print(wheel(Path(folder)))
        case _:
            sys.exit(__doc__)
