"""Shell completion: commands, options, rulesets, topics, clauses, checks and files, in a real bash, zsh and fish."""

import os
import re
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
from hoyle_conformance.cli.completion import complete_checks, complete_clauses, complete_disputed, complete_rulesets
from hoyle_conformance.cli.group import LazyGroup
from hoyle_conformance.cli.shells import FishWithCommas
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


#: Prints what zsh shows, and the line as it is then, after a tab behind these words in a terminal of its own.
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -U compinit; compinit -u -D; eval "$(_HOYLE_COMPLETE=zsh_source hoyle)"'
zpty -w shell 'line() { zle -I; print -r -- "line <$BUFFER>" }; zle -N line; bindkey "^X" line; print REA""DY'
zpty -r shell shown $'*\nREADY*'
zpty -w -n shell {typed}$'\t\x18'
zpty -r shell shown '*line <*>*'
print -r -- $shown
"""
#: Prints what fish offers for the last of these words, each with its description.
FISH = """\
_HOYLE_COMPLETE=fish_source hoyle | source
complete -C {typed}
"""


def in_shell(shell: str, *options: str) -> str:
    """What a shell prints that runs a script with these options; it finds hoyle as a user's shell does."""
    program = shutil.which(shell)
    need(program and shutil.which("hoyle", path=str(BIN)), f"{shell}, and an installed hoyle")
    done = subprocess.run(
        [str(program), *options],
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "TERM": "dumb"},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=HANGS,
        check=False,
        text=True,
    )
    return done.stdout


def in_bash(*words: str) -> list[str]:
    """What bash completes for the last of these words; for a file that it completes by itself, only that."""
    return in_shell("bash", "--norc", "-c", BASH.format(words=shlex.join(words))).split("\n")[:-1]


def in_fish(typed: str) -> list[str]:
    """The lines that fish offers for the last word of what is typed."""
    return in_shell("fish", "--no-config", "-c", FISH.format(typed=shlex.quote(typed))).splitlines()


def in_zsh(typed: str) -> tuple[str, str]:
    """The line that zsh makes of what is typed, and all that it prints."""
    shown = in_shell("zsh", "-f", "-c", ZSH.replace("{typed}", shlex.quote(typed)))
    (line,) = re.findall(r"line <(.*)>", shown)
    return line, shown


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("hoyle", "id"), ["identify"]),
        (("hoyle", "suite", "li"), ["list"]),
        (("hoyle", "check", "--ju"), ["--junit"]),
        (("hoyle", "rules", "bezique-h"), ["bezique-h2g2", "bezique-hoyle"]),
        (("hoyle", "check", "-t", "last-trick"), ["last-trick", "last-tricks"]),
        (("hoyle", "check", "-s", "tricks.identical-p"), ["tricks.identical-plain-cards"]),
        (("hoyle", "check", "--junit", "res"), ["compopt -o default", ""]),
        (("hoyle", "check", "./my"), ["compopt -o default", ""]),
        (("hoyle", "check", "python", "my"), ["compopt -o default", ""]),
    ],
)
def test_bash_completes_the_last_word(words: tuple[str, ...], expected: list[str]) -> None:
    assert in_bash(*words) == expected


#: The keys that are typed, and the line that they give, in zsh and fish.
COMPLETED = [
    ("hoyle id", "hoyle identify"),
    ("hoyle help id", "hoyle help identify"),
    ("hoyle suite li", "hoyle suite list"),
    ("hoyle check --ju", "hoyle check --junit"),
    ("hoyle rules rubicon-ho", "hoyle rules rubicon-hoyle"),
    ("hoyle rules bezique-hoyle+b", "hoyle rules bezique-hoyle+brisques-at-end"),
    (
        "hoyle check -s tricks.identical-plain-cards@bezique-ho",
        "hoyle check -s tricks.identical-plain-cards@bezique-hoyle",
    ),
    ("hoyle check --junit LICENSES", "hoyle check --junit LICENSES.md"),
    ("hoyle check ./refer", "hoyle check ./reference_impl/"),
    ("hoyle check python LICENSES", "hoyle check python LICENSES.md"),
    ("hoyle check -- LICENSES", "hoyle check -- LICENSES.md"),
    ("hoyle check python adapter.py -r LICENSES", "hoyle check python adapter.py -r LICENSES.md"),
]


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize(("typed", "line"), COMPLETED)
def test_fish_completes_the_last_word(typed: str, line: str) -> None:
    (offered,) = in_fish(typed)
    assert offered.partition("\t")[0] == line.rpartition(" ")[2]


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize(("typed", "line"), COMPLETED)
def test_zsh_completes_the_last_word(typed: str, line: str) -> None:
    assert in_zsh(typed)[0].rstrip() == line


@pytest.mark.slow
@pytest.mark.posix
def test_fish_shows_each_description_in_full() -> None:
    """Also one with commas."""
    assert in_fish("hoyle suite li") == ["list\tList the checks, clauses, claims and rulesets of the suite."]
    assert in_fish("hoyle rules bezique-h") == [
        "bezique-h2g2\tBézique for two, after h2g2",
        "bezique-hoyle\tBézique for two, after Hoyle",
    ]


@pytest.mark.slow
@pytest.mark.posix
def test_zsh_lists_several_words_with_their_descriptions() -> None:
    line, shown = in_zsh("hoyle rules bezique-h")
    assert line == "hoyle rules bezique-h"
    assert re.search("bezique-h2g2 +-- Bézique for two, after h2g2", shown)
    assert re.search("bezique-hoyle +-- Bézique for two, after Hoyle", shown)


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize(
    "typed", ["hoyle chek ", "hoyle suite chek ", 'hoyle check "" ', "hoyle help chek ", "hoyle check --nope "]
)
def test_wrong_line_completes_without_a_message(typed: str) -> None:
    """A message would stand in the middle of what is typed."""
    assert in_fish(f"{typed}no-such-word") == []
    assert in_bash(*shlex.split(typed), "no-such-word") in ([], ["compopt -o default", ""], [""])


def test_script_for_fish_divides_a_line_at_its_first_comma() -> None:
    assert 'string split --max 1 "," $completion' in FishWithCommas.source_template


@pytest.fixture
def completed(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> click.Context:
    """The context of a command that completes words, with the suite that all tests share."""
    monkeypatch.setattr("hoyle_conformance.checks.cache.cached_suite.open_suite", lambda *_, **__: suite)
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
    assert set(values(complete_clauses(completed, PARAMETER, "hoyle/rubicon/"))) == {
        name for name in suite.clauses if name.startswith("hoyle/rubicon/")
    }


def test_disputed_cells_are_offered_with_their_readings(completed: click.Context) -> None:
    (item,) = complete_disputed(completed, PARAMETER, "seven.with_a_declaration")
    assert (item.value, item.help) == ("seven.with_a_declaration", "beside or instead")
    assert complete_disputed(completed, PARAMETER, "tricks.cards") == []


def test_a_suite_that_cannot_be_loaded_completes_nothing(tmp_path: Path) -> None:
    context = click.Context(main, resilient_parsing=True)
    context.params["spec"] = tmp_path
    assert complete_rulesets(context, PARAMETER, "") == []


def test_every_option_that_names_something_of_the_suite_completes_it() -> None:
    """An option or argument for a ruleset, topic, clause, chapter or scenario."""
    names = {"ruleset", "rulesets", "topics", "clauses", "chapters", "scenario", "selected"}
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
