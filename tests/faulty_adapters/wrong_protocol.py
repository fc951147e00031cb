"""Adapters that say what the protocol does not foresee, claim what they cannot do, or leave it out."""

import atexit
import json
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from faults import Message, Respond, adapter, reference, spoils, spoils_each_step, with_answers


@spoils
def prints_noise(answer: Message, _message: Mapping[str, Any]) -> Message:
    print("DEBUG: setting up the position", flush=True)
    return answer


@spoils
def answers_too_few_steps(answer: Message, _message: Mapping[str, Any]) -> Message:
    answer["steps"].pop()
    return answer


@spoils
def answers_another_run(answer: Message, _message: Mapping[str, Any]) -> Message:
    answer["seq"] += 1
    return answer


@spoils
def answers_no_message(answer: Message, _message: Mapping[str, Any]) -> Message:
    answer["steps"] = [{"acepted": True} for _ in answer["steps"]]
    return answer


def writes(change: Callable[[Message, Mapping[str, Any]], str]) -> Callable[..., Message | None]:
    """Make lines in place of the reference's answers to runs an adapter: they are written as they are."""

    @wraps(change)
    def write(answer: Message, message: Mapping[str, Any]) -> None:
        sys.stdout.write(change(answer, message))
        sys.stdout.flush()

    return spoils(write)


@writes
def answers_twice(answer: Message, _message: Mapping[str, Any]) -> str:
    return f"{json.dumps(answer)}\n" * 2


@adapter
def speaks_another_version() -> Respond:
    right = reference()
    return lambda message: {**right(message), "protocol": 99}


@adapter
def claims_what_does_not_exist() -> Respond:
    right = reference()
    return lambda message: {**right(message), "claims": ["tricks", "telepathy"]}


@adapter
def claims_another_game() -> Respond:
    right = reference()
    return lambda message: {**right(message), "rulesets": ["rummy"]}


@adapter
def misspells_the_ruleset() -> Respond:
    right = reference()
    return lambda message: {**right(message), "rulesets": ["bezique-hoile"]}


@adapter
def gives_up() -> Respond:
    said = "\x1b[2J\x1b[31mnot written yet"
    return with_answers(lambda _answer, message: {"type": "error", "seq": message["seq"], "reason": said})


@adapter
def cannot_do_it() -> Respond:
    """It claims everything, and says of one thing after the other that it is not supported."""
    return with_answers(
        lambda _answer, message: {"type": "unsupported", "seq": message["seq"], "reason": "no, after all"}
    )


@adapter
def skips() -> Respond:
    return with_answers(lambda _answer, message: {"type": "skipped", "seq": message["seq"], "reason": "no time today"})


@writes
def scores_without_end(answer: Message, message: Mapping[str, Any]) -> str:
    """Its points are too great for the schema, for a number of the machine, and for one that Python reads at all."""
    points = ("1" + "0" * 4_000, "9" * 5_000, "1e308", "-1e999", "1000001", "-1" + "0" * 900_000, "1e-999")
    for seen in answer["steps"]:
        if "score" in seen:
            seen["score"]["A"] = "POINTS"
        if "answer" in seen:
            seen["answer"] = "POINTS"
    return json.dumps(answer).replace('"POINTS"', points[message["seq"] % len(points)]) + "\n"


@spoils_each_step
def answers_in_another_kind(seen: Message, step: Mapping[str, Any]) -> None:
    """A player is a number to it, points are text, and every field that it has no use for is null."""
    players = {"A": 0, "B": 1}
    match step:
        case {"ask": "winner"}:
            seen["answer"] = players[seen["answer"]]
        case {"ask": _}:
            seen["answer"] = str(seen["answer"])
        case {"do": "declare"}:
            seen["answer"] = None
        case _ if "trick_won_by" in seen:
            seen["trick_won_by"] = players.get(seen["trick_won_by"])


@writes
def says_everything_twice(answer: Message, _message: Mapping[str, Any]) -> str:
    return json.dumps(answer).replace('"accepted"', '"accepted": false, "accepted"') + "\n"


@adapter
def introduces_itself_twice() -> Respond:
    sys.stdin.readline()
    print('{"type": "ready", "type": "ready", "protocol": 1}', flush=True)
    return with_answers(lambda answer, _message: answer)


@writes
def nests_without_end(answer: Message, message: Mapping[str, Any]) -> str:
    """One answer is as deep as can just be read, the next deeper, another one is as long as a line may be."""
    lists = (
        "[" * 900 + "]" * 900,
        "[" * 200_000,
        "[" + '"QQ",' * 30_000 + '"QQ"]',
        "{" + ",".join(f'"{key}":1' for key in range(30_000)) + "}",
    )
    for seen in answer["steps"]:
        seen["hands"] = "HANDS"
    return json.dumps(answer).replace('"HANDS"', lists[message["seq"] % len(lists)]) + "\n"


@adapter
def is_named_dangerously() -> Respond:
    """What it calls itself, and what it says, would clear a terminal, turn the text about, and is no text at all."""
    right = with_answers(
        lambda _a, message: {"type": "error", "seq": message["seq"], "reason": f"\u202eno\n\n{DANGER}"}
    )
    return lambda message: {**(right(message) or {}), **({"name": DANGER} if message["type"] == "hello" else {})}


DANGER = "\x1b[2J\x07\u202eengine\r\nPASS\ud83c\u2028[bold]"


@adapter
def claims_without_end() -> Respond:
    return claiming(20_000)


@adapter
def claims_many_others() -> Respond:
    return claiming(100)


def claiming(count: int) -> Respond:
    """The reference, which claims so many rulesets more."""
    right = reference()
    more = {"rulesets": ["bezique-hoyle", *(f"bezique-{number}" for number in range(count))]}
    return lambda message: {**right(message), **(more if message["type"] == "hello" else {})}


@writes
def chatters_afterwards(answer: Message, _message: Mapping[str, Any]) -> str:
    """A line too many after each answer, and the last line of all is one."""
    return f"{json.dumps(answer)}\ndone\n"


@adapter
def says_goodbye() -> Respond:
    atexit.register(print, "Goodbye!")
    return with_answers(lambda answer, _message: answer)


@writes
def answers_one_too_often(answer: Message, message: Mapping[str, Any]) -> str:
    """The line too many comes with the last run, and no other."""
    return f"{json.dumps(answer)}\n" * (2 if message["seq"] == 7 else 1)
