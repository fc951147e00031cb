"""What is written for people is so: examples are valid, commands exist, links lead somewhere."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from conftest import ROOT, Done, golden
from hoyle_conformance.cli import command_names
from hoyle_conformance.reports.claims import meanings
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.page import Page
from protocol_pages import made as made_anew
from protocol_pages import pages as generated_pages
from transcripts import Clone, Session, played

PAGES = [path for pattern in ("*.md", "docs/**/*.md", "spec/*.md") for path in sorted(ROOT.glob(pattern))]
PROTOCOL = ROOT / "spec/PROTOCOL.md"
REFERENCE = ROOT / "spec/PROTOCOL-REFERENCE.md"
#: The page that a newcomer reads is two screens, no more.
MOST_LINES, MOST_COLUMNS = 120, 100
MOST_README_LINES, MOST_README_COLUMNS = 170, 130


@pytest.fixture(scope="module")
def on_the_site(made: dict[str, Page]) -> set[Path]:
    return {(ROOT / "docs" / path).resolve() for path in made}


def test_every_message_shown_in_the_protocol_is_valid(suite: Suite) -> None:
    text = PROTOCOL.read_text("utf-8")
    blocks = "\n".join(re.findall(r"```json\n(.*?)```", text, re.DOTALL))
    shown = [json.loads(block) for block in re.split(r"\n\n+", blocks)]
    kinds = {message["type"] for message in shown}
    assert kinds == {name.removeprefix("message-") for name in suite.schemas.documents if name.startswith("message-")}
    for message in shown:
        assert suite.schemas.complaint(f"message-{message['type']}", message) == ""


def test_the_protocol_is_two_screens() -> None:
    lines = PROTOCOL.read_text("utf-8").splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= MOST_COLUMNS


@pytest.mark.parametrize("page", generated_pages(ROOT / "spec"), ids=lambda path: path.name)
def test_the_generated_parts_of_a_page_are_fresh(suite: Suite, page: Path) -> None:
    text = page.read_text("utf-8")
    assert made_anew(suite, text) == text, "run 'make protocol'"


def test_a_part_that_nothing_makes_is_named(suite: Suite) -> None:
    with pytest.raises(KeyError, match="no-such-part"):
        made_anew(suite, "<!-- made: no-such-part -->\n<!-- end -->")


def test_the_reference_names_every_word(suite: Suite) -> None:
    text = REFERENCE.read_text("utf-8")
    known, words = suite.capabilities, suite.schemas.documents["common"]["$defs"]
    for word in (*known.meanings, *known.everything, *words["do"], *words["ask"], *known.observables):
        assert f"`{word}`" in text, word
    for field in suite.schemas.documents["position"]["properties"]:
        assert f"`{field}`" in text, field


def test_the_reference_shows_the_combinations_that_a_player_has_scored(suite: Suite) -> None:
    (shown,) = re.findall(r"```json\n(.*\"scored\".*)\n```", REFERENCE.read_text("utf-8"))
    position = {"phase": "play", "turn": "A", "dealer": "B", "score": {"A": 40, "B": 0}, **json.loads(shown)}
    assert position["scored"]["A"]
    assert suite.schemas.complaint("position", position) == ""
    position["scored"]["A"][0]["points"] = 40  # the observable 'scores' has points, and no cards
    assert "points" in suite.schemas.complaint("position", position)


def test_all_that_the_reference_shows_is_described() -> None:
    """No cell of a table is empty: a field that nothing is said of would be shown without a word."""
    rows = re.findall(r"^\|.*\|$", REFERENCE.read_text("utf-8"), re.MULTILINE)
    empty = [row for row in rows if re.search(r"\|\s*\|", row)]
    assert empty == []


def test_every_word_that_may_be_claimed_has_a_meaning(suite: Suite) -> None:
    told = meanings(suite.schemas)
    assert set(told) == suite.capabilities.everything
    assert all(told.values())


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path, on_the_site: set[Path]) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
        path = (page.parent / target).resolve()
        assert path.exists() or path in on_the_site, target


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_shown_exist(page: Path) -> None:
    for command in re.findall(r"(?:^|`|\$ )hoyle ((?:suite )?[a-z-]+)", page.read_text("utf-8"), re.MULTILINE):
        assert command in command_names(), command


@pytest.mark.slow
def test_the_report_shown_is_that_of_the_adapter_shown(hoyle: Callable[..., Done], tmp_path: Path) -> None:
    page = ROOT / "docs/check.md"
    text = page.read_text("utf-8")
    (adapter,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (shown,) = re.findall(r"```text\n\$ hoyle check .*?```", text, re.DOTALL)
    (tmp_path / "my_adapter.py").write_text(adapter, encoding="utf-8")
    command = shown.splitlines()[1].removeprefix("$ hoyle ")
    words = shlex.split(command.replace("python my_adapter.py", f"{sys.executable} {tmp_path / 'my_adapter.py'}"))
    report = hoyle(*words).stdout.replace(f"{sys.executable} {tmp_path}/", "python ")
    _version, *lines = report.rstrip("\n").splitlines()
    made = "\n".join(["```text", f"$ hoyle {command}", *(line.rstrip() for line in lines), "```"])
    golden(page, text.replace(shown, made))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "in_a_clone"),
    [
        *(("CONTRIBUTING.md", True), ("README.md", False), ("docs/transcripts.md", False), ("docs/json.md", False)),
        *(("docs/scenario-files.md", True), ("docs/project.md", False)),
    ],
)
def test_a_page_shows_what_its_commands_print(
    hoyle: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, in_a_clone: bool
) -> None:
    page = ROOT / name
    if page.stem == "transcripts":
        shutil.copy(ROOT / "conformance/adapters/transcripts/selfplay.py", tmp_path)
    if page.stem == "project":  # where its files find python
        monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    session = Session(tmp_path, hoyle, clone=Clone.in_folder(tmp_path)) if in_a_clone else Session(tmp_path, hoyle)
    golden(page, played(page.read_text("utf-8"), session))


def test_the_readme_shows_a_row_and_a_scenario_of_the_suite(suite: Suite) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    row, shown = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", readme, re.DOTALL))
    assert row.items() <= suite.rulesets["bezique-hoyle"].document.data["tricks"].items()
    scenario = suite.scenarios["tricks.identical-plain-cards"].document.data
    assert (shown["given"], shown["steps"]) == (scenario["given"], scenario["steps"])
    (outcome,), (ours,) = shown["outcomes"], scenario["outcomes"]
    assert outcome["rulesets"] == ours["rulesets"]
    assert {str(step): each for step, each in outcome["expect"].items()} == ours["expect"]


def test_the_readme_is_two_screens() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert len(lines) <= MOST_README_LINES
    assert max(len(line) for line in lines if not line.startswith(("|", "!"))) <= MOST_README_COLUMNS


# ---- the architecture

ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
#: The folders from which it names paths.
HARNESS = ROOT / "conformance/hoyle_conformance"
FOLDERS = [ROOT, HARNESS, HARNESS.parent, ROOT / "reference_impl/hoyle_reference"]
#: What a path in it looks like.
NAMED_PATH = re.compile(r"`([\w.*-]+(?:/[\w.*-]*)+|[\w-]+\.(?:py|yaml|json|md))`|\]\(([^)]+)\)")
WALK = re.compile(r"^\| \d+ \| `([^`]+)` \| `([^`]+)` \|", re.MULTILINE)
#: Runs the command and writes the functions that it calls, in order, to the file that is its first word.
TRACED = """
import json, sys
calls = []
def note(frame, event, _):
    if event == "call":
        calls.append(f"{frame.f_code.co_filename}:{frame.f_code.co_qualname}")
