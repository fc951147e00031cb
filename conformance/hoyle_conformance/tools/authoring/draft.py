"""Scenario drafts: the known parts of a scenario that is being written, its file, and its faults so far."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.lint_positions import lint_position
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.suggest import did_you_mean, nearest
from hoyle_conformance.suite.at_work import bases
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.scenarios import lint_scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.dispute import Dispute, joint_readings
from hoyle_conformance.tools.authoring.layout import scenario_text
from hoyle_conformance.tools.authoring.parse import ParseError
from hoyle_reference import Malformed
from hoyle_reference.frozen import frozen

#: The expectations of steps, by their numbers, counted from 1.
StepExpectations = Mapping[int, Mapping[str, Any]]
#: The keys of a file with parts that may be empty in a draft.
_TO_FILL_IN: Final = frozenset({("outcomes",), ("readings",), ("followed_by",)})
#: Codes that are no mistakes while the draft is unfinished.
_UNFINISHED: Final = frozenset({"without-a-clause", "no-answer"})


class IdTaken(NamedTuple):
    """The reason why an id is not available, and the remedy."""

    says: str
    remedy: str


def id_taken(suite: Suite, name: str) -> IdTaken | None:
    """Return why a new scenario cannot have an id; None if it can."""
    if name in suite.scenarios:
        return IdTaken(
            f"there is a scenario '{name}' already",
            f"Choose another name. 'hoyle explain {name}' shows the existing scenario.",
        )
    for line in suite.lock.splitlines():
        kind, published, *more = [*line.split(maxsplit=2), ""]
        if (kind, published) == ("scenario", name):
            was = f" ({more[0]})" if more[0] else ""
            return IdTaken(f"'{name}' was once the id of another scenario{was}", "Ids are permanent: choose another.")
    return None


def first_free_id(suite: Suite, names: Iterable[str]) -> str:
    """Return the first of some ids that a new scenario can have."""
    return next(name for name in names if id_taken(suite, name) is None)


@frozen
class Draft:
    """A scenario that is being written. `expect` has the expectations for all rulesets and readings under "", and those
    that differ under the name of the ruleset or reading. A field that is not known yet is empty."""

    id: str = ""
    title: str = ""
    why: str = ""
    rulesets: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[Mapping[str, Any], ...] = ()
    expect: Mapping[str, StepExpectations] = field(default_factory=dict)
    cites: tuple[str, ...] = ()
    #: The rulesets that would inherit an outcome and do not share it.
    but_not: tuple[str, ...] = ()
    #: The cells that some rulesets leave open; None if each decides the question.
    dispute: Dispute | None = None

    @property
    def decides(self) -> tuple[str, ...]:
        """The rulesets that decide the question."""
        return tuple(name for name in self.rulesets if not self.dispute or name not in self.dispute.cells)

    @property
    def file(self) -> str:
        """The path of its file below the folder of the scenarios."""
        topic, _, name = self.id.partition(".")
        return f"{topic}/{name}.scenario.yaml"


def draft_data(suite: Suite, draft: Draft) -> dict[str, Any]:
    """Return the data of a draft's file, in the order of the keys; unknown `expect` or `cites` are empty. The `why` of
    a disputed position is the reason for the readings that are followed."""
    outcomes, dispute = list(_outcomes(suite, draft)), draft.dispute
    return {
        "id": draft.id,
        "title": draft.title,
        **({"why": draft.why} if draft.why and not dispute else {}),
        "given": order_given(suite, draft.given),
        "steps": [dict(step) for step in draft.steps],
        **({"outcomes": outcomes} if outcomes or not dispute else {}),
        **(_readings(draft, dispute) if dispute else {}),
        **({"followed_by": list(_followed_by(suite, draft, dispute))} if dispute else {}),
    }


def order_given(suite: Suite, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given parts of a position in the order of files: first the phase, then the order of the schema."""
    described = suite.schemas.documents["scenario"]["$defs"]["given"]
    phases = [each["required"][0] for each in described["oneOf"]]
    keys = list(dict.fromkeys([*phases, *described["properties"]]))
    return {key: given[key] for key in sorted(given, key=keys.index)}


def _outcomes(suite: Suite, draft: Draft) -> Iterator[dict[str, Any]]:
    """Yield an outcome for all rulesets that decide the question with the same expectations."""
    alike: list[tuple[dict[str, Any], list[str]]] = []
    for ruleset in draft.decides:
        expect = _expectations_of(draft, ruleset)
        same = next((rulesets for other, rulesets in alike if other == expect), None)
        if same is None:
            alike.append((expect, [ruleset]))
        else:
            same.append(ruleset)
    for expect, rulesets in alike:
        yield {
            "rulesets": rulesets,
            **_but_not(suite, draft, rulesets),
            "cites": _clauses_for(suite, draft, rulesets),
            "expect": expect,
        }


def _but_not(suite: Suite, draft: Draft, rulesets: Sequence[str]) -> dict[str, list[str]]:
    but_not = [name for name in draft.but_not if not set(rulesets).isdisjoint(bases(suite.rulesets, name))]
    return {"but_not": but_not} if but_not else {}


def _readings(draft: Draft, dispute: Dispute) -> dict[str, Any]:
    """Return the readings, each with its cells and its expectations."""
    readings = {
        name: {"cells": dict(cells), "expect": _expectations_of(draft, name)}
        for name, cells in dispute.readings.items()
    }
    return {"readings": readings}


