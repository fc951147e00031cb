"""The pages of the sources: each ledger, with what rests on a clause, and what tests it, beside it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ..model import Clause, Damage, Scenario, Source
from ..suite.value import Suite
from .page import Page, anchor, clause_link, code_link, link, scenario_link
from .text import code, text

#: Which scenarios test a clause, and which cells of which rulesets rest on it.
Tests = Mapping[str, Sequence[Scenario]]
Rests = Mapping[str, Sequence[tuple[str, str]]]


def pages(suite: Suite) -> Iterator[Page]:
    """One page a source, and one that lists them."""
    tests: dict[str, list[Scenario]] = defaultdict(list)
    for check in suite.checks.values():
        for clause in check.cites:
            if check.scenario not in tests[clause]:
                tests[clause].append(check.scenario)
    rests: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for ruleset in suite.rulesets:
        for cell in suite.rules(ruleset).cells:
            for clause in cell.cites:
                rests[clause].append((ruleset, cell.path))
    yield _overview(suite, tests)
    for source in suite.sources.values():
        yield _source(source, tests, rests)


def _overview(suite: Suite, tests: Tests) -> Page:
    here = "sources/index.md"
    lines = [
        "# The sources",
        "",
        "Every statement of a source that governs play has an entry in our own words, and the scenarios that test it.",
        "",
        "| source | clauses | tested | not testable | |",
        "|---|--:|--:|--:|---|",
    ]
    for source in suite.sources.values():
        tested = sum(bool(tests.get(clause.id)) for clause in source.clauses)
        waived = sum(bool(clause.not_testable) for clause in source.clauses)
        state = "" if source.complete else "only what other tables lean on, so far"
        title = link(source.title, f"sources/{source.id}.md", here)
        lines.append(f"| {title} | {len(source.clauses)} | {tested} | {waived} | {state} |")
    return Page(here, "\n".join([*lines, ""]))


def _source(source: Source, tests: Tests, rests: Rests) -> Page:
    here = f"sources/{source.id}.md"
    lines = [f"# {text(source.title)}", "", text(source.about), "", "The ledger holds:", ""]
    lines += [f"- {text(part)}" for part in source.covers]
    lines += [""]
    lines += _printings(source)
    game = place = ""
    alone = {section for printing in source.printings for section in printing.alone}
    for clause in source.clauses:
        if (of := source.game_of(clause.section)) != game:
            game, place = of, ""
            lines += [f"## {text(game)}", ""]
        heading = clause.where.partition(",")[0]
        if heading not in {place, game}:  # a chapter on a game may have no other name
            place = heading
            lines += [f"{'###' if source.games else '##'} {text(heading[:1].upper() + heading[1:])}", ""]
        if clause.section in alone:
            alone.remove(clause.section)
            lines += _read_alone(source, clause.section)
        lines += _clause(source, clause, tests.get(clause.id, ()), rests.get(clause.id, ()), here)
    return Page(here, "\n".join(lines))


def _printings(source: Source) -> Iterator[str]:
    """The printings that were read, where there are several."""
    if source.printings:
        yield "It was read in:"
        yield ""
        yield from (f"- **{text(each.title)}**: {text(each.about)}" for each in source.printings)
        yield ""


def _read_alone(source: Source, section: str) -> Iterator[str]:
    """In which printing alone the clauses of a section were read: once, above the first of them."""
    if printing := source.read_alone(section):
        clauses = code(f"{source.id}/{section}/")
        yield f"The clauses from here on that begin with {clauses} were read in {text(printing.title)} alone."
        yield ""


def _clause(
    source: Source, clause: Clause, scenarios: Sequence[Scenario], cells: Sequence[tuple[str, str]], here: str
) -> Iterator[str]:
    yield f'<div class="clause" markdown id="{anchor(clause.id)}">'
    yield ""
    yield '<div class="says" markdown>'
    yield ""
    yield text(clause.says)
    yield ""
    yield f'<span class="about">{code(clause.id)} · {text(clause.where)} · {clause.kind}</span>'
    yield ""
    if clause.damage:
        leans = ", ".join(clause_link(each, here) for each in clause.damage.leans_on)
        yield (
            f'<span class="status damaged">damaged</span> Lost: {text(clause.damage.missing)}. Restored: '
            f"{text(clause.damage.restored)}. {text(clause.damage.because)} (From {leans}.)"
        )
        yield ""
        yield from _confirmed(source, clause.damage)
    if clause.decided:
        yield f'<span class="status implied">decided</span> {text(clause.decided)}'
        yield ""
    if clause.not_testable:
        yield f'<span class="status waived">not tested</span> {text(clause.not_testable)}'
        yield ""
    yield "</div>"
    yield ""
    yield '<div class="beside" markdown>'
    yield ""
    for ruleset, path in cells:
        yield f"- rule {code(path)} of {code_link(ruleset, f'rulesets/{ruleset}.md', here)}"
    for scenario in scenarios:
        yield f"- tested: {scenario_link(scenario, here)}"
    yield ""
    yield "</div>"
    yield ""
    yield "</div>"
    yield ""


def _confirmed(source: Source, damage: Damage) -> Iterator[str]:
    """Which printing still has what another has lost."""
    if damage.confirmed:
        printing = next(each for each in source.printings if each.id == damage.confirmed.by)
        by, reads = text(printing.title), text(damage.confirmed.reads)
        yield f'<span class="status confirmed">confirmed</span> By {by}: {reads}'
        yield ""