file = sys.argv.pop(1)
from hoyle_conformance.cli import run
sys.setprofile(note)
try:
    run()
finally:
    sys.setprofile(None)
    open(file, "w").write(json.dumps(calls))
"""


def test_every_path_of_the_architecture_is_there() -> None:
    tree = ARCHITECTURE.partition("```")[2].partition("```")[0]
    named = [one or other for one, other in NAMED_PATH.findall(ARCHITECTURE.replace(tree, ""))]
    assert len(named) > 80
    found = {each: [path for folder in FOLDERS for path in folder.glob(each)] for each in named}
    assert [each for each, paths in found.items() if not paths and ("/" in each or not [*HARNESS.rglob(each)])] == []


def test_a_check_goes_the_way_of_the_walk(tmp_path: Path) -> None:
    adapter = [sys.executable, "tests/faulty_adapters/main.py", "second-identical-card-wins"]
    record = ["--record", str(tmp_path / "run.jsonl")]
    words = ["check", "-s", "tricks.identical-trumps@bezique-hoyle", *record, "--", *adapter]
    command = [sys.executable, "-c", TRACED, str(tmp_path / "calls"), *words]
    subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    calls = iter(json.loads((tmp_path / "calls").read_text("utf-8")))
    walk = WALK.findall(ARCHITECTURE)
    assert len(walk) > 12
    for module, function in walk:
        assert f"{HARNESS / module}:{function}" in calls, f"{function} of {module} is not called after those before"