def _followed_by(suite: Suite, draft: Draft, dispute: Dispute) -> Iterator[dict[str, Any]]:
    """Yield the reading followed by all rulesets that choose it for the same reason among the same readings."""
    alike = defaultdict[tuple[str, tuple[str, ...], str], list[str]](list)
    for ruleset, cells in dispute.cells.items():
        because = draft.why or dispute.argument(ruleset)
        alike[dispute.follows(ruleset), tuple(joint_readings(cells)), because].append(ruleset)
    for (follows, names, because), rulesets in alike.items():
        yield {
            "rulesets": rulesets,
            **_but_not(suite, draft, rulesets),
            "reading": follows,
            **({} if len(names) == len(dispute.readings) else {"between": list(names)}),
            "cites": _clauses_for(suite, draft, rulesets),
            "because": because,
        }


def _expectations_of(draft: Draft, name: str) -> dict[str, Any]:
    """Return the expectations for a ruleset or a reading: those for all, those for the readings of its cells, and its
    own."""
    dispute = draft.dispute
    among = dispute.readings.get(name, {}).values() if dispute else ()
    parts = [each for each in among if dispute and each in dispute.of_one_cell]
    steps = {step: shown for each in ("", *parts, name) for step, shown in draft.expect.get(each, {}).items()}
    return {str(step): dict(steps[step]) for step in sorted(steps)}


def _clauses_for(suite: Suite, draft: Draft, rulesets: Sequence[str]) -> list[str]:
    """Return the clauses from the sources of these rulesets; clauses of none of the draft's sources belong to every
    outcome."""
    own, all_ = _sources_of(suite, rulesets), _sources_of(suite, draft.rulesets)
    return [clause for clause in draft.cites if (source := clause.partition("/")[0]) in own or source not in all_]


def _sources_of(suite: Suite, rulesets: Sequence[str]) -> set[str]:
    known = [suite.rulesets.get(ruleset.partition("+")[0]) for ruleset in rulesets]
    return {source for ruleset in known if ruleset for source in ruleset.sources}


@frozen
class InspectedDraft:
    """An inspected draft: the text of its file, its faults, and which of ``expect`` and ``cites`` are still to be
    written."""

    text: str
    faults: tuple[Diagnostic, ...]
    missing: tuple[str, ...]


def inspect_draft(suite: Suite, draft: Draft) -> InspectedDraft:
    """Return the text and the faults of a draft, before anything is written or proved."""
    from hoyle_conformance.files.strict_yaml import load  # noqa: PLC0415 -- the table in a browser has no YAML

    content = draft_data(suite, draft)
    text, parts = scenario_text(content), list(_parts(content))
    missing = tuple(key for key in ("expect", "cites") if not all(part.get(key, True) for part in parts))
    try:
        document = load(text, suite.shown(suite.root / "scenarios" / draft.file))
    except Invalid as invalid:
        return InspectedDraft(text, invalid.diagnostics, missing)
    return InspectedDraft(text, tuple(_draft_faults(suite, document)), missing)


def _parts(content: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the parts of a draft's data that have expectations or clauses."""
    yield from content.get("outcomes", ())
    yield from content.get("readings", {}).values()
    yield from content.get("followed_by", ())


def _draft_faults(suite: Suite, document: Document) -> Iterator[Diagnostic]:
    """Yield the faults of the first kind that has any."""
    complaints = suite.schemas.complaints("scenario", document.data)
    closed = [each for each in complaints if each.code != "wrong-size" or each.path[:1] not in _TO_FILL_IN]
    yield from (document.complain(each) for each in closed)
    if closed:
        return
    scenario = scenario_from(document)
    faults = [each for each in lint_scenario(suite, scenario) if each.code not in _UNFINISHED]
    yield from faults or lint_position(suite, scenario)


def require_unused_id(suite: Suite, name: str) -> str:
    """Return an id that a new scenario may have; raises ParseError if it is invalid, in use, or was another
    scenario's."""
    for complaint in suite.schemas.complaints("scenario", {"id": name}):
        if complaint.path == ("id",):
            raise ParseError(complaint.message, str(complaint.remedy))
    if why := id_taken(suite, name):
        raise ParseError(*why)
    return name


def topics(suite: Suite) -> Sequence[str]:
    """Return the topics that have scenarios."""
    return sorted({name.partition(".")[0] for name in suite.scenarios})


def require_topic(suite: Suite, name: str) -> None:
    """Raise ParseError if the topic of an id has no scenarios yet."""
    topic, among = name.partition(".")[0], topics(suite)
    if topic not in among:
        near = did_you_mean(topic, among) if nearest(topic, among) else f"Choose one of: {', '.join(among)}."
        raise ParseError(f"there is no topic '{topic}' yet", near)


def require_ruleset(suite: Suite, name: str) -> str:
    """Return the name of a known ruleset; raises ParseError."""
    if name.partition("+")[0] not in suite.rulesets:
        among = [each for each in suite.rulesets if name in each]
        near = "" if len(among) > 1 else nearest(name, suite.rules.names)
        there_are = f"Choose one of: {', '.join(among if name and among else suite.rulesets)}."
        raise ParseError(f"no ruleset '{name}'", f"Did you mean '{near}'?" if near else there_are)
    try:
        suite.rules.of(name)
    except Malformed as malformed:
        raise ParseError(str(malformed)) from malformed
    return name
