"""The page of one run: who was held against what, how much passed, what went wrong by cause, and what was not asked."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from hoyle_conformance.reports.html import facts, failure
from hoyle_conformance.reports.html.page import page
from hoyle_conformance.reports.record import NOT_ASKED, Checked, NamedRuleset, Record
from hoyle_conformance.reports.summary import NOTHING, Count, count, count_by_topic, table_place
from hoyle_conformance.runner.results import Status
from hoyle_conformance.wording.failure_view import CauseView
from hoyle_conformance.wording.html import Markup, drawn, joined, tag
from hoyle_conformance.wording.text import join_and, plural, sentence

_NONE: Final = Markup()


def run_page(record: Record) -> str:
    """One run as a page of HTML that stands alone."""
    of = record.implementation
    sections = list(_sections(record))
    links = (tag("li", tag("a", title, href=f"#{name}")) for name, title, body in sections if body)
    whole = (tag("section", tag("h2", title, id=name), body) for name, title, body in sections if body)
    body = joined([_heading(record), tag("nav", tag("ul", *links), aria_label="On this page"), *whole], "\n")
    below = f"Made by Hoyle from the record of a run (Hoyle {record.hoyle}, suite {record.suite})."
    return page(f"{of.title}: Hoyle", "What a program makes of the rules", body, below)


def _heading(record: Record) -> Markup:
    of = record.implementation
    title = tag("h1", f"{of.title} ", tag("small", f"({of.language})"))
    return joined([title, _verdict(record), facts.of_the_run(record)], "\n")


def _verdict(record: Record) -> Markup:
    """How it went, in a sentence or two."""
    total = count(record.results)
    causes = f", for {plural(len(record.causes), 'cause')}" if record.causes and total.failed else ""
    how = "good" if total.asked and not total.failed else "bad"
    said: list[str] = [tag("strong", f"{total} checks passed", class_=how)]
    said += [", ", tag("strong", f"{total.failed:,} failed", class_="bad"), causes] if total.failed else []
    said += [f"; {plural(total.known, 'failure')} known before"] if total.known else []
    why = [sentence(each) for each in dict.fromkeys((record.broken, record.explained)) if each]
    note = tag("div", *(tag("p", each) for each in why), class_="note") if why else _NONE
    return joined([tag("p", joined(said), ".", class_="verdict"), note])


def _sections(record: Record) -> Iterator[tuple[str, str, Markup]]:
    """The parts of the page: the name of each, its heading, and what is in it, if anything."""
    of_a_cause = {check for cause in record.causes for check in cause.checks}
    others = [each for each in record.failures if each.check not in of_a_cause]
    known = [each for each in record.results if each.status is Status.EXPECTED_FAILURE]
    yield "topics", "By topic", _topics(record)
    yield "causes", "What went wrong", _causes(record)
    yield "failures", "Failures", _folded(others)
    yield "known", "Known failures", _folded(known)
    yield "not-done", "Not done, though claimed", _not_done(record.results)
    yield "not-asked", "Not asked", _not_asked(record)
    yield "readings", "Where the source does not decide", _readings(record)


# ---- how much passed


def _topics(record: Record) -> Markup:
    """The rulesets that are claimed, each with its topics folded; by games, if there are several."""
    reasons, games = _by_row(record), dict[str, list[Markup]]()
    for ruleset, rows in count_by_topic(record).items():
        known = record.rulesets.get(ruleset)
        shown = _ruleset(known, ruleset, rows, reasons.get(ruleset, {}))
        games.setdefault(known.game if known else "", []).append(shown)
    if not games:
        nothing = tag("p", "Of the rulesets that it claims nothing was asked.", class_="soft")
        return nothing if record.results else _NONE
    named = len(games) > 1
    return joined(joined([tag("h3", game) if named and game else _NONE, *some]) for game, some in games.items())


Reasons = Mapping[str, Iterable[int]]


def _by_row(record: Record) -> Mapping[str, Reasons]:
    """The numbers of the causes for which checks fail, for each row of each ruleset."""
    reasons: dict[str, dict[str, set[int]]] = {}
    for number, cause in enumerate(record.causes, start=1):
        for check in cause.checks:
            ruleset, row = table_place(record.by_check[check])
            reasons.setdefault(ruleset, {}).setdefault(row, set()).add(number)
    return reasons


def _ruleset(known: NamedRuleset | None, ruleset: str, rows: Mapping[str, Count], reasons: Reasons) -> Markup:
    """One ruleset: its sum, and below it, folded, its topics."""
    total = sum(rows.values(), NOTHING)
    named = joined([tag("b", known.title), " ", tag("code", ruleset, class_="soft")]) if known else tag("b", ruleset)
    summary = tag("summary", tag("span", tag("span", named), share(total), passed(total)))
    heads = (("Topic", ""), ("Passed", "number"), ("Fails for", ""), ("Not asked", "number"))
    head = (tag("th", name, scope="col", class_=kind) for name, kind in heads)
    shown = (_topic(row, each, reasons.get(row, ())) for row, each in rows.items())
    table = tag("table", tag("thead", tag("tr", *head)), tag("tbody", *shown))
    return tag("details", summary, tag("div", table, class_="wide"), class_="ruleset")


def _topic(row: str, of: Count, reasons: Iterable[int]) -> Markup:
    links = joined((_cause_link(number) for number in sorted(reasons)), ", ")
    not_asked = f"{of.not_asked:,}" if of.not_asked else ""
    return tag(
        "tr",
        tag("th", row, scope="row"),
        tag("td", passed(of), class_="number"),
        tag("td", links),
        tag("td", not_asked, class_="number"),
    )


def passed(count: Count) -> Markup:
    """How many passed of how many that were asked."""
    if not count.asked:
        return tag("span", "not asked", class_="soft")
    how = "bad" if count.failed else "odd" if count.known else "good"
    return tag("span", str(count), class_=how)


def share(count: Count) -> Markup:
    """The same as a bar, for the eye."""
    whole = max(count.asked, 1)
    bars = (
        tag("rect", class_="passed", width=str(count.passed), height="1"),
        tag("rect", class_="failed", x=str(whole - count.failed), width=str(count.failed), height="1"),
    )
    size = f"0 0 {whole} 1"
    return tag("svg", *bars, class_="share", viewBox=size, preserveAspectRatio="none", aria_hidden="true")


def _cause_link(number: int) -> Markup:
    return tag("a", str(number), href=f"#cause-{number}", aria_label=f"cause {number}")


# ---- what went wrong


def _causes(record: Record) -> Markup:
    """All causes in short, and then each with its example."""
    causes = tuple(enumerate(record.causes, start=1))
    numbers = {cause.id: number for number, cause in causes}
    if not causes:
        return _NONE
    short = (_in_short(cause, number, numbers) for number, cause in causes)
    full = (_in_full(record, cause, number, numbers) for number, cause in causes)
    return joined([tag("ol", *short, class_="causes"), *full], "\n")


def _in_short(cause: CauseView, number: int, numbers: Mapping[str, int]) -> Markup:
    named = joined(
        [tag("a", sentence(cause.says), href=f"#cause-{number}"), *_perhaps(cause, numbers, " (perhaps from ", ")")]
    )
    often = plural(len(cause.checks), "check")
    return tag("li", tag("span", f"{number}.", class_="number soft"), tag("span", named), tag("span", often))


def _perhaps(cause: CauseView, numbers: Mapping[str, int], before: str, after: str) -> Iterator[Markup]:
    """The causes that it may come from, as links."""
    sources = sorted(numbers[each] for each in cause.comes_from if each in numbers)
    if sources:
        links = list(map(_cause_link, sources))
        yield joined([before, joined([*_commas(links[:-1]), links[-1]]), after])


def _commas(links: Sequence[Markup]) -> Iterator[Markup]:
    if links:
        yield joined(links, ", ")
        yield Markup(" or ")


def _in_full(record: Record, cause: CauseView, number: int, numbers: Mapping[str, int]) -> Markup:
    """One cause: by what rule it went wrong, an example in full, and the others folded."""
    example, *others = [record.by_check[check] for check in cause.checks]
    rulesets = {example.ruleset, *(each.ruleset for each in others)}
    often = plural(len(cause.checks), "check") + (f" in {len(rulesets)} rulesets" if len(rulesets) > 1 else "")
    parts = [
        tag("h3", f"{number}. ", drawn(sentence(cause.says))),
        tag("p", often, ".", class_="of"),
        _rule(cause),
        *(tag("p", each) for each in _perhaps(cause, numbers, "This may come from cause ", ": mend that first.")),
        failure.whole(example, cause.example),
        _others(others),
    ]
    return tag("section", *parts, class_="cause", id=f"cause-{number}")


def _rule(cause: CauseView) -> Markup:
    """The rule that has to do with it."""
    if not cause.rule:
        return _NONE
    of = tag("p", tag("code", cause.rule.cell), " of ", tag("code", cause.rule.ruleset), class_="soft small")
    return tag("div", tag("p", drawn(cause.rule.says)), of, class_="rule")


def _others(results: Sequence[Checked]) -> Markup:
    if not results:
        return _NONE
    one = "The other check that fails for it"
    many = f"The {len(results):,} other checks that fail for it"
    return tag("details", tag("summary", one if len(results) == 1 else many), failure.table(results))


# ---- what did not fail


def _folded(results: Sequence[Checked]) -> Markup:
    """Checks by their titles, each with all that is told of it folded."""
    return joined(
        (
            tag("details", tag("summary", drawn(each.title), " ", tag("code", each.check)), failure.whole(each))
            for each in results
        ),
        "\n",
    )


def _not_done(results: Iterable[Checked]) -> Markup:
    """What was asked of the implementation, and not done, with the reason that it gave."""
    rows = [
        tag(
            "tr",
            tag("th", drawn(each.title), tag("br"), tag("code", each.check, class_="soft"), scope="row"),
            tag("td", failure.pill(each.status), each.reason or "no reason given", " (known)" if each.known else ""),
        )
        for each in results
        if each.status in NOT_ASKED and not each.lacks
    ]
    heads = (tag("th", head, scope="col") for head in ("Check", "What it said"))
    table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))
    return tag("div", table, class_="others") if rows else _NONE


def _not_asked(record: Record) -> Markup:
    """What was not asked, for want of which claim."""
    claimed = record.claimed
    lacking = [each for each in record.results if each.lacks]
    others = Counter(each.ruleset for each in lacking if each.ruleset not in claimed)
    needs = Counter(need for each in lacking if each.ruleset in claimed for need in each.lacks)
    partly = Counter(need for each in record.results for need in each.partly)
    parts = [
        _tally(f"{plural(others.total(), 'check')} of rulesets that it does not claim", "Ruleset", others),
        _tally("Checks that need what it does not claim", "What is needed", needs),
        _tally("What was left out of checks that were asked, since it is not claimed", "What is needed", partly),
    ]
    if left := record.not_run:
        parts.append(
            tag("p", f"{plural(left, 'check')} that had been chosen {'was' if left == 1 else 'were'} not run.")
        )
    shown = joined(filter(None, parts))
    return (
        joined([tag("p", "What an engine does not claim is not asked of it, and is no failure."), shown])
        if shown
        else _NONE
    )


def _tally(summary: str, what: str, counts: Mapping[str, int]) -> Markup:
    """Words with how often each stands, folded; nothing where there are none."""
    heads = tag("tr", tag("th", what, scope="col"), tag("th", "Checks", scope="col", class_="number"))
    rows = (
        tag("tr", tag("th", tag("code", word), scope="row"), tag("td", f"{times:,}", class_="number"))
        for word, times in sorted(counts.items())
    )
    table = tag("table", tag("thead", heads), tag("tbody", *rows))
    return tag("details", tag("summary", summary), table) if counts else _NONE


def _readings(record: Record) -> Markup:
    """How it reads the rules that are disputed, as far as something was seen."""
    readings = record.readings or {}
    rows = (
        tag(
            "tr",
            tag("th", tag("code", cell), scope="row"),
            tag("td", tag("code", ruleset)),
            tag("td", join_and(list(ways), "or")),
        )
        for ruleset, cells in readings.items()
        for cell, ways in cells.items()
    )
    shown = joined(rows, "\n")
    heads = (tag("th", head, scope="col") for head in ("Rule", "Ruleset", "Read as"))
    table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", shown))
    return tag("div", table, class_="wide") if shown else _NONE
