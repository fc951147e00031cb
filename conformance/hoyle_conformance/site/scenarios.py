"""The pages of the scenarios: the position with its cards drawn, and every step with what happens and why."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..model import Check, Scenario
from ..report import answers, explain, printed, readings, words
from ..suite.value import Suite
from .page import Page, cards, clause_link, hand, link, scenario_link, scenario_path, with_cards
from .text import code, text


def pages(suite: Suite) -> Iterator[Page]:
    """One page a scenario, and one that lists them by topic."""
    yield overview(suite)
    for scenario in suite.scenarios.values():
        yield page(suite, scenario)


def overview(suite: Suite) -> Page:
    """All positions, by topic."""
    here = "scenarios/index.md"
    topics: dict[str, list[Scenario]] = defaultdict(list)
    for key in sorted(suite.scenarios):
        topics[suite.scenarios[key].topic].append(suite.scenarios[key])
    lines = [
        "# The scenarios",
        "",
        "Each answers one question about the rules. Where the answers differ it is marked with ≠.",
        "",
    ]
    by_games: dict[str, list[str]] = defaultdict(list)
    for topic, scenarios in topics.items():
        by_games[_games(suite, scenarios)].append(topic)
    for games, of_them in sorted(by_games.items()):
        lines += [f"## {text(games)}", ""]
        for topic in of_them:
            lines += [f"### {text(topic.removeprefix('piquet-').replace('-', ' ').capitalize())}", ""]
            lines += [f"- {scenario_link(scenario, here)}{_mark(suite, scenario)}" for scenario in topics[topic]]
            lines += [""]
    return Page(here, "\n".join(lines))


def _games(suite: Suite, scenarios: Sequence[Scenario]) -> str:
    """The games of which these scenarios speak."""
    checks = (check for scenario in scenarios for check in suite.checks_of(scenario))
    named = {suite.rulesets[check.ruleset.partition("+")[0]].game for check in checks}
    return " and ".join(sorted(named))


def _mark(suite: Suite, scenario: Scenario) -> str:
    """A mark for a scenario to which not all rulesets give one answer."""
    return " ≠" if answers.differ(suite, scenario) else ""


def page(suite: Suite, scenario: Scenario) -> Page:
    """The page of one position."""
    here = scenario_path(scenario)
    checks = suite.checks_of(scenario)
    melds = suite.meld_names(checks[0].ruleset)
    lines = [
        "---",
        f"title: {_quoted(text(scenario.title))}",
        "hide: [navigation]",
        "---",
        "",
        f"# {text(scenario.title)}",
        "",
        f"{code(scenario.id)} · {link(scenario.topic.replace('-', ' '), 'scenarios/index.md', here)}",
        "",
        *_position(scenario.given, melds),
    ]
    if len(checks) > 1:
        lines += _answers(suite, checks)
    for walk, titles in _alike(suite, checks, here).items():
        lines += [f"## {text('; '.join(titles))}", "", *walk]
    if scenario.why:
        lines += ["## Why", "", text(scenario.why), ""]
    lines += ["## Check your engine on it", "", "```", f"hoyle check {scenario.id} -- ./your-adapter", "```", ""]
    return Page(here, "\n".join(lines))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


#: What of a position is drawn as cards; the rest is said in words.
_DRAWN = frozenset({"hands", "won", "discarded", "trick", "turn_up", "stock"})


def _position(given: Mapping[str, Any], melds: words.Names) -> Iterator[str]:
    """The position: what matters of it in words, and its cards drawn."""
    yield '<div class="position">'
    for key, title in (("hands", "holds"), ("discarded", "has put away"), ("won", "has won")):
        for seat, held in given.get(key, {}).items():
            yield _row(f"{seat} {title}", cards(printed.in_order(held)))
    if "trick" in given:
        yield _row("in the trick", cards(given["trick"]))
    if "turn_up" in given:
        yield _row("turn-up", cards([given["turn_up"]]))
    if given.get("stock"):
        yield _row("stock, top first", cards(given["stock"]))
    shown = {key: value for key, value in given.items() if key not in _DRAWN}
    if given.get("stock") == []:
        shown["stock"] = []
    lines = words.position(shown, melds)
    yield _row("", " ".join(with_cards(line) for line in lines))
    yield "</div>"
    yield ""


def _row(label: str, content: str) -> str:
    return f'<div class="row"><span class="label">{label}</span> {content}</div>'


def _answers(suite: Suite, checks: Sequence[Check]) -> Iterator[str]:
    """What every ruleset answers, those together that answer alike."""
    alike: dict[str, list[Check]] = defaultdict(list)
    for check in checks:
        alike[f"{check.follows}{check.branches}"].append(check)
    yield "## At a glance"
    yield ""
    for same in alike.values():
        melds, first = suite.meld_names(same[0].ruleset), same[0]
        titles = "; ".join(suite.title(check.ruleset) for check in same)
        for name, branch in first.branches.items():
            read = f", read as *{text(name)}*" + (" (followed)" if name == first.follows else "") if name else ""
            yield f"- **{text(titles)}**{read}"
            for number, expectation in branch.items():
                said = words.expectation(first.scenario.steps[number - 1], expectation, melds)
                yield f"    - step {number}: {with_cards('; '.join(said))}"
    yield ""


def _alike(suite: Suite, checks: Sequence[Check], here: str) -> dict[tuple[str, ...], list[str]]:
    """Each walk through the steps, and the titles of the rulesets under which it goes so."""
    walks: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for check in checks:
        walks[tuple(_check(suite, check, here))].append(suite.title(check.ruleset))
    return walks


def _check(suite: Suite, check: Check, here: str) -> Iterator[str]:
    if check.follows:
        yield from _readings(suite, check)
    steps = explain.steps(suite, check)
    yield from (f"{text(line)}\n" for line in words.partners(suite.rules(check.ruleset)))
    yield '<div class="replay"><hoyle-replay><ol class="steps">'
    for step in steps:
        yield from _step(step)
    yield "</ol></hoyle-replay></div>"
    yield ""
    if own := check.scenario.why_under(check.ruleset):
        yield f"Why: {text(own)}"
        yield ""
    yield "It rests on:"
    yield ""
    for clause in check.cites:
        yield f"- {text(suite.clauses[clause].says)} {clause_link(clause, here)}"
    yield ""
    yield from _at_work(check, steps, here)


def _step(step: explain.Step) -> Iterator[str]:
    kind = "step refused" if step.refused else "step"
    yield f'<li class="{kind}" value="{step.number}"><p class="said">{with_cards(step.said)}</p>'
    happens = [with_cards(each.said) for each in step.happenings if not each.restates]
    if happens:
        yield f'<ul class="happenings">{"".join(f"<li>{said}</li>" for said in happens)}</ul>'
    for line in step.expected:
        yield f'<p class="expected"><span class="label">must show</span> {with_cards(line)}</p>'
    yield from _table(step.position)
    yield "</li>"


def _table(position: Mapping[str, Any]) -> Iterator[str]:
    """What lies on the table after a step, folded away."""
    if "hands" not in position:
        return
    yield '<details class="table"><summary>The table after this step</summary>'
    for seat, held in position["hands"].items():
        points = position["score"].get(seat)  # of partners only the first has a score
        yield _row(seat if points is None else f"{seat}, {points:,} points", hand(held))
        if shown := position.get("shown", {}).get(seat):
            yield _row(f"of which {seat} shows", hand(shown))
        if away := position.get("discards", {}).get(seat):
            yield _row(f"put away by {seat}", hand(away))
    if position["trick"]:
        yield _row("in the trick", cards(position["trick"]))
    if position.get("turn_up"):
        yield _row("turn-up", cards([position["turn_up"]]))
    if position["stock"]:
        yield _row("stock", f"{len(position['stock'])} cards")
    yield "</details>"


def _readings(suite: Suite, check: Check) -> Iterator[str]:
    followed = next(each for each in check.scenario.followed_by if check.ruleset in each.rulesets)
    follows, because = text(check.follows), text(followed.because)
    yield f"The source does not decide. This table follows **{follows}**, as is shown below: {because}"
    yield ""
    melds = suite.meld_names(check.ruleset)
    for reading in check.scenario.readings:
        yield f"- **{text(reading.name)}**: {text(readings.argument(suite, check, reading))}"
        for number, expectation in reading.expect.items():
            said = words.expectation(check.scenario.steps[number - 1], expectation, melds)
            yield f"    - step {number}: {with_cards('; '.join(said))}"
    yield ""


def _at_work(check: Check, steps: Sequence[explain.Step], here: str) -> Iterator[str]:
    at_work = {clause for step in steps for each in step.happenings for clause in each.clauses}
    others = sorted(at_work - set(check.cites))
    if others:
        yield "Also at work: " + ", ".join(clause_link(clause, here) for clause in others) + "."
        yield ""


def disputed(suite: Suite) -> Sequence[Scenario]:
    """The scenarios in which no source decides."""
    return [suite.scenarios[key] for key in sorted(suite.scenarios) if suite.scenarios[key].readings]
