"""What is said at a table of a step and of a position: each thing once, and what nobody has laid as such."""

from typing import Any

import pytest

from hoyle_conformance.suite.value import Suite
from hoyle_conformance.table.engine import Engine


@pytest.fixture(scope="module")
def engine(suite: Suite) -> Engine:
    return Engine(suite)


def answered(engine: Engine, scenario: str, steps: int) -> Any:
    """What the table answers to a position of the suite after so many of its steps."""
    layout = engine.ask({"ask": "position", "id": scenario})["layout"]
    return engine.ask({"ask": "answer", "layout": layout, "at": steps})


@pytest.mark.parametrize(
    ("step", "asked", "wanted"), [(2, "making?", "what the point makes"), (7, "how high?", "how high the sequence is")]
)
def test_what_younger_asks_is_said_once(engine: Engine, step: int, asked: str, wanted: str) -> None:
    answer = answered(engine, "nought.called", step)
    for group in answer["answers"]:
        assert group["steps"][-1]["said"] == f"B says: {asked}"
        assert group["steps"][-1]["follows"] == []
    assert wanted in answer["table"]["says"]
