"""Pages of positions: the question, the different answers, the replay, and the clauses behind them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from hoyle_conformance.suite.capabilities import observed
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import scenario_index as positions
from hoyle_conformance.web.site.answers import different, undecided
from hoyle_conformance.web.site.links import fill
from hoyle_conformance.web.site.navigation import TABLE
from hoyle_conformance.web.site.page import Page, scenario_path
from hoyle_conformance.web.site.replay import clause_link, of_tracks
from hoyle_conformance.web.site.source_pages import AtWork, choices
from hoyle_conformance.wording.walkthrough import answers_differ, tracks, walk

#: The list of all positions.
LIST = "scenarios/index.md"


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a position, one that lists them all, and those of what each book leaves open."""
    differing: set[str] = set()
    at_work: AtWork = defaultdict(dict)
    for scenario in suite.scenarios.values():
        yield _page(suite, scenario, differing, at_work)
    yield positions.page(suite, differing)
    yield from choices(suite, at_work)


def overview(suite: Suite) -> Page:
    """Return the list of all positions."""
    return positions.page(suite, {key for key, each in suite.scenarios.items() if answers_differ(suite, each)})


def page(suite: Suite, scenario: Scenario) -> Page:
    """Return the page of one position."""
    return _page(suite, scenario, set(), defaultdict(dict))


def _page(suite: Suite, scenario: Scenario, differing: set[str], at_work: AtWork) -> Page:
    """Return the page of one position, which is noted in `differing` if not all answer it alike, and in `at_work` for
    each rule that is at work in it."""
    here, checks = scenario_path(scenario), suite.index.checks_of(scenario)
    branches = chain.from_iterable(check.branches.values() for check in checks)
    looked_at = sorted(observed(branches))
    walks = [walk(suite, check, looked_at) for check in checks]
    seen = {each.check.ruleset: [single.observation for some in each.steps for single in some] for each in walks}
    for each in walks:
        for cell in {path for some in each.steps for single in some for path in single.grounds}:
            at_work[each.check.ruleset, cell][scenario.id] = scenario
    differs = answers_differ(suite, scenario, seen)
    if differs:
        differing.add(scenario.id)
    found = tracks(suite, walks)
    cited = dict.fromkeys(clause for check in checks for clause in check.cites)
    others = sorted(frozenset().union(*(track.at_work for track in found)) - cited.keys())
    body = fill(
        "scenario",
        suite,
        here,
        scenario=scenario,
        list=LIST,
        topic=positions.topic_title(scenario.topic),
        table=TABLE.path,
        answers=different(suite, checks, found, here, differ=differs),
        replay=of_tracks(suite, found, here),
        why=list(dict.fromkeys(filter(None, [scenario.why, *(outcome.why for outcome in scenario.outcomes)]))),
        undecided=undecided(suite, checks, here),
        cited=[(suite.clauses[each].says, clause_link(suite, each, here)) for each in cited],
        also_at_work=[clause_link(suite, each, here) for each in others],
        written=_written(scenario),
    )
    about = f"{scenario.title} Each book's answer, step by step."
    return Page(here, body=body, title=scenario.title, about=about, kind="position", tab="Positions", id=scenario.id)


def _written(scenario: Scenario) -> str:
    """Return the file of a position, "" if it is not at hand."""
    document = scenario.document
    if document.text is not None:
        return document.text
    return document.path.read_text("utf-8") if document.path and document.path.is_file() else ""


def disputed(suite: Suite) -> Sequence[Scenario]:
    """Return the positions that some book leaves open."""
    return [suite.scenarios[key] for key in sorted(suite.scenarios) if suite.scenarios[key].readings]
