"""`hoyle check`: check an engine against the suite."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from hoyle_conformance.checks.cache.cached_suite import load_requests, validate_positions
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli import options as common
from hoyle_conformance.cli import outputs, select_options
from hoyle_conformance.cli.adapter_options import adapter_options, ready_or_exit, start_or_exit
from hoyle_conformance.cli.configuration import AdapterCall, Configurable
from hoyle_conformance.cli.exit import WrongUsageIfInvalid, exit_code
from hoyle_conformance.cli.transcripts import check_transcripts, refuse_other_options, transcript_option
from hoyle_conformance.reports.progress import progress
from hoyle_conformance.reports.terminal import print_report
from hoyle_conformance.reports.words import phrase
from hoyle_conformance.runner.baseline import NO_ANSWERS, baseline_text, lines_by_check, read_baseline, update_baseline
from hoyle_conformance.runner.record import Call, Recorder
from hoyle_conformance.runner.results import Result, Run, Status
from hoyle_conformance.runner.run import HeldLog, without_games
from hoyle_conformance.runner.run import run as run_checks
from hoyle_conformance.runner.select import is_game
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import plural, tally

if TYPE_CHECKING:
    from hoyle_conformance.files.write import LineFile
    from hoyle_conformance.runner.baseline import Baseline
    from hoyle_conformance.runner.reference_adapter import Log, Start

#: The number of processes above which the value is likely a mistake.
_MOST_JOBS: Final = 256
#: The number of columns of a report that is not for a terminal.
_WIDTH: Final = 100
#: The options by their headings in the help, by parameter name; `--help` is under the last heading.
_HEADINGS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "Which checks run": (
            *("selected", "rulesets", "keywords", "last_failed", "shard", "transcripts", "rules", "spec"),
        ),
        "How they run": (
            *("jobs", "timeout", "seconds", "sandbox", "max_failures", "seed", "as_written", "config", "baseline"),
        ),
        "Output": ("write_baseline", "record", "log", *outputs.AT_ONCE, "verbose", "as_json"),
    }
)


class _HelpWithHeadings(Configurable):
    """A command whose help shows its options under headings."""

    takes_all_keys = True

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each under its heading."""
        heading_of = {name: heading for heading, names in _HEADINGS.items() for name in names}
        by_heading: dict[str, list[tuple[str, str]]] = {heading: [] for heading in _HEADINGS}
        for each in self.get_params(ctx):
            if record := each.get_help_record(ctx):
                by_heading[heading_of.get(each.name or "", "Output")].append(record)
        for heading, records in by_heading.items():
            with formatter.section(heading):
                formatter.write_dl(records)


