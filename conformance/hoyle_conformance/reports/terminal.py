"""The report of a run on the terminal: results by topic and ruleset, what went wrong, the totals, and the next
steps."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from hoyle_conformance import __version__
from hoyle_conformance.files.diagnostics import shown_path
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.protocol.sandbox import NAME
from hoyle_conformance.reports.exit_codes import explain_exit
from hoyle_conformance.reports.failure import IN_PROCESS
from hoyle_conformance.reports.summary_table import ladder_line, tables
from hoyle_conformance.reports.words import phrase, reason, stop_reason
from hoyle_conformance.runner.guard import DEBUG, or_else
from hoyle_conformance.runner.results import FAILED, FailureGroup, Result, Run, Status
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.programs import join_command
from hoyle_conformance.wording.house_rules import summary
from hoyle_conformance.wording.text import plural, sanitize, sentence, wrap

if TYPE_CHECKING:
    from hoyle_conformance.reports.failure import FailureContext

_BUILT_IN = "built in"
#: So many checks that were not done are listed, unless all are asked for.
_NOT_DONE = 8
#: So many characters of an error output.
_OUTPUT = 500


def say(console: Console, text: str = "") -> None:
    """Print a line of text: no line breaks but its own, and no colours but those marked in it."""
    console.print(text, highlight=False, soft_wrap=True)


def print_report(
    console: Console,
    suite: Suite,
    run: Run,
    *,
    again: Sequence[str],
    adapter: Sequence[str] | None = None,
    failures: int = 5,
    verbose: bool = False,
    code: int = 0,
    sandbox: bool = False,
) -> None:
    """Print the whole report of a finished run.

    At most `failures` causes are shown in full, each with the command that repeats its example, which begins with
    `again` and ends with `adapter`, by default the command of the adapter. `code` is the exit code, where it is not
    that of the run; `sandbox` is whether the adapter ran in one.
    """
    repeat = again, run.command if adapter is None else adapter
    print_heading(console, suite, run)
    if sandbox:
        say(console, f"Sandbox: {NAME}")
    parts: tuple[Callable[[], None], ...] = (
        lambda: _print_tables(console, suite, run),
        lambda: _print_ladder(console, run),
        lambda: _print_lines(console, _house_rules_summary(suite)),
        lambda: print_unclaimed(console, suite, run),
        lambda: print_not_done(console, run.results, verbose=verbose),
        lambda: _print_differing(console, run, verbose=verbose),
        lambda: _print_readings(console, suite, run, verbose=verbose),
        lambda: _print_failures(console, suite, run, repeat, failures, verbose=verbose),
        lambda: _print_lines(console, _ending_lines(run)),
        lambda: say(console),
        lambda: _print_lines(console, _not_run_lines(run)),
        lambda: _print_lines(console, _next_steps(run, shown_path(suite.root / "PROTOCOL.md"), again)),
    )
    for part in parts:
        _print_safely(console, part)
    print_totals(console, run)
    _print_safely(console, lambda: print_exit_reason(console, run, code))


def _house_rules_summary(suite: Suite) -> Iterable[str]:
    """Return the summary of the house rules, if there are any; without them its module is not imported."""
    if suite.house is None:
        return ()

    return summary(suite)


def _print_lines(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        say(console, line)


def _print_safely(console: Console, part: Callable[[], None]) -> None:
    """Print a part of the report; where Hoyle itself fails in it, print that, so that the other parts are there."""

    def shown() -> bool:
        part()
        return True

    if not or_else(False, shown):
        say(console, f"\n[red]Hoyle itself failed here. Please report it, with the output of {DEBUG}=1.[/]")


def _print_tables(console: Console, suite: Suite, run: Run) -> None:
    """Print a table for each game of which checks were chosen under rulesets that are claimed."""
    game_of = {ruleset.id: ruleset.game for ruleset in suite.rulesets.values()}
    of_games: dict[str, list[Result]] = {game: [] for game in game_of.values()}
    for result in run.results:
        if result.check.ruleset not in run.ready.rulesets:
            continue
        of_games[game_of[result.check.ruleset.partition("+")[0]]].append(result)
    drawn = chain.from_iterable(tables(results, console.width) for results in filter(None, of_games.values()))
    for table in drawn:
        say(console)
        console.print(table)


def _print_ladder(console: Console, run: Run) -> None:
    """Print how far the engine has come, by the rungs of the ladder."""
    if line := ladder_line(each for each in run.results if each.check.ruleset in run.ready.rulesets):
        say(console, f"\n{line}")


def print_heading(console: Console, suite: Suite, run: Run) -> None:
    """Print the suite and the adapter."""
    ready = run.ready
    how = _safe(" ".join(run.command)) if run.command else _BUILT_IN
    say(console, f"Hoyle {__version__}, suite {suite.version} ({suite.digest[:8]})")
    say(
        console,
        f"Checking: [bold]{_safe(ready.name)} {_safe(ready.version)}[/] ({_safe(ready.language)}), {how}",
    )


def _print_readings(console: Console, suite: Suite, run: Run, *, verbose: bool) -> None:
    lines = []
    for ruleset, cells in run.readings.items():
        for path, fit in cells.items():
            table = suite.rules.cells(ruleset)[path].follows
            own = "" if table in fit else f"  (the table follows {table})"
            lines.append(f"{path} of {ruleset}: {' or '.join(fit)}{own}")
    if lines and verbose:
        say(console, "\nReadings of disputed rules that this engine follows:")
        for line in lines:
            say(console, f"  {line}")
    elif lines and run.command:
        say(console, f"\nThe source does not decide {plural(len(lines), 'rule')}: -v lists the engine's readings.")


def print_unclaimed(console: Console, suite: Suite, run: Run) -> None:
    """Print what the implementation does not claim, and the claims that are unknown."""
    others = [each for each in run.results if each.lacks and each.check.ruleset not in run.ready.rulesets]
    if others:
        rulesets = sorted({each.check.ruleset for each in others})
        which = rulesets[0] if len(rulesets) == 1 else f"{len(rulesets)} rulesets"
        say(console, f"\n{len(others):,} unsupported: the engine does not claim {which}.")
    lacking = [each for each in run.results if each.lacks and each.check.ruleset in run.ready.rulesets]
    if lacking:
        say(console, f"\n{len(lacking):,} unsupported: the engine does not claim what they need.")
        needs = Counter(need for each in lacking for need in each.lacks)
        for line in wrap(", ".join(f"{need} {times:,}" for need, times in sorted(needs.items())), 2):
            say(console, escape(line))
    unknown = [name for name in sorted(run.ready.rulesets.difference(suite.rules.names)) if not suite.rules.knows(name)]
    for name in unknown[:_NOT_DONE]:
        say(console, f"\nThe engine claims '{_safe(name)}', which is not a ruleset of this suite.")
        near = nearest(name, suite.rules.names)
        meant = f"Did you mean '{near}'? " if near else ""
        say(console, f"  {meant}'hoyle suite list rulesets' shows them all.")
    if len(unknown) > _NOT_DONE:
        say(console, f"\nThe engine claims {len(unknown) - _NOT_DONE} more that are not rulesets of this suite.")


def print_not_done(console: Console, results: Iterable[Result], *, verbose: bool = False) -> None:
    """Print what was asked and not done; of many, the first."""
    not_done = [result for result in results if result.left_out]
    shown = not_done if verbose else not_done[:_NOT_DONE]
    if not_done:
        say(console, f"\n{len(not_done):,} not done, although the engine claims what they need:")
        for result in shown:
            known = "  (known)" if result.known else ""
            why = _safe(reason(result) or phrase("result.no-reason"))
            say(console, f"  {result.status}  {result.check.id}: {why}{known}")
    if len(shown) < len(not_done):
        say(console, f"  and {len(not_done) - len(shown)} more (-v lists them)")


def _print_differing(console: Console, run: Run, *, verbose: bool) -> None:
    """Print the checks with another status than the baseline expects, apart from those that pass; of many, the
    first."""
    others = [result for result in run.results if result.differs_from_baseline]
    if not others:
        return
    shown = others if verbose else others[:_NOT_DONE]
    say(console, f"\nThe baseline expects a different status in {plural(len(others), 'check')}:")
    for result in shown:
        say(console, f"  {result.check.id}: expected {result.expected_status}, observed {result.status}")
    if len(shown) < len(others):
        say(console, f"  and {len(others) - len(shown)} more (-v lists them)")


def _print_failures(
    console: Console, suite: Suite, run: Run, repeat: tuple[Sequence[str], Sequence[str]], most: int, *, verbose: bool
) -> None:
    """Print so many causes of the failures in full, and all of them in short, last on the screen. `repeat` are the
    words that begin and end the command that repeats a check."""
    if not run.causes:
        return
    from hoyle_conformance.reports import causes  # most runs have nothing that must be explained
    from hoyle_conformance.reports.failure import FailureContext

    context = FailureContext(suite, run.ready.name, *repeat, run.ready)
    numbers = {cause.id: number for number, cause in enumerate(run.causes, start=1)}
    for cause in run.causes[:most]:
        _print_safely(console, partial(_print_cause, console, context, cause, numbers, verbose=verbose))
    if len(run.causes) > min(most, 1):
        say(console, "\n" + escape("\n".join(causes.overview_lines(suite, run.causes, numbers, verbose=verbose))))


def _print_cause(
    console: Console, context: "FailureContext", cause: FailureGroup, numbers: Mapping[str, int], *, verbose: bool
) -> None:
    from hoyle_conformance.reports import causes

    say(console, f"\n[bold]{escape(causes.title_line(context.suite, cause, numbers[cause.id]))}[/]")
    lines = causes.cause_lines(causes.cause_view(context, cause), numbers, verbose=verbose)
    say(console, escape("\n".join(lines)))


def _ending_lines(run: Run) -> Iterable[str]:
    """Yield what was wrong with how the adapter ended."""
    if run.ending:
        yield f"\nAt the end of the run, {_safe(run.ending.message)}."
        yield f"  {run.ending.remedy}"
        if run.ending.stderr:
            yield f"  End of its error output: {_safe(run.ending.stderr[-_OUTPUT:])}"


def _not_run_lines(run: Run) -> Iterable[str]:
    """Yield why the run stopped early, if it did, and which checks were not run, by ruleset."""
    if not run.stopped:
        return
    yield f"[red]{sentence(stop_reason(run.stopped))[:-1]}: {plural(len(run.not_run), 'check')} not run.[/]"
    claimed = Counter(check.ruleset for check in run.not_run if check.ruleset in run.ready.rulesets)
    of = [f"{count:,} of {ruleset}" for ruleset, count in claimed.items()]
    if others := len(run.not_run) - claimed.total():
        of.append(f"{others:,} of rulesets that the engine does not claim")
    if of:
        yield from map(escape, wrap(f"Not run: {', '.join(of)}.", 2))


def _next_steps(run: Run, protocol: str, again: Sequence[str]) -> Iterable[str]:
    """Yield what to do now.

    `protocol` is the place of the protocol's description, `again` are the words that begin the command that repeats a
    check.
    """
    in_process, options = tuple(again) == IN_PROCESS, again[2:]
    known, passed = run.totals[Status.EXPECTED_FAILURE], run.totals[Status.PASS]
    if run.causes and run.causes[0].broke and not in_process:
        doctor = _safe(join_command(["hoyle", "doctor", *run.command])) if run.command else "hoyle doctor"
        yield f"Next: fix the conversation first. '{doctor}' shows what is wrong."
    elif run.causes and not run.count(FAILED):
        yield "Next: remove from the baseline what passes now, or update it with --write-baseline FILE."
    elif run.causes:
        explain = escape(join_command(["hoyle", "explain", *options, run.causes[0].example.result.check.id]))
        yield f"Next: '{explain}' shows the expected steps; then fix the engine or its adapter."
        if in_process:
            return
        yield (
            "To accept failures for now, list them in a file: --write-baseline FILE writes it, "
            "--baseline FILE reads it."
        )
    elif not any(result.ran for result in run.results):
        yield "No check ran, so nothing is known about this engine."
    elif not run.command:
        yield "Next: check your own engine with 'hoyle check COMMAND'."
        yield f"How to write the adapter: {escape(protocol)}. 'hoyle explain ID' shows any scenario step by step."
    elif known and not run.nothing_passed:
        yield f"Nothing new: {plural(known, 'known failure')} left."
    elif run.exit == 0:
        yield f"The engine passed all {passed:,} checks that it claims; what it does not claim was not checked."


def print_totals(console: Console, run: Run) -> None:
    """Print how many passed, failed and so on."""
    odd = (Status.ERROR, Status.TIMEOUT, Status.CRASH)
    among = [f"{status} {run.totals[status]}" for status in odd if run.totals[status]]
    if among:
        say(console, f"Among the failed: {', '.join(among)}.")
    fixed = run.totals[Status.UNEXPECTED_PASS]
    if fixed:
        say(console, f"Among the passed: {plural(fixed, 'known failure')} of the baseline.")
    beside = [(Status.EXPECTED_FAILURE, "failed as expected"), (Status.UNSUPPORTED, "unsupported")]
    for status, words in beside:
        if run.totals[status]:
            say(console, f"{run.totals[status]} {words}")
    passed, failed = run.totals[Status.PASS] + fixed, run.count(FAILED)
    skipped = run.totals[Status.SKIPPED]
    color = "red" if run.exit else "green"
    say(console, f"[bold {color}]{passed} passed, {failed} failed, {skipped} skipped[/]")


def print_exit_reason(console: Console, run: Run, code: int, noun: str = "check") -> None:
    """Print the last line, where the command does not end with 0: why, with a remedy."""
    if line := explain_exit(run, code, noun):
        say(console, f"[red]{escape(line)}[/]")


def _safe(text: str) -> str:
    """Return text from an adapter, on one line and sanitized."""
    return escape(sanitize(text).replace("\n", " "))
