"""Pages of engines: the results of all engines by chapter of the rule book, the failures of each, and the claims that
an engine can make."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.reports import diff
from hoyle_conformance.reports.claims import ALL_IT_DOES, KINDS, checks_by_kind, checks_needing, meanings
from hoyle_conformance.reports.load_record import read_record, record_files
from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.summary import NOTHING, Count, count
from hoyle_conformance.runner.results import FAILED, Status
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import TEST, folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.failure_view import CauseView, RuleAtWork
from hoyle_conformance.wording.html import Markup, coded, joined, tag
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.text import cut

HERE: Final = "engines/index.md"
CLAIMS: Final = "claims.md"
_TOPICS: Final = Path(__file__).with_name("engine_chapters.yaml")
_OTHERS: Final = "others"
#: The minimum share of passing checks, in percent, for each colour of a cell, best first.
_SHARES: Final = (("most", 90), ("half", 50), ("few", 0))
#: The name of the engine of a run.
_name: Final = attrgetter("record.implementation.name")
#: The titles of chapters, by name.
Titles = Mapping[str, str]
#: The maximum length of a text that an engine reported.
_LONGEST: Final = 300  # characters
#: Match the name of a file without its extension, which is also the name of the engine's page.
_ID: Final = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
#: The folder of the adapters that Hoyle's makers have written for engines of other people.
_OUTSIDE: Final = "workbench/outside/"
_FAILED: Final = FAILED | {Status.EXPECTED_FAILURE}


def pages(suite: Suite) -> Iterator[Page]:
    """Yield the page of all engines with records next to the suite, and the page of each."""
    runs = read_engines(suite.root.parent / "engines")
    engines = sorted(runs, key=lambda each: (_name(each).casefold(), _name(each), each.record.started))
    yield overview(suite, engines)
    for before, each in zip((None, *engines), engines, strict=False):
        yield page(suite, each, before if before and _name(before) == _name(each) else None)


# ---- runs of engines


@dataclass(frozen=True, slots=True)
class RulesetCounts:
    """A ruleset that an engine was checked against: its title, its game, and the counts of each topic."""

    title: str
    game: str
    topics: Mapping[str, Count]

    @property
    def total(self) -> Count:
        """The count of all topics."""
        return sum(self.topics.values(), NOTHING)


@dataclass(frozen=True)
class EngineRecord:
    """The run of an engine, by the `id` of its file."""

    id: str
    record: Record
    rulesets: Mapping[str, RulesetCounts]
    causes: Sequence[CauseView]
    failures: Sequence[Checked]

    @cached_property
    def total(self) -> Count:
        """The count of all checks."""
        return sum((each.total for each in self.rulesets.values()), NOTHING)

    @property
    def is_outside(self) -> bool:
        """Whether Hoyle's makers wrote the adapter, and not the engine's author."""
        return any(_OUTSIDE in word for word in self.record.implementation.command)


def engine_of(id_: str, record: Record) -> EngineRecord:
    """Return the run of an engine, as its page shows it."""
    causes = [each for each in record.causes if record.by_check[each.checks[0]].status in _FAILED]
    failures = [each for each in record.results if each.status in _FAILED]
    return EngineRecord(id_, record, _rulesets(record), causes, failures)


def read_engines(folder: Path) -> Iterator[EngineRecord]:
    """Yield the runs recorded in a folder, sorted by file name; none if there is no such folder. Raises Invalid."""
    for path in record_files(folder):
        name = path.name.removesuffix(".gz").removesuffix(".jsonl")
        if not _ID.fullmatch(name):
            message = "the name of the file has other characters than a-z, 0-9, '.' and '-'"
            remedy = "Name the file after the engine and its version: my-engine-1.0.jsonl."
            raise Invalid([Diagnostic(shown_path(path), 1, 1, "engine", message, remedy)])
        yield engine_of(name, read_record(path))


def _rulesets(record: Record) -> Mapping[str, RulesetCounts]:
    """Return the counts of each claimed ruleset for which a check was sent, by topic."""
    found = {}
    for name, results in record.claimed.items():
        topics: dict[str, list[Checked]] = {}
        for each in results:
            topics.setdefault(each.topic, []).append(each)
        known = record.rulesets[name]
        tested = RulesetCounts(known.title, known.game, {topic: _count(topics[topic]) for topic in sorted(topics)})
        if tested.total.asked:
            found[name] = tested
    return found


def _count(results: Sequence[Checked]) -> Count:
    """Return the count of a topic; known failures count as failures."""
    of = count(results)
    return Count(passed=of.passed, failed=of.failed + of.known, not_asked=of.not_asked)


def short(said: str) -> str:
    """Return a text that an engine reported, on one line and not too long."""
    return cut(" ".join(said.split()), _LONGEST)


# ---- chapters


@cache
def _chapter_of() -> Mapping[str, Mapping[str, str]]:
    """Return the chapter of each topic, for each game by its folder name."""
    read: Mapping[str, Any] = read_file(_TOPICS, _TOPICS.name).data
    return read


def chapter_of(game: str, topic: str) -> str:
    """Return the name of a topic's chapter."""
    return _chapter_of().get(folder(game), {}).get(topic, _OTHERS)


def chapters(game: str) -> Titles:
    """Return the titles of the chapters of a game's rule book, by name, in their order."""
    return {each.name: each.title for each in wording.chapters(folder(game))} | {_OTHERS: "Other rules"}


