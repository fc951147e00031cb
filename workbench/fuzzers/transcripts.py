"""Transcripts: one that is read can be judged; any other is refused, with its place."""

import json
from pathlib import Path
from typing import Final

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.read import decode, refuse_unseen
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.judge import judge_run, nearest_rules
from hoyle_conformance.tools.transcript.read import read_transcripts
from hoyle_conformance.tools.transcript.report import nearest_data, nearest_lines, run_data, run_lines

from .properties import assert_explained
from .target import Input, Read

#: The variant whose games are judged by the nearest rules.
_ANY: Final = "any"
#: The rulesets that judge, each of another kind of game.
VARIANTS: Final = ("bezique-hoyle", "piquet-hoyle", "rubicon-hoyle", "three-handed-h2g2", "four-handed-h2g2", _ANY)
_FILE: Final = "game.jsonl"


def prepare(suite: Suite, _folder: Path) -> Read:
    """Return the function that reads transcripts, and judges them by the ruleset that the variant names."""

    def read(given: Input) -> None:
        try:
            text = decode(given.content, _FILE)
            refuse_unseen(text, _FILE)
            games = read_transcripts(suite, text, _FILE)
            if given.variant == _ANY:
                runs = nearest_rules(suite, games)
                list(nearest_lines(suite, runs))
                json.dumps(nearest_data(suite, runs), allow_nan=False)
            else:
                run = judge_run(suite, given.variant if given.variant in VARIANTS else VARIANTS[0], games)
                list(run_lines(suite, run))
                json.dumps(run_data(suite, run), allow_nan=False)
        except Invalid as invalid:
            assert_explained(invalid, given.content)

    return read
