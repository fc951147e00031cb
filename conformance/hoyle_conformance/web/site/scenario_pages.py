"""The pages of the positions: the question, the different answers, the replay, and what it all rests on."""

from collections.abc import Iterator, Sequence
from itertools import chain

from hoyle_conformance.suite.capabilities import observed
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site import scenario_index as positions
from hoyle_conformance.web.site.answers import different, undecided
from hoyle_conformance.web.site.navigation import TABLE
from hoyle_conformance.web.site.page import Page, scenario_path
from hoyle_conformance.web.site.replay import clause_link, of_tracks
from hoyle_conformance.wording.html import Markup, drawn, joined, tag, text
from hoyle_conformance.wording.walkthrough import Track, answers_differ, tracks, walk

#: The list of all positions.
LIST = "scenarios/index.md"


def pages(suite: Suite) -> Iterator[Page]:
    """One page a position, and one that lists them all."""
    differing: set[str] = set()
    for scenario in suite.scenarios.values():
        yield _page(suite, scenario, differing)
    yield positions.page(suite, differing)


def overview(suite: Suite) -> Page:
    """All positions."""
    return positions.page(suite, {key for key, each in suite.scenarios.items() if answers_differ(suite, each)})


def page(suite: Suite, scenario: Scenario) -> Page:
    """The page of one position."""
    return _page(suite, scenario, set())


def _page(suite: Suite, scenario: Scenario, differing: set[str]) -> Page:
    """The page of one position, which is noted if not all answer it alike."""
    here, checks = scenario_path(scenario), suite.index.checks_of(scenario)
    branches = chain.from_iterable(check.branches.values() for check in checks)
    looked_at = sorted(observed(branches))
    walks = [walk(suite, check, looked_at) for check in checks]
    seen = {each.check.ruleset: [single.observation for some in each.steps for single in some] for each in walks}
    differs = answers_differ(suite, scenario, seen)
    if differs:
        differing.add(scenario.id)
    found = tracks(suite, walks)
    body = joined(_body(suite, scenario, checks, found, here, differs=differs))
    about = f"{scenario.title} The answer of each book, step by step."
    return Page(here, body=body, title=scenario.title, about=about, kind="position", tab="Positions", id=scenario.id)


def _body(
    suite: Suite, scenario: Scenario, checks: Sequence[Check], found: Sequence[Track], here: str, *, differs: bool
) -> Iterator[Markup]:
    topic = positions.topic_title(scenario.topic)
    crumbs = (links.a("Positions", LIST, here), links.a(topic, f"{LIST}#topic={scenario.topic}", here))
    yield tag("p", joined(crumbs, " \N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK} "), class_="crumbs")
    yield tag("h1", drawn(scenario.title))
    yield different(suite, checks, found, here, differ=differs)
    yield tag("p", links.a("Lay it out on the table", f"{TABLE.path}#p={scenario.id}", here), class_="to-the-table")
    yield tag("h2", "Step by step", class_="unseen")
    yield of_tracks(suite, found, here)
    yield from _why(suite, scenario, here)
    yield from undecided(suite, checks, here)
    yield from _rests_on(suite, checks, found, here)
    yield from _for_engines(scenario)


def _why(suite: Suite, scenario: Scenario, here: str) -> Iterator[Markup]:
    told = dict.fromkeys(filter(None, [scenario.why, *(outcome.why for outcome in scenario.outcomes)]))
    if told:
        yield tag("h2", "Why")
        yield from (tag("p", links.linked(suite, each, here)) for each in told)


def _rests_on(suite: Suite, checks: Sequence[Check], found: Sequence[Track], here: str) -> Iterator[Markup]:
    """The clauses cited, in words and by place, and the others at work."""
    cited = dict.fromkeys(clause for check in checks for clause in check.cites)
    if cited:
        yield tag("h2", "It rests on")
        entries = (
            f"<li>{links.linked(suite, suite.clauses[each].says, here)} {clause_link(suite, each, here)}</li>"
            for each in cited
        )
        yield Markup(f'<ul class="rests">{"".join(entries)}</ul>')
    others = sorted(frozenset().union(*(track.at_work for track in found)) - cited.keys())
    if others:
        named = joined((clause_link(suite, each, here) for each in others), ", ")
        yield tag("details", tag("summary", "Also at work"), tag("p", named), class_="also")


def _for_engines(scenario: Scenario) -> Iterator[Markup]:
    """The position as it is written, where, and the commands that explain it and put it to an engine."""
    yield tag("h2", "For engines")
    commands = f"hoyle explain {scenario.id}\nhoyle check -s {scenario.id} ./your-adapter"
    yield tag("pre", tag("code", commands))
    written = _written(scenario)
    file = tag("code", scenario.file)
    if written:
        yield tag("details", tag("summary", "As it is written: ", file), tag("pre", tag("code", written)))
    else:
        yield tag("p", text("It is written in "), file, text("."))


def _written(scenario: Scenario) -> str:
    """The file of a position, where it is at hand."""
    document = scenario.document
    if document.text is not None:
        return document.text
    return document.path.read_text("utf-8") if document.path and document.path.is_file() else ""


def disputed(suite: Suite) -> Sequence[Scenario]:
    """The positions in which no book decides."""
    return [suite.scenarios[key] for key in sorted(suite.scenarios) if suite.scenarios[key].readings]
