"""The report of a run on the terminal: tables of results by topic and ruleset, and the report with causes, totals, and
next steps."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from hoyle_conformance import __version__
from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.checks.rewrites import adapt
from hoyle_conformance.files.diagnostics import nearest, shown_path
from hoyle_conformance.protocol.sandbox import NAME
from hoyle_conformance.reports.words import explain_exit, phrase, reason, stop_reason
from hoyle_conformance.runner.record import IN_PROCESS
from hoyle_conformance.runner.results import DEBUG, FAILED, FailureGroup, Result, Run, Status, or_else
from hoyle_conformance.runner.select import is_game
from hoyle_conformance.suite.semantics import RUNGS, rung_of_topic
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.processes import join_command
from hoyle_conformance.wording.failure_view import cells_at_work
from hoyle_conformance.wording.text import join_and, plural, sanitize, sentence, wrap

# ---- tables of results
#
# There is one table for each game, with a column for each ruleset and a row for each topic and each option. Each cell
# has the number of checks that passed, out of those that ran. A further line has the same numbers by rung of the
# ladder.


Counts = Counter[str]
_NOT_RUN: Final = "not run"
#: The gap between two columns, and the maximum width of the total of a column (in characters).
_GAP: Final = 2
_WIDEST_SUM: Final = len("999 of 999")


def tables(results: Iterable[Result], width: int) -> Iterator[Table]:
    """Yield the tables of these results, each with as many columns as the width (in characters) allows, and totals
    below.

    A check under an option counts in the row of the option, not in that of its topic. Rows in which nothing ran are
    left out unless there are no others.
    """
    alike = Counter((each.check.ruleset, each.check.scenario.topic, each.status) for each in results)
    counts: dict[tuple[str, str], Counts] = defaultdict(Counter)
    for (name, topic, status), times in alike.items():
        ruleset, plus, option = name.partition("+")
        counts[plus + option or topic, ruleset][_kind(status)] += times
    ran = {row for (row, _), count in counts.items() if count.keys() - {_NOT_RUN}}
    for rulesets in _fitting_groups(counts, width):
        yield _table({key: count for key, count in counts.items() if key[1] in rulesets}, rulesets, ran)


def ladder_line(results: Iterable[Result]) -> str:
    """Return the number of checks that passed on each rung of the ladder, out of those that ran; empty if only one rung
    ran."""
    counts: dict[str, Counts] = {rung.name: Counter() for rung in RUNGS}
    for each in results:
        counts[rung_of_topic(each.check.scenario.topic).name][_kind(each.status)] += 1
    ran = {name: count for name, count in counts.items() if count.keys() - {_NOT_RUN}}
    return f"Ladder: {' · '.join(f'{name} {_passed(count)}' for name, count in ran.items())}" if len(ran) > 1 else ""


def _passed(count: Counts) -> str:
    return f"{count['passed']} of {count['passed'] + count['failed'] + count['known']}"


def _fitting_groups(counts: Mapping[tuple[str, str], Counts], width: int) -> Iterator[list[str]]:
    """Yield the rulesets in groups that fit side by side."""
    rulesets = sorted({ruleset for _, ruleset in counts})
    left = room = width - max(len(row) for row, _ in counts) - _GAP
    group: list[str] = []
    for ruleset in rulesets:
        entries = (
            Text.from_markup(_entry(count), emoji=False).cell_len
            for (_, each), count in counts.items()
            if each == ruleset
        )
        heading = _heading(ruleset) if len(rulesets) > 1 else ruleset
        needed = _GAP + max(*map(len, heading.splitlines()), _WIDEST_SUM, *entries)
        if group and needed > left:
            yield group
            group, left = [], room
        group.append(ruleset)
        left -= needed
    yield group


def _heading(ruleset: str) -> str:
    return ruleset.replace("-", "-\n", 1)


def _table(counts: Mapping[tuple[str, str], Counts], rulesets: Sequence[str], ran: Collection[str]) -> Table:
    drawn = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    drawn.add_column("topic", overflow="fold")
    for ruleset in rulesets:
        drawn.add_column(_heading(ruleset) if len(rulesets) > 1 else ruleset, justify="right", no_wrap=True)
    rows = sorted({row for row, _ in counts}, key=lambda row: (row.startswith("+"), row))
    for row in [row for row in rows if row in ran] or rows:
        drawn.add_row(row, *(_entry(counts.get((row, ruleset), Counter())) for ruleset in rulesets))
    if any(count[_NOT_RUN] for count in counts.values()):
        drawn.caption = "+N: N checks not run"
        drawn.caption_justify = "left"
    sums = [sum((counts.get((row, ruleset), Counter()) for row in rows), Counter()) for ruleset in rulesets]
    drawn.add_section()
    drawn.add_row("all", *map(_entry, sums), style="bold")
    return drawn


def _kind(status: Status) -> str:
    if status in {Status.PASS, Status.UNEXPECTED_PASS}:
        return "passed"
    return "failed" if status in FAILED else "known" if status is Status.EXPECTED_FAILURE else _NOT_RUN


def _entry(count: Counts) -> str:
    left = f"[dim]+{count[_NOT_RUN]}[/]" if count[_NOT_RUN] else ""
    if not count.keys() - {_NOT_RUN}:
        return left
    color = "red" if count["failed"] else "yellow" if count["known"] else "green"
    return f"[{color}]{_passed(count)}[/] {left}".rstrip()


#: The maximum number of unfinished checks listed, unless all are requested.
_NOT_DONE = 8
#: The maximum number of characters of an error output.
_OUTPUT = 500


def say(console: Console, text: str = "") -> None:
    """Print a line of text, without adding line breaks, and with only the colours marked in it."""
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

    At most `failures` causes are shown in full, each with the command that repeats its example: `again`, the check, and
    `adapter`, by default the command of the adapter. `code` is the exit code if it differs from that of the run;
    `sandbox` says whether the adapter ran in a sandbox.
    """
    repeat = again, run.command if adapter is None else adapter
    _print_heading(console, suite, run)
    if sandbox:
        say(console, phrase("heading.sandbox", sandbox=NAME))
    parts: tuple[Callable[[], None], ...] = (
        lambda: _print_causes(console, suite, run, repeat, failures, verbose=verbose),
        lambda: _print_tables(console, suite, run),
        lambda: _print_ladder(console, run),
        lambda: _print_lines(console, _house_rules_lines(suite, run)),
        lambda: _print_unclaimed(console, suite, run),
        lambda: _print_not_done(console, run.results, verbose=verbose),
        lambda: _print_differing(console, run, verbose=verbose),
        lambda: _print_readings(console, suite, run, verbose=verbose),
        lambda: _print_overview(console, suite, run, failures, verbose=verbose),
        lambda: _print_lines(console, _ending_lines(run)),
        lambda: say(console),
        lambda: _print_lines(console, _not_run_lines(run)),
        lambda: _print_lines(console, _next_steps(run, shown_path(suite.root / "PROTOCOL.md"), again)),
    )
    for part in parts:
        _print_safely(console, part)
    _print_totals(console, run)
    if line := explain_exit(run, code):
        say(console, f"[red]{escape(line)}[/]")


