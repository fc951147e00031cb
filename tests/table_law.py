"""What a table answers to the positions of a suite, held against what the suite expects: with the standard library
alone, so that it can be run where the table is, in a browser."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

from hoyle_conformance.checks.plan import plan
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.suite.model import Check
from hoyle_conformance.web.explorer.engine import Engine
from hoyle_conformance.wording import words
from hoyle_reference.refusals import MESSAGES


def against(engine: Engine, scenario: str) -> Iterator[str]:
    """Wherever the answer to a position of the suite is not what the suite expects of each of its rulesets."""
    layout = engine.ask({"ask": "position", "id": scenario})["layout"]
    answer = engine.ask({"ask": "answer", "layout": layout, "facts": True})
    if "error" in answer or answer["problems"]:
        yield f"{scenario}: {answer.get('error') or answer['problems']}"
        return
    for check in engine.suite.index.checks_of(engine.suite.scenarios[scenario]):
        own = [each for each in answer["answers"] if check.ruleset in [one["id"] for one in each["rulesets"]]]
        if len(own) != 1:
            yield f"{check.id}: {len(own)} answers"
            continue
        yield from _judged(engine, check, answer["facts"][check.ruleset])
        yield from _said(engine, check, own[0])


def _judged(engine: Engine, check: Check, facts: list[list[Mapping[str, Any]]]) -> Iterator[str]:
    """The facts of an answer, judged as what an implementation observes."""
    followed = replace(check, branches={check.follows: check.expect})
    planned = plan(followed, engine.suite.rules.of(check.ruleset), engine.suite.capabilities)
    seen = list(chain.from_iterable(facts))
    mismatch = judge(followed, planned, seen, trusted=True).mismatch
    if mismatch or len(seen) != len(planned.message["steps"]):
        yield f"{check.id}: {mismatch}"


def _said(engine: Engine, check: Check, answer: Mapping[str, Any]) -> Iterator[str]:
    """That the words of the answer say what is expected: why an act is refused, what is answered, what is won."""
    names = engine.suite.rules.meld_names(check.ruleset)
    for number, expected in check.expect.items():
        step, asked = answer["steps"][number - 1], check.scenario.steps[number - 1]
        told = " ".join(step["follows"])
        wanted = []
        if "refused" in expected:
            wanted.append(f"Refused: {MESSAGES[expected['refused']]}.")
        if expected.get("trick_won_by"):
            wanted.append(f"{expected['trick_won_by']} wins the trick")
        if expected.get("game_won_by") and "refused" not in expected:
            wanted.append(f"{expected['game_won_by']} wins the game")
        if isinstance(expected.get("answer"), (int, type(None))) and "answer" in expected:
            wanted.append(words.value(words.value_key(asked, "answer"), expected["answer"], names))
        for one in wanted:
            if one not in told:
                yield f"{check.id}, step {number}: '{one}' is not in '{told}'"
