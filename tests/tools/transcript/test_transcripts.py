"""Transcripts: a game by the rules differs nowhere; any other is judged up to where it differs."""

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from games import acts
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.judge import JudgedRun, judge_run
from hoyle_conformance.tools.transcript.read import LoggedAct, Transcript, read_transcripts
from hoyle_conformance.tools.transcript.report import run_data, run_lines
from hoyle_reference import new_game, write_act, write_position

FILE = "game.jsonl"


def a_transcript(suite: Suite, ruleset: str, seed: int, readings: Mapping[str, str] | None = None) -> Transcript:
    """A random game of two deals, with everything that it scored, written down and read again."""
    rules = suite.rules.of(ruleset, readings)
    game, tape = new_game(rules), random.Random(seed).randbytes(997)
    lines: list[dict[str, Any]] = [{"game": seed, "ruleset": ruleset}]
    for act in acts(game, seed, tape, most_deals=2):
        before, dealt = list(game.scores), "deck" in (step := write_act(act))
        game.apply(act)
        points = zip(rules.side_letters, before, game.scores, strict=True)
        lines.append({**step, "scored": {seat: now - was for seat, was, now in points if now != was}})
        if dealt:
            position = write_position(game.table)
            lines[-1] |= {key: position[key] for key in ("hands", "stock", "turn_up") if position.get(key) is not None}
    (found,) = read_transcripts(suite, "".join(f"{json.dumps(line)}\n" for line in lines), FILE)
    return found


def with_acts(game: Transcript, change: Callable[[LoggedAct], LoggedAct]) -> Transcript:
    return replace(game, acts=[change(act) for act in game.acts])


def without_copies(value: Any) -> Any:
    """The same by an engine that does not tell the copies of a card apart."""
    if isinstance(value, str):
        return re.sub(r"^([789TJQKA][CDHS])#\d$", r"\1", value)
    if isinstance(value, Mapping):
        return {key: without_copies(each) for key, each in value.items()}
    return [without_copies(each) for each in value] if isinstance(value, list) else value


def plain(act: LoggedAct) -> LoggedAct:
    return LoggedAct(without_copies(act.step), without_copies(act.facts), act.line)


def without_deck(act: LoggedAct) -> LoggedAct:
    return replace(act, step={key: value for key, value in act.step.items() if key != "deck"})


LESS: dict[str, Callable[[LoggedAct], LoggedAct]] = {
    "everything": lambda act: act,
    "no copies, and no deck": lambda act: plain(without_deck(act)),
}


@pytest.mark.whole
@pytest.mark.parametrize("less", LESS)
def test_a_game_by_the_rules_differs_nowhere(suite: Suite, less: str) -> None:
    for seed, ruleset in enumerate(suite.rulesets):
        run = judge_run(suite, ruleset, [with_acts(a_transcript(suite, ruleset, seed), LESS[less])])
        assert (run.departures, run.readings, run.games[0].not_judged) == (0, {}, 0), (
            ruleset,
            list(run_lines(suite, run)),
        )


def with_more_points(game: Transcript, at: int) -> Transcript:
    made = {**game.acts[at].facts["scored"], "A": game.acts[at].facts["scored"].get("A", 0) + 7}
    changed = replace(game.acts[at], facts={**game.acts[at].facts, "scored": made})
    return replace(game, acts=[*game.acts[:at], changed, *game.acts[at + 1 :]])


@pytest.mark.parametrize("ruleset", ["bezique-hoyle", "piquet-hoyle"])
def test_a_game_is_judged_up_to_where_it_differs(suite: Suite, ruleset: str) -> None:
    game = a_transcript(suite, ruleset, 3)
    at = len(game.acts) // 2
    run = judge_run(suite, ruleset, [game, with_more_points(game, at)])
    (found,) = [each for each in run.games if each.departure]
    assert (found.agree, found.not_judged) == (at, len(game.acts) - at - 1)
    data = json.loads(json.dumps(run_data(suite, run)))
    assert (data["departures"], [len(each["departures"]) for each in data["games"]]) == (1, [0, 1])
    lines = list(run_lines(suite, run))
    assert f"  {FILE}:{at + 2} (game 3)" in lines
    assert any(line.startswith("  rule ") for line in lines)


