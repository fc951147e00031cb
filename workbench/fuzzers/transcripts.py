"""Transcripts: one that is read is the same in either form, and can be judged; any other is refused, with its place."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.read import decode, refuse_unseen
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.json_lines import write_json_lines
from hoyle_conformance.tools.transcript.load import read_transcripts
from hoyle_conformance.tools.transcript.model import Transcript
from hoyle_conformance.tools.transcript.nearest import nearest_rules
from hoyle_conformance.tools.transcript.notation import MeldNames
from hoyle_conformance.tools.transcript.plain_text import write_plain_text
from hoyle_conformance.tools.transcript.report import nearest_data, nearest_lines, run_data, run_lines
from hoyle_conformance.tools.transcript.run import RunSetting, judge_run

from .properties import assert_explained
from .target import Input, Read

#: The variant whose games are judged by the nearest rules.
_ANY: Final = "any"
#: The rulesets that judge, each of another kind of game.
VARIANTS: Final = ("bezique-hoyle", "piquet-hoyle", "rubicon-hoyle", "three-handed-h2g2", "four-handed-h2g2", _ANY)
_FILE: Final = "game.txt"


def prepare(suite: Suite, _folder: Path) -> Read:
    """Return the function that reads transcripts, and judges them by the ruleset that the variant names."""

    def read(given: Input) -> None:
        ruleset = given.variant if given.variant in VARIANTS else VARIANTS[0]
        ruleset = "" if ruleset == _ANY else ruleset
        try:
            text = decode(given.content, _FILE)
            refuse_unseen(text, _FILE)
            games = read_transcripts(suite, text, _FILE, ruleset)
            _check_round_trips(suite, games, ruleset)
            _judge(suite, games, ruleset) if ruleset else _identify(suite, games)
        except Invalid as invalid:
            assert_explained(invalid, given.content)

    return read


def _check_round_trips(suite: Suite, games: Sequence[Transcript], ruleset: str) -> None:
    """Check that games are the same when they are written in either form and read again."""
    named = tuple(replace(each, name=each.name or "1") for each in games)
    for text in (write_json_lines(games), write_plain_text(games, MeldNames.of(suite, ruleset))):
        try:
            again = read_transcripts(suite, text, _FILE, ruleset)
        except Invalid as invalid:
            raise AssertionError(f"{invalid}\n{text}") from invalid
        assert again == named, text


def _identify(suite: Suite, games: Sequence[Transcript]) -> None:
    for found in nearest_rules(suite, games):
        list(nearest_lines(suite, found))
        json.dumps(nearest_data(suite, found), allow_nan=False)


def _judge(suite: Suite, games: Sequence[Transcript], ruleset: str) -> None:
    judged = judge_run(RunSetting.of(suite, ruleset, games))
    list(run_lines(suite, judged))
    json.dumps(run_data(suite, judged), allow_nan=False)
