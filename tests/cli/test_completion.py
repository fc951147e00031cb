"""Shell completion: commands, options, rulesets, topics, clauses, checks and files, in a real bash."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import CompletionItem

from conftest import HANGS, ROOT, need
from hoyle_conformance.cli import main
from hoyle_conformance.cli.group import LazyGroup
from hoyle_conformance.cli.options import complete_checks, complete_rulesets
from hoyle_conformance.suite.suite import Suite

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
        (("hoyle", "suite", "li"), ["list"]),
        (("hoyle", "check", "--ju"), ["--junit"]),
        (("hoyle", "rules", "bezique-h"), ["bezique-h2g2", "bezique-hoyle"]),
        (("hoyle", "check", "-s", "tricks.identical-p"), ["tricks.identical-plain-cards"]),
        (("hoyle", "check", "python", "my"), ["compopt -o default", ""]),
    ],
)
def test_bash_completes_the_last_word(words: tuple[str, ...], expected: list[str]) -> None:
    assert in_bash(*words) == expected


@pytest.fixture
def completed(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> click.Context:
    """The context of a command that completes words, with the suite that all tests share."""
    monkeypatch.setattr("hoyle_conformance.cli.options.open_suite", lambda *_, **__: suite)
    return click.Context(main, resilient_parsing=True)


def values(items: list[CompletionItem]) -> list[str]:
    return [item.value for item in items]


def test_options_of_a_ruleset_are_offered_once_its_name_is_there(completed: click.Context, suite: Suite) -> None:
    some = values(complete_rulesets(completed, PARAMETER, "bezique-"))
    assert set(some) == {name for name in suite.rulesets if name.startswith("bezique-")}
    whole = values(complete_rulesets(completed, PARAMETER, "bezique-hoyle"))
    assert "bezique-hoyle+brisques-at-end" in whole
    assert all(item.help for item in complete_rulesets(completed, PARAMETER, ""))


def test_checks_are_offered_once_there_is_a_ruleset(completed: click.Context, suite: Suite) -> None:
    scenarios = values(complete_checks(completed, PARAMETER, "tricks"))
    assert "tricks" in scenarios
    assert set(scenarios) - {"tricks"} <= set(suite.scenarios)
    checks = values(complete_checks(completed, PARAMETER, "tricks.identical-plain-cards@"))
    assert checks
    assert set(checks) <= set(suite.index.checks)


def test_clauses_are_offered(completed: click.Context, suite: Suite) -> None:
    assert set(values(complete_checks(completed, PARAMETER, "hoyle/rubicon/"))) == {
        name for name in suite.clauses if name.startswith("hoyle/rubicon/")
    }


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
