"""Adapters that hang, crash, flood, or leave processes behind."""

import atexit
import json
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from faults import Message, Respond, adapter, reference, spoils, with_answers

#: Seconds, longer than anybody waits.
FOR_EVER = 3600


@spoils
def hangs(_answer: Message, _message: Mapping[str, Any]) -> None:
    time.sleep(FOR_EVER)


@adapter
def hangs_until_the_deadline() -> Respond:
    return with_answers(hangs)


@spoils
def hangs_once(answer: Message, message: Mapping[str, Any]) -> Message:
    """The second run is never answered; the others are."""
    if message["seq"] == 2:
        time.sleep(FOR_EVER)
    return answer


@spoils
def crashes(_answer: Message, _message: Mapping[str, Any]) -> None:
    sys.exit("division by zero, in the engine's own words")


@adapter
def crashes_at_once() -> Respond:
    print("cannot find the rules of this game", file=sys.stderr)
    sys.exit(3)


@spoils
def floods(_answer: Message, _message: Mapping[str, Any]) -> None:
    sys.stdout.write("x" * 3_000_000)
    sys.stdout.flush()
    time.sleep(FOR_EVER)


def _holds_the_output_open(seconds: float) -> None:
    """A process of its own, with the adapter's output still open."""
    if os.fork() == 0:
        time.sleep(seconds)
        os._exit(0)


@adapter
def leaves_an_orphan_behind() -> Respond:
    """Crashes, while a process it has started holds its output open."""
    _holds_the_output_open(FOR_EVER)
    return with_answers(lambda _answer, _message: sys.exit("out of cards"))


@adapter
def leaves_a_daemon_behind() -> Respond:
    """Hangs, while a process out of reach of whoever ends the adapter holds its output open."""
    if os.fork() == 0:
        os.setsid()
        _holds_the_output_open(20)
        os._exit(0)
    os.wait()
    return with_answers(lambda _answer, _message: time.sleep(FOR_EVER))


@adapter
def leaves_a_child_behind() -> Respond:
    """Hangs, while a process it has started holds its output open."""
    _holds_the_output_open(FOR_EVER)
    return with_answers(lambda _answer, _message: time.sleep(FOR_EVER))


@spoils
def crashes_afterwards(answer: Message, message: Mapping[str, Any]) -> Message:
    """It answers the fourth run, and then it ends."""
    if message["seq"] == 4:
        print(json.dumps(answer), flush=True)
        sys.exit("freed twice")
    return answer


@spoils
def crashes_in_one_scenario(answer: Message, message: Mapping[str, Any]) -> Message:
    """Under whatever rules: the others are played."""
    if [step.get("ask") for step in message["steps"]] == ["winner"]:
        sys.exit("no such trick")
    return answer


@adapter
def crashes_at_bye() -> Respond:
    atexit.register(os.abort)
    return with_answers(lambda answer, _message: answer)


@adapter
def never_ends() -> Respond:
    """It stays, though it was said goodbye."""
    atexit.register(time.sleep, FOR_EVER)
    return with_answers(lambda answer, _message: answer)


@adapter
def comes_back_as_another() -> Respond:
    """It ends at the second run; and whoever is started after that claims less."""
    right, before = reference(), Path(os.environ["ANOTHER"])
    known = before.exists()

    def respond(message: Mapping[str, Any]) -> Message:
        if message.get("seq") == 2:
            before.touch()
            sys.exit("out of memory")
        answer = right(message)
        if known and message["type"] == "hello":
            answer |= {"version": "2", "claims": [each for each in answer["claims"] if each != "winner"]}
        return answer

    return respond
