"""Laws of the judgement: a game by the rules differs nowhere, and a game by other rules where a rule first matters."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.judge import JudgedGame, judge
from hoyle_conformance.tools.transcript.model import LoggedAct, Transcript
from hoyle_conformance.tools.transcript.prepare import prepare
from hoyle_reference import Game, Malformed, Refusal, read_act
from tools.transcript.written import (
    a_transcript,
    with_hands_for_decks,
    without_copies,
    without_draws,
)

RUBICON = ("rubicon-hoyle", "rubicon-h2g2")
SEEDS = st.integers(0, 10**6)
#: Rulesets of one form, whose games can be judged by each other.
OF_ONE_FORM = [
    ("bezique-hoyle", "bezique-britannica"),
    ("bezique-hoyle", "bezique-h2g2"),
    ("bezique-bicycle", "bezique-hoyle+brisques-at-end"),
    ("piquet-hoyle", "piquet-saunt-parlett"),
    ("piquet-rubicon-hoyle", "piquet-rubicon-parlett"),
]


def judged(suite: Suite, game: Transcript, ruleset: str = "") -> JudgedGame:
    return judge(suite.rules.of(ruleset or game.ruleset), game)


@pytest.fixture(scope="module")
def names(suite: Suite) -> list[str]:
    return list(suite.rules.names)


@pytest.mark.whole
def test_a_game_by_the_rules_differs_nowhere(suite: Suite, names: list[str]) -> None:
    for seed, name in enumerate(names):
        game = a_transcript(suite, name, seed, wild=True)
        found = judged(suite, game)
        assert (found.departures, found.not_judged) == ((), ()), name
        assert found.acts == len(game.acts)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(which=st.integers(0, 99), seed=SEEDS)
def test_no_random_game_by_the_rules_differs(suite: Suite, which: int, seed: int) -> None:
    name = suite.rules.names[which % len(suite.rules.names)]
    found = judged(suite, a_transcript(suite, name, seed, wild=True))
    assert (found.departures, found.not_judged) == ((), ())


#: Ways to write down less: copies not told apart, draws left out, hands for decks.
LESS: dict[str, Callable[[Suite, Transcript], Transcript]] = {
    "without copies": lambda _suite, game: without_copies(game),
    "without draws": lambda _suite, game: without_draws(game),
    "without copies and draws": lambda _suite, game: without_copies(without_draws(game)),
    "with hands and stock": lambda suite, game: with_hands_for_decks(suite, game, stock=True),
    "with hands alone": lambda suite, game: with_hands_for_decks(suite, game, stock=False),
    "with hands alone, without copies": lambda suite, game: without_copies(
        with_hands_for_decks(suite, game, stock=False)
    ),
}


@pytest.mark.whole
@pytest.mark.parametrize("less", LESS)
def test_a_game_of_which_less_is_written_down_differs_nowhere(suite: Suite, less: str) -> None:
    for seed, name in enumerate(suite.rulesets, start=40):
        found = judged(suite, LESS[less](suite, a_transcript(suite, name, seed)))
        assert found.departures == (), name


@pytest.mark.whole
@pytest.mark.parametrize("less", ["without copies", "with hands and stock"])
def test_every_act_is_judged_if_the_deck_is_known(suite: Suite, less: str) -> None:
    for seed, name in enumerate(suite.rulesets, start=80):
        assert judged(suite, LESS[less](suite, a_transcript(suite, name, seed))).not_judged == (), name


def first_difference(suite: Suite, ruleset: str, game: Transcript) -> int | None:
    """The first act that these rules have otherwise, found by playing the game and comparing the score alone."""
    rules = suite.rules.of(ruleset)
    playing = Game(prepare(rules, game).start)
    for at, act in enumerate(game.acts):
        try:
            outcome = playing.attempt(read_act(rules, act.step))
        except Malformed:
            return at
        if isinstance(outcome, Refusal) or dict(zip("ABCD", playing.scores, strict=False)) != act.facts["score"]:
            return at
    return None


@pytest.mark.whole
@pytest.mark.parametrize(
    ("played", "by"), [*OF_ONE_FORM, *(pair[::-1] for pair in OF_ONE_FORM), ("rubicon-hoyle", "rubicon-h2g2")]
)
def test_a_game_by_other_rules_differs_where_a_rule_first_matters(suite: Suite, played: str, by: str) -> None:
    met = 0
    for seed in range(6):
        game = a_transcript(suite, played, seed)
        expected = first_difference(suite, by, game)
        found = judged(suite, game, by).departures
        if expected is None:
            continue
        met += 1
        # the winner of a trick shows in the next act of a game whose scores do not show it
        assert found[0].at in {expected, expected - 1}, (seed, found[0])
    assert met, "no game met a rule that differs"


def test_one_departure_does_not_make_the_rest_differ(suite: Suite) -> None:
    """An engine that scores 20 for the last trick of a deal differs there, and nowhere else."""
    game = a_transcript(suite, "bezique-hoyle", 1)
    played = suite.rules.of("bezique-hoyle")
    last = [at for at, act in enumerate(game.acts) if "trick_won_by" in act.facts and _ends_a_deal(game, at)]
    acts, more = [], 0
    for at, act in enumerate(game.acts):
        winner = act.facts.get("trick_won_by")
        made = dict(act.facts["scored"])
        if at in last and winner == "A":
            made["A"] = made.get("A", 0) + 10
            more += 10
        score = {**act.facts["score"], "A": act.facts["score"]["A"] + more}
        acts.append(LoggedAct(act.step, {**act.facts, "scored": made, "score": score}, at))
    changed = Transcript(tuple(acts), ruleset=game.ruleset, facts=game.facts)
    found = judge(played, changed)
    assert [each.at for each in found.departures] == [at for at in last if game.acts[at].facts["trick_won_by"] == "A"]
    assert found.not_judged == ()


def _ends_a_deal(game: Transcript, at: int) -> bool:
    return at + 1 < len(game.acts) and game.acts[at + 1].step["do"] == "deal"


def test_a_winner_that_nobody_wrote_down_is_shown_by_the_next_act(suite: Suite) -> None:
    """An engine whose tricks are won by the last card lets the other player draw first."""
    hands = {"A": [f"{rank}S" for rank in "AKQJT987"], "B": [f"{rank}D" for rank in "AKQJT987"]}
    acts = [
        LoggedAct({"by": "B", "do": "deal"}, {"hands": hands, "turn_up": "8H"}, 1),
        LoggedAct({"by": "A", "do": "play", "card": "KS"}, {}, 2),
        LoggedAct({"by": "B", "do": "play", "card": "7D"}, {}, 3),
        LoggedAct({"by": "B", "do": "draw"}, {}, 4),
        LoggedAct({"by": "A", "do": "draw"}, {}, 5),
        LoggedAct({"by": "B", "do": "play", "card": "8D"}, {}, 6),
    ]
    found = judged(suite, Transcript(tuple(acts), ruleset="bezique-hoyle"))
    (departure,) = found.departures
    assert departure.act.line == 3
    assert departure.difference == ("trick_won_by", "A", "B")
    assert found.not_judged == ()


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ({"by": "C", "do": "play", "card": "KS"}, "C is no player"),
        ({"by": "A", "do": "play", "card": "KS#3"}, "KS#3 is not in the pack"),
        ({"by": "A", "do": "deal"}, "does not say which card was turned up"),
        ({"by": "A", "do": "deal", "deck": ["7C"] * 32}, "the deck has 32 cards"),
        ({"by": "A", "do": "deal", "deck": ["7C"] * 64}, "more often than in the pack"),
    ],
)
def test_a_game_that_cannot_be_of_the_rules_is_invalid(suite: Suite, act: dict[str, object], says: str) -> None:
    with pytest.raises(Invalid) as invalid:
        judged(suite, Transcript((LoggedAct(act, {}, 7),), ruleset="bezique-hoyle", file="game.jsonl"))
    (fault,) = invalid.value.diagnostics
    assert says in fault.message
    assert fault.line == 7
    assert str(fault.remedy)


def test_an_act_that_rests_on_unknown_cards_is_not_judged(suite: Suite) -> None:
    """Where only the first cards of a deal are known, nobody knows whether a blank was shown rightly."""
    acts = (
        LoggedAct({"by": "B", "do": "deal"}, {}, 1),
        LoggedAct({"by": "A", "do": "carte-blanche"}, {}, 2),
    )
    found = judged(suite, Transcript(acts, ruleset="rubicon-h2g2"))
    assert found.departures == ()
    assert [line for line, _ in found.not_judged] == [2]
