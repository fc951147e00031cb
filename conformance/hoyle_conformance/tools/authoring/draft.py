"""A draft: what is known so far of a scenario that is being written, and what its file says of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from hoyle_conformance.suite.at_work import bases
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.frozen import frozen

#: What steps must show, by their numbers, counted from 1.
Expect = Mapping[int, Mapping[str, Any]]


@frozen
class Draft:
    """A scenario that is being written: what must be shown under every ruleset stands in `expect` under "", and
    what one of them shows otherwise under its name. What is not known yet is empty."""

    id: str = ""
    title: str = ""
    why: str = ""
    rulesets: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[Mapping[str, Any], ...] = ()
    expect: Mapping[str, Expect] = field(default_factory=dict)
    cites: tuple[str, ...] = ()
    #: The rulesets that inherit an outcome and do not come to it.
    but_not: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The path of its file below the folder of the scenarios."""
        topic, _, name = self.id.partition(".")
        return f"{topic}/{name}.scenario.yaml"


def data(suite: Suite, draft: Draft) -> dict[str, Any]:
    """What the file of a draft says, in the order of the keys; what is not known, `expect` or `cites`, is empty."""
    return {
        "id": draft.id,
        "title": draft.title,
        **({"why": draft.why} if draft.why else {}),
        "given": in_order(suite, draft.given),
        "steps": [dict(step) for step in draft.steps],
        "outcomes": list(_outcomes(suite, draft)),
    }


def in_order(suite: Suite, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given of a position in the order of files: first where it stands, then what the schema names first."""
    described = suite.schemas.documents["scenario"]["$defs"]["given"]
    stands = [each["required"][0] for each in described["oneOf"]]
    keys = list(dict.fromkeys([*stands, *described["properties"]]))
    return {key: given[key] for key in sorted(given, key=keys.index)}


def _outcomes(suite: Suite, draft: Draft) -> Iterator[dict[str, Any]]:
    """An outcome for all rulesets that show the same."""
    alike: list[tuple[dict[str, Any], list[str]]] = []
    for ruleset in draft.rulesets:
        expect = _expected_of(draft, ruleset)
        same = next((rulesets for other, rulesets in alike if other == expect), None)
        if same is None:
            alike.append((expect, [ruleset]))
        else:
            same.append(ruleset)
    for expect, rulesets in alike:
        but_not = [name for name in draft.but_not if not set(rulesets).isdisjoint(bases(suite.rulesets, name))]
        left_out = {"but_not": but_not} if but_not else {}
        yield {"rulesets": rulesets, **left_out, "cites": _cited_for(suite, draft, rulesets), "expect": expect}


def _expected_of(draft: Draft, ruleset: str) -> dict[str, Any]:
    steps = {**draft.expect.get("", {}), **draft.expect.get(ruleset, {})}
    return {str(step): dict(steps[step]) for step in sorted(steps)}


def _cited_for(suite: Suite, draft: Draft, rulesets: Sequence[str]) -> list[str]:
    """The clauses of the books that these rulesets are made from; those of no book of the draft belong to everyone."""
    own, all_ = _books(suite, rulesets), _books(suite, draft.rulesets)
    return [clause for clause in draft.cites if (source := clause.partition("/")[0]) in own or source not in all_]


def _books(suite: Suite, rulesets: Sequence[str]) -> set[str]:
    known = [suite.rulesets.get(ruleset.partition("+")[0]) for ruleset in rulesets]
    return {source for ruleset in known if ruleset for source in ruleset.sources}
