"""The command that `hoyle identify` prints last works: it checks the engine against the rules that were found."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "faulty_adapters"))

import main  # noqa: F401 -- it adds the adapters
from faults import ADAPTERS, Respond
from wrong_mixtures import whatever_it_is_called

from conftest import Done
from hoyle_conformance.cli import check as check_command
from hoyle_conformance.cli import identify as identify_command
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import ProtocolError, Wire
from hoyle_conformance.runner.rule_changes import change_rules
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow


def plays_britannica_with_options(suite: Suite) -> Respond:
    rules = suite.rules.of("bezique-britannica+bezique-never-changes+brisques-at-end")
    return whatever_it_is_called(suite, change_rules(rules, {"seven.points": 20}), ("bezique-britannica",))


def plays_britannica_as_hoyle(suite: Suite) -> Respond:
    return whatever_it_is_called(suite, suite.rules.of("bezique-britannica"), ("bezique-hoyle",))


def plays_three_options(suite: Suite) -> Respond:
    rules = suite.rules.of("piquet-rubicon-parlett+carte-rouge-ten+nought+ten-for-the-last")
    return whatever_it_is_called(suite, rules, ("piquet-rubicon-parlett",))


MIXTURES: dict[str, Callable[[Suite], Respond]] = {
    each.__name__: each for each in (plays_britannica_with_options, plays_britannica_as_hoyle, plays_three_options)
}
#: Adapters that play or evaluate, without those that break the conversation, and those that change the interpreter in
#: their process, which is that of the tests.
PLAYING = [
    *("knows-who-wins-a-trick", "values-combinations", "keeps-the-score"),
    *("books-points-when-the-trick-is-complete", "lets-everyone-draw-together"),
    *("declares-in-one-go", "declares-by-itself", "plays-in-one-loop", "stamps-cards", "swaps-queens-and-knaves"),
    *("throws-where-it-should-refuse", "plays-a-mixture", "rejected-meld-still-scores", "accepts-everything"),
    *("refuses-everything", "second-identical-card-wins", "scores-the-best-alone", "knows-no-copies"),
    *("carries-out-nothing-irregular", "pays-any-sequence-150", *MIXTURES),
]


@pytest.fixture(scope="module")
def few(suite: Suite) -> Suite:
    """The suite with one scenario of each topic and of each question: one that has many rulesets."""
    every = sorted(suite.scenarios.values(), key=lambda each: len(each.rulesets))
    chosen = {key: each for each in every for key in (each.topic, *(str(step.get("ask")) for step in each.steps))}
    return replace(suite, scenarios={each.id: each for each in chosen.values()})


@pytest.mark.parametrize("name", PLAYING)
def test_the_printed_command_checks_something(
    suite: Suite, few: Suite, hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    engine = MIXTURES[name](suite) if name in MIXTURES else ADAPTERS[name]()

    def speaking(*_how: Any, **_options: Any) -> Callable[..., InProcess]:
        return lambda *_args: InProcess(Wire(suite.schemas, suite.version), claiming_one_ruleset(engine))

    for module in (identify_command, check_command):
        monkeypatch.setattr(module, "start_or_exit", speaking)
    done = hoyle("identify", "--write", str(tmp_path / "mine.yaml"), "--", "adapter", installed=lambda: few)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("Next: ")]
    again = hoyle(*line.removeprefix("Next: hoyle ").split(), installed=lambda: few)
    assert again.returncode in {0, 1}, (line, again.stdout, again.stderr)


def claiming_one_ruleset(engine: Respond) -> Respond:
    """The engine, which claims only the first of its rulesets, so that one game is identified."""

    def respond(message: Any) -> Any:
        try:
            answer = engine(message)
        except Exception as error:
            raise ProtocolError("crashed") from error  # as its process would
        if answer and message["type"] == "hello":
            return {**answer, "rulesets": sorted(answer["rulesets"])[:1]}
        return answer

    return respond
