"""Transcripts of random games: played by the reference, under any rules, and written down as an engine would."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.fuzz.game import FuzzGame, Recipe, Setting, play
from hoyle_conformance.tools.transcript.model import LoggedAct, Transcript
from hoyle_conformance.tools.transcript.prepare import prepare
from hoyle_reference import Game, read_act, write_position

#: What an engine does not claim that only plays legally.
_OUT_OF_ORDER = {"irregular", "mishap", "claim"}


def a_game(suite: Suite, ruleset: str, seed: int, *, readings: Mapping[str, str] | None = None, wild: bool) -> FuzzGame:
    """A random game; a wild one has illegal and irregular acts."""
    claims = {word for word in suite.capabilities.everything if wild or not word.startswith("refuse-")}
    claims -= set() if wild else _OUT_OF_ORDER
    rules = suite.rules.of(ruleset, readings)
    return play(Setting(ruleset, rules, suite.capabilities, frozenset(claims), "any"), Recipe(seed))


def write_down(game: FuzzGame, ruleset: str) -> Transcript:
    """The transcript of a game, with everything that it scored."""
    begins = game.message["position"]
    facts = {key: begins[key] for key in ("dealer", "score") if begins.get(key) is not None}
    acts, score = [], begins["score"]
    for step, seen in zip(game.message["steps"], game.observed, strict=True):
        made = {seat: points - score[seat] for seat, points in seen["score"].items() if points != score[seat]}
        noted: dict[str, Any] = {} if seen["accepted"] else {"accepted": False}
        noted |= {"scored": made, "score": seen["score"]}
        if seen["accepted"] and seen.get("trick_won_by"):
            noted["trick_won_by"] = seen["trick_won_by"]
        acts.append(LoggedAct(step, noted))
        score = seen["score"]
    return Transcript(tuple(acts), str(game.recipe), ruleset, "", facts)


def a_transcript(suite: Suite, ruleset: str, seed: int, *, wild: bool = False, **more: Any) -> Transcript:
    """The transcript of a random game."""
    return write_down(a_game(suite, ruleset, seed, wild=wild, **more), ruleset)


def without_copies(game: Transcript) -> Transcript:
    """The same game by an engine that does not tell the copies of a card apart."""
    acts = tuple(LoggedAct(_plain(act.step), _plain(act.facts), act.line) for act in game.acts)
    return replace(game, acts=acts)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return re.sub(r"^([789TJQKA][CDHS])#\d$", r"\1", value)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def without_draws(game: Transcript) -> Transcript:
    """The same game by an engine that does not write draws down."""
    return replace(game, acts=tuple(act for act in game.acts if act.step["do"] != "draw"))


def with_hands_for_decks(suite: Suite, game: Transcript, *, stock: bool) -> Transcript:
    """The same game with the hands and the turn-up of each deal instead of its deck, and with its stock or without."""
    rules = suite.rules.of(game.ruleset)
    playing, acts = Game(prepare(rules, game).start), []
    for act in game.acts:
        playing.attempt(read_act(rules, act.step))
        if act.step["do"] == "deal" and act.facts.get("accepted", True):
            position = write_position(playing.table)
            there = {"hands": position["hands"], "turn_up": position.get("turn_up")}
            there |= {"stock": position["stock"]} if stock else {}
            step = {key: value for key, value in act.step.items() if key != "deck"}
            acts.append(LoggedAct(step, {**act.facts, **{k: v for k, v in there.items() if v is not None}}))
        else:
            acts.append(act)
    return replace(game, acts=tuple(acts))