def test_refused_acts_are_judged_too(suite: Suite) -> None:
    game = a_transcript(suite, "bezique-hoyle", 3)
    at = next(at for at, act in enumerate(game.acts) if act.step["do"] == "play")
    twice = replace(game, acts=[*game.acts[: at + 1], replace(game.acts[at], facts={"accepted": False})])
    assert not judge_run(suite, "bezique-hoyle", [twice]).departures
    once = replace(game, acts=[*game.acts[:at], replace(game.acts[at], facts={"accepted": False})])
    (found,) = judge_run(suite, "bezique-hoyle", [once]).games
    assert found.departure is not None
    assert (found.departure.what, found.departure.expected) == ("accepted", True)


#: Readings that decide something in the games of these seeds.
READINGS = [
    ("bezique-hoyle", "seven.when", "whenever-held"),
    ("piquet-hoyle", "classes.sinking", "parts-too"),
]


@pytest.mark.whole
@pytest.mark.parametrize(("ruleset", "path", "name"), READINGS)
def test_a_game_by_another_reading_does_not_differ_and_the_reading_is_named(
    suite: Suite, ruleset: str, path: str, name: str
) -> None:
    run = judge_run(suite, ruleset, [a_transcript(suite, ruleset, seed, {path: name}) for seed in range(4)])
    assert (run.departures, run.readings) == (0, {path: name})
    assert any(line.startswith(f"The engine follows another reading of {path}") for line in run_lines(suite, run))


@pytest.fixture(scope="module")
def of_britannica(suite: Suite) -> JudgedRun:
    """Games by one book as another one judges them."""
    return judge_run(suite, "bezique-hoyle", [a_transcript(suite, "bezique-britannica", seed) for seed in (1, 3)])


def test_a_departure_is_explained_by_the_rule_of_the_book_that_was_played(
    suite: Suite, of_britannica: JudgedRun
) -> None:
    paths = {change.path for game in of_britannica.games if game.departure for change in game.departure.changes}
    assert "score.last_trick.which" in paths
    (plays, *_) = [line for line in run_lines(suite, of_britannica) if line.startswith("  it plays")]
    assert "The last trick is the last one before the stock is gone." in plays


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ({"by": "C", "do": "play", "card": "KS"}, "C is no player"),
        ({"by": "A", "do": "play", "card": "KS#3"}, "KS#3 is not in the pack"),
        ({"by": "A", "do": "deal", "deck": ["7C"] * 64}, "does not say where each of the 64 cards is"),
    ],
)
def test_a_game_that_cannot_be_of_the_rules_is_invalid(suite: Suite, act: dict[str, object], says: str) -> None:
    with pytest.raises(Invalid) as invalid:
        judge_run(suite, "bezique-hoyle", [Transcript([LoggedAct(act, {}, 7)], file=FILE)])
    (fault,) = invalid.value.diagnostics
    assert says in fault.message
    assert fault.line == 7
    assert str(fault.remedy)


WRONG = {
    '{"game": 1}': "the file has no act",
    '{"game": 1}\n{"scored": {}}': "no act is before it",
    '{"by": "A", "do": "play"}': "card",
    '{"by": "A", "do": "play", "card": "KX"}': "KX",
    "A plays KS.": "cannot be read",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_text_that_is_no_transcript_is_refused_with_its_line(suite: Suite, text: str) -> None:
    with pytest.raises(Invalid) as invalid:
        read_transcripts(suite, text, FILE)
    (fault,) = invalid.value.diagnostics
    assert WRONG[text] in fault.message
    assert fault.line == max(1, len(text.splitlines())) or "no act" in fault.message


def test_observations_alone_belong_to_the_act_before(suite: Suite) -> None:
    (game,) = read_transcripts(suite, '{"by": "A", "do": "draw"}\n\n{"drew": ["KS"]}\n', FILE)
    assert game.acts == [LoggedAct({"by": "A", "do": "draw"}, {"drew": ["KS"]}, 1)]
