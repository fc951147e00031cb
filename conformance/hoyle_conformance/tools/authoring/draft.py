"""Scenario drafts: the known parts of a scenario that is being written, its file, and its id."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hoyle_conformance.files.diagnostics import did_you_mean, nearest
from hoyle_conformance.suite.suite import Suite


class UnusableId(Exception):
    """A new scenario cannot have an id: the reason and the remedy."""

    def __init__(self, message: str, remedy: str = "") -> None:
        self.message, self.remedy = message, remedy
        super().__init__(f"{message}. {remedy}".removesuffix(" "))


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


@dataclass(frozen=True, slots=True)
class Draft:
    """A scenario that is being written. A field that is not known yet is empty."""

    id: str = ""
    title: str = ""
    why: str = ""
    rulesets: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[Mapping[str, Any], ...] = ()
    cites: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The path of its file below the folder of the scenarios."""
        topic, _, name = self.id.partition(".")
        return f"{topic}/{name}.scenario.yaml"


def draft_data(suite: Suite, draft: Draft) -> dict[str, Any]:
    """Return the data of a draft's file, in the order of the keys; what the steps show is empty."""
    return {
        "id": draft.id,
        "title": draft.title,
        **({"why": draft.why} if draft.why else {}),
        "given": order_given(suite, draft.given),
        "steps": [dict(step) for step in draft.steps],
        "outcomes": [{"rulesets": list(draft.rulesets), "cites": list(draft.cites), "expect": {}}],
    }


def order_given(suite: Suite, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given parts of a position in the order of files: first the phase, then the order of the schema."""
    described = suite.schemas.documents["scenario"]["$defs"]["given"]
    phases = [each["required"][0] for each in described["oneOf"]]
    keys = list(dict.fromkeys([*phases, *described["properties"]]))
    return {key: given[key] for key in sorted(given, key=keys.index)}


def require_unused_id(suite: Suite, name: str) -> str:
    """Return an id that a new scenario may have; raises UnusableId if it is invalid, in use, or was another
    scenario's."""
    for complaint in suite.schemas.complaints("scenario", {"id": name}):
        if complaint.path == ("id",):
            raise UnusableId(complaint.message, str(complaint.remedy))
    if why := id_taken(suite, name):
        raise UnusableId(*why)
    return name


def topics(suite: Suite) -> Sequence[str]:
    """Return the topics that have scenarios."""
    return sorted({name.partition(".")[0] for name in suite.scenarios})


def require_topic(suite: Suite, name: str) -> None:
    """Raise UnusableId if the topic of an id has no scenarios yet."""
    topic, among = name.partition(".")[0], topics(suite)
    if topic not in among:
        near = did_you_mean(topic, among) if nearest(topic, among) else f"Choose one of: {', '.join(among)}."
        raise UnusableId(f"there is no topic '{topic}' yet", near)
