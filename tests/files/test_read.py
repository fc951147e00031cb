"""Files that nobody means well with: pipes, devices, links out of the tree, and more mistakes than anybody reads."""

import os
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conftest import ROOT
from hoyle_conformance.checks import load
from hoyle_conformance.checks.cache.store import cache_key_of
from hoyle_conformance.cli import main
from hoyle_conformance.files import read as json_text
from hoyle_conformance.files import read as opening
from hoyle_conformance.files import strict_yaml as yaml_text
from hoyle_conformance.files.diagnostics import COUNTED, SHOWN, Invalid, printable
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.runner.baseline import read_baseline
from hoyle_conformance.suite.paths import files, read_lock, read_version, strays
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import read_house_rules
from hoyle_conformance.tools.validate.check_file import check_file

pytestmark = pytest.mark.slow

EXAMPLE = (ROOT / "spec/scenarios/to-score/the-example.scenario.yaml").read_text("utf-8")
TABLE = (ROOT / "spec/rulesets/bezique-hoyle.ruleset.yaml").read_text("utf-8")

Made = Callable[[Path], object]


def _socket(path: Path) -> None:
    here = socket.socket(socket.AF_UNIX)
    before = Path.cwd()
    os.chdir(path.parent)  # its whole path may be too long for one
    try:
        here.bind(path.name)
    finally:
        os.chdir(before)
        here.close()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _endless(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


SPECIAL: dict[str, tuple[Made, str]] = {
    "pipe": (_pipe, "this is a pipe, not a regular file"),
    "socket": (_socket, "this is a socket, not a regular file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "this link leads out of its folder"),
    "folder": (Path.mkdir, "cannot read the file: is a directory"),
    "link out of the tree": (lambda path: path.symlink_to("/etc/passwd"), "this link leads out of its folder"),
    "link to itself": (lambda path: path.symlink_to(path.name), "cannot read the file: "),
    "link to nothing": (lambda path: path.symlink_to("nothing"), "cannot read the file: no such file or directory"),
    "file without end": (_endless, "the file is too large (1,099,511,627,776 bytes)"),
}


def said(raises: Callable[[], object]) -> str:
    """The one thing that is said of a file."""
    with pytest.raises(Invalid) as raised:
        raises()
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.line == diagnostic.column == 1
    assert "root:" not in str(diagnostic), "nothing of another file is quoted"
    return diagnostic.message


@pytest.mark.posix
@pytest.mark.parametrize("what", SPECIAL)
def test_only_regular_files_in_the_tree_are_read(what: str, suite: Suite, tmp_path: Path) -> None:
    """Every kind of file that somebody brings, whatever it is that lies there."""
    make, message = SPECIAL[what]
    for name in ("mine.scenario.yaml", "mine.ruleset.yaml", "mine.source.yaml", "mine.census.yaml"):
        path = tmp_path / name
        make(path)
        (diagnostic,) = check_file(suite, path)
        assert diagnostic.message.startswith(message)
    assert said(lambda: read_house_rules(suite, path)).startswith(message)
    of_a_baseline = message.replace("cannot read the file", "cannot read the baseline")
    assert said(lambda: read_baseline(path, suite)).startswith(of_a_baseline)


@pytest.mark.posix
@pytest.mark.parametrize("what", [each for each in SPECIAL if each != "link to nothing"])
def test_a_spec_folder_with_special_files_is_no_trap(what: str, tmp_path: Path) -> None:
    make, message = SPECIAL[what]
    spec = tmp_path / "spec"
    (spec / "scenarios").mkdir(parents=True)
    for part, read in (("VERSION", read_version), ("ids.lock", read_lock)):
        make(spec / part)
        assert said(lambda read=read: read(spec)).startswith(message)
        assert cache_key_of(spec) == "", "what cannot be read is not kept either"
        (spec / part).rmdir() if (spec / part).is_dir() else (spec / part).unlink()
    make(spec / "scenarios" / "x.scenario.yaml")
    assert cache_key_of(spec) == "" or what == "folder"
    assert [path.name for path in files(spec, "scenario")] == ([] if what == "folder" else ["x.scenario.yaml"])
    (spec / "schemas").mkdir()
    make(spec / "schemas" / "scenario.schema.json")
    if "link" not in what and what != "device":
        assert said(lambda: Schemas(spec / "schemas").documents["scenario"])


@pytest.mark.posix
def test_folders_of_a_spec_are_not_followed_out_of_it(tmp_path: Path) -> None:
    outside, spec = tmp_path / "outside", tmp_path / "spec"
    (outside / "deep").mkdir(parents=True)
    (outside / "secret.scenario.yaml").write_text("secret")
    spec.mkdir()
    (spec / "scenarios").symlink_to(outside)
    assert said(lambda: list(files(spec, "scenario"))).startswith("this link leads out of its folder")
    (spec / "scenarios").unlink()
    (spec / "scenarios").mkdir()
    (spec / "scenarios" / "topic").symlink_to(outside)
    assert list(files(spec, "scenario")) == []
    assert [path.name for path in strays(spec)] == ["topic"], "what is never read is told"


def test_a_folder_that_is_none_or_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scenarios").write_text("no folder")
    assert said(lambda: list(files(tmp_path, "scenario"))) == "cannot read the folder: not a directory"

    def denied(_path: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", denied)
    assert said(lambda: list(opening.files_below(ROOT / "spec", "spec"))) == "cannot read the folder: permission denied"


def test_folders_in_folders_however_many_are_gone_through(tmp_path: Path) -> None:
    deepest = tmp_path
    for _ in range(1200):  # deeper than Python's functions may call each other
        deepest = deepest / "a"
        deepest.mkdir()
    try:
        assert list(opening.files_below(tmp_path, "deep")) == []
        assert cache_key_of(tmp_path) != ""
        (tmp_path / "a").rename(tmp_path / "sources")
        deepest = tmp_path / "sources" / deepest.relative_to(tmp_path / "a")
        assert cache_key_of(tmp_path) == ""
    finally:
        os.removedirs(deepest)  # not left to those who go down by recursion


def test_a_file_that_grows_while_it_is_read_is_read_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, asked = tmp_path / "grows", []
    path.write_bytes(b"x")

    def endless(_file: int, many: int) -> bytes:
        asked.append(many)
        return b"x" * many

    monkeypatch.setattr(os, "read", endless)
    assert said(lambda: opening.read_bytes(path, "grows", largest=1000)) == "the file is too large (1,001 bytes)"
    assert sum(asked) == 1001


@pytest.mark.posix
def test_links_within_the_tree_are_followed(tmp_path: Path, suite: Suite) -> None:
    (tmp_path / "other.yaml").write_text("a: 1")
    (tmp_path / "mine.scenario.yaml").symlink_to("other.yaml")
    codes = {each.code for each in check_file(suite, tmp_path / "mine.scenario.yaml")}
    assert codes == {"missing-key", "misfit", "unknown-key"}


Validate = Callable[..., Result]


@pytest.fixture
def validate(monkeypatch: pytest.MonkeyPatch, suite: Suite, tmp_path: Path) -> Validate:
    """The command, run on what lies in a folder; the suite around it is always the same."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(load, "load_suite", lambda *_args, **_options: suite)
    return lambda *words: CliRunner().invoke(main, [*words, "--spec", str(ROOT / "spec")])


@pytest.mark.posix
def test_a_folder_is_validated_with_all_that_lies_in_it(validate: Validate, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    os.mkfifo(folder / "pipe.scenario.yaml")
    (folder / "link.scenario.yaml").symlink_to("/etc/passwd")
    (folder / "\x1b[31mred\n.scenario.yaml").write_text("a: 1\n")
    done = validate("validate", "folder")
    assert done.exit_code == 5
    assert "folder/pipe.scenario.yaml:1:1: this is a pipe" in done.output
    assert "folder/link.scenario.yaml:1:1: this link leads out of its folder" in done.output
    assert r"folder/\x1b[31mred\n.scenario.yaml:1:1: unknown key 'a' in the file" in done.output
    assert "\x1b" not in done.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "it is nested too deeply"),
        ('{"a": 1, "a": 2}', 'the key "a" appears twice'),
        ("NaN", "NaN is not a number"),
    ],
)
def test_json_that_nobody_means_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        json_text.read_json(text)


def test_a_number_in_json_without_a_fraction_is_whole() -> None:
    read = json_text.read_json("[8.0, -0.0, 1e3, 0.5, 8]")
    assert read == [8, 0, 1000, 0.5, 8]
    assert [type(each) for each in read] == [int, int, int, float, int]


def test_a_schema_fetches_nothing_from_elsewhere(tmp_path: Path) -> None:
    for path in (ROOT / "spec/schemas").glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    broken = tmp_path / "scenario.schema.json"
    for text in (
        '{"$ref": "file:///etc/passwd"}',
        '{"$ref": "http://localhost:9/x"}',
        '{"type": 5}',
        '{"pattern": "("}',
        "[]",
    ):
        broken.write_text(text)
        assert said(Schemas(tmp_path).read_all).startswith("the schema cannot be used: ")


# What nobody sees

UNSEEN = ("\0", "\x1b", "\xad", "\u2028", "\u202e", "\ufeff", "\U000e0041")


@pytest.mark.parametrize("char", UNSEEN, ids=lambda char: f"U+{ord(char):04X}")
def test_what_nobody_sees_is_refused_where_it_stands(char: str) -> None:
    with pytest.raises(Invalid) as raised:
        yaml_text.load(f"a: 1\nb: x{char}y\n", "x.yaml")
    (found,) = raised.value.diagnostics
    assert (found.line, found.column, found.code) == (2, 5, "character")
    assert f"U+{ord(char):04X}" in found.message
    assert char not in str(found)


@pytest.mark.parametrize("escape", [r"\x1b", r"\0", r"\r", r"\u202e"])
def test_escaped_invisible_character_is_refused(escape: str) -> None:
    with pytest.raises(Invalid) as raised:
        yaml_text.load(f'a: "x{escape}y"\n', "x.yaml")
    (found,) = raised.value.diagnostics
    assert (found.line, found.column, found.code) == (1, 4, "character")


def test_what_people_write_is_not_refused() -> None:
    text = 'a: "tab\\there, line\\nthere"\r\nb: bézique, œuvre — “♠” 😀 ½\r\n'
    assert yaml_text.load(text, "x.yaml").data == {"a": "tab\there, line\nthere", "b": "bézique, œuvre — “♠” 😀 ½"}
    assert printable("bézique ♠") == "bézique ♠"
    assert printable("a\nb\x1b\u202e") == r"a\nb\x1b\u202e"


# More mistakes than anybody reads

MANY: dict[str, tuple[str, Callable[[int], str]]] = {
    "unknown keys": ("x.scenario.yaml", lambda n: "id: a.b\n" + "".join(f"k{at}: 1\n" for at in range(n))),
    "rulesets that are none": (
        "to-score/mine.scenario.yaml",
        lambda n: re.sub(
            r"rulesets: \[.*?\]", f"rulesets: [{','.join(f'r{at}' for at in range(n))}]", _mine(), count=1
        ),
    ),
}


def _mine() -> str:
    return EXAMPLE.replace("id: to-score.the-example", "id: to-score.mine")


@pytest.mark.parametrize("what", MANY)
def test_time_grows_with_the_file_and_not_with_its_square(what: str, suite: Suite, tmp_path: Path) -> None:
    """Four times as many mistakes take four times as long, or less: only so many are counted."""
    name, text = MANY[what]
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)

    def seconds(many: int) -> float:
        path.write_text(text(many))
        begun = time.process_time()
        list(Invalid(check_file(suite, path)).shown())
        return time.process_time() - begun

    seconds(10)  # what is imported and compiled once is not counted
    few, many = (min(seconds(number) for _ in range(3)) for number in (500, 2000))
    assert many <= 8 * few + 0.1


def test_fifty_mistakes_of_a_file_are_shown_and_the_others_counted(validate: Validate, tmp_path: Path) -> None:
    known = "".join(f"k{number}: 1\n" for number in range(1000))
    (tmp_path / "the-example.scenario.yaml").write_text(EXAMPLE + known[: known.index("k900")])
    done = validate("validate", "the-example.scenario.yaml")
    lines = EXAMPLE.count("\n")
    assert done.output.count("unknown key") == SHOWN
    assert f"the-example.scenario.yaml:{lines + SHOWN + 1}:1: and 850 more\n" in done.output
    assert done.output.endswith("900 mistakes found.\n")
    (tmp_path / "the-example.scenario.yaml").write_text(EXAMPLE + known + known.replace("k", "n"))
    assert "and 950 or more\n" in validate("validate", "the-example.scenario.yaml").output
    assert COUNTED == 1000


def test_more_values_than_anybody_means_are_refused() -> None:
    with pytest.raises(Invalid, match=r"x:1:\d+: the file has more than 10,000 values"):
        yaml_text.load(f"a: [{'1,' * 10_000}]", "x")


def test_very_long_key_gets_a_short_message(suite: Suite, tmp_path: Path) -> None:
    path = tmp_path / "x.scenario.yaml"
    path.write_text(f"? {'x' * 500_000}\n: 1\n")
    said = list(Invalid(check_file(suite, path)).shown())
    assert max(map(len, said)) < 3000


# Values that a cell cannot have

CELLS = {
    "a row that follows no reading": (
        ("          is: {unused: 2}", "          is: {unused: 1}"),
        "this row matches none of its readings",
        'Valid here: {"unused": 1}, {"unused": 0}.',
    ),
    "a kind that is none": (
        ("over: [marriage]", "over: [mariage]"),
        "no combination is of the kind 'mariage'",
        "Did you mean 'marriage'?",
    ),
    "a reading that makes no sense with the rest": (
        ("is: {unused: 0}", "is: {cards: [Q, J]}"),
        "declare.melds.double-bezique: its cards have no suits, so `suits` must say which",
        "Correct this reading.",
    ),
}


@pytest.mark.parametrize("what", CELLS)
def test_a_value_that_a_cell_cannot_have_is_told_in_its_own_file(what: str, suite: Suite, tmp_path: Path) -> None:
    (old, new), message, remedy = CELLS[what]
    assert old in TABLE
    path = tmp_path / "mine.ruleset.yaml"
    path.write_text(TABLE.replace("id: bezique-hoyle", "id: mine", 1).replace(old, new, 1))
    (found,) = check_file(suite, path)
    assert (found.message, str(found.remedy)) == (message, remedy)
    changed = TABLE[: TABLE.index(old)].count("\n") + 1
    assert changed - 45 <= found.line <= changed + 2
