"""`hoyle new scenario`: a scenario's file from the options, or from the user's editor."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from hoyle_conformance.cli.completion import complete_disputed
from hoyle_conformance.cli.exit import exit_with, show_invalid
from hoyle_conformance.cli.names import no_such
from hoyle_conformance.cli.new.edit import edit, is_interactive
from hoyle_conformance.cli.options import rulesets_option, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import Output, output_option, safe_or_exit, write_in_place, write_or_exit
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.paths import VERSION, is_installed
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.dispute import Dispute, require_dispute
from hoyle_conformance.tools.authoring.draft import (
    Draft,
    InspectedDraft,
    inspect_draft,
    require_ruleset,
    require_topic,
    require_unused_id,
)
from hoyle_conformance.tools.authoring.parse import ParseError, ScenarioParser
from hoyle_conformance.tools.validate.check_file import check_file
from hoyle_conformance.tools.validate.inherit import inheritance_faults
from hoyle_conformance.wording.text import join_and, sanitize

_Understood = TypeVar("_Understood")
_THEM: Final = ("it", "them")
#: The options that say where the game stands.
_STANDS: Final = ("leads", "has_won", "exchanges", "announces", "before")


@click.command("scenario", short_help="Write a scenario: a position, and what the rules say about it.")
@click.argument("name", metavar="[ID]", default="")
@click.option("--title", default="", metavar="TEXT", help="The situation or the question, in at most 70 characters.")
@rulesets_option("A ruleset that answers the question (repeatable).")
@click.option(
    "--like", default="", metavar="ID", help="Begin with the rulesets, the position and the steps of this scenario."
)
@click.option("--leads", metavar="A|B|…", help="The player to lead.")
@click.option("--has-won", metavar="A|B|…", help="The player who has won the last trick and has not drawn yet.")
@click.option("--exchanges", metavar="A|B", help="The player to exchange cards with the talon (Piquet).")
@click.option("--announces", metavar="A|B", help="The player to announce the next class (Piquet).")
@click.option("--before", metavar="cut|deal", help="A position before the cut, or before the deal.")
@click.option("--trumps", metavar="SUIT", help="The suit of trumps: C, D, H or S; 'none' while there is none.")
@click.option(
    "--hand",
    "hands",
    multiple=True,
    nargs=2,
    metavar='A "CARDS"',
    help="The cards of a player, with '...' for cards that do not matter (repeatable).",
)
@click.option(
    "--given", multiple=True, metavar='"KEY …"', help='More of the position: "score A 980 B 400" (repeatable).'
)
@click.option(
    "--step", "steps", multiple=True, metavar='"A ACT …"', help="An act or a question (repeatable, in order)."
)
@click.option(
    "--expect",
    "expects",
    multiple=True,
    metavar='"N: …"',
    help="The outcome of step N according to the source; put a RULESET or a reading before N if they differ "
    "(repeatable).",
)
@click.option(
    "--disputed",
    metavar="CELL",
    multiple=True,
    shell_complete=complete_disputed,
    help="A rule that the sources leave open (repeatable): the file then has a part for each of its readings, or for "
    "each way to read several rules together.",
)
@click.option("--cites", multiple=True, metavar="CLAUSE", help="A clause that decides the outcome (repeatable).")
@click.option(
    "--why",
    default="",
    metavar="TEXT",
    help="Why the outcome follows, if it is not obvious; with --disputed, why the rulesets follow their reading.",
)
@click.option("--new-topic", is_flag=True, help="Begin the new topic of the ID.")
@output_option("--output", "-o", help="Write the scenario here (- prints it).")
@click.option("--no-edit", is_flag=True, help="Write the file from the options alone, without an editor.")
@spec_option
def command(name: str, output: str | None, no_edit: bool, spec: Path | None, **said: Any) -> None:
    """Write the file of a scenario: a position, some steps, and what they show.

    If the options do not give everything that a scenario needs, Hoyle opens the file in your editor (named by the
    variable EDITOR). The file has instructions. If it has mistakes when you save it, it opens again with the mistakes
    at the top. To write nothing, leave it unchanged or empty.

    \b
    hoyle new scenario
    hoyle new scenario tricks.my-question --title "Does the king win?" -r bezique-hoyle \\
        --leads A --trumps H --hand A "KS ..." --hand B "9S ..." --step "A trick KS 9S" \\
        --expect "1: trick_won_by A" --cites hoyle/bezique/higher-card-wins
    hoyle new scenario tricks.my-question --like tricks.ace-over-ten --title "And the king?"
    hoyle new scenario seven.my-question --title "Does the seven score too?" -r bezique-hoyle \\
        --has-won A --trumps H --hand A "7H KS QS ..." --step "A declare common-marriage KS QS" \\
        --step "A show 7H" --disputed seven.with_a_declaration --expect "1: scores A 20" \\
        --expect "beside 2: scores A 10" --expect "instead 2: refused one-score-a-trick" \\
        --cites hoyle/bezique/seven-exchanged

    \b
    Write a step as          A trick KS 9S     A declare bezique QS JD     A announce point 5
                             B play 8C irregular revoke     A winner KS AS (a question)
    What it shows as         scores A 40     scores nobody; trick_won_by A     refused card-not-held
                             answer KS QS (to a question)

    With --disputed, an expectation without a name holds for every reading. The rule tables say which readings there
    are, and which one each ruleset follows; 'hoyle rules RULESET --cells' names the cells. If several rules are
    disputed, the file has a part for each way to read them together, such as 'deals-and-instead'. An expectation
    with the name of one rule's reading holds for every part in which that rule is read so.

    The file in the editor lists every act and question, and everything that a position can contain.

    Derive what the steps show from the source. If you leave it out, the file has a marked place for it: Hoyle fills in
    nothing from the reference interpreter. Hoyle then checks the file, as 'hoyle validate' does.

    \b
    Exit codes:
      0  the file is written, and has no mistake     5  it is written, and has mistakes
      4  nothing is written
    """
    suite = suite_or_exit(spec, drafts=True, mention=False)
    draft, parser = _draft_or_exit(suite, name, **said)
    _writable_or_exit(suite, spec, output)
    missing, looked = _missing(draft), inspect_draft(suite, draft)
    if not no_edit and (missing or looked.faults or looked.missing) and is_interactive():
        _write_edited_or_exit(suite, edit(suite, parser, draft, new_topic=said["new_topic"]), output)
    elif missing:
        raise click.UsageError(f"Missing: {', '.join(missing)}. On a terminal Hoyle opens your editor for the rest.")
    else:
        _write_or_exit(suite, draft, looked, output)


def _missing(draft: Draft) -> list[str]:
    """Return the options that a scenario needs and the draft lacks."""
    needed = {
        "ID": draft.id,
        "--title": draft.title,
        "--ruleset": draft.rulesets,
        "--leads (or --has-won, --exchanges, --announces, --before)": any(key in draft.given for key in _STANDS),
        "--step": draft.steps,
    }
    return [option for option, value in needed.items() if not value]


def _draft_or_exit(suite: Suite, name: str, **said: Any) -> tuple[Draft, ScenarioParser]:
    """Return the draft that the options describe, with their parser; raise UsageError if an option is wrong."""
    if name:
        _parse_or_exit("ID", require_unused_id, suite, name)
    if name and not said["new_topic"]:
        _parse_or_exit("ID", require_topic, suite, name, more="For a new topic add --new-topic.")
    draft = _like_or_exit(suite, said["like"]) if said["like"] else Draft()
    rulesets = said["rulesets"] or draft.rulesets
    for each in rulesets:
        _parse_or_exit("--ruleset", require_ruleset, suite, each)
    melds = {id_: title for ruleset in rulesets for id_, title in suite.rules.meld_names(ruleset).items()}
    parser = ScenarioParser(suite.schemas, melds)
    steps = (
        tuple(_parse_or_exit(f"--step {n}", parser.step, text) for n, text in enumerate(said["steps"], 1))
        or draft.steps
    )
    draft = replace(
        draft,
        id=name,
        title=" ".join(said["title"].split()),
        why=" ".join(said["why"].split()),
        rulesets=tuple(dict.fromkeys(rulesets)),
        given=_position(parser, draft, said),
        steps=steps,
        cites=tuple(dict.fromkeys(said["cites"])),
        dispute=_dispute_or_exit(suite, rulesets, said["disputed"]),
    )
    return replace(draft, expect=_expectations(parser, draft, said["expects"])), parser


def _like_or_exit(suite: Suite, name: str) -> Draft:
    """Return a draft with the position and the steps of another scenario, without its outcomes."""
    if name not in suite.scenarios:
        raise click.UsageError(f"--like: {no_such('scenario', name, suite.scenarios, 'hoyle suite list')}")
    other = suite.scenarios[name]
    return Draft(rulesets=other.named, given=other.given, steps=tuple(other.steps))


def _dispute_or_exit(suite: Suite, rulesets: Sequence[str], cells: Sequence[str]) -> Dispute | None:
    """Return the dispute about cells, if any are named; raise UsageError if no ruleset leaves them open."""
    named = list(dict.fromkeys(cells))
    return _parse_or_exit("--disputed", require_dispute, suite, rulesets, named) if named else None


def _position(parser: ScenarioParser, draft: Draft, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the position: that of the draft, changed as the options say."""
    stands = {key: said[key] for key in (*_STANDS, "trumps") if said[key]}
    options = {key: f"--{key.replace('_', '-')}" for key in stands}
    given = {key: value for key, value in draft.given.items() if key not in _STANDS or not stands.keys() & set(_STANDS)}
    given |= {key: _parse_or_exit(options[key], parser.value, "given", key, text) for key, text in stands.items()}
    for seat, text in said["hands"]:
        hand = _parse_or_exit("--hand", parser.value, "given", "hands", f"{seat} {text}")
        given["hands"] = {**given.get("hands", {}), **hand}
    for text in said["given"]:
        key, _, value = text.strip().partition(" ")
        given[key.rstrip(":=")] = _parse_or_exit("--given", parser.value, "given", key.rstrip(":="), value)
    return given


