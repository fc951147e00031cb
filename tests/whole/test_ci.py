"""What docs/ci.md shows for other people's continuous integration: each example is taken from the page, and tried."""

import configparser
import gzip
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import HANGS, ROOT, Done, need
from hoyle_conformance import pytest_plugin
from hoyle_conformance.suite.suite import Suite

PAGE = (ROOT / "docs/ci.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"<!-- tested: ([\w-]+) -->\n\n```\w+\n(.*?)```", PAGE, re.DOTALL))
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
PINNED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40}")

Hoyle = Callable[..., Done]


def test_every_example_is_tried() -> None:
    marked = set(re.findall(r"<!-- tested: ([\w-]+) -->", PAGE))
    tried = set(re.findall(r'EXAMPLES\["([\w-]+)"\]', Path(__file__).read_text("utf-8")))
    assert marked == set(EXAMPLES) == tried
    with_a_language = len(re.findall(r"^```\w+$", PAGE, re.MULTILINE))
    assert with_a_language == len(EXAMPLES)


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder with an adapter that is right in all it claims, and an empty baseline."""
    shutil.copy(ROOT / "conformance/adapters/python/tricks.py", tmp_path / "adapter.py")
    (tmp_path / "known-failures.txt").write_text("# none\n", "utf-8")
    return tmp_path


def test_the_job_on_github_uses_the_action_as_it_is() -> None:
    job = yaml.safe_load(EXAMPLES["github"])["jobs"]["rules"]
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    ours = next(step for step in job["steps"] if "/hoyle@" in step.get("uses", ""))
    assert set(ours["with"]) <= set(action["inputs"])
    needed = {name for name, each in action["inputs"].items() if each.get("required")}
    assert needed <= set(ours["with"])
    used = re.findall(rf"steps\.{ours['id']}\.outputs\.(\w+)", EXAMPLES["github"])
    assert used
    assert set(used) <= set(action["outputs"])


@pytest.mark.slow
def test_the_jobs_on_gitlab_and_jenkins_check_and_report(hoyle: Hoyle, room: Path) -> None:
    job = yaml.safe_load(EXAMPLES["gitlab"])["rules"]
    lines = [*job["script"], *job["after_script"]]
    assert re.findall(r"sh '(.+)'", EXAMPLES["jenkins"]) == lines
    for line in lines:
        program, *words = shlex.split(line)
        assert program == "hoyle"
        if words[0] == "check":
            words[1:1] = ["-s", "last-tricks.trump-wins"]  # one scenario, which takes no time
        done = hoyle(*words, cwd=room)
        assert done.returncode == 0, done.stderr
    for file in (*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]):
        assert (room / file).stat().st_size > 0
    assert f"junit '{job['artifacts']['reports']['junit']}'" in EXAMPLES["jenkins"]


def test_the_ini_file_has_keys_that_the_plugin_knows() -> None:
    known = re.findall(r'addini\("(\w+)"', Path(str(pytest_plugin.__file__)).read_text("utf-8"))
    ini = configparser.ConfigParser()
    ini.read_string(EXAMPLES["pytest"])
    assert set(ini["pytest"]) == set(known)


# ---- other languages

EXAMPLES_OF_HARNESSES = {
    "node": ["node", "harness.mjs"],
    "go": ["go", "run", "harness.go", "engine.go"],
}
REFERENCE = [sys.executable, "-m", "hoyle_conformance", "suite", "serve"]
FAULTY = [sys.executable, str(ROOT / "tests/faulty_adapters/main.py"), "--cell", "score.last_trick.points=20"]


@pytest.fixture(scope="module")
def resolved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that 'make spec-json' writes."""
    folder = tmp_path_factory.mktemp("spec-json")
    subprocess.run([sys.executable, str(ROOT / "conformance/spec_json.py"), str(folder)], check=True, timeout=HANGS)
    return folder


@pytest.mark.slow
def test_the_resolved_data_are_as_their_schemas_say_and_complete(resolved: Path, suite: Suite) -> None:
    rules = json.loads((resolved / "rulesets.json").read_text("utf-8"))
    assert suite.schemas.complaint("rulesets", rules) == ""
    assert set(rules["rulesets"]) == set(suite.rules.names)
    found = set[str]()
    for name in suite.rulesets:
        data = json.loads(gzip.decompress((resolved / f"suite/{name}.json.gz").read_bytes()))
        assert suite.schemas.validator("suite").is_valid(data), name
        for check in data["checks"][::20]:
            assert suite.schemas.complaint("message-run", {"type": "run", "seq": 1, **check["run"]}) == ""
            assert all(expected[-1]["after"] == len(check["run"]["steps"]) for expected in check["expect"].values())
        found |= {check["id"] for check in data["checks"]}
    assert found == set(suite.index.checks)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES_OF_HARNESSES)