@click.command("check", cls=_HelpWithHeadings)
@select_options.select_option
@select_options.ruleset_option
@select_options.keywords_option
@select_options.last_failed_option
@select_options.shard_option
@select_options.max_failures_option
@adapter_options
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1, max=_MOST_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="Divide the checks among N processes, each with its own adapter.",
)
@click.option(
    "--baseline",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of known failures, a check and its status on each line; any other failure is unexpected.",
)
@outputs.output_option("--write-baseline", help="Write the failures of this run here, as a baseline.")
@outputs.output_option("--record", help="Write the record of the run here, as JSON lines.")
@outputs.log_option
@outputs.report_options(*outputs.AT_ONCE)
@common.seed_option
@click.option(
    "--as-written", is_flag=True, help="Do not relabel the checks: send seats and suits as they are in the file."
)
@click.option(
    "--verbose", "-v", is_flag=True, help="Show everything: all failing checks, and how disputed rules are read."
)
@transcript_option
@common.json_option
@common.rules_option
@common.spec_option
@click.pass_context
def command(context: click.Context, /, spec: Path | None, **options: Any) -> None:
    """Check an engine against the suite; without COMMAND, the engine of the configuration file, or else the built-in
    reference.

    COMMAND starts an adapter that speaks the protocol; the last line of this help says where to find the protocol.
    Options come before COMMAND.

    \b
    hoyle check                                      all checks, with the built-in reference
    hoyle check python my_adapter.py                 all checks that your engine claims
    hoyle check -s 'seven.*' node adapter.js         the checks about the seven of trumps
    hoyle check -s the-example node adapter.js       one scenario, by its name or its file
    hoyle check -s census -r rubicon-hoyle ./adapter whole games of one ruleset, act by act
    hoyle check -k 'marriage not royal' ./adapter    checks with these words in their titles
    hoyle check --last-failed ./adapter              what failed last time
    hoyle check --shard 2/5 ./adapter                the second of five parts
    hoyle check --jobs 4 ./adapter                   four adapters share the checks
    hoyle check --seed monday ./adapter              other seats and suits than usual
    hoyle check --rules mine.yaml ./adapter          house rules: see 'hoyle new rules'
    hoyle check -r bezique-hoyle --record run.jsonl ./adapter
    hoyle check --junit out.xml --html out.html ./adapter
    hoyle check --transcript game.jsonl              a game that your engine has written down

    Hoyle relabels every check: it exchanges the seats of the players, and the suits that no rule names, always in the
    same way for the same seed. The report shows the checks as they were sent.

    A line of a baseline is 'ID STATUS'. The status is fail, crash, timeout, error, unsupported or skipped; a line
    without a status means fail. A name with * never excuses a crash, a timeout or an error. A run with --baseline ends
    with 0 if a check passes and nothing else fails. --write-baseline with the same FILE updates it: Hoyle keeps the
    lines of checks that did not run.

    An option that writes a FILE overwrites an older one of its kind, and nothing else. With -, it writes to standard
    output, and the report on the terminal goes to standard error. 'hoyle report' makes more reports from a record.
    HOYLE_NO_PROGRESS=1 hides the progress; HOYLE_NO_CACHE=1 reads every file again.

    \b
    Exit codes:
      0  everything as expected          3  nothing ran, or less than was selected
      1  an unexpected result            4  wrong usage, or a file that cannot be written
      2  the adapter broke               5  the suite itself is invalid

    A run in which no check passed never ends with 0: it ends as it would without the baseline. An interrupted run
    reports the results so far and ends as the signal would: with 130 after Ctrl-C. A run whose --deadline has passed
    ends with 3 if nothing worse was found.
    """
    call: AdapterCall = context.obj
    refuse_other_options(context, "rulesets")
    if options["transcripts"]:
        check_transcripts(options["transcripts"], options["rulesets"], spec, as_json=options["as_json"])
    if options["write_baseline"] and options["max_failures"]:
        raise click.UsageError(
            "--write-baseline needs all failures of a run, but --max-failures ends it early: leave one out."
        )
    suite = common.suite_or_exit(spec)
    select_options.command_or_exit(suite, call.words)
    memory = select_options.memory_or_exit(suite, call.words, options)
    selected = select_options.selected_or_exit(suite, options, memory)
    games, checks = [each for each in selected if is_game(each)], [each for each in selected if not is_game(each)]
    _load_cached_requests(suite, checks)
    # The reference reports an impossible position itself; an adapter may accept it.
    common.sound_or_exit(suite, [check.scenario for check in checks if call.words])
    checks = [*common.relabelled_or_exit(suite, checks, options["seed"], as_written=options["as_written"]), *games]
    with WrongUsageIfInvalid():
        baseline: Baseline = read_baseline(options["baseline"], suite) if options["baseline"] else ()
    files = _files_or_exit(suite, options, call)
    start = start_or_exit(call, options["timeout"], sandbox=options["sandbox"])
    again = _words_again(spec, options)
    recorder = _recorder(suite, files, options, again, call)
    with _progress(len(checks), files.record, files.log) as watch, ready_or_exit(call):
        log = files.log.write if files.log else lambda _line: None
        how = {"seconds": options["seconds"], "most_failures": options["max_failures"], "watch": watch}
        known = lines_by_check(baseline)
        run = _run(suite, checks, start, log, options["jobs"], known_failures=known, recorder=recorder, **how)
    memory.keep(suite, run)
    if not call.words:
        failed = [result.check for result in run.results if result.status is not Status.PASS]
        common.sound_or_exit(suite, [suite.scenarios[each.scenario.id] for each in failed if not is_game(each)])
    unwritten = list(outputs.write_reports(files.reports, files.recorded))
    if options["as_json"]:
        _print_as_json(files.recorded)
    else:
        shown = {"verbose": options["verbose"], "code": exit_code(run), "sandbox": options["sandbox"]}
        print_report(common.console(_WIDTH), suite, run, again=again, adapter=call.at_the_end, **shown)
    _write_baseline(suite, files.baseline, run, baseline)
    outputs.exit_when_written([files.record, files.log], run, unwritten)


def _load_cached_requests(suite: Suite, checks: Sequence[Check]) -> None:
    """Load the cached requests of these checks; cache those of all checks if all are selected."""
    if planner_of(suite).cache_key and len(checks) < len(suite.index.headings):
        load_requests(suite, {check.scenario.id for check in checks})
    elif planner_of(suite).cache_key:
        validate_positions(suite)


