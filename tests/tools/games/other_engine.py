"""The reference as an adapter that differs in one thing: `--cell PATH=VALUE`, `--reading PATH=NAME`, or
`--crash-at N`, in its Nth game, or `--claims WORD,WORD`."""

import argparse
import json
import os
import sys
from pathlib import Path

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.runner.rule_changes import change_rules
from hoyle_reference import Rules

SPEC = Path(__file__).resolve().parents[3] / "spec"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cell", default="")
    parser.add_argument("--reading", default="")
    parser.add_argument("--crash-at", type=int, default=0)
    parser.add_argument("--claims", default="")
    chosen = parser.parse_args()
    suite = open_suite(SPEC, positions=False)
    reference = Reference(suite)

    def rules_of(ruleset: str) -> Rules:
        path, _, value = chosen.reading.partition("=")
        rules = suite.rules.of(ruleset, {path: value} if path else None)
        path, _, value = chosen.cell.partition("=")
        return change_rules(rules, {path: json.loads(value)}) if path else rules

    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            return
        if message["type"] == "hello":
            response = reference(message)
            response["claims"] = chosen.claims.split(",") if chosen.claims else response["claims"]
        else:
            if message["seq"] == chosen.crash_at:
                os._exit(3)
            rules = rules_of("+".join((message["ruleset"], *message["options"])))
            response = {"type": "observed", "seq": message["seq"], "steps": observations(rules, message)}
        print(json.dumps(response), flush=True)


if __name__ == "__main__":
    main()