def _expectations(parser: ScenarioParser, draft: Draft, texts: Sequence[str]) -> dict[str, dict[int, dict[str, Any]]]:
    """Return what the steps must show, by the ruleset or reading and the number of the step."""
    expect: dict[str, dict[int, dict[str, Any]]] = {}
    for text in texts:
        before, colon, shown = text.partition(":")
        name, _, number = before.strip().rpartition(" ")
        if not colon or not number.isdecimal() or not 1 <= int(number) <= len(draft.steps):
            steps = f"a step from 1 to {len(draft.steps)}" if draft.steps else "the number of a step"
            raise click.UsageError(
                f"--expect '{sanitize(text[:60])}': it begins with {steps}, and a colon: \"1: scores A 40\"."
            )
        if name and (wrong := _not_among(draft, name)):
            raise click.UsageError(f"--expect '{sanitize(text[:60])}': {sanitize(wrong)}")
        said = _parse_or_exit(
            f"--expect {before.strip()}", parser.expectation, shown.strip(), draft.steps[int(number) - 1]
        )
        of_step = expect.setdefault(name, {}).setdefault(int(number), {})
        of_step |= said
    return expect


def _not_among(draft: Draft, name: str) -> str:
    """Return why a name is not that of a reading, or of a ruleset that decides; empty if it is."""
    dispute = draft.dispute
    if name in draft.decides or (dispute and (name in dispute.readings or name in dispute.of_one_cell)):
        return ""
    if dispute is None:
        return f"'{name}' is not one of the rulesets of --ruleset."
    of_cell = f"The readings of {join_and(dispute.paths)} are {join_and(list(dispute.readings))}."
    if name in dispute.cells:
        return f"{name} leaves the question open: name a reading instead. {of_cell}"
    return f"'{name}' is no reading, and not one of the rulesets of --ruleset. {of_cell}"


