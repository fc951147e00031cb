"""Written: what an implementation plays as a table of house rules, ready to be checked against."""

import json
from collections.abc import Iterator
from typing import Any

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.candidates import LEFT_OUT, RuleChange
from hoyle_conformance.tools.identify.identify import Identified
from hoyle_conformance.tools.identify.report import title


def house_rules(suite: Suite, found: Identified, name: str) -> str:
    """The table, as YAML: the nearest ruleset with its options, and the rules that are otherwise."""
    base, *options = found.explained.base.ruleset.split("+")
    changes = [each.change for each in found.explained.departures]
    lines = [
        f"# {name}: {len(found.asked.answered)} positions answered, {len(found.explained.left)} not accounted for.",
        "id: my-rules",
        f"title: {json.dumps(f'What {name} plays', ensure_ascii=False)}",
        f"extends: {base}",
        *([f"options: [{', '.join(options)}]"] if options else []),
        *_rules(suite, found, changes),
    ]
    left_out = [put.path for each in changes for put in each.puts if put.value is LEFT_OUT and not put.field]
    if left_out:
        lines += ["without:", *(f"  - {path}" for path in left_out)]
    return "\n".join([*lines, ""])


def _rules(suite: Suite, found: Identified, changes: list[RuleChange]) -> Iterator[str]:
    cells = found.explained.base.rules.cells
    lines = []
    for change in changes:
        written = [f"  {put.written}: {_written(put.value)}" for put in change.puts if put.value is not LEFT_OUT]
        if written:
            lines += [f"  # {title(suite, change, cells, change.applied(cells)).rpartition(' (')[0]}", *written]
    if lines:
        yield "rules:"
        yield from lines


def _written(value: Any) -> str:
    """A value on one line: JSON is YAML too; a plain word stands without quotation marks."""
    plain = isinstance(value, str) and value.replace("-", "").replace(" ", "").isalpha()
    return (
        str(value) if plain and value not in {"yes", "no", "true", "false"} else json.dumps(value, ensure_ascii=False)
    )
