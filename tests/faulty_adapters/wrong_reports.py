"""Engines that judge an act wrongly, or tell wrongly what has become of the table."""

import json
from collections.abc import Mapping
from typing import Any

from faults import Message, spoils, spoils_each_step


@spoils_each_step
def rejected_meld_moves_the_cards(seen: Message, step: Mapping[str, Any]) -> None:
    if seen.get("accepted") is False and step.get("do") == "declare":
        held = seen["position"]["hands"][step["by"]]
        seen["position"]["hands"][step["by"]] = [card for card in held if card not in step["cards"]]


@spoils_each_step
def rejected_meld_still_scores(seen: Message, step: Mapping[str, Any]) -> None:
    if seen.get("accepted") is False and step.get("do") == "declare":
        seen["score"][step["by"]] += 40


@spoils_each_step
def rejected_draw_passes_the_turn(seen: Message, step: Mapping[str, Any]) -> None:
    if seen.get("accepted") is False and step.get("do") == "draw" and "turn" in seen:
        seen["turn"] = step["by"]


@spoils_each_step
def doubles_a_card(seen: Message, _step: Mapping[str, Any]) -> None:
    if seen.get("position"):
        seen["position"]["hands"]["B"].append(seen["position"]["hands"]["A"][0])


@spoils_each_step
def accepts_everything(seen: Message, _step: Mapping[str, Any]) -> None:
    if "accepted" in seen:
        seen["accepted"] = True
        seen.pop("reason", None)


@spoils
def refuses_everything(answer: Message, message: Mapping[str, Any]) -> Message:
    lying = {key: message["position"].get(key) for key in ("hands", "stock", "turn_up", "trick", "won")}
    for seen in answer["steps"]:
        if "accepted" in seen:
            seen |= {"accepted": False, "reason": "no", "score": message["position"]["score"]}
            if seen.get("position"):
                seen["position"] = lying
    return answer


@spoils_each_step
def says_nothing_of_the_score(seen: Message, _step: Mapping[str, Any]) -> None:
    seen.pop("score", None)


@spoils_each_step
def leaves_a_player_out_of_the_score(seen: Message, _step: Mapping[str, Any]) -> None:
    if "score" in seen:
        seen["score"] = {seat: points for seat, points in seen["score"].items() if points}


@spoils_each_step
def reports_no_position(seen: Message, _step: Mapping[str, Any]) -> None:
    """It claims to report where every card lies, and does not."""
    if "position" in seen:
        seen["position"] = None


@spoils
def fails_and_then_skips(answer: Message, _message: Mapping[str, Any]) -> Message:
    """Its first step is wrong; that it skips the rest does not hide it."""
    answer["steps"] = [{"accepted": False}, *({"skipped": "after that"} for _ in answer["steps"][1:])]
    return answer


@spoils
def knows_no_copies(answer: Message, _message: Mapping[str, Any]) -> Message:
    """No fault at all: to this engine two queens of spades are the same, and it says so."""
    plain: Message = json.loads(json.dumps(answer).replace("#2", ""))
    return plain


@spoils_each_step
def writes_points_with_a_fraction(seen: Message, _step: Mapping[str, Any]) -> None:
    """No fault either: in some languages every number is written so."""
    if "score" in seen:
        seen["score"] = {seat: float(points) for seat, points in seen["score"].items()}


@spoils_each_step
def answers_with_nonsense(seen: Message, _step: Mapping[str, Any]) -> None:
    if "answer" in seen:
        seen["answer"] = "\x1b[31mthe \ud83c[leader]"