def _print_lines(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        say(console, line)


def _print_safely(console: Console, part: Callable[[], None]) -> None:
    """Print a part of the report. If Hoyle itself fails in it, print that instead, so that the other parts are
    printed."""

    def shown() -> bool:
        part()
        return True

    if not or_else(False, shown):
        say(console, f"\n[red]{phrase('own-fault', debug=DEBUG)}[/]")


def _print_tables(console: Console, suite: Suite, run: Run) -> None:
    """Print a table for each game whose checks were selected under claimed rulesets."""
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
    """Print the engine's progress by the rungs of the ladder."""
    if line := ladder_line(each for each in run.results if each.check.ruleset in run.ready.rulesets):
        say(console, f"\n{line}")


def _print_heading(console: Console, suite: Suite, run: Run) -> None:
    """Print the suite and the adapter."""
    ready = run.ready
    how = _safe(" ".join(run.command)) if run.command else phrase("heading.built-in")
    say(console, phrase("heading.suite", hoyle=__version__, suite=suite.version, digest=suite.digest[:8]))
    engine = f"{_safe(ready.name)} {_safe(ready.version)}"
    say(console, phrase("heading.engine", engine=engine, language=_safe(ready.language), how=how))


def _print_readings(console: Console, suite: Suite, run: Run, *, verbose: bool) -> None:
    lines = []
    for ruleset, cells in run.readings.items():
        for path, fit in cells.items():
            table = suite.rules.cells(ruleset)[path].follows
            line = phrase("readings.one", path=path, ruleset=ruleset, readings=" or ".join(fit))
            lines.append(line if table in fit else phrase("readings.table", reading=line, follows=table))
    if lines and verbose:
        _print_lines(console, [phrase("readings.heading"), *lines])
    elif lines and run.command:
        say(console, phrase("readings.count", rules=plural(len(lines), "rule")))


def _print_unclaimed(console: Console, suite: Suite, run: Run) -> None:
    """Print the rulesets and words that the implementation does not claim, and its unknown claims."""
    others = [each for each in run.results if each.lacks and each.check.ruleset not in run.ready.rulesets]
    if others:
        rulesets = sorted({each.check.ruleset for each in others})
        names = suite.rules.claimable_names(rulesets[0])  # house rules have several
        which = join_and(names, "or") if len(rulesets) == 1 else f"{len(rulesets)} rulesets"
        say(console, phrase("unclaimed.rulesets", count=len(others), rulesets=which))
    lacking = [each for each in run.results if each.lacks and each.check.ruleset in run.ready.rulesets]
    if lacking:
        say(console, phrase("unclaimed.needs", count=len(lacking)))
        needs = Counter(need for each in lacking for need in each.lacks)
        for line in wrap(", ".join(f"{need} {times:,}" for need, times in sorted(needs.items())), 2):
            say(console, escape(line))
    unknown = [name for name in sorted(run.ready.rulesets.difference(suite.rules.names)) if not suite.rules.knows(name)]
    for name in unknown[:_NOT_DONE]:
        say(console, phrase("unclaimed.unknown", name=_safe(name)))
        near = nearest(name, suite.rules.names)
        say(console, phrase("unclaimed.meant" if near else "unclaimed.see", name=near))
    if len(unknown) > _NOT_DONE:
        say(console, phrase("unclaimed.more-unknown", count=len(unknown) - _NOT_DONE))


def _print_not_done(console: Console, results: Iterable[Result], *, verbose: bool = False) -> None:
    """Print the checks that were sent and not done; if there are many, only the first ones."""
    not_done = [result for result in results if result.left_out]
    if not_done:
        say(console, phrase("not-done.heading", count=len(not_done)))
        _print_first(console, [*map(_not_done_line, not_done)], verbose=verbose)


def _not_done_line(result: Result) -> str:
    why = _safe(reason(result) or phrase("result.no-reason"))
    line = phrase("not-done.one", status=result.status, check=result.check.id, reason=why)
    return phrase("not-done.known", line=line) if result.known else line


def _print_first(console: Console, lines: Sequence[str], *, verbose: bool) -> None:
    """Print all lines if `verbose` is set; otherwise the first ones, and the number of the others."""
    shown = lines if verbose else lines[:_NOT_DONE]
    _print_lines(console, shown)
    if len(shown) < len(lines):
        say(console, phrase("more.lists", count=len(lines) - len(shown)))


def _print_differing(console: Console, run: Run, *, verbose: bool) -> None:
    """Print the checks whose status differs from the baseline, except those that pass; if there are many, only the
    first ones."""
    others = [result for result in run.results if result.differs_from_baseline]
    if others:
        say(console, phrase("baseline.differs", checks=plural(len(others), "check")))
        _print_first(console, [phrase("baseline.differs.one", result=each) for each in others], verbose=verbose)


def _print_causes(
    console: Console, suite: Suite, run: Run, repeat: tuple[Sequence[str], Sequence[str]], most: int, *, verbose: bool
) -> None:
    """Print `most` causes of the failures in full. `repeat` are the words that begin and complete the command to repeat
    a check."""
    if not run.causes:
        return
    from hoyle_conformance.reports import failure  # most runs have no failure to explain

    context = failure.FailureContext(suite, run.ready.name, *repeat, run.ready)
    numbers = {cause.id: number for number, cause in enumerate(run.causes, start=1)}

    def print_cause(cause: FailureGroup) -> None:
        say(console, f"\n[bold]{escape(failure.title_line(suite, cause, numbers[cause.id]))}[/]")
        lines = failure.cause_lines(failure.cause_view(context, cause), numbers, verbose=verbose)
        say(console, escape("\n".join(lines)))

    for cause in run.causes[:most]:
        _print_safely(console, partial(print_cause, cause))


def _print_overview(console: Console, suite: Suite, run: Run, most: int, *, verbose: bool) -> None:
    """Print all causes in short, unless the only one is printed in full."""
    if len(run.causes) > min(most, 1):
        from hoyle_conformance.reports.failure import overview_lines

        say(console, "\n" + escape("\n".join(overview_lines(suite, run.causes, verbose=verbose))))


def _ending_lines(run: Run) -> Iterable[str]:
    """Yield the fault in how the adapter ended."""
    if run.ending:
        yield f"\n{phrase('ending.why', reason=_safe(run.ending.message))}"
        yield f"  {run.ending.remedy}"
        if run.ending.stderr:
            yield phrase("ending.output", output=_safe(run.ending.stderr[-_OUTPUT:]))


def _not_run_lines(run: Run) -> Iterable[str]:
    """Yield the reason if the run stopped early, and the checks that were not run, by ruleset."""
    if not run.stopped:
        return
    why = sentence(stop_reason(run.stopped))[:-1]
    yield f"[red]{phrase('not-run.why', reason=why, checks=plural(len(run.not_run), 'check'))}[/]"
    claimed = Counter(check.ruleset for check in run.not_run if check.ruleset in run.ready.rulesets)
    of = [phrase("not-run.of-one", count=count, ruleset=ruleset) for ruleset, count in claimed.items()]
    if others := len(run.not_run) - claimed.total():
        of.append(phrase("not-run.of-others", count=others))
    if of:
        yield from map(escape, wrap(phrase("not-run.rulesets", parts=", ".join(of)), 2))


def _next_steps(run: Run, protocol: str, again: Sequence[str]) -> Iterable[str]:
    """Yield the next steps for the user.

    `protocol` is the place of the protocol's description; `again` are the words that begin the command to repeat a
    check.
    """
    in_process, options = tuple(again) == IN_PROCESS, again[2:]
    known, passed = run.totals[Status.EXPECTED_FAILURE], run.totals[Status.PASS]
    if run.causes and run.causes[0].broke and not in_process:
        doctor = _safe(join_command(["hoyle", "doctor", *run.command])) if run.command else "hoyle doctor"
        yield phrase("next.conversation", command=doctor)
    elif run.causes and not run.count(FAILED):
        yield phrase("next.baseline")
    elif run.causes:
        failed = (cause.example.result.check for cause in run.causes)
        if check := next((each for each in failed if not is_game(each)), None):
            yield phrase("next.explain", command=escape(join_command(["hoyle", "explain", *options, check.id])))
        if not in_process:
            yield phrase("next.accept")
    elif not any(result.ran for result in run.results):
        yield phrase("next.nothing-ran")
    elif not run.command:
        yield phrase("next.own-engine")
        yield phrase("next.protocol", protocol=escape(protocol))
    elif known and not run.nothing_passed:
        yield phrase("next.nothing-new", failures=plural(known, "known failure"))
    elif run.exit == 0:
        yield phrase("next.all-passed", count=passed)


def _print_totals(console: Console, run: Run) -> None:
    """Print the number of checks that passed, failed and so on."""
    among = [f"{each} {run.totals[each]}" for each in (Status.ERROR, Status.TIMEOUT, Status.CRASH) if run.totals[each]]
    if among:
        say(console, phrase("totals.among-failed", statuses=", ".join(among)))
    fixed = run.totals[Status.UNEXPECTED_PASS]
    if fixed:
        say(console, phrase("totals.among-passed", failures=plural(fixed, "known failure")))
    for status, name in ((Status.EXPECTED_FAILURE, "totals.expected"), (Status.UNSUPPORTED, "totals.unsupported")):
        if run.totals[status]:
            say(console, phrase(name, count=run.totals[status]))
    passed, failed = run.totals[Status.PASS] + fixed, run.count(FAILED)
    color = "red" if run.exit else "green"
    totals = phrase("totals.all", passed=passed, failed=failed, skipped=run.totals[Status.SKIPPED])
    say(console, f"[bold {color}]{totals}[/]")


def _safe(text: str) -> str:
    """Return text from an adapter, sanitized and on one line."""
    return escape(sanitize(text).replace("\n", " "))


def _house_rules_lines(suite: Suite, run: Run) -> Iterator[str]:
    """Yield how many checks of the house rules are those of a source, and how many of this run reached each changed
    rule, if there are house rules."""
    house = suite.house
    if house is None:
        return
    own = [heading for heading in suite.index.headings.values() if heading.ruleset == house.ruleset.id]
    of_base = len({each.scenario for each in suite.index.headings.values() if each.ruleset in house.checked_as})
    computed, changed = sum(heading.computed for heading in own), plural(len(house.changes), "rule")
    about = {"id": house.ruleset.id, "base": house.base, "changed": changed, "checks": plural(len(own), "check")}
    yield ""
    yield from wrap(phrase("house.checks", **about, same=len(own) - computed, computed=computed))
    if left_out := of_base - len(own):
        yield from wrap(phrase("house.left-out", checks=plural(left_out, "check"), base=house.base))
    claims, ran = Claims(suite, run.ready), (each.check for each in run.results if each.ran)
    sent = (adapt(claims, check) for check in ran if check.ruleset == house.ruleset.id)
    at_work = [cells_at_work(suite, house, each.check, each.plan) for each in sent if isinstance(each, Adapted)]
    for path in house.changes:
        reached = sum(any(f"{cell}.".startswith(f"{path}.") for cell in cells) for cells in at_work)
        checks = plural(reached, "check")
        yield phrase("house.reached" if reached else "house.never-tested", path=path, checks=checks)
