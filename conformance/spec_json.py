"""Writes the rules and the checks as resolved data, for programs that read no YAML: ``make spec-json``.

`spec/README.md` describes the files, and `spec/schemas/rulesets.schema.json` and `suite.schema.json` their content.
"""

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.runner.select import CENSUS
from hoyle_conformance.suite.model import Check, Expected
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census import game_of, games_named, replay, request_of


def files(suite: Suite, *, census: bool = False) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file: the rules of all rulesets, and the checks of each."""
    about = {"version": suite.version, "digest": suite.digest}
    rules = {name: _rules(suite, name) for name in suite.rules.names}
    yield "rulesets.json", _text({"suite": about, "rulesets": rules})
    for name in suite.rulesets:
        checks = [each for each in suite.index.checks.values() if each.ruleset.partition("+")[0] == name]
        data: dict[str, Any] = {"suite": about, "ruleset": name, "checks": [_check(suite, each) for each in checks]}
        if census:
            games = games_named(suite, [CENSUS], sorted({each.ruleset for each in checks}))
            data["census"] = [game_data(suite, each) for each in games]
        yield f"suite/{name}.json.gz", gzip.compress(_text(data), mtime=0)


def game_data(suite: Suite, check: Check) -> dict[str, Any]:
    """Return a game of the census, with the expectations that change after each act."""
    game = game_of(suite, check)
    play = replay(suite.rules.of(check.ruleset), game)
    plan = request_of(suite, check, play, suite.capabilities.observables).plan
    expect, last = [], dict[str, Any]()
    for _, sight in play.steps:
        changes: dict[str, Any] = {key: value for key, value in sight.items() if key not in last or last[key] != value}
        left_open = sorted(set(plan.message["observe"]).difference(sight))
        last |= sight
        expect.append({**changes, **({"open": left_open} if left_open else {})})
    return {
        "ruleset": check.ruleset,
        "game": game.game,
        "digest": game.digest,
        "needs": sorted(plan.needs),
        "run": plan.message,
        "expect": expect,
    }


def _text(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _rules(suite: Suite, name: str) -> dict[str, Any]:
    """Return the rules of a ruleset with its options: the value of each cell by its path, and of each row by its id."""
    return {"title": suite.rules.title(name), "cells": {each.path: each.value for each in suite.rules.cells(name)}}


def _check(suite: Suite, check: Check) -> dict[str, Any]:
    """Return a check: the message, and what must be observed, under each reading."""
    plan = planner_of(suite).request(check)
    return {
        "id": check.id,
        "title": check.scenario.title,
        "cites": check.cites,
        "needs": sorted(plan.needs),
        "run": plan.message,
        "expect": {name or "decided": [*_expected(plan, branch)] for name, branch in check.branches.items()},
    }


def _expected(plan: RunRequest, branch: Expected) -> Iterator[dict[str, Any]]:
    """Yield the observation that is expected at the end of each step of the scenario."""
    for step, end in enumerate(plan.ends, start=1):
        wanted: Mapping[str, Any] = branch.get(step, {})
        if "ask" in plan.message["steps"][end - 1]:
            yield {"after": end, "answer": wanted["answer"]}
            continue
        observed = {"score" if key == "total" else key: each for key, each in wanted.items() if key != "refused"}
        yield {"after": end, "accepted": "refused" not in wanted, **observed}


def main() -> None:
    """Write the files into a folder."""
    parser = argparse.ArgumentParser(description="Write the rules and the checks as resolved data.")
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--census", action="store_true", help="Add the games of the census in full, to play them again."
    )
    options = parser.parse_args()
    for name, content in files(open_suite(), census=options.census):
        path = options.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    main()