def _parse_or_exit(option: str, understand: Callable[..., _Understood], *words: Any, more: str = "") -> _Understood:
    """Return what an option means; raise UsageError if its words are wrong."""
    try:
        return understand(*words)
    except ParseError as unclear:
        why = sanitize(str(unclear))
        end = "" if why.endswith((".", "?")) else "."
        raise click.UsageError(f"{option}: {why}{end}{f' {more}' if more else ''}") from unclear


def _writable_or_exit(suite: Suite, spec: Path | None, output: str | None) -> None:
    """Raise UsageError if there is no folder for scenarios."""
    if output or spec or not is_installed(suite.root):
        return
    here = "--spec spec" if (Path("spec") / VERSION).is_file() else "--spec FOLDER/spec"
    raise click.UsageError(
        "This Hoyle was installed without the repository that holds the scenarios: clone it, and name its "
        f"spec folder ({here}), or name a file with --output (- prints it)."
    )


def _write_or_exit(suite: Suite, draft: Draft, looked: InspectedDraft, output: str | None) -> None:
    """Write the file of a draft, and print what is left to do; raise UsageError if the draft has mistakes."""
    if looked.faults:
        for fault in looked.faults:
            click.echo(f"{str(fault).partition(': ')[2]}\n", err=True)  # without the place in a file not yet written
        raise click.UsageError("Nothing was written. Correct the mistakes, and run the command again.")
    path = _write_file_or_exit(suite, draft, looked.text, output)
    if path and looked.missing:
        places = [str(n) for n, line in enumerate(looked.text.splitlines(), 1) if "# to be written" in line]
        lines = f"line{'s' if len(places) > 1 else ''} {' and '.join(places)}"
        click.echo(
            f"You still have to write, from the source ({lines}), what the steps show and which clauses decide it."
        )
        click.echo(f"Then: hoyle validate {shown_path(path)}")
    elif path:
        _exit_if_wrong(check_file(suite, path), path)
        if left_out := tuple(inheritance_faults(suite, path)):
            write_in_place(path, inspect_draft(suite, replace(draft, but_not=left_out)).text)
            click.echo(
                f"The outcome does not hold for {join_and(left_out)}: the file names "
                f"{_THEM[len(left_out) > 1]} under 'but_not'."
            )
            click.echo("If a clause of the source decides it, give an outcome instead.")
        _print_next(draft.id)


