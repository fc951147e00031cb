"""Shell completion of the names in the suite, and of files; click completes commands and options by itself."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import CompletionItem

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.files.diagnostics import Invalid

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from hoyle_conformance.suite.suite import Suite

#: What click calls to complete a word of a parameter.
Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]
#: Separates a scenario from its ruleset in the id of a check.
_UNDER: Final = "@"
#: Separates a ruleset from its option.
_WITH: Final = "+"


def complete_from(titles: "Callable[[Suite, str], Mapping[str, str]]") -> Completer:
    """Return a completer for the names of a suite, each with its title; `titles` also gets the incomplete word."""

    def complete(context: click.Context, _parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        suite = _suite(context)
        names = titles(suite, incomplete) if suite else {}
        return [CompletionItem(name, help=title) for name, title in names.items() if name.startswith(incomplete)]

    return complete


def _suite(context: click.Context) -> "Suite | None":
    """Return the suite of a command, or None if it cannot be loaded: a shell shows no message."""
    try:
        return open_suite(context.params.get("spec"), drafts=True, positions=False)
    except (Invalid, OSError):
        return None


def named_rulesets(suite: "Suite", incomplete: str) -> Mapping[str, str]:
    """Return the rulesets; with their options once the name of the ruleset is there."""
    whole = incomplete.partition(_WITH)[0] in suite.rulesets
    return {name: suite.rules.title(name) for name in suite.rules.names if whole or _WITH not in name}


def _scenarios(suite: "Suite", incomplete: str) -> Mapping[str, str]:
    """Return the scenarios; the checks once there is an @."""
    headings: Iterable[tuple[str, str]] = (
        (each.id if _UNDER in incomplete else each.scenario, each.title) for each in suite.index.headings.values()
    )
    return dict(headings)


def _checks(suite: "Suite", incomplete: str) -> Mapping[str, str]:
    topics, clauses = sorted(suite.index.checks_by_topic), suite.clauses.values()
    return {**dict.fromkeys(topics, ""), **_scenarios(suite, incomplete), **{each.id: each.where for each in clauses}}


def _chapters(suite: "Suite", _incomplete: str) -> Mapping[str, str]:
    chapters = suite.schemas.documents["ruleset"]["properties"]
    return {name: each["title"] for name, each in chapters.items() if "title" in each and "properties" in each}


complete_rulesets: Final = complete_from(named_rulesets)
complete_scenarios: Final = complete_from(_scenarios)
complete_checks: Final = complete_from(_checks)
complete_chapters: Final = complete_from(_chapters)


def complete_files(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Let the shell complete the name of a file."""
    return [CompletionItem(incomplete, type="file")]
