"""Looking at a draft: whether it may have its name, what is wrong with it as far as it goes, and what is left open."""

from collections.abc import Iterator, Sequence
from typing import Final

from hoyle_conformance.checks.lint_positions import lint_position
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.files.suggest import did_you_mean, nearest
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.references import lint_scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import Draft, data
from hoyle_conformance.tools.authoring.draft_ids import taken
from hoyle_conformance.tools.authoring.layout import written
from hoyle_conformance.tools.authoring.parse import Unclear
from hoyle_reference import Malformed
from hoyle_reference.frozen import frozen

#: Mistakes that are none as long as something is left open.
_OPEN: Final = frozenset({"without-a-clause", "no-answer"})


@frozen
class Looked:
    """A draft that was looked at: the text of its file, what is wrong with it, and which of ``expect`` and ``cites``
    are left to be written."""

    text: str
    faults: tuple[Diagnostic, ...]
    left: tuple[str, ...]


def look(suite: Suite, draft: Draft) -> Looked:
    """What there is to say of a draft, before anything of it is written or proved."""
    said = data(suite, draft)
    text, left = written(said), tuple(key for key in ("expect", "cites") if not all(e[key] for e in said["outcomes"]))
    try:
        document = load(text, suite.shown(suite.root / "scenarios" / draft.file))
    except Invalid as invalid:
        return Looked(text, invalid.diagnostics, left)
    return Looked(text, tuple(_faults(suite, document)), left)


def _faults(suite: Suite, document: Document) -> Iterator[Diagnostic]:
    """The mistakes of the first kind of which there are any."""
    complaints = suite.schemas.complaints("scenario", document.data)
    closed = [each for each in complaints if each.code != "wrong-size" or each.path[:1] != ("outcomes",)]
    yield from (document.complain(each) for each in closed)
    if closed:
        return
    scenario = scenario_from(document)
    faults = [each for each in lint_scenario(suite, scenario) if each.code not in _OPEN]
    yield from faults or lint_position(suite, scenario)


def unused_id(suite: Suite, name: str) -> str:
    """An id that a new scenario may have; raises Unclear where it is none, is in use, or was given to another once."""
    for complaint in suite.schemas.complaints("scenario", {"id": name}):
        if complaint.path == ("id",):
            raise Unclear(complaint.message, str(complaint.remedy))
    if why := taken(suite, name):
        raise Unclear(*why)
    return name


def topics(suite: Suite) -> Sequence[str]:
    """The topics under which there are scenarios."""
    return sorted({name.partition(".")[0] for name in suite.scenarios})


def known_topic(suite: Suite, name: str) -> None:
    """Nothing where the topic of an id has scenarios already; raises Unclear where it has none."""
    topic, among = name.partition(".")[0], topics(suite)
    if topic not in among:
        near = did_you_mean(topic, among) if nearest(topic, among) else f"There are: {', '.join(among)}."
        raise Unclear(f"there is no topic '{topic}' yet", near)


def known_ruleset(suite: Suite, name: str) -> str:
    """A ruleset that there is; raises Unclear."""
    if name.partition("+")[0] not in suite.rulesets:
        among = [each for each in suite.rulesets if name in each]
        near = "" if len(among) > 1 else nearest(name, suite.ruleset_names)
        there_are = f"There are: {', '.join(among if name and among else suite.rulesets)}."
        raise Unclear(f"no ruleset '{name}'", f"Did you mean '{near}'?" if near else there_are)
    try:
        suite.rules(name)
    except Malformed as malformed:
        raise Unclear(str(malformed)) from malformed
    return name
