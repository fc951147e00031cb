"""Pages of positions: a list, and for each position the question, the different answers, the replay and the clauses."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from string import ascii_letters
from typing import Any, Final

from hoyle_conformance.suite.capabilities import observed
from hoyle_conformance.suite.model import Check, Expected, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import books_a, brief, fill, listed, ruleset_a
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page, href, scenario_path
from hoyle_conformance.web.site.replay import clause_link, of_tracks, table
from hoyle_conformance.web.site.source_pages import AtWork, choices
from hoyle_conformance.wording import explain, words
from hoyle_conformance.wording.citations import book
from hoyle_conformance.wording.html import NOTHING, Markup, joined, tag, text
from hoyle_conformance.wording.text import sentence
from hoyle_conformance.wording.walkthrough import Track, answers_differ, tracks, walk

#: The list of all positions.
LIST: Final = "scenarios/index.md"
#: The marks of a position on which the books differ, and of one that a book leaves open.
DIFFERS, OPEN = "≠", "?"
#: An answer in words, by step.
Answer = tuple[tuple[int, str], ...]


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a position, the list of them all, and the pages of the points that each book leaves open."""
    differing: set[str] = set()
    at_work: AtWork = defaultdict(dict)
    for scenario in suite.scenarios.values():
        yield _page(suite, scenario, differing, at_work)
    yield _list(suite, differing)
    yield from choices(suite, at_work)


def overview(suite: Suite) -> Page:
    """Return the list of all positions."""
    return _list(suite, {key for key, each in suite.scenarios.items() if answers_differ(suite, each)})


def page(suite: Suite, scenario: Scenario) -> Page:
    """Return the page of one position."""
    return _page(suite, scenario, set(), defaultdict(dict))


def _page(suite: Suite, scenario: Scenario, differing: set[str], at_work: AtWork) -> Page:
    """Return the page of one position, which is added to `differing` if the answers differ, and to `at_work` for each
    rule that affects it."""
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
    return links.page(
        "scenario",
        suite,
        here,
        title=scenario.title,
        about=f"{scenario.title} Each book's answer, step by step.",
        kind="position",
        tab="Positions",
        id=scenario.id,
        scenario=scenario,
        list=LIST,
        topic=topic_title(scenario.topic),
        answers=answers_by_book(suite, checks, found, here),
        replay=of_tracks(suite, found, here, begins=1),
        why=list(dict.fromkeys(filter(None, [scenario.why, *(outcome.why for outcome in scenario.outcomes)]))),
        undecided=undecided(suite, checks, here),
        cited=[(suite.clauses[each].says, clause_link(suite, each, here)) for each in cited],
        written=_written(scenario),
    )


def _written(scenario: Scenario) -> str:
    """Return the file of a position, "" if it is not available."""
    document = scenario.document
    if document.text is not None:
        return document.text
    return document.path.read_text("utf-8") if document.path and document.path.is_file() else ""


# ---- answers


def answers(suite: Suite, checks: Sequence[Check]) -> dict[str, tuple[Answer, ...]]:
    """Return the different answers of each ruleset, that of the reading followed first, with only the steps and
    observables that differ; if all agree, with the last step that has an expectation."""
    voices = [expected for check in checks for expected in check.branches.values()]
    steps = checks[0].scenario.steps
    differ = {number: _differing(voices, number) for number in range(1, len(steps) + 1)}
    last = max(voices[0], default=1)
    asked = {number: keys for number, keys in differ.items() if keys} or {last: list(voices[0].get(last, {}))}
    found = {}
    for check in checks:
        melds = suite.rules.meld_names(check.ruleset)
        read = [check.branches[name] for name in sorted(check.branches, key=lambda name: name != check.follows)]
        says = [tuple((at, _said(steps[at - 1], each.get(at, {}), asked[at], melds)) for at in asked) for each in read]
        found[check.ruleset] = tuple(dict.fromkeys(says))
    return found


def _differing(expected: Sequence[Expected], number: int) -> list[str]:
    """Return the observables of a step with differing expectations."""
    keys = dict.fromkeys(key for each in expected for key in each.get(number, {}))
    return [key for key in keys if any(_of(each, number, key) != _of(expected[0], number, key) for each in expected)]


def _of(expected: Expected, number: int, key: str) -> tuple[bool, Any]:
    step = expected.get(number, {})
    return key in step, step.get(key)


def _said(step: Mapping[str, Any], expected: Mapping[str, Any], keys: Sequence[str], melds: words.Names) -> str:
    """Return the answer at a step: whether an act is allowed, if that differs, and its consequences."""
    if "refused" in expected:
        return words.value("refused", expected["refused"], melds).replace("refused", "no", 1)
    said = words.expectation(step, {key: expected[key] for key in keys if key in expected}, melds)
    yes = ["yes"] * ("do" in step and "refused" in keys)
    return "; ".join(dict.fromkeys(yes + said)) or "not stated here"


def answers_by_book(suite: Suite, checks: Sequence[Check], tracks: Sequence[Track], here: str) -> Markup:
    """Return the question at each step that is answered, the cards, and a row for each book with its answers."""
    found, of = answers(suite, checks), checks[0].scenario
    melds, every = suite.rules.meld_names(checks[0].ruleset), [says for some in found.values() for says in some]
    numbers = [(number, [dict(says)[number] for says in every]) for number, _ in every[0]]
    return fill(
        "answers",
        suite,
        here,
        asked=[(number, _asks(words.step(of.steps[number - 1], melds), said)) for number, said in numbers],
        position=of,
        given=tracks[0].given,
        rows=table(tracks[0].table),
        books=list(_books(suite, found, here)),
        heads={check.ruleset: track.name for track in tracks for check in track.checks},
    )


