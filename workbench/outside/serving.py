"""The conversation of the adapters of outside engines: each question is answered by itself, and nothing is set up."""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

Question = Mapping[str, Any]
OTHER = {"A": "B", "B": "A"}


def serve(answers: Mapping[str, Callable[[Question], Any]], **ready: Any) -> None:
    """Answer the questions of these names until the conversation ends; the engine may print what it likes."""
    output, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        said: dict[str, Any] = {"type": "ready", "protocol": 1, "language": "Python", "position": "none", **ready}
        if message["type"] == "run":
            steps = [
                _answer(answers, {"trumps": message["position"].get("trumps"), **step}) for step in message["steps"]
            ]
            said = {"type": "observed", "seq": message["seq"], "steps": steps}
        print(json.dumps(said), file=output, flush=True)


def _answer(answers: Mapping[str, Callable[[Question], Any]], step: Question) -> dict[str, Any]:
    if step.get("blanks"):
        return {"unsupported": "the engine scores a blank when it deals"}
    return {"answer": answers[step["ask"]](step)}
