"""Rule books, comparisons and explained scenarios as data for programs (`rules`, `compare` and `explain`)."""

from collections.abc import Collection, Sequence
from typing import Any

from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import words
from hoyle_conformance.wording.comparison import ComparisonRow, compare_rules
from hoyle_conformance.wording.explain import ExplainedStep, steps
from hoyle_conformance.wording.rulebook_entries import ChapterEntries, Entry, printed_chapters
from hoyle_conformance.wording.text import sentence


def rules_data(suite: Suite, name: str, only: Collection[str] = ()) -> dict[str, Any]:
    """Return a ruleset as `rules.schema.json` describes it: all chapters, or `only` those with these names."""
    ruleset = suite.rulesets[name.partition("+")[0]]
    chapters = printed_chapters(suite, suite.rules.cells(name))
    return {
        "ruleset": name,
        "title": suite.rules.title(name),
        "game": ruleset.game,
        "summary": ruleset.summary,
        "options": [
            {"ruleset": f"{ruleset.id}+{option}", "title": title}
            for option, title in suite.rules.options(ruleset.id).items()
        ],
        "chapters": [_chapter_data(each) for each in chapters if not only or each.name in only],
    }


def _chapter_data(chapter: ChapterEntries) -> dict[str, Any]:
    rules = [{"heading": each.heading, "group": each.group, **entry_data(each)} for each in chapter.entries]
    return {"name": chapter.name, "title": chapter.title, "rules": rules}


def entry_data(entry: Entry) -> dict[str, Any]:
    """Return a rule: its cell, its sentence, its certainty, the clauses behind it, and its readings."""
    return {
        "cell": entry.cell.path,
        "says": entry.sentence,
        "status": entry.cell.status,
        "cites": list(entry.cell.cites),
        "readings": [{"name": each.name, "says": each.sentence, "argument": each.argument} for each in entry.readings],
    }


def comparison_data(
    suite: Suite, rulesets: Sequence[str], *, differences: bool, only: Collection[str] = ()
) -> dict[str, Any]:
    """Return rulesets side by side, as `compare.schema.json` describes them; with `differences`, only the rules that
    differ."""
    rows = [row for row in compare_rules(suite, rulesets) if not only or row.path.partition(".")[0] in only]
    return {
        "rulesets": [{"ruleset": name, "title": suite.rules.title(name)} for name in rulesets],
        "rules": [_row_data(rulesets, row) for row in rows if row.differs or not differences],
        "differ": sum(row.differs for row in rows),
        "compared": len(rows),
    }


def _row_data(rulesets: Sequence[str], row: ComparisonRow) -> dict[str, Any]:
    pairs = zip(rulesets, row.entries, strict=True)
    return {
        "cell": row.path,
        "chapter": row.chapter,
        "title": row.title,
        "differs": row.differs,
        "says": {name: entry and {**entry_data(entry), "says": row.says(entry)} for name, entry in pairs},
    }


def explanation_data(suite: Suite, checks: Sequence[Check]) -> dict[str, Any]:
    """Return the steps of a scenario under each of these rulesets, as `explain.schema.json` describes them."""
    scenario = checks[0].scenario
    return {
        "scenario": scenario.id,
        "title": scenario.title,
        "file": scenario.file,
        "why": scenario.why,
        "checks": [_check_data(suite, each) for each in checks],
    }


def _check_data(suite: Suite, check: Check) -> dict[str, Any]:
    melds = suite.rules.meld_names(check.ruleset)
    return {
        "check": check.id,
        "ruleset": check.ruleset,
        "reading": check.follows,
        "cites": list(check.cites),
        "relabelled": words.relabelling(check.turned),
        "given": [*words.position(check.scenario.given, melds), *words.partners(suite.rules.of(check.ruleset))],
        "why": check.scenario.why_under(check.ruleset),
        "steps": [_step_data(each) for each in steps(suite, check)],
    }


def _step_data(step: ExplainedStep) -> dict[str, Any]:
    happens = [
        {"says": each.said, "refused": each.refused, "clauses": list(each.clauses)}
        for each in step.happenings
        if not each.restates
    ]
    return {
        "step": step.number,
        "says": sentence(step.said),
        "refused": step.refused,
        "happens": happens,
        "expected": list(step.expected),
    }