def _asks(step: str, said: Sequence[str]) -> str:
    """Return the question at a step; after an act, whether it is allowed, if the answers differ in that."""
    allowed = any(each.startswith(("yes", "no:")) for each in said)
    return step if step.endswith("?") else f"{sentence(step)} {'Is that allowed?' if allowed else 'What follows?'}"


def _books(
    suite: Suite, found: Mapping[str, tuple[Answer, ...]], here: str
) -> Iterator[tuple[Markup, str, tuple[Answer, ...]]]:
    """Yield for each book its name, its first ruleset, and its answers; several rows for a book whose forms or options
    differ, and one row if all agree. Hoyle comes first."""
    rulesets_of = Counter(book(suite, name) for name in found)
    groups: dict[tuple[str, tuple[Answer, ...]], list[str]] = {}
    for name, says in found.items():
        groups.setdefault((book(suite, name) if len(set(found.values())) > 1 else "", says), []).append(name)
    for (of, says), names in sorted(groups.items(), key=lambda each: each[0][0] != "Hoyle"):
        if not of:
            label = text("All books" if len(rulesets_of) > 1 else next(iter(rulesets_of)))
        elif len(names) == rulesets_of[of]:
            label = ruleset_a(suite, names[0], here, of)
        else:
            label = books_a(suite, names, found, here) if "+" in "".join(names) else listed(suite, names, here)
        yield label, names[0], says


def undecided(suite: Suite, checks: Sequence[Check], here: str) -> Markup:
    """Return the readings where books do not decide, and the reading of each book; nothing if all decide."""
    open_ = [check for check in checks if check.follows]
    if not open_:
        return NOTHING
    scenario, spoken = open_[0].scenario, [check.ruleset for check in checks]
    blocks = []
    for reading in scenario.readings:
        first = next(check for check in open_ if reading in check.readings)
        followed = [each for each in scenario.followed_by if each.reading == reading.name]
        taken = [(books_a(suite, each.rulesets, spoken, here), each.because) for each in followed]
        blocks.append((reading.name.replace("-", " "), explain.argument(suite, first, reading), taken))
    return fill("undecided", suite, here, readings=blocks)


# ---- list of all positions


def topic_title(topic: str) -> str:
    """Return a topic in words."""
    return topic.removeprefix("piquet-").replace("-", " ").capitalize()


def _list(suite: Suite, differing: Collection[str]) -> Page:
    """Return the list of all positions, with marks if the answers differ or a book does not decide."""
    about = f"{len(suite.scenarios):,} positions of Bézique and Piquet, with each book's answer."
    return Page(LIST, body=joined(_list_body(suite, differing)), title="Positions", about=about, kind="positions")


def _list_body(suite: Suite, differing: Collection[str]) -> Iterator[Markup]:
    yield tag("h1", "Positions")
    yield tag(
        "p",
        text(f"{len(suite.scenarios):,} positions, each with one question about the rules and each book's answer. "),
        tag("b", DIFFERS),
        text(" marks positions to which the books give different answers, "),
        tag("b", OPEN),
        text(" those that a book leaves open."),
    )
    sections = joined(_games(suite, differing))
    yield tag("hoyle-positions", sections, data_books=_codes(suite))


def _codes(suite: Suite) -> str:
    """Return the books with the letters by which entries name them: ``a=Bézique for two: Hoyle|b=…``."""
    return "|".join(f"{code}={name}={brief(suite, [name])}" for name, code in _letters(suite).items())


def _letters(suite: Suite) -> Mapping[str, str]:
    in_order = (ruleset.id for some in suite.rules.games.values() for ruleset in some)
    return {name: ascii_letters[at] for at, name in enumerate(in_order)}


def _games(suite: Suite, differing: Collection[str]) -> Iterator[Markup]:
    """Yield a section a game, each with a folded list a topic; a position of several games appears
    under each of them."""
    by_game: dict[str, dict[str, list[Scenario]]] = {game: defaultdict(list) for game in suite.rules.games}
    for key in sorted(suite.scenarios):
        scenario = suite.scenarios[key]
        for game in dict.fromkeys(suite.rulesets[name.partition("+")[0]].game for name in scenario.rulesets):
            by_game[game][scenario.topic].append(scenario)
    letters = _letters(suite)
    for game, topics in by_game.items():
        lists = (_topic(topic, some, letters, differing) for topic, some in topics.items())
        yield tag("section", tag("h2", game), *lists, data_game=folder(game))


def _topic(topic: str, some: Sequence[Scenario], letters: Mapping[str, str], differing: Collection[str]) -> Markup:
    entries = "".join(_entry(each, letters, each.id in differing) for each in some)
    summary = tag("summary", text(topic_title(topic)), text(" "), tag("span", str(len(some)), class_="count"))
    return tag("details", summary, Markup(f"<ul>{entries}</ul>"), data_topic=topic)


def _entry(scenario: Scenario, letters: Mapping[str, str], differs: bool) -> str:
    """Return one position, with the letters of the books that answer it."""
    books = "".join(sorted({letters[name.partition("+")[0]] for name in scenario.rulesets}))
    marks = f"{DIFFERS * differs}{OPEN * bool(scenario.readings)}"
    shown = f" <b>{marks}</b>" if marks else ""
    to = href(scenario_path(scenario), LIST)
    return f'<li data-b="{books}"><a href="{text(to)}">{text(scenario.title)}</a>{shown}</li>'