def test_a_harness_in_another_language_judges_engines_without_hoyle(name: str, resolved: Path, suite: Suite) -> None:
    need(shutil.which(name), name)

    def judged(ruleset: str, *command: str) -> tuple[int, str]:
        words = [*EXAMPLES_OF_HARNESSES[name], str(resolved / f"suite/{ruleset}.json.gz"), *command]
        folder = ROOT / "spec/examples"
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=HANGS)
        return done.returncode, done.stdout

    many = sum(check.ruleset.partition("+")[0] == "piquet-hoyle" for check in suite.index.checks.values())
    assert judged("piquet-hoyle", *REFERENCE) == (0, f"{many} checks passed, 0 failed, 0 were not answered.\n")
    code, said = judged("bezique-hoyle", *FAULTY)
    assert code == 1
    assert "last-trick.with-two-brisques@bezique-hoyle: " in said
    assert '\n  step 2: score is {"A":0,"B":40}, not {"A":0,"B":30}\n' in said
    code, said = judged("bezique-hoyle")
    assert (code, " 0 failed, " in said) == (0, True), said


# ---- before a commit

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
}
CLUB = "id: club\ntitle: Bézique at the club\nextends: bezique-hoyle\nrules:\n  settle.target: 1500\n"


def test_the_hooks_are_those_of_the_page() -> None:
    (repository,) = yaml.safe_load(EXAMPLES["pre-commit"])["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == list(HOOKS)
    for hook in HOOKS.values():
        assert {"id", "name", "description", "entry", "language", "files"} <= set(hook)
        assert hook["language"] == "python"
        assert hook["entry"].startswith("hoyle ")


def test_the_hook_for_a_spec_takes_every_file_of_it_that_can_be_validated(suite: Suite) -> None:
    files = re.compile(HOOKS["hoyle-validate"]["files"])
    filed = [*suite.scenarios.values(), *suite.rulesets.values(), *suite.sources.values(), *suite.censuses.values()]
    assert all(files.search(each.document.file) for each in filed)
    assert not files.search("spec/schemas/scenario.schema.json")
    assert not files.search("docs/spec/x.scenario.yaml")


def test_the_hooks_find_what_is_wrong(hoyle: Hoyle, tmp_path: Path) -> None:
    words = shlex.split(HOOKS["hoyle-validate"]["entry"])[1:]
    assert words == ["validate", "--spec", "spec"]
    good, bad = tmp_path / "club.rules.yaml", tmp_path / "bad.rules.yaml"
    good.write_text(CLUB, "utf-8")
    bad.write_text(CLUB.replace("bezique-hoyle", "bezique-hoyl").replace("1500", "fifteen"), "utf-8")
    files = re.compile(HOOKS["hoyle-house-rules"]["files"])
    assert files.search(good.name)
    words = shlex.split(HOOKS["hoyle-house-rules"]["entry"])[1:]
    assert hoyle(*words, good.name, cwd=tmp_path).returncode == 0
    done = hoyle(*words, good.name, bad.name, cwd=tmp_path)
    assert done.returncode == 5
    assert "bad.rules.yaml:3:10: no ruleset 'bezique-hoyl' to extend" in done.stderr
    (tmp_path / "other.yaml").write_text("a: 1\n", "utf-8")
    assert "this is not a file of the suite" in hoyle(*words, "other.yaml", cwd=tmp_path).stderr
    (tmp_path / "broken.yaml").write_text("extends: [\n", "utf-8")
    assert hoyle(*words, "broken.yaml", cwd=tmp_path).returncode == 5


# ---- our own


def test_our_own_jobs_may_do_little_and_use_only_what_is_pinned() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert WORKFLOW["concurrency"]["cancel-in-progress"] is True
    for job in WORKFLOW["jobs"].values():
        assert job["timeout-minutes"] <= 60
        for step in job["steps"]:
            assert step.get("uses", "./") == "./" or PINNED.fullmatch(step["uses"])
            assert "${{" not in step.get("run", "")


def test_our_own_jobs_name_files_that_are_there() -> None:
    runs = [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]
    named = {word for run in runs for word in run.split() if re.fullmatch(r"\.?[\w-]+/[\w./-]+", word)}
    assert named
    assert all((ROOT / name).exists() for name in named), named
