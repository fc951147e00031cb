"""`hoyle identify`: the printed ruleset that an engine plays, and the rules in which it differs."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, redirect_stdout
from pathlib import Path
from time import monotonic, process_time
from typing import Any, Final, NamedTuple

import click

from hoyle_conformance.cli import options as common
from hoyle_conformance.cli.adapter_options import adapter_options, ready_or_exit, start_or_exit
from hoyle_conformance.cli.configuration import AdapterCall, Configurable, is_on_the_command_line
from hoyle_conformance.cli.exit import exit_explained, exit_with
from hoyle_conformance.cli.outputs import Output, json_alone_or_exit, output_option, safe_or_exit, write_or_exit
from hoyle_conformance.cli.transcripts import identify_transcripts, refuse_other_options, transcript_option
from hoyle_conformance.files.stemming import words
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.reports.words import stop_reason
from hoyle_conformance.runner.checker import DEAL
from hoyle_conformance.runner.interrupts import INTERRUPTION, Stop, deadline
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.runner.rule_changes import Form, forms
from hoyle_conformance.runner.run import introduce
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.identify import MOST_TIME, Identification
from hoyle_conformance.tools.identify.positions import PositionResponses
from hoyle_conformance.tools.identify.report import describe_form, house_rules_text, identification_lines
from hoyle_conformance.wording.text import sanitize, sentence

#: The time after which the results so far are printed on standard error, if it is not a terminal, in seconds.
_FIRST_LINE: Final = 10.0


class IdentifyResult(NamedTuple):
    """The forms of the games to identify, those already begun, and the reason why the run stopped early."""

    ready: AdapterInfo
    forms: list[Identification]
    begun: list[Identification]
    stopped: str = ""


@click.command("identify", cls=Configurable)
@common.rulesets_option(
    "Name this ruleset, which the adapter must claim, in every request (repeatable: one for each game)."
)
@click.option("--game", "-g", default="", metavar="NAME", help="Only this game: bezique or piquet.")
@output_option("--write", help="Write the identified rules here, as house rules for 'hoyle check --rules'.")
@click.option("--force", is_flag=True, help="Overwrite the file that --write names.")
@adapter_options
@transcript_option
@common.json_option
@common.spec_option
@click.pass_context
def command(context: click.Context, /, spec: Path | None, **options: Any) -> None:
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
    call: AdapterCall = context.obj
    refuse_other_options(context)
    if options["transcripts"]:
        identify_transcripts(options["transcripts"], spec, as_json=options["as_json"])
        return
    if not call.words and not is_on_the_command_line(context, "rulesets"):
        raise click.UsageError(
            "Name the command that starts your adapter; or give -r NAME alone, to see how the reference is identified."
        )
    output = Output("--write", options["write"], force=options["force"])
    json_alone_or_exit([output], as_json=options["as_json"])
    suite = common.suite_or_exit(spec)
    common.rulesets_or_exit(suite, options["rulesets"])
    games = {_plain_name(ruleset.game): ruleset.game for ruleset in suite.rulesets.values()}
    if options["game"] and _plain_name(options["game"]) not in games:
        raise click.UsageError(f"no game '{options['game']}': the games are {' and '.join(games.values())}.")
    safe_or_exit([output], suite.root, command=call.words)
    document = sys.stdout if options["as_json"] else None
    if document:
        context.with_resource(redirect_stdout(sys.stderr))  # the destination of the text report then
    implementation = start_or_exit(call, options["timeout"], sandbox=options["sandbox"])(suite, lambda _line: None)
    with closing(implementation), ready_or_exit(call), deadline(options["seconds"]):
        out = _identify_forms(suite, implementation, call.words, (options["rulesets"], options["game"]))
    if document:
        from hoyle_conformance.tools.identify.report import identified_data

        common.print_json(identified_data(out.ready, out.begun, out.stopped), document)
    _report(suite, out, output, call.at_the_end)


def _report(suite: Suite, out: IdentifyResult, output: Output, words: Sequence[str]) -> None:
    """Print and write the results; exit with a code other than 0 if they are incomplete."""
    for each in out.begun:
        click.echo("\n".join(["", *identification_lines(suite, each)]))
    known = [each for each in out.begun if each.is_known]
    if out.stopped:
        click.echo("\n".join(_unfinished_lines(out)))
    if output.named and known:  # of several forms, the first
        write_or_exit(output, house_rules_text(suite, known[0], out.ready))
    _print_next(out.ready, known, output, words)
    if any(each.responses.gave_up for each in out.begun):
        exit_explained(Exit.ADAPTER_BROKE, "the conversation broke too often; 'hoyle check' shows where")
    if out.stopped and INTERRUPTION.signal:
        exit_with(INTERRUPTION.exit)
    if out.stopped:
        exit_explained(
            Exit.TOO_LITTLE_RAN, f"{out.stopped} before everything was identified; run the command again with more time"
        )
    if not known:
        nothing = "answered nothing; 'hoyle suite list claims'"
        unclaimed = "claims nothing that can be identified; 'hoyle suite list rulesets'"
        why = f"the engine {nothing if out.forms else unclaimed} shows what it can claim"
        exit_explained(Exit.TOO_LITTLE_RAN, why)


def _progress() -> Callable[[str], None]:
    """Return a function that prints each finding on standard error; if it is not a terminal, only if the run takes
    long."""
    began, at_once, off = monotonic(), sys.stderr.isatty(), common.without_progress()

    def show(found: str) -> None:
        if not off and (at_once or monotonic() - began > _FIRST_LINE):
            click.echo(found, err=True)

    return show


def _identify_forms(
    suite: Suite, implementation: Implementation, adapter: tuple[str, ...], asked_for: tuple[Sequence[str], str]
) -> IdentifyResult:
    """Identify the rules of an implementation before the deadline; raise ProtocolError or DeadlinePassed if it is not
    ready."""
    show, ready = _progress(), introduce(implementation)
    click.echo(
        sanitize(f"Identifying: {ready.name} {ready.version} ({ready.language}), {' '.join(adapter) or 'built in'}")
    )
    games = [
        Identification(suite, form, sent_as, PositionResponses(DEAL in ready.claims))
        for form, sent_as in _forms_to_ask(suite, ready, *asked_for)
    ]
    if not games:
        click.echo(
            f"The engine claims no ruleset of this suite{' and game' if asked_for[1] else ''}: 'hoyle suite list "
            "rulesets' shows them."
        )
    out, end = IdentifyResult(ready, games, []), process_time() + MOST_TIME
    for each in games:
        each.most_time = (end - process_time()) / min(2, len(games) - len(out.begun))  # half of it for all others
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


def _forms_to_ask(suite: Suite, ready: AdapterInfo, rulesets: Sequence[str], game: str) -> list[tuple[Form, str]]:
    """Return the forms to identify, each with the ruleset name to send."""
    for ruleset in rulesets:
        if ruleset not in ready.rulesets:
            raise click.UsageError(
                f"The engine does not claim {ruleset}, but {common.join_first(sorted(ready.rulesets))}."
            )
    of_game = [form for form in forms(suite) if not game or _plain_name(form.game) == _plain_name(game)]
    claimed = [(form, ready.rulesets.intersection(form.rulesets)) for form in of_game]
    named = [(form, [name for name in rulesets or form.rulesets if name in some]) for form, some in claimed]
    return [(form, names[0]) for form, names in named if names]


def _plain_name(game: str) -> str:
    """Return the name of a game without capitals and accents."""
    return " ".join(words(game))


def _unfinished_lines(out: IdentifyResult) -> Iterator[str]:
    """Yield the forms that were not identified before the deadline."""
    yield ""
    yield sentence(out.stopped)
    unknown = [each for each in out.forms if not each.is_known]
    if unknown:
        yield "Not identified:"
    for each in unknown:
        yield f"  {describe_form(each.form, each.sent_as)}"
    yield "Give it more time, or do less: --game selects one game, and -r one ruleset that the engine claims."


def _print_next(ready: AdapterInfo, found: list[Identification], output: Output, words: Sequence[str]) -> None:
    """Print the next command, which ends with `words`."""
    if not found:
        click.echo("\nNothing is known about the rules that it plays.")
        return
    end = "".join(f" {word}" for word in words)
    click.echo()
    if not found[0].needs_house_rules(ready):
        click.echo(f"Next: hoyle check -r {found[0].explanation.base.ruleset}{end}")
    elif output.is_standard_output:
        click.echo(f"Next: save the output as mine.yaml; then hoyle check --rules mine.yaml{end}")
    elif output.named:
        click.echo(f"The rules that it plays are written to {output.named}: 'hoyle fuzz --rules' plays games by them.")
        click.echo(f"Next: hoyle check --rules {output.named}{end}")
    elif (house := found[0].house_rules) and ready.rulesets.intersection(house.other_names):
        click.echo(f"Next: hoyle check --rules {house.ruleset.id}{end}")
    else:
        click.echo(f"Next: --write mine.yaml writes these rules to a file; then hoyle check --rules mine.yaml{end}")