def _write_edited_or_exit(suite: Suite, text: str, output: str | None) -> None:
    """Write the file that comes from the editor; if it cannot be written, print it, since it was typed."""
    if not text:
        click.echo("Nothing was written: you left the file unchanged or empty.", err=True)
        exit_with(Exit.USAGE)
    try:
        draft = Draft(id=_id_or_exit(suite, text))
        path = _write_file_or_exit(suite, draft, text, output)
    except click.UsageError:
        click.echo(text, nl=False)
        raise
    if path:
        _exit_if_wrong(check_file(suite, path) or list(inheritance_faults(suite, path).values()), path)
        _print_next(draft.id)


def _id_or_exit(suite: Suite, text: str) -> str:
    """Return the id in the text of a scenario; raise UsageError if there is none, or no file may have it."""
    try:
        name = str(load(text, "").data["id"])
    except (Invalid, KeyError, TypeError) as error:
        raise click.UsageError("Nothing was written: the file, printed above, has no id that names it.") from error
    return _parse_or_exit("ID", require_unused_id, suite, name)


def _write_file_or_exit(suite: Suite, draft: Draft, text: str, output: str | None) -> Path | None:
    """Write the text and return its file, or None for standard output; raise UsageError if it cannot be written."""
    path = Path(output) if output else suite.root / "scenarios" / draft.file
    file = Output("--output", output or str(path))
    if not file.is_standard_output and not Path(os.path.realpath(path)).as_posix().endswith(f"/{draft.file}"):
        raise click.UsageError(f"--output: the file of this id must be named {draft.file}, in any folder.")
    if not output and path.parent.parent.is_dir():
        path.parent.mkdir(exist_ok=True)  # of a new topic
    safe_or_exit([file], suite.root)
    if output:
        write_or_exit(file, text)
    else:
        write_in_place(path, text)
    if file.is_standard_output:
        return None
    click.echo(f"Wrote {shown_path(path)}.")
    return path


def _exit_if_wrong(mistakes: list[Diagnostic], path: Path) -> None:
    """Print the mistakes of the written file, if there are any, and end the command with 5."""
    if mistakes:
        show_invalid(Invalid(mistakes))
        click.echo(f"The file is as you wrote it. Next: hoyle validate {shown_path(path)}", err=True)
        exit_with(Exit.SUITE_INVALID)


def _print_next(name: str) -> None:
    """Print that the file is sound, and the next command."""
    click.echo("The scenario is valid, and the reference interpreter agrees with it.")
    click.echo(f"Next: hoyle explain {name}")