class _Files(NamedTuple):
    """The files that a run writes: the record and the log line by line, the others at its end; and the lines of the
    record, the source of the reports."""

    baseline: outputs.Output
    record: "LineFile | None"
    log: "LineFile | None"
    reports: Mapping[str, outputs.Output]
    recorded: list[bytes]


def _files_or_exit(suite: Suite, options: dict[str, Any], call: AdapterCall) -> _Files:
    """Return the files that a run writes; raise UsageError if one must not, or cannot, be written."""
    reports = outputs.report_outputs(options)
    baseline = outputs.Output("--write-baseline", options["write_baseline"], outputs.BASELINE, anew="--baseline")
    by_line = [
        outputs.Output("--record", options["record"], outputs.RECORD),
        outputs.log_of(call.words, options["log"]),
    ]
    every = [baseline, *by_line, *reports.values()]
    outputs.safe_or_exit(
        every, suite.root, {"--baseline": options["baseline"], "--rules": common.rules_file()}, call.words
    )
    outputs.json_alone_or_exit(every, as_json=options["as_json"])
    record, log = outputs.open_lines_or_exit(by_line)
    return _Files(baseline, record, log, reports, [])


def _words_again(spec: Path | None, options: dict[str, Any]) -> list[str]:
    """Return the words of the command that repeats a check."""
    seed, rules = ["--seed", options["seed"]] if options["seed"] else [], common.rules_file()
    return [
        *("hoyle", "check"),
        *(["--spec", str(spec)] if spec else []),
        *(["--rules", str(rules)] if rules else []),
        *(["--as-written"] if options["as_written"] else seed),
    ]


def _recorder(
    suite: Suite, files: _Files, options: dict[str, Any], again: Sequence[str], call: AdapterCall
) -> Recorder:
    """Return the recorder of the run, whose lines go into the record's file, and into memory if reports need them."""
    is_read = options["as_json"] or any(each.named for each in files.reports.values())
    writers = [*([files.record.write] if files.record else []), *([files.recorded.append] if is_read else [])]
    if not writers:
        return Recorder(suite)
    from hoyle_conformance.reports.failure import recorded_words

    def write(line: bytes) -> None:
        for each in writers:
            each(line)

    seed, shard = None if options["as_written"] else options["seed"], str(options["shard"] or "")
    of_call = Call(list(again), seed, shard, options["sandbox"])
    return Recorder(suite, write, of_call, recorded_words(suite, again, call.at_the_end))


def _progress(selected: int, *files: "LineFile | None") -> AbstractContextManager[Callable[[Result], object]]:
    """Return a context manager that shows the progress of the run, or nothing if lines of a file go to
    the same place."""
    if common.without_progress() or any(file and not file.plain for file in files):
        return nullcontext(lambda _result: None)
    return progress(selected)


def _run(suite: Suite, checks: list[Check], start: "Start", log: "Log", jobs: int, **how: Any) -> Run:
    """Run the checks in this many processes; `how` has the other arguments of `runner.run`."""
    how["with_games"] = without_games
    if any(map(is_game, checks)):
        from hoyle_conformance.tools.games.census import CensusGames

        how["with_games"] = CensusGames
    if jobs == 1:
        return run_checks(suite, start(suite, log), checks, **how)
    from hoyle_conformance.runner.jobs import helpers

    others, held = helpers(suite, start, log, checks, jobs), HeldLog(log)
    return run_checks(suite, start(suite, held), checks, helpers=others, log=held, **how)


def _print_as_json(lines: Sequence[bytes]) -> None:
    """Print the run with a record of these lines as `check.schema.json` describes it."""
    from hoyle_conformance.reports.diff import record_data
    from hoyle_conformance.reports.load_record import record_of

    common.print_json(record_data(record_of(b"".join(lines), "the run")))


def _write_baseline(suite: Suite, output: outputs.Output, run: Run, before: "Baseline") -> None:
    """Write the known failures, if requested, unless the run was interrupted."""
    if not output.named:
        return

    if run.interrupted:
        click.echo(phrase("baseline.not-written", file=output.path), err=True)
        return
    lines = update_baseline(run, before)
    outputs.write_or_exit(output, baseline_text(lines, run.ready, suite.version))
    if not output.is_standard_output:
        further = phrase("baseline.aborted") if run.gave_up else ""
        no_answers = [line.status for line in lines if line.status in NO_ANSWERS]
        name = "baseline.no-answer" if len(no_answers) == 1 else "baseline.no-answers"
        count = plural(len(lines_by_check(lines)), "known failure")
        among = phrase(name, count=len(no_answers), statuses=tally(no_answers)) if no_answers else ""
        click.echo(phrase("baseline.written", failures=count, file=output.path, among=among) + further, err=True)
