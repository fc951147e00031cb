"""Adapters that say what the protocol does not foresee, claim what they cannot do, or leave it out."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from spoiling import Message, Respond, animal, reference, spoiling


@animal
def prints_noise() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        print("DEBUG: setting up the position", flush=True)
        return answer

    return spoiling(spoil)


@animal
def answers_too_few_steps() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        answer["steps"].pop()
        return answer

    return spoiling(spoil)


@animal
def answers_another_run() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        answer["seq"] += 1
        return answer

    return spoiling(spoil)


@animal
def answers_no_message() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        answer["steps"] = [{"acepted": True} for _ in answer["steps"]]
        return answer

    return spoiling(spoil)


@animal
def answers_twice() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> None:
        sys.stdout.write(f"{json.dumps(answer)}\n{json.dumps(answer)}\n")
        sys.stdout.flush()

    return spoiling(spoil)


@animal
def speaks_another_version() -> Respond:
    right = reference()
    return lambda message: {**right(message), "protocol": 99}


@animal
def claims_what_does_not_exist() -> Respond:
    right = reference()
    return lambda message: {**right(message), "claims": ["tricks", "telepathy"]}


@animal
def claims_another_game() -> Respond:
    right = reference()
    return lambda message: {**right(message), "rulesets": ["rummy"]}


@animal
def misspells_the_ruleset() -> Respond:
    right = reference()
    return lambda message: {**right(message), "rulesets": ["bezique-hoile"]}


@animal
def gives_up() -> Respond:
    said = "\x1b[2J\x1b[31mnot written yet"
    return spoiling(lambda _answer, message: {"type": "error", "seq": message["seq"], "reason": said})


@animal
def cannot_do_it() -> Respond:
    """It claims everything, and says of one thing after the other that it is not supported."""
    return spoiling(lambda _answer, message: {"type": "unsupported", "seq": message["seq"], "reason": "no, after all"})


@animal
def skips() -> Respond:
    return spoiling(lambda _answer, message: {"type": "skipped", "seq": message["seq"], "reason": "no time today"})
