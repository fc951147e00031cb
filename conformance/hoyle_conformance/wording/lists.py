"""Lists of the suite's checks, clauses, refusals, rulesets and topics, as text and as data for programs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hoyle_conformance.suite.model import Check, Clause, Heading
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import plural, wrap
from hoyle_reference.refusals import MESSAGES


def check_lines(chosen: Sequence[Heading]) -> Iterator[str]:
    """Yield checks by scenario: its title, and the rulesets under it.

    If no source decides, the ruleset has the name of the reading that it follows. Checks computed under house rules are
    marked.
    """
    by_scenario: dict[str, list[Heading]] = {}
    for check in chosen:
        by_scenario.setdefault(check.scenario, []).append(check)
    for scenario, of_it in by_scenario.items():
        yield f"{scenario}  {of_it[0].title}"
        yield from wrap(", ".join(map(_ruleset_of, of_it)), 4)


def _ruleset_of(check: Heading) -> str:
    reading = f" [reading({check.follows})]" if check.follows else ""
    return f"{check.ruleset}{reading}{' [computed]' if check.computed else ''}"


def clause_entries(suite: Suite, words: Sequence[str] = ()) -> list[list[str]]:
    """Return the clauses whose id or text has all these words, each as lines.

    Each clause has its text, and the number of checks that it decides or is at work in, or the reason why none can test
    it.
    """
    chosen = clauses_data(suite, words)
    width = max((len(each["clause"]) for each in chosen), default=0)
    return [
        [f"{each['clause']:<{width}}  {each['kind']:<10}  {_test_count(each)}", *wrap(each["says"], 4)]
        for each in chosen
    ]


def _test_count(clause: Mapping[str, Any]) -> str:
    if clause["not_testable"]:
        return "not testable"
    if not clause["checks"] and clause["at_work_in"]:
        return f"at work in {plural(clause['at_work_in'], 'check')}"
    return plural(clause["checks"], "check")


def refusal_entries(suite: Suite, words: Sequence[str] = ()) -> list[list[str]]:
    """Return the words for refusals that have all these `words` in themselves or in their meaning, each as lines.

    Each refusal has its meaning and the number of checks that expect it.
    """
    chosen = refusals_data(suite, words)
    width = max((len(each["word"]) for each in chosen), default=0)
    return [[f"{each['word']:<{width}}  {plural(each['checks'], 'check'):>12}  {each['says']}"] for each in chosen]


def _reasons(check: Check) -> set[str]:
    """Return the reasons why acts are refused in a check, under any of its readings."""
    steps = (step for expected in check.branches.values() for step in expected.values())
    return {step["refused"] for step in steps if "refused" in step}


def _has_all(words: Sequence[str], *texts: str) -> bool:
    text = " ".join(texts).casefold()
    return all(word.casefold() in text for word in words)


def clause_lines(suite: Suite, chosen: Clause) -> Iterator[str]:
    """Yield a clause with its place. If it decides no outcome, also yield that fact, or the reason why it cannot."""
    yield f"{chosen.id} ({chosen.where}): {chosen.says}"
    if chosen.decided:
        yield f"Why rules based on this clause are certain: {chosen.decided}"
    if chosen.open:
        yield f"Points that this clause leaves open are decided in: {', '.join(chosen.open)}."
    if chosen.id in suite.at_work_in:
        yield "This clause decides no outcome, but is at work in these checks:"
    if suite.index.cites(chosen.id):
        yield ""
        return
    yield f"No check cites it. Waived: {chosen.not_testable}" if chosen.not_testable else "No check cites it."


def ruleset_lines(suite: Suite) -> Iterator[str]:
    """Yield the rulesets with their titles and options."""
    for ruleset in suite.rulesets.values():
        yield f"{ruleset.id}  {ruleset.title}"
        for option, title in suite.rules.options(ruleset.id).items():
            yield f"  {ruleset.id}+{option}  {title}"


def topic_lines(suite: Suite) -> Iterator[str]:
    """Yield the topics with their numbers of checks."""
    topics = topics_data(suite)
    width = max((len(each["topic"]) for each in topics), default=0)
    yield from (f"{each['topic']:<{width}}  {plural(each['checks'], 'check'):>12}" for each in topics)


# ---- data for programs
#
# The checks, clauses, refusals, rulesets and topics of the suite, as `list.schema.json` describes them.


def checks_data(chosen: Sequence[Heading]) -> list[dict[str, Any]]:
    """Return the checks as data."""
    return [
        {
            "check": each.id,
            "scenario": each.scenario,
            "title": each.title,
            "ruleset": each.ruleset,
            "cites": list(each.cites),
            "reading": each.follows,
            "computed": each.computed,
        }
        for each in chosen
    ]


def clauses_data(suite: Suite, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return, as data, the clauses whose id or text has all these words."""
    cited = Counter(clause for check in suite.index.headings.values() for clause in check.cites)
    return [
        {
            "clause": each.id,
            "where": each.where,
            "kind": each.kind,
            "says": each.says,
            "checks": cited[each.id],
            "at_work_in": len(suite.at_work_in.get(each.id, ())),
            "not_testable": each.not_testable,
        }
        for each in suite.clauses.values()
        if _has_all(words, each.id, each.says)
    ]


def refusals_data(suite: Suite, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return, as data, the words for refusals that have all these `words` in themselves or in their meaning."""
    expected = Counter(word for check in suite.index.checks.values() for word in _reasons(check))
    chosen = ((word, says) for word, says in MESSAGES.items() if _has_all(words, word, says))
    return [{"word": word, "says": says, "checks": expected[word]} for word, says in chosen]


def rulesets_data(suite: Suite) -> list[dict[str, Any]]:
    """Return the rulesets as data, with their options."""
    checks = suite.index.checks_by_ruleset
    return [
        {
            "ruleset": each.id,
            "title": each.title,
            "game": each.game,
            "checks": checks[each.id],
            "options": [
                {"ruleset": f"{each.id}+{option}", "title": title, "checks": checks[f"{each.id}+{option}"]}
                for option, title in suite.rules.options(each.id).items()
            ],
        }
        for each in suite.rulesets.values()
    ]


def topics_data(suite: Suite) -> list[dict[str, Any]]:
    """Return the topics as data."""
    return [{"topic": topic, "checks": count} for topic, count in sorted(suite.index.checks_by_topic.items())]
