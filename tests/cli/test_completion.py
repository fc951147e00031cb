"""Shell completion: commands, options, rulesets, topics, clauses, checks and files, in a real bash."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from conftest import HANGS, ROOT, need
from hoyle_conformance.cli import main
from hoyle_conformance.cli.group import LazyGroup
from hoyle_conformance.cli.options import complete_rulesets

BIN = Path(sys.executable).parent
PARAMETER = click.Option(["--x"])
#: Prints what a shell completes for the last of these words.
BASH = """\
eval "$(_HOYLE_COMPLETE=bash_source hoyle)"
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
compopt() {{ local IFS=' '; echo "compopt $*"; }}
_hoyle_completion hoyle
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def in_bash(*words: str) -> list[str]:
    """What bash completes for the last of these words; for a file that it completes by itself, only that."""
    bash = shutil.which("bash")
    need(bash and shutil.which("hoyle", path=str(BIN)), "bash, and an installed hoyle")
    done = subprocess.run(
        [str(bash), "--norc", "-c", BASH.format(words=shlex.join(words))],
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "TERM": "dumb"},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=HANGS,
        check=False,
        text=True,
    )
    return done.stdout.split("\n")[:-1]


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("hoyle", "rules", "bezique-h"), ["bezique-h2g2", "bezique-hoyle"]),
        (("hoyle", "check", "-s", "tricks.identical-p"), ["tricks.identical-plain-cards"]),
        (("hoyle", "check", "python", "my"), ["compopt -o default", ""]),
    ],
)
def test_bash_completes_the_last_word(words: tuple[str, ...], expected: list[str]) -> None:
    assert in_bash(*words) == expected


def test_a_suite_that_cannot_be_loaded_completes_nothing(tmp_path: Path) -> None:
    context = click.Context(main, resilient_parsing=True)
    context.params["spec"] = tmp_path
    assert complete_rulesets(context, PARAMETER, "") == []


def test_every_option_that_names_something_of_the_suite_completes_it() -> None:
    """An option or argument for a ruleset, chapter or check."""
    names = {"ruleset", "rulesets", "chapters", "scenario", "selected"}
    for command in commands(main):
        for parameter in command.params:
            if parameter.name in names:
                assert parameter._custom_shell_complete is not None, (command.name, parameter.name)


def commands(group: click.Command) -> list[click.Command]:
    if not isinstance(group, LazyGroup):
        return [group]
    context = click.Context(group)
    found = [group.get_command(context, name) for name in group.modules]
    return [each for command in found if command for each in commands(command)]
