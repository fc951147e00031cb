"""Engines that judge an act wrongly, or tell wrongly what has become of the table."""

import json
from collections.abc import Mapping
from typing import Any

from faults import Message, Respond, adapter, with_answers


@adapter
def rejected_meld_moves_the_cards() -> Respond:
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        for step, seen in zip(message["steps"], answer["steps"], strict=True):
            if seen.get("accepted") is False and step.get("do") == "declare":
                held = seen["position"]["hands"][step["by"]]
                seen["position"]["hands"][step["by"]] = [card for card in held if card not in step["cards"]]
        return answer

    return with_answers(spoil)


@adapter
def rejected_meld_still_scores() -> Respond:
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        for step, seen in zip(message["steps"], answer["steps"], strict=True):
            if seen.get("accepted") is False and step.get("do") == "declare":
                seen["score"][step["by"]] += 40
        return answer

    return with_answers(spoil)


@adapter
def rejected_draw_passes_the_turn() -> Respond:
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        for step, seen in zip(message["steps"], answer["steps"], strict=True):
            if seen.get("accepted") is False and step.get("do") == "draw" and "turn" in seen:
                seen["turn"] = step["by"]
        return answer

    return with_answers(spoil)


@adapter
def doubles_a_card() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if seen.get("position"):
                seen["position"]["hands"]["B"].append(seen["position"]["hands"]["A"][0])
        return answer

    return with_answers(spoil)


@adapter
def accepts_everything() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "accepted" in seen:
                seen["accepted"] = True
                seen.pop("reason", None)
        return answer

    return with_answers(spoil)


@adapter
def refuses_everything() -> Respond:
    def spoil(answer: Message, message: Mapping[str, Any]) -> Message:
        lying = {key: message["position"].get(key) for key in ("hands", "stock", "turn_up", "trick", "won")}
        for seen in answer["steps"]:
            if "accepted" in seen:
                seen |= {"accepted": False, "reason": "no", "score": message["position"]["score"]}
                if seen.get("position"):
                    seen["position"] = lying
        return answer

    return with_answers(spoil)


@adapter
def says_nothing_of_the_score() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            seen.pop("score", None)
        return answer

    return with_answers(spoil)


@adapter
def leaves_a_player_out_of_the_score() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "score" in seen:
                seen["score"] = {seat: points for seat, points in seen["score"].items() if points}
        return answer

    return with_answers(spoil)


@adapter
def reports_no_position() -> Respond:
    """It claims to report where every card lies, and does not."""

    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "position" in seen:
                seen["position"] = None
        return answer

    return with_answers(spoil)


@adapter
def fails_and_then_skips() -> Respond:
    """Its first step is wrong; that it skips the rest does not hide it."""

    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        answer["steps"] = [{"accepted": False}, *({"skipped": "after that"} for _ in answer["steps"][1:])]
        return answer

    return with_answers(spoil)


@adapter
def knows_no_copies() -> Respond:
    """No fault at all: to this engine two queens of spades are the same, and it says so."""

    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        plain: Message = json.loads(json.dumps(answer).replace("#2", ""))
        return plain

    return with_answers(spoil)


@adapter
def writes_points_with_a_fraction() -> Respond:
    """No fault either: in some languages every number is written so."""

    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "score" in seen:
                seen["score"] = {seat: float(points) for seat, points in seen["score"].items()}
        return answer

    return with_answers(spoil)


@adapter
def answers_with_nonsense() -> Respond:
    def spoil(answer: Message, _message: Mapping[str, Any]) -> Message:
        for seen in answer["steps"]:
            if "answer" in seen:
                seen["answer"] = "\x1b[31mthe \ud83c[leader]"
        return answer

    return with_answers(spoil)
