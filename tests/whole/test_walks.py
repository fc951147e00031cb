"""The walks of the documentation that are not shown with their output: their commands can be typed, and work."""

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from conftest import ROOT, Done
from hoyle_conformance.checks.cache.proofs import Proofs
from hoyle_conformance.cli import command_names, main
from hoyle_conformance.cli.group import LazyGroup
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate import whole_suite
from write_census import write

PAGES = [path for pattern in ("*.md", "docs/**/*.md", "spec/*.md") for path in sorted(ROOT.glob(pattern))]
READ = ROOT / "docs/read.md"
#: A block of a page, without its fences; and a command in it, with the lines that it goes on in.
BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^ *(?:\$ )?hoyle (?!.*<TAB>)((?:.*\\\n)*.*)$", re.MULTILINE)
#: There are more commands on the pages than this.
MANY = 100
#: Words that end a command of Hoyle's.
BEHIND = frozenset({"|", ">", "&&", ";"})


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command in a text, without what is said of it behind."""
    for typed in COMMAND.findall(text):
        line = re.sub(r"\\\n *", "", typed)
        words = shlex.split(re.split(r" {2,}(?![-'\"])", line)[0], comments=True)
        ends = (at for at, word in enumerate(words) if word in BEHIND)
        yield words[: next(ends, len(words))]


def refuse_unknown_options(words: list[str]) -> None:
    """Read a command's words as click does, but look at no file and run nothing; raise UsageError."""
    group: click.Command = main
    context, rest = click.Context(main, info_name="hoyle"), list(words)
    while isinstance(group, LazyGroup):
        if not rest or rest[0].startswith("-") or rest[0] == "help":
            return
        name, found, rest = group.resolve_command(context, rest)
        context = click.Context(found, info_name=name, parent=context)
        group = found
    group.make_parser(context).parse_args(rest)


def test_pages_show_many_commands() -> None:
    found = [words for page in PAGES for block in BLOCK.findall(page.read_text("utf-8")) for words in commands(block)]
    assert len(found) > MANY
    assert {" ".join(words[:2]) if words[0] == "suite" else words[0] for words in found} >= {"ask", "suite list"}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_shown_on_a_page_can_be_typed(page: Path) -> None:
    for block in BLOCK.findall(page.read_text("utf-8")):
        for words in commands(block):
            refuse_unknown_options(words)


@pytest.mark.parametrize("name", command_names())
def test_commands_shown_in_a_help_can_be_typed(name: str) -> None:
    group: click.Command | None = main
    for word in name.split():
        assert isinstance(group, LazyGroup)
        group = group.get_command(click.Context(group), word)
    assert group is not None
    for words in commands(group.help or ""):
        refuse_unknown_options(words)


def look_ups() -> Iterator[str]:
    """Yield the commands of the page on reading the rules, except those that serve pages."""
    for block in BLOCK.findall(READ.read_text("utf-8")):
        yield from (shlex.join(words) for words in commands(block) if words[0] != "table")


@pytest.mark.slow
@pytest.mark.parametrize("typed", list(look_ups()))
def test_look_ups_shown_have_an_answer(hoyle: Callable[..., Done], typed: str, tmp_path: Path) -> None:
    done = hoyle(*shlex.split(typed), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout


# ---- CONTRIBUTING: to add an option

BASE, SHOWN, NEW = "bezique-hoyle", "brisques-at-end", "brisques-counted-last"
FEW_GAMES = 2


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A spec folder to add an option to. What does not concern its ruleset is not proved again, and few games are
    written: tests/tools/games/test_census.py plays all of them."""
    real = whole_suite.prove_scenario
    monkeypatch.setattr(whole_suite, "prove_censuses", lambda _suite, _proofs: [])
    monkeypatch.setattr(whole_suite, "prelude_files", lambda _suite: [])

    def of_the_base(suite: Suite, scenario: Scenario, proofs: Proofs) -> Iterator[Diagnostic]:
        return real(suite, scenario, proofs) if BASE in scenario.named else iter(())

    monkeypatch.setattr(whole_suite, "prove_scenario", of_the_base)
    monkeypatch.setattr(whole_suite, "_FEW", 1 << 20)  # in this process, where it is replaced
    return Path(shutil.copytree(ROOT / "spec", tmp_path / "spec"))


@pytest.mark.whole
@pytest.mark.slow
def test_the_way_to_an_option_is_as_it_is_shown(hoyle: Callable[..., Done], spec: Path) -> None:
    """Under another name: the one that is shown is an option already."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("\n## Add an option")[2]
    (option,) = re.findall(r"```yaml\noptions:\n(.*?)```", page, re.DOTALL)
    table = spec / f"rulesets/{BASE}.ruleset.yaml"
    before = table.read_text("utf-8")
    assert option.count(f"  {SHOWN}:\n") == before.count("\noptions:\n") == 1
    added = option.replace(f"  {SHOWN}:\n", f"  {NEW}:\n")
    table.write_text(before.replace("\noptions:\n", f"\noptions:\n{added}"), "utf-8")
    games, *rest = filter(None, BLOCK.findall(page)[1].splitlines())
    assert games == f"make census RULESETS={BASE}"
    assert list(write(spec, [BASE], FEW_GAMES))
    for words in commands("\n".join(rest)):
        done = hoyle(*words, "--spec", str(spec))
        assert (done.returncode, done.stderr) == (0, ""), words
    assert f"\nruleset {BASE}+{NEW}\n" in (spec / "ids.lock").read_text("utf-8")
    differing = [line for line in (spec / "at-work.jsonl").read_text("utf-8").splitlines() if '"differs"' in line]
    assert any(f"+{NEW}" in line.partition('"differs"')[2] for line in differing)


# ---- docs/add-a-source.md: the ledger


@pytest.mark.slow
def test_the_way_to_a_ledger_is_as_it_is_shown(hoyle: Callable[..., Done], tmp_path: Path) -> None:
    page = (ROOT / "docs/add-a-source.md").read_text("utf-8")
    (tmp_path / "chapter.txt").write_text("PIQUET.\n\nPiquet is for two players. They use 32 cards.\n", "utf-8")
    (tmp_path / "spec/sources").mkdir(parents=True)
    write, validate = commands(BLOCK.findall(page)[0])
    done = hoyle(*write, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = hoyle(*validate, cwd=tmp_path)
    assert done.returncode == 5
    assert "the 'about' of the source is not written yet" in done.stderr
