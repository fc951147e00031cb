"""Every kind of faulty file gets one clear message: the place, the line with a caret, and the remedy."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from conftest import ROOT, golden_among, goldens
from hoyle_conformance.cli import main
from hoyle_conformance.cli import options as common
from hoyle_conformance.files import read as opening
from hoyle_conformance.files import strict_yaml as yaml_text
from hoyle_conformance.files import yaml_nodes as nodes
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite

#: Each has the faulty files of one kind, with their messages.
FAULTY = sorted((ROOT / "tests/faulty").glob("*.yaml"))
TABLE = (ROOT / "spec/rulesets/bezique-hoyle.ruleset.yaml").read_text("utf-8")


Validate = Callable[[Path], Result]


@pytest.fixture
def validate(monkeypatch: pytest.MonkeyPatch, suite: Suite, tmp_path: Path) -> Validate:
    """The command, run on one file; the suite around it is always the same, and is not loaded for each."""
    (tmp_path / "faulty").mkdir()
    monkeypatch.chdir(tmp_path / "faulty")
    monkeypatch.setattr(common, "open_suite", lambda *_args, **_options: suite)
    return lambda path: CliRunner().invoke(main, ["validate", str(path), "--spec", str(ROOT / "spec")])


@pytest.mark.parametrize(
    ("path", "name"), [pytest.param(path, name, id=name) for path in FAULTY for name in goldens(path)]
)
def test_a_faulty_file_gets_its_message(path: Path, name: str, tmp_path: Path, validate: Validate) -> None:
    text, file = goldens(path)[name]["text"], tmp_path / f"faulty/{name}.{path.stem}.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    result = validate(file)
    assert result.exit_code == 5
    golden_among(path, result.output, name, "message")


def test_every_message_has_a_place_and_nearly_all_a_caret() -> None:
    messages = [each["message"] for path in FAULTY for each in goldens(path).values()]
    for message in messages:
        assert re.match(r"[\w.-]+:\d+:\d+: \S", message), message
        assert message.endswith("1 mistake found.\n"), message
    without_caret = [message for message in messages if "^" not in message]
    assert len(without_caret) <= 4, "only files without readable lines may lack it"


ALL_CELLS = "'hoyle rules RULESET --cells' shows them all."
#: Faults of a rule table: what is changed in a sound one, and the message.
TABLES = [
    (
        "unknown cell",
        ("identical_cards_won_by:", "identical_cards_wonby:"),
        ("unknown key 'identical_cards_wonby' in tricks", "Did you mean 'identical_cards_won_by'?"),
    ),
    (
        "unknown clause",
        ("[hoyle/bezique/turn-up]", "[hoyle/bezique/turnup]"),
        (
            "no clause 'hoyle/bezique/turnup' in any ledger",
            "Did you mean 'hoyle/bezique/turn-up'? 'hoyle suite list clauses' shows them all.",
        ),
    ),
    (
        "value of no reading",
        ("      deals:\n        is: deals", "      deals:\n        is: chooses"),
        ("'deals' is not the value of any reading of deal.cut_winner", "Valid here: chooses."),
    ),
    (
        "a combination twice",
        ("    - id: royal-marriage", "    - id: common-marriage"),
        ("the combination 'common-marriage' is already described", "Choose another id, class or number of cards."),
    ),
    (
        "no rank",
        ("rank_in_cutting: {is: A T K Q J 9 8 7,", "rank_in_cutting: {is: A 10 K Q J 9 8 7,"),
        (
            "'A 10 K Q J 9 8 7' does not fit cards.rank_in_cutting.is",
            "Ranks are written with spaces between, such as A T K Q J 9 8 7.",
        ),
    ),
    (
        "a combination without suits",
        ("      cards: [K, Q]\n      suits: trumps\n", "      cards: [K, Q]\n"),
        ("declare.melds.royal-marriage: its cards have no suits, so `suits` must say which", "Correct the table."),
    ),
    (
        "a combination with suits twice",
        ("      cards: [K, Q]\n      suits: trumps\n", "      cards: [KS, Q]\n      suits: trumps\n"),
        (
            "declare.melds.royal-marriage: its cards have suits of their own, so `suits` cannot say which",
            "Correct the table.",
        ),
    ),
    (
        "an option that changes no known combination",
        (
            "    cells:\n      score:\n",
            "    cells:\n      declare: {melds: [{id: bezik, cites: [hoyle/bezique/score-bezique]}]}\n      score:\n",
        ),
        ("no combination 'bezik' in this table", "Did you mean 'bezique'?"),
    ),
    (
        "an option that leaves out no known cell",
        (
            "    title: Brisques counted at the end of the hand\n",
            "    title: Brisques counted at the end of the hand\n    without: [settle.targets]\n",
        ),
        ("no cell 'settle.targets' in this table", f"Did you mean 'settle.target'? {ALL_CELLS}"),
    ),
    ("an unknown source", ("sources: [hoyle]", "sources: [hoile]"), ("no source 'hoile'", "Did you mean 'hoyle'?")),
]


@pytest.mark.interpreter
@pytest.mark.parametrize(("_name", "change", "said"), TABLES, ids=[name for name, _, _ in TABLES])
def test_a_faulty_table_gets_its_message(
    _name: str, change: tuple[str, str], said: tuple[str, str], tmp_path: Path, validate: Validate
) -> None:
    old, new = change
    assert TABLE.count(old) >= 1
    path = tmp_path / "house.ruleset.yaml"
    path.write_text(TABLE.replace("id: bezique-hoyle", "id: house", 1).replace(old, new, 1), encoding="utf-8")
    result = validate(path)
    message, remedy = said
    first, *_, last = result.output.removesuffix("\n\nexit 5: 1 mistake found.\n").splitlines()
    assert re.fullmatch(rf"{re.escape(str(path))}:\d+:\d+: {re.escape(message)}", first)
    assert last.strip() == remedy
    assert result.exit_code == 5


def test_a_sound_table_outside_the_suite_is_sound(tmp_path: Path, validate: Validate) -> None:
    path = tmp_path / "house.ruleset.yaml"
    path.write_text(TABLE.replace("id: bezique-hoyle", "id: house", 1), encoding="utf-8")
    result = validate(path)
    assert (result.exit_code, result.output) == (0, "1 file checked and valid.\n")


def test_a_file_too_large_is_refused_unread(tmp_path: Path, validate: Validate) -> None:
    path = tmp_path / "large.scenario.yaml"
    path.write_bytes(b"#" * (opening.LARGEST + 1))
    result = validate(path)
    assert "the file is too large (1,000,001 bytes)" in result.output
    assert result.exit_code == 5


def test_nesting_that_would_break_the_parser_is_refused(tmp_path: Path, validate: Validate) -> None:
    for number, text in enumerate(("[" * 400_000, "- " * 400_000 + "x", "{a: " * 200_000, "a: " + '["]",' * 100_000)):
        path = tmp_path / f"deep-{number}.scenario.yaml"
        path.write_text(text)
        result = validate(path)
        assert "nested more than 40 levels deep" in result.output
        assert result.exit_code == 5


def test_nesting_that_the_parser_itself_refuses_has_the_same_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    """libyaml 0.2.6 reads ahead to its own limit before Hoyle has counted the levels; older versions have no limit."""

    def parse(*_: object, **__: object) -> None:
        mark = yaml.Mark("", 0, 0, 1_000, None, None)
        raise yaml.scanner.ScannerError("while increasing flow level", mark, "exceeded maximum nesting depth", mark)

    monkeypatch.setattr(yaml, "parse", parse)
    with pytest.raises(Invalid) as refused:
        nodes.compose("[" * 2_000, "deep.scenario.yaml")
    [found] = refused.value.diagnostics
    assert (found.code, found.message, found.column) == ("too-deep", "nested more than 40 levels deep", 1_001)
    assert found.remedy == "No Hoyle file needs that: check the brackets and the indentation."


def test_a_missing_file_and_a_foreign_file_are_named(tmp_path: Path, validate: Validate) -> None:
    missing = validate(tmp_path / "gone.scenario.yaml")
    assert "no such file: " in missing.output
    assert "gone.scenario.yaml" in missing.output
    (tmp_path / "notes.txt").write_text("a: 1")
    foreign = validate(tmp_path / "notes.txt")
    assert "this is not a file of the suite" in foreign.output
    assert "A file of the suite ends in .scenario.yaml, .ruleset.yaml, .source.yaml or .census.yaml." in foreign.output


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("12:30", "12:30"),
        ("2026-11-20", "2026-11-20"),
        ("0o17", "0o17"),
        ("true", True),
        ("null", None),
        ("12", 12),
        ("+40", 40),
        ("1.5", "1.5"),
        ("'12'", "12"),
    ],
)
def test_plain_words_are_read_as_yaml_1_2_reads_them(text: str, value: object) -> None:
    assert yaml_text.load(f"a: {text}\n", "x.yaml").data == {"a": value}
