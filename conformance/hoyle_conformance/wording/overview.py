"""At a glance: who says what of a scenario, step by step, before it is gone through."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hoyle_conformance.suite.model import Check, Expected
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import sentence, wrap


class _Voice(NamedTuple):
    """A ruleset, in one of its readings where its source does not decide, and what is expected under it."""

    name: str
    expected: Expected


def at_a_glance(suite: Suite, checks: Sequence[Check]) -> Iterator[str]:
    """What every ruleset says of each step of which any says something, those together that say the same; nothing where
    there is one voice only. The checks are of one scenario, and turned alike."""
    voices = [voice for check in checks for voice in _voices(check)]
    if len(voices) == 1:
        return
    steps, melds = checks[0].scenario.steps, suite.meld_names(checks[0].ruleset)
    yield "Who says what:"
    for number in sorted({number for voice in voices for number in voice.expected}):
        step = steps[number - 1]
        yield from wrap(f"{number}. {sentence(words.step(step, melds))}", 2, 3)
        said: dict[str, list[str]] = defaultdict(list)
        for voice in voices:
            said[_said(step, voice.expected.get(number, {}), melds)].append(voice.name)
        for what, names in said.items():
            yield from wrap(f"{what} · {'all' if len(said) == 1 else ', '.join(names)}", 5, 2)


def _voices(check: Check) -> Iterator[_Voice]:
    for name, expected in check.branches.items():
        followed = ", which it follows" if name == check.follows else ""
        yield _Voice(f"{check.ruleset} (read as '{name}'{followed})" if name else check.ruleset, expected)


def _said(step: Mapping[str, Any], expected: Mapping[str, Any], melds: words.Names) -> str:
    """What is expected of a step; a refusal by its word, as a scenario has it."""
    others = {key: value for key, value in expected.items() if key != "refused"}
    refused = [f"refused: {expected['refused']}"] if "refused" in expected else []
    said = [*refused, *words.expectation(step, others, melds)]
    return "; ".join(said) or ("accepted" if "do" in step else "any answer")
