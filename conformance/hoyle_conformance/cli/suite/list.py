"""`hoyle suite list`: the checks, clauses, rulesets and claims of the suite."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import click

from hoyle_conformance.cli.options import print_answer, reading_options, rulesets_or_exit, suite_or_exit
from hoyle_conformance.cli.select_options import headings_or_exit, keywords_option, matching_or_exit, ruleset_option
from hoyle_conformance.files.diagnostics import nearest
from hoyle_conformance.wording import lists
from hoyle_conformance.wording.text import sanitize

if TYPE_CHECKING:
    from hoyle_conformance.suite.model import Heading
    from hoyle_conformance.suite.suite import Suite

#: The lists that count over all checks, and so need all positions.
_COUNTED: Final = frozenset({"claims", "capabilities", "engines"})
#: Other words for the same lists.
_ALSO_CALLED: Final = MappingProxyType({"capabilities": "claims"})
_WHAT: Final = (
    *("checks", "clauses", "rulesets", "house-rules", "topics", "refusals", "claims", "capabilities", "engines"),
)
#: The lists that words can filter.
_BY_WORDS: Final = frozenset({"checks", "clauses", "refusals"})


def _kind(_context: click.Context, _parameter: click.Parameter, what: str) -> str:
    """Return the kind of thing to list; raise BadParameter."""
    if what not in _WHAT:
        near = nearest(what, _WHAT)
        meant = f"Did you mean '{near}'?" if near else "To choose among checks: hoyle suite list checks WORDS."
        raise click.BadParameter(f"{what[:40]!r} is not one of {', '.join(_WHAT)}. {meant}")
    return _ALSO_CALLED.get(what, what)


@click.command("list")
@click.argument("what", metavar="[WHAT]", callback=_kind, default="checks")
@click.argument("words", nargs=-1, metavar="[WORDS…]")
@ruleset_option
@keywords_option
@click.option("--disputed", is_flag=True, help="Only checks where no source decides.")
@click.option("--without", metavar="RULESET", help="Only checks of positions that this ruleset does not answer.")
@click.option("--ids", is_flag=True, help="Print only the ids, one on each line, for other programs.")
@reading_options
def command(what: str, words: tuple[str, ...], spec: Path | None, **options: Any) -> None:
    """List what is in the suite. WHAT is one of

    \b
    checks        by scenario, with its title and its rulesets; the default
    clauses       what each says, and how many checks cite it
    rulesets      with their options
    house-rules   those with a name, for the option --rules
    topics        the folders of the scenarios, with the number of their checks
    refusals      the words that name a refusal, with their meanings
    claims        the words that an engine may claim, with their meanings; also called capabilities
    engines       kinds of engine, with the number of checks that each is sent

    WORDS select checks as -s of 'hoyle check' does, and clauses and refusals by id and text.

    \b
    hoyle suite list checks seven
    hoyle suite list checks hoyle/bezique/identical-cards
    hoyle suite list --ruleset piquet-rubicon-parlett --without piquet-rubicon-hoyle
    hoyle suite list -k 'marriage not royal'
    hoyle suite list --ids checks 'seven.*'
    hoyle suite list clauses hoyle/bezique queen
    """
    if options["as_json"] and options["ids"]:
        raise click.UsageError("--json and --ids cannot be combined: leave one out.")
    suite = suite_or_exit(spec, positions=True) if what in _COUNTED else suite_or_exit(spec, drafts=True)
    chosen_by = [options[name] for name in ("rulesets", "keywords", "disputed", "without")]
    if what != "checks" and any(chosen_by):
        raise click.UsageError(f"These options select checks; they do not apply to {what}.")
    if words and what not in _BY_WORDS:
        raise click.UsageError(f"Words cannot select {what}: leave out '{sanitize(' '.join(words)[:40])}'.")
    if what == "checks":
        print_answer(
            lambda: {"what": what, "found": lists.checks_data(_chosen(suite, words, options))},
            lambda: _checks(suite, words, options),
            as_json=options["as_json"],
        )
        return
    found = _other(suite, what, words, as_json=options["as_json"])
    print_answer(
        lambda: {"what": what, "found": found},
        lambda: (line for each in found for line in ([each[0].split()[0]] if options["ids"] else each)),
        as_json=options["as_json"],
    )


def _checks(suite: "Suite", words: tuple[str, ...], options: dict[str, Any]) -> Iterator[str]:
    """Yield the selected checks, after the clause if one selects them."""
    ids = options["ids"]
    if len(words) == 1 and (clause := suite.clauses.get(words[0])) and not ids:
        yield from lists.clause_lines(suite, clause)
        if not suite.index.cites(clause.id):
            return
    chosen = _chosen(suite, words, options)
    yield from (each.id for each in chosen) if ids else lists.check_lines(chosen)


def _chosen(suite: "Suite", words: tuple[str, ...], options: dict[str, Any]) -> "list[Heading]":
    """Return the headings of the selected checks."""
    without = options["without"]
    rulesets_or_exit(suite, [without] if without else [])
    answered = {each.scenario for each in suite.index.headings.values() if each.ruleset == without}
    found = headings_or_exit(suite, words, options["rulesets"])
    found = matching_or_exit(suite, found, options["keywords"])
    return [each for each in found if (each.follows or not options["disputed"]) and each.scenario not in answered]


def _other(suite: "Suite", what: str, words: tuple[str, ...], *, as_json: bool) -> list[Any]:
    """Return a list other than checks, as data or as the lines of each entry; raise UsageError if words match
    nothing."""
    from hoyle_conformance.reports import claims
    from hoyle_conformance.tools import house_rules

    lists_of: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
        "clauses": (lists.clause_entries, lists.clauses_data),
        "refusals": (lists.refusal_entries, lists.refusals_data),
        "claims": (claims.claim_lines, claims.claims_data),
        "engines": (claims.engine_lines, claims.engines_data),
        "rulesets": (lists.ruleset_lines, lists.rulesets_data),
        "house-rules": (house_rules.named_lines, house_rules.named_data),
        "topics": (lists.topic_lines, lists.topics_data),
    }
    made = lists_of[what][as_json]
    if what not in _BY_WORDS:
        return made(suite) if as_json else [[line] for line in made(suite)]
    found: list[Any] = made(suite, words)
    if not found:
        more = "Fewer words find more" if len(words) > 1 else f"'hoyle suite list {what}' shows them all"
        raise click.UsageError(f"no {what[:-1]} has '{sanitize(' '.join(words)[:40])}'. {more}.")
    return found
