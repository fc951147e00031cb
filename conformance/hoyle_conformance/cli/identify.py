"""`hoyle identify`: the printed ruleset that an engine plays, and the rules in which it differs."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from hoyle_conformance.cli.adapter_options import (
    deadline_option,
    exit_not_ready,
    exit_without_adapter,
    start,
    timeout_option,
)
from hoyle_conformance.cli.configuration import (
    Configurable,
    configuration_option,
    configured_folder,
    is_on_the_command_line,
    words_at_the_end,
)
from hoyle_conformance.cli.exit import exit_explained, exit_with
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.names import rulesets_or_exit
from hoyle_conformance.cli.options import rulesets_option, spec_option, suite_or_exit, without_progress
from hoyle_conformance.cli.outputs import Output, json_alone_or_exit, output_option, safe_or_exit, write_or_exit
from hoyle_conformance.cli.sandbox_options import sandbox_option, sandbox_or_exit
from hoyle_conformance.cli.transcripts import (
    identify_transcripts,
    refuse_other_options,
    transcript_option,
)
from hoyle_conformance.files.stemming import words
from hoyle_conformance.runner.interrupts import INTERRUPTION, DeadlinePassed, Stop, deadline
from hoyle_conformance.runner.results import Exit

if TYPE_CHECKING:
    from hoyle_conformance.protocol.adapters import Implementation
    from hoyle_conformance.protocol.messages import AdapterInfo
    from hoyle_conformance.runner.rule_changes import Form
    from hoyle_conformance.suite.suite import Suite
    from hoyle_conformance.tools.identify.identify import Identification

#: Seconds after which what has been found is printed on standard error, if that is no terminal.
_FIRST_LINE: Final = 10.0


class IdentifyResult(NamedTuple):
    """The forms of the games that may be identified, those of them that were begun, and why the run stopped early."""

    ready: "AdapterInfo"
    forms: "list[Identification]"
    begun: "list[Identification]"
    stopped: str = ""


@click.command(
    "identify",
    cls=Configurable,
    options_metavar="[OPTIONS] [COMMAND…]",
    short_help="Find out which rules an engine plays.",
)
@rulesets_option("Name this ruleset, which the adapter must claim, in every request (repeatable: one for each game).")
@click.option("--game", "-g", default="", metavar="NAME", help="Only this game: bezique or piquet.")
@output_option("--write", help="Write the identified rules here, as house rules for 'hoyle check --rules'.")
@click.option("--force", is_flag=True, help="Overwrite the file that --write names.")
@timeout_option
@deadline_option
@sandbox_option
@transcript_option
@json_option
@configuration_option
@spec_option
@click.pass_context
def command(
    context: click.Context,
    /,
    transcripts: tuple[Path, ...],
    as_json: bool,
    rulesets: tuple[str, ...],
    game: str,
    write: str | None,
    force: bool,
    timeout: float,
    seconds: float | None,
    sandbox: bool,
    spec: Path | None,
) -> None:
    """Find out which printed ruleset an engine plays, and in which rules it differs.

    COMMAND starts an adapter, as with 'hoyle check'; without COMMAND, Hoyle takes that of the configuration file. It
    sends each distinct position once, and nothing that the adapter does not claim: if you do not know which ruleset you
    wrote, claim every ruleset that it may be.

    Hoyle knows the nearest ruleset first, and then finds one difference after the other. If you interrupt it, or the
    --deadline passes, it reports what it has found by then.

    \b
    hoyle identify python my_adapter.py
    hoyle identify --write mine.yaml ./adapter       and then: hoyle check --rules mine.yaml ./adapter
    hoyle identify -r bezique-hoyle ./adapter        the ruleset to name, one of those claimed
    hoyle identify --transcript games/               from games that the engine has written down

    \b
    Exit codes:
      0  identified, whatever it plays   4  wrong usage, or a file that cannot be written
      2  the adapter broke               5  the suite itself is invalid
      3  nothing could be sent, or the --deadline has passed
    """
    from hoyle_conformance.protocol.messages import ProtocolError

    adapter: tuple[str, ...] = context.meta["adapter"]
    refuse_other_options(context)
    if transcripts:
        identify_transcripts(transcripts, spec, as_json=as_json)
        return
    _refuse_nothing(context, adapter)
    output = Output("--write", write, force=force)
    json_alone_or_exit([output], as_json=as_json)
    suite = suite_or_exit(spec)
    rulesets_or_exit(suite, rulesets)
    _game_or_exit(suite, game)
    safe_or_exit([output], suite.root, command=adapter)
    document = sys.stdout if as_json else None
    if document:
        context.with_resource(redirect_stdout(sys.stderr))  # where the report for people then goes
    confined = sandbox_or_exit(context, wanted=sandbox)
    INTERRUPTION.heed()
    implementation = start(adapter, timeout, configured_folder(context), sandbox=confined)(suite, lambda _line: None)
    try:
        with deadline(seconds):
            out = _identify_forms(suite, implementation, adapter, (rulesets, game), _progress())
    except ProtocolError as fault:
        exit_without_adapter(fault)
    except DeadlinePassed as passed:
        exit_not_ready(passed)
    finally:
        implementation.close()
    if document:
        from hoyle_conformance.tools.identify.report import identified_data

        print_json(identified_data(out.ready, out.begun, out.stopped), document)
    _report(suite, out, output, words_at_the_end(context))


def _report(suite: "Suite", out: IdentifyResult, output: Output, words: Sequence[str]) -> None:
    """Print and write what is known; exit with another code than 0 if that is not all."""
    from hoyle_conformance.tools.identify.report import identification_lines

    for each in out.begun:
        click.echo("\n".join(["", *identification_lines(suite, each)]))
    known = [each for each in out.begun if each.is_known]
    if out.stopped:
        click.echo("\n".join(_unfinished_lines(out)))
    _write(suite, out.ready, known, output)
    _print_next(known, output, words)
    if any(each.responses.gave_up for each in out.begun):
        exit_explained(
            Exit.ADAPTER_BROKE, "the conversation broke too often; 'hoyle check' shows where, and what to do"
        )
    if out.stopped and INTERRUPTION.signal:
        exit_with(INTERRUPTION.exit)
    if out.stopped:
        exit_explained(
            Exit.TOO_LITTLE_RAN, f"{out.stopped} before everything was identified; run the command again with more time"
        )
    if not known:
        exit_explained(Exit.TOO_LITTLE_RAN, _failure_reason(out))


def _refuse_nothing(context: click.Context, adapter: tuple[str, ...]) -> None:
    """Raise UsageError if neither an adapter nor a ruleset of the reference is named."""
    if not adapter and not is_on_the_command_line(context, "rulesets"):
        raise click.UsageError(
            "Name the command that starts your adapter; or give -r NAME alone, to see how the reference is identified."
        )


def _progress() -> "Callable[[str], None]":
    """Return what prints each finding on standard error; elsewhere than on a terminal, only if it takes long."""
    began, at_once, off = monotonic(), sys.stderr.isatty(), without_progress()

    def show(found: str) -> None:
        if not off and (at_once or monotonic() - began > _FIRST_LINE):
            click.echo(found, err=True)

    return show


def _identify_forms(
    suite: "Suite",
    implementation: "Implementation",
    adapter: tuple[str, ...],
    asked_for: tuple[Sequence[str], str],
    show: "Callable[[str], None]",
) -> IdentifyResult:
    """Identify the rules of an implementation in the time there is; raise ProtocolError or DeadlinePassed if it is not
    ready."""
    from hoyle_conformance.reports.words import stop_reason
    from hoyle_conformance.runner.checker import DEAL
    from hoyle_conformance.runner.run import introduce
    from hoyle_conformance.tools.identify.identify import Identification
    from hoyle_conformance.tools.identify.positions import PositionResponses
    from hoyle_conformance.wording.text import sanitize, sentence

    ready = introduce(implementation)
    how = " ".join(adapter) if adapter else "built in"
    click.echo(sanitize(f"Identifying: {ready.name} {ready.version} ({ready.language}), {how}"))
    games = [
        Identification(suite, form, sent_as, PositionResponses(DEAL in ready.claims))
        for form, sent_as in _forms_to_ask(suite, ready, *asked_for)
    ]
    if not games:
        click.echo(
            f"The engine claims no ruleset of this suite{' and game' if asked_for[1] else ''}: 'hoyle suite list "
            "rulesets' shows them."
        )
    out = IdentifyResult(ready, games, [])
    for each in games:
        try:
            with INTERRUPTION.while_waiting():
                for step in each.steps(implementation, ready):
                    show(sentence(step))
        except KeyboardInterrupt:
            out = out._replace(stopped=stop_reason(INTERRUPTION.why or Stop()))
            if each.is_known and not each.standings:
                each.compare()
        out.begun.append(each)
        if out.stopped:
            break
    return out


def _forms_to_ask(suite: "Suite", ready: "AdapterInfo", rulesets: Sequence[str], game: str) -> "list[tuple[Form, str]]":
    """Return the forms to ask about, each with the ruleset to name."""
    from hoyle_conformance.cli.names import join_first
    from hoyle_conformance.runner.rule_changes import forms

    for ruleset in rulesets:
        if ruleset not in ready.rulesets:
            raise click.UsageError(f"The engine does not claim {ruleset}, but {join_first(sorted(ready.rulesets))}.")
    of_game = [form for form in forms(suite) if not game or _plain_name(form.game) == _plain_name(game)]
    named = [(form, _first(rulesets or form.rulesets, ready.rulesets.intersection(form.rulesets))) for form in of_game]
    return [(form, name) for form, name in named if name]


def _first(names: Iterable[str], among: Collection[str]) -> str:
    """Return the first of the names that is among some; empty if none is."""
    return next((name for name in names if name in among), "")


def _game_or_exit(suite: "Suite", game: str) -> None:
    """Raise UsageError if there is no such game."""
    games = {_plain_name(ruleset.game): ruleset.game for ruleset in suite.rulesets.values()}
    if game and _plain_name(game) not in games:
        raise click.UsageError(f"no game '{game}': the games are {' and '.join(games.values())}.")


def _plain_name(game: str) -> str:
    """Return the name of a game without capitals and accents."""
    return " ".join(words(game))


def _failure_reason(out: IdentifyResult) -> str:
    """Return why nothing was identified, and what to do."""
    if not out.forms:
        return "the engine claims nothing that can be identified; 'hoyle suite list rulesets' shows what it can claim"
    return "the engine answered nothing; 'hoyle suite list claims' shows what it can claim"


def _unfinished_lines(out: IdentifyResult) -> Iterator[str]:
    """Yield the forms that were not identified because the time was up."""
    from hoyle_conformance.tools.identify.report import describe_form
    from hoyle_conformance.wording.text import sentence

    yield ""
    yield sentence(out.stopped)
    unknown = [each for each in out.forms if not each.is_known]
    if unknown:
        yield "Not identified:"
    for each in unknown:
        yield f"  {describe_form(each.form, each.sent_as)}"
    yield "Give it more time, or do less: --game selects one game, and -r one ruleset that the engine claims."


def _write(suite: "Suite", ready: "AdapterInfo", found: "list[Identification]", output: Output) -> None:
    """Write the identified rules as house rules; of several forms, the first."""
    if output.named and found:
        from hoyle_conformance.tools.identify.report import house_rules_text

        write_or_exit(output, house_rules_text(suite, found[0], ready.name))


def _print_next(found: "list[Identification]", output: Output, words: Sequence[str]) -> None:
    """Print the next command, which `words` end."""
    if not found:
        click.echo("\nNothing is known about the rules that it plays.")
        return
    explained, end = found[0].explanation, "".join(f" {word}" for word in words)
    click.echo()
    if not explained.departures:
        click.echo(f"Next: hoyle check -r {explained.base.ruleset}{end}")
    elif output.is_standard_output:
        click.echo(f"Next: save the output as mine.yaml; then hoyle check --rules mine.yaml{end}")
    elif output.named:
        click.echo(f"The rules that it plays are written to {output.named}.")
        click.echo(f"Next: hoyle check --rules {output.named}{end}")
    else:
        click.echo(f"Next: --write mine.yaml writes these rules to a file; then hoyle check --rules mine.yaml{end}")
