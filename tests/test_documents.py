"""What is written for people is so: examples are valid, commands exist, links lead somewhere."""

import json
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import ROOT
from hoyle_conformance.cli import COMMANDS, main
from hoyle_conformance.site.page import Page
from hoyle_conformance.suite.value import Suite

PAGES = sorted(path for path in ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")) + [ROOT / "spec/PROTOCOL.md"]


@pytest.fixture(scope="module")
def on_the_site(made: dict[str, Page]) -> set[Path]:
    return {(ROOT / "docs" / path).resolve() for path in made}


def test_every_message_shown_in_the_protocol_is_valid(suite: Suite) -> None:
    text = (ROOT / "spec/PROTOCOL.md").read_text("utf-8")
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    kinds = {message["type"] for message in shown}
    assert kinds == {name.removeprefix("message-") for name in suite.schemas.documents if name.startswith("message-")}
    for message in shown:
        assert suite.schemas.complaint(f"message-{message['type']}", message) == ""


def test_the_protocol_names_every_capability_act_question_and_observable(suite: Suite) -> None:
    text = (ROOT / "spec/PROTOCOL.md").read_text("utf-8")
    known = suite.capabilities
    for word in (*known.meanings, *known.acts, *known.asks, *known.observables):
        assert f"`{word}`" in text, word
    table_of_capabilities = text[text.index("| capability") : text.index("## run")]
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", table_of_capabilities, re.MULTILINE))
    for capability, words in known.sets.items():
        for word in words:
            assert f"`{word}`" in rows[capability], (word, capability)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path, on_the_site: set[Path]) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
        path = (page.parent / target).resolve()
        assert path.exists() or path in on_the_site, target


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_shown_exist(page: Path) -> None:
    for command in re.findall(r"(?:^|`|\$ )hoyle ([a-z]+)", page.read_text("utf-8"), re.MULTILINE):
        assert command in COMMANDS, command


@pytest.mark.slow
def test_the_adapter_shown_works(tmp_path: Path) -> None:
    text = (ROOT / "docs/check.md").read_text("utf-8")
    (shown,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    adapter = tmp_path / "my_adapter.py"
    adapter.write_text(shown, encoding="utf-8")
    result = CliRunner().invoke(main, ["check", "tricks.identical-trumps", "--", sys.executable, str(adapter)])
    assert result.output.endswith("\n1 passed, 0 failed, 0 skipped\n")
    assert result.exit_code == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 5


def test_the_overview_says_the_same_as_the_commands() -> None:
    for name, line in COMMANDS.items():
        command = main.get_command(None, name)  # type: ignore[arg-type]  # the context is not used
        assert command is not None
        assert command.short_help == line