def counts(engine: EngineRecord, game: str) -> Mapping[str, Count]:
    """Return the results of the checks of a game, by chapter."""
    found = dict.fromkeys(chapters(game), NOTHING)
    for each in engine.rulesets.values():
        for topic, of in each.topics.items() if each.game == game else ():
            found[chapter_of(game, topic)] += of
    return found


def _color(count: Count) -> str:
    """Return the colour of a cell, by the share of passing checks."""
    if not count.asked:
        return "none"
    if count.passed == count.asked:
        return "all"
    share = 100 * count.passed // count.asked
    return next(color for color, least in _SHARES if share >= least)


# ---- all engines


def overview(suite: Suite, engines: Sequence[EngineRecord]) -> Page:
    """Return the page of all engines, those of each game by the chapters of its rule book that any engine has."""
    about = "Which rules of Bézique and Piquet each engine plays as its book has them, chapter by chapter."
    games = [(game, folder(game), *_matrix(game, engines)) for game in suite.rules.games]
    own: dict[str, Any] = {"games": games, "color": _color, "engines": engines}
    own |= {"title": "Engines and the rules they play", "about": about}
    return links.page("engines", suite, HERE, kind="engines", tab=TEST.title, **own)


def _matrix(
    game: str, engines: Sequence[EngineRecord]
) -> tuple[Titles, list[tuple[EngineRecord, Mapping[str, Count]]]]:
    """Return the titles of the chapters for which any engine was sent a check, and the engines of a game with their
    counts."""
    rows = [(each, counts(each, game)) for each in engines]
    titles = {name: title for name, title in chapters(game).items() if any(of[name].asked for _, of in rows)}
    return titles, [(each, of) for each, of in rows if any(of[name].asked for name in titles)]


# ---- one engine


def page(suite: Suite, engine: EngineRecord, before: EngineRecord | None = None) -> Page:
    """Return the page of an engine: what has changed since the run before, its results by ruleset, the rules it breaks,
    and its failures by chapter."""
    return links.page(
        "engine",
        suite,
        f"engines/{engine.id}.md",
        title=engine.record.implementation.title,
        about=f"The results of {engine.record.implementation.title} in Hoyle's suite, with every failure.",
        kind="engines",
        tab=TEST.title,
        engine=engine,
        claims=sorted(engine.record.implementation.claims),
        before=before,
        readings=[
            (of, cell, " or ".join(by[cell])) for of, by in (engine.record.readings or {}).items() for cell in by
        ],
        changes=diff.Changes(before.record, engine.record).checks if before else {},
        failures=[each for game in suite.rules.games for each in _failures(engine, game)],
        known=suite.rules.names,
        scenarios=suite.scenarios,
        short=short,
        linked={each.rule for each in engine.causes if each.rule and _has_rule(suite, each.rule)},
    )


def _has_rule(suite: Suite, rule: RuleAtWork) -> bool:
    """Whether the rule of a cause has a place on the page of its ruleset: a record may be older than the suite."""
    return rule.ruleset in suite.rules.names and rule.cell in suite.rules.cells(rule.ruleset)


def _failures(engine: EngineRecord, game: str) -> Iterator[tuple[str, str, Count, Sequence[Checked]]]:
    """Yield the chapters of a game in which an engine fails, by title, with the anchors that the table of all engines
    links to, the counts and the failures."""
    of_game = {name for name, each in engine.rulesets.items() if each.game == game}
    found: dict[str, list[Checked]] = {name: [] for name in chapters(game)}
    for each in engine.failures:
        if each.ruleset in of_game:
            found[chapter_of(game, each.topic)].append(each)
    count_of = counts(engine, game)
    for name, title in chapters(game).items():
        if count_of[name].failed:
            yield f"{folder(game)}-{name}", f"{game}: {title}", count_of[name], found[name]


# ---- claims


def claims_page(suite: Suite) -> Page:
    """Return the page of claims: kinds of engines with the number of checks for each, and every word with the number of
    checks that need it."""
    count_of_kinds = checks_by_kind(suite)
    by_ruleset = [
        [links.ruleset_a(suite, name, CLAIMS, links.label(suite, name)), *(f"{of[name]:,}" for of in count_of_kinds)]
        for name in suite.rulesets
    ]
    known, needed = suite.capabilities, checks_needing(suite)
    return links.page(
        "claims",
        suite,
        CLAIMS,
        title="What to claim",
        about="The words that an engine can claim, and how many checks each adds.",
        kind="claims",
        kinds=_kinds([of.total() for of in count_of_kinds]),
        numbers=[str(number) for number in range(1, len(KINDS) + 1)],
        by_ruleset=by_ruleset,
        shorthands=[
            [_code(name), coded(says), _codes(sorted(known.sets[name])), f"{needed[name]:,}"]
            for name, says in known.meanings.items()
        ],
        words=[[_code(word), coded(says), f"{needed[word]:,}"] for word, says in meanings(suite.schemas).items()],
    )


def _kinds(totals: Sequence[int]) -> list[list[str]]:
    """Return a row for each kind of engine: its number, description, claims, position and checks."""
    return [
        [str(number), kind.has, _codes(kind.claims) or ALL_IT_DOES, _code(kind.position), f"{total:,}"]
        for number, (kind, total) in enumerate(zip(KINDS, totals, strict=True), start=1)
    ]


def _code(word: str) -> Markup:
    return tag("code", word)


def _codes(words: Iterable[str]) -> Markup:
    return joined(map(_code, words), ", ")
