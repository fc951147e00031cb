"""A zoo of wrong engines, each named for its fault, to test the harness with.

Run as an adapter: ``python tests/zoo/animals.py NAME``. Most are the reference interpreter with one thing spoilt.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from hoyle_conformance.protocol.reference import Reference
from hoyle_conformance.suite.load import load_suite
from hoyle_reference import Rules, Table, compile_cells, handling, reckoning
from hoyle_reference.events import Event, Scored
from hoyle_reference.table.seats import Seat

Message = dict[str, Any]
Respond = Callable[[Mapping[str, Any]], Message | None]

ZOO: dict[str, Callable[[], Respond]] = {}


def animal(make: Callable[[], Respond]) -> Callable[[], Respond]:
    ZOO[make.__name__.replace("_", "-")] = make
    return make


def with_cell(path: str, value: Any) -> Respond:
    """The reference with one rule of every table changed."""
    suite = load_suite(scenarios=False)
    original = suite.rules

    def changed(name: str) -> Rules:
        rules = original(name)
        if path not in rules.cells:
            return rules
        return compile_cells(name, rules.cells.with_cells([replace(rules.cells[path], value=value)]))

    suite.rules = changed  # type: ignore[method-assign,assignment]  # that is the fault
    return Reference(suite)


def spoiling(spoil: Callable[[Message, Mapping[str, Any]], Message | None]) -> Respond:
    """The reference with its answers to runs spoilt."""
    reference = Reference(load_suite(scenarios=False))

    def respond(message: Mapping[str, Any]) -> Message | None:
        answer = reference(message)
        return spoil(answer, message) if message["type"] == "run" else answer

    return respond


# ---- engines that do not know the rules


@animal
def second_identical_card_wins() -> Respond:
    return with_cell("tricks.identical_cards_won_by", "last-played")


@animal
def ten_below_the_king() -> Respond:
    return with_cell("cards.rank_while_drawing", "A K T Q J 9 8 7")


@animal
def follows_another_reading() -> Respond:
    suite = load_suite(scenarios=False)
    original = suite.rules

    def otherwise(name: str) -> Rules:
        return original(name, {"settle.winner": "higher-at-the-end"})

    suite.rules = otherwise  # type: ignore[method-assign,assignment]  # that is the fault
    return Reference(suite)


@animal
def scores_the_best_alone() -> Respond:
    return with_cell("classes.winner_scores", "only-the-best")


@animal
def counts_the_cards_beside_capot() -> Respond:
    return with_cell("score.capot.and_cards", "both")


@animal
def equal_is_good_for_elder() -> Respond:
    """Takes an equal for a good."""
    right = handling.ClassDecided.change

    def change(self: handling.ClassDecided, table: Table) -> None:
        equal = self.seat is None and table.called.count > 0
        right(replace(self, seat=table.leader) if equal else self, table)

    handling.ClassDecided.change = change  # type: ignore[method-assign]  # that is the fault
    return Reference(load_suite(scenarios=False))


@animal
def reckons_as_it_is_called() -> Respond:
    """Gives a repique to whoever comes to thirty first by the clock: what younger has still to score does not count."""
    right = reckoning.after_combination

    def by_the_clock(table: Table, seat: Seat, points: int) -> Iterator[Event]:
        for event in right(table, seat, points):
            barred = isinstance(event, handling.NoBonus) and not table.made[1 - seat]
            yield Scored(seat, 60, "repique", event.grounds) if barred else event

    reckoning.after_combination = by_the_clock
    return Reference(load_suite(scenarios=False))


@animal
def rejected_meld_moves_the_cards() -> Respond:
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        for step, seen in zip(message["steps"], answer["steps"], strict=True):
            if seen.get("accepted") is False and step.get("do") == "declare":
                held = seen["position"]["hands"][step["by"]]
                seen["position"]["hands"][step["by"]] = [card for card in held if card not in step["cards"]]
        return answer

    return spoiling(spoil)


@animal
def rejected_meld_still_scores() -> Respond:
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        for step, seen in zip(message["steps"], answer["steps"], strict=True):
            if seen.get("accepted") is False and step.get("do") == "declare":
                seen["score"][step["by"]] += 40
        return answer

    return spoiling(spoil)


@animal
def doubles_a_card() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if seen.get("position"):
                seen["position"]["hands"]["B"].append(seen["position"]["hands"]["A"][0])
        return answer

    return spoiling(spoil)


@animal
def accepts_everything() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "accepted" in seen:
                seen["accepted"] = True
                seen.pop("reason", None)
        return answer

    return spoiling(spoil)


@animal
def refuses_everything() -> Respond:
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        lying = {key: message["position"].get(key) for key in ("hands", "stock", "turn_up", "trick", "won")}
        for seen in answer["steps"]:
            if "accepted" in seen:
                seen |= {"accepted": False, "reason": "no", "score": message["position"]["score"]}
                if seen.get("position"):
                    seen["position"] = lying
        return answer

    return spoiling(spoil)


@animal
def says_nothing_of_the_score() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            seen.pop("score", None)
        return answer

    return spoiling(spoil)


@animal
def leaves_a_player_out_of_the_score() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "score" in seen:
                seen["score"] = {seat: points for seat, points in seen["score"].items() if points}
        return answer

    return spoiling(spoil)


@animal
def reports_no_position() -> Respond:
    """It claims to report where every card lies, and does not."""

    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "position" in seen:
                seen["position"] = None
        return answer

    return spoiling(spoil)


@animal
def rejected_draw_passes_the_turn() -> Respond:
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        for step, seen in zip(message["steps"], answer["steps"], strict=True):
            if seen.get("accepted") is False and step.get("do") == "draw" and "turn" in seen:
                seen["turn"] = step["by"]
        return answer

    return spoiling(spoil)


@animal
def fails_and_then_skips() -> Respond:
    """Its first step is wrong; that it skips the rest does not hide it."""

    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        answer["steps"] = [{"accepted": False}, *({"skipped": "after that"} for _ in answer["steps"][1:])]
        return answer

    return spoiling(spoil)


@animal
def contradicts_itself() -> Respond:
    """It reads one rule in two ways."""
    suite = load_suite(scenarios=False)
    plain, otherwise = Reference(suite), load_suite(scenarios=False)
    original = otherwise.rules
    otherwise.rules = lambda name: original(name, {"seven.with_a_declaration": "instead"})  # type: ignore[method-assign,assignment,misc]  # that is the fault
    other = Reference(otherwise)
    return lambda message: (other if message.get("seq", 0) % 2 else plain)(message)


@animal
def knows_no_copies() -> Respond:
    """No fault at all: to this engine two queens of spades are the same, and it says so."""

    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        plain: Message = json.loads(json.dumps(answer).replace("#2", ""))
        return plain

    return spoiling(spoil)


@animal
def answers_with_nonsense() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "answer" in seen:
                seen["answer"] = "\x1b[31mthe \ud83c[leader]"
        return answer

    return spoiling(spoil)


# ---- adapters that break the conversation


@animal
def hangs() -> Respond:
    def spoil(_answer: Message, _message: Mapping[str, Any]) -> None:
        time.sleep(60)

    return spoiling(spoil)


@animal
def hangs_once() -> Respond:
    """The second run is never answered; the others are."""

    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        if message["seq"] == 2:
            time.sleep(60)
        return answer

    return spoiling(spoil)


@animal
def crashes() -> Respond:
    def spoil(_answer: Message, _message: Mapping[str, Any]) -> None:
        sys.exit("division by zero, in the engine's own words")

    return spoiling(spoil)


@animal
def crashes_at_once() -> Respond:
    print("cannot find the rules of this game", file=sys.stderr)
    sys.exit(3)


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
def floods() -> Respond:
    def spoil(_answer: Message, _message: Mapping[str, Any]) -> None:
        sys.stdout.write("x" * 3_000_000)
        sys.stdout.flush()
        time.sleep(60)

    return spoiling(spoil)


@animal
def speaks_another_version() -> Respond:
    reference = Reference(load_suite(scenarios=False))
    return lambda message: {**reference(message), "protocol": 99}


@animal
def claims_what_does_not_exist() -> Respond:
    reference = Reference(load_suite(scenarios=False))
    return lambda message: {**reference(message), "capabilities": ["tricks", "telepathy"]}


@animal
def claims_another_game() -> Respond:
    reference = Reference(load_suite(scenarios=False))
    return lambda message: {**reference(message), "rulesets": ["rummy"]}


@animal
def misspells_the_ruleset() -> Respond:
    reference = Reference(load_suite(scenarios=False))
    return lambda message: {**reference(message), "rulesets": ["bezique-hoile"]}


@animal
def writes_points_with_a_fraction() -> Respond:
    """No fault either: in some languages every number is written so."""

    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "score" in seen:
                seen["score"] = {seat: float(points) for seat, points in seen["score"].items()}
        return answer

    return spoiling(spoil)


@animal
def answers_twice() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> None:
        sys.stdout.write(f"{json.dumps(answer)}\n{json.dumps(answer)}\n")
        sys.stdout.flush()

    return spoiling(spoil)


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


def _holds_the_output_open(seconds: float) -> None:
    """A process of its own, with the adapter's output still open."""
    if os.fork() == 0:
        time.sleep(seconds)
        os._exit(0)


@animal
def leaves_an_orphan_behind() -> Respond:
    """Crashes, while a process it has started holds its output open."""
    _holds_the_output_open(60)
    return spoiling(lambda _answer, _message: sys.exit("out of cards"))


@animal
def leaves_a_daemon_behind() -> Respond:
    """Hangs, while a process out of reach of whoever ends the adapter holds its output open."""
    if os.fork() == 0:
        os.setsid()
        _holds_the_output_open(20)
        os._exit(0)
    os.wait()
    return spoiling(lambda _answer, _message: time.sleep(60))  # type: ignore[func-returns-value]  # nothing is answered


@animal
def leaves_a_child_behind() -> Respond:
    """Hangs, while a process it has started holds its output open."""
    _holds_the_output_open(60)
    return spoiling(lambda _answer, _message: time.sleep(60))  # type: ignore[func-returns-value]  # nothing is answered


def main() -> None:
    respond = ZOO[sys.argv[1]]()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        answer = respond(message)
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
