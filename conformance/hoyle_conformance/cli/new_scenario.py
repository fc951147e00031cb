"""`hoyle new scenario`: the file of a position, from what is said of it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from hoyle_conformance.cli.options import leave, show_invalid, spec_option, suite_or_leave
from hoyle_conformance.cli.outputs import Output, sure_or_leave, to_write, write_in_place, write_or_leave
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import join_and, sanitize

if TYPE_CHECKING:
    from collections.abc import Callable

    from hoyle_conformance.tools.authoring.draft import Draft, InspectedDraft
    from hoyle_conformance.tools.authoring.parse import ScenarioParser

_Understood = TypeVar("_Understood")
_THEM: Final = ("it", "them")
#: The options that say where the game stands.
_STANDS: Final = ("leads", "has_won", "exchanges", "announces", "before")


@click.command("scenario", short_help="A position, and what the rules say of it.")
@click.argument("name", metavar="[ID]", default="")
@click.option("--title", default="", metavar="TEXT", help="What is asked, or the outcome, in one sentence.")
@click.option("--ruleset", "-r", "rulesets", multiple=True, metavar="NAME", help="A ruleset it is for. Repeatable.")
@click.option(
    "--like", default="", metavar="ID", help="Begin with the rulesets, the position and the steps of another."
)
@click.option("--leads", metavar="A|B|…", help="Who is to lead.")
@click.option("--has-won", metavar="A|B|…", help="Who has won the last trick, and has not drawn.")
@click.option("--exchanges", metavar="A|B", help="Who is to exchange cards with the talon (Piquet).")
@click.option("--announces", metavar="A|B", help="Who is to announce the next class (Piquet).")
@click.option("--before", metavar="cut|deal", help="The game stands before the cut, or before the deal.")
@click.option("--trumps", metavar="SUIT", help="C, D, H or S; 'none' as long as no suit is.")
@click.option(
    "--hand",
    "hands",
    multiple=True,
    nargs=2,
    metavar='A "CARDS"',
    help="The cards of a player: '...' among them stands for cards that matter to nobody. Repeatable.",
)
@click.option(
    "--given", multiple=True, metavar='"KEY …"', help='More of the position: "score A 980 B 400". Repeatable.'
)
@click.option("--step", "steps", multiple=True, metavar='"A ACT …"', help="An act or a question. Repeatable, in order.")
@click.option(
    "--expect",
    "expects",
    multiple=True,
    metavar='"N: …"',
    help="What step N shows, as you derive it from the source. With a RULESET before it, of that alone. Repeatable.",
)
@click.option("--cites", multiple=True, metavar="CLAUSE", help="A clause that decides it. Repeatable.")
@click.option("--why", default="", metavar="TEXT", help="How the outcome follows, where that takes a thought.")
@click.option("--new-topic", is_flag=True, help="The ID begins with a topic that there is not yet.")
@click.option("--output", "-o", metavar="FILE", callback=to_write, help="Write it there (- prints it).")
@spec_option
def scenario(name: str, output: str | None, spec: Path | None, **said: Any) -> None:
    """Write the file of a scenario: a position, some steps, and what they show. Without an ID, or where something is
    missing, it asks, and ? explains every question.

    \b
    hoyle new scenario
    hoyle new scenario tricks.my-question --title "Does the king win?" -r bezique-hoyle \\
        --leads A --trumps H --hand A "KS ..." --hand B "9S ..." --step "A trick KS 9S" \\
        --expect "1: trick_won_by A" --cites hoyle/bezique/higher-card-wins
    hoyle new scenario tricks.my-question --like tricks.ace-over-ten --title "And the king?"

    \b
    A step is said as        A trick KS 9S     A declare bezique QS JD     A announce point 5
                             B play 8C irregular revoke     A winner KS AS (a question)
    What it shows as         scores A 40     scores nobody; trick_won_by A     refused card-not-held
                             answer KS QS (to a question)

    Every act and question, and all that can be said of a position, is shown by ? where it asks for them.

    What the steps show is yours to say, from the source: where you do not, a place is left for it, and nothing is
    filled in from the reference interpreter. Once you have, the file is held against that, as 'hoyle validate' does.
    It ends with 0 if the file is written and nothing speaks against it, 5 if something does, 4 if none is written.
    """
    from hoyle_conformance.cli.interview import interview, somebody_is_there

    suite = suite_or_leave(spec, drafts=True, mention=False)
    draft, says = _draft_or_leave(suite, name, **said)
    _writable_or_leave(suite, spec, output)
    missing = _missing(draft)
    asked = bool(missing) and somebody_is_there()
    if asked:
        draft = interview(suite, says, draft, new_topic=said["new_topic"])
    elif missing:
        raise click.UsageError(f"Missing: {', '.join(missing)}. On a terminal Hoyle asks for what is missing.")
    _write_or_leave(suite, draft, output, asked=asked)


def _missing(draft: "Draft") -> list[str]:
    """What a scenario cannot do without, by the options that say it."""
    needed = {
        "ID": draft.id,
        "--title": draft.title,
        "--ruleset": draft.rulesets,
        "--leads (or --has-won, --exchanges, --announces, --before)": any(key in draft.given for key in _STANDS),
        "--step": draft.steps,
    }
    return [option for option, value in needed.items() if not value]


def _draft_or_leave(suite: Suite, name: str, **said: Any) -> "tuple[Draft, ScenarioParser]":
    """What is known of a scenario from what was said of it; raises UsageError where that is not understood."""
    from hoyle_conformance.tools.authoring.draft import Draft, require_ruleset, require_topic, require_unused_id
    from hoyle_conformance.tools.authoring.parse import ScenarioParser

    if name:
        _understood("ID", require_unused_id, suite, name)
    if name and not said["new_topic"]:
        _understood("ID", require_topic, suite, name, more="For a new topic add --new-topic.")
    draft = _like_or_leave(suite, said["like"]) if said["like"] else Draft()
    rulesets = said["rulesets"] or draft.rulesets
    for each in rulesets:
        _understood("--ruleset", require_ruleset, suite, each)
    says = ScenarioParser(suite.schemas, names_of_melds(suite, rulesets))
    steps = tuple(_understood(f"--step {n}", says.step, text) for n, text in enumerate(said["steps"], 1)) or draft.steps
    draft = replace(
        draft,
        id=name,
        title=" ".join(said["title"].split()),
        why=" ".join(said["why"].split()),
        rulesets=tuple(dict.fromkeys(rulesets)),
        given=_given(says, draft, said),
        steps=steps,
        cites=tuple(dict.fromkeys(said["cites"])),
    )
    return replace(draft, expect=_expected(says, draft, said["expects"])), says


def names_of_melds(suite: Suite, rulesets: Sequence[str]) -> dict[str, str]:
    """The names of the combinations of some rulesets, by id."""
    return {id_: name for ruleset in rulesets for id_, name in suite.rules.meld_names(ruleset).items()}


def _like_or_leave(suite: Suite, name: str) -> "Draft":
    """The position of another scenario; what that shows answers another question, and is not taken over."""
    from hoyle_conformance.cli.suggest import no_such
    from hoyle_conformance.tools.authoring.draft import Draft

    if name not in suite.scenarios:
        raise click.UsageError(f"--like: {no_such('scenario', name, suite.scenarios, 'hoyle suite list')}")
    other = suite.scenarios[name]
    return Draft(rulesets=other.named, given=other.given, steps=tuple(other.steps))


def _given(says: "ScenarioParser", draft: "Draft", said: Mapping[str, Any]) -> dict[str, Any]:
    """The position: what it was like, with what is said of it in its place."""
    stands = {key: said[key] for key in (*_STANDS, "trumps") if said[key]}
    options = {key: f"--{key.replace('_', '-')}" for key in stands}
    given = {key: value for key, value in draft.given.items() if key not in _STANDS or not stands.keys() & set(_STANDS)}
    given |= {key: _understood(options[key], says.value, "given", key, text) for key, text in stands.items()}
    for seat, text in said["hands"]:
        hand = _understood("--hand", says.value, "given", "hands", f"{seat} {text}")
        given["hands"] = {**given.get("hands", {}), **hand}
    for text in said["given"]:
        key, _, value = text.strip().partition(" ")
        given[key.rstrip(":=")] = _understood("--given", says.value, "given", key.rstrip(":="), value)
    return given


def _expected(says: "ScenarioParser", draft: "Draft", texts: Sequence[str]) -> dict[str, dict[int, dict[str, Any]]]:
    expect: dict[str, dict[int, dict[str, Any]]] = {}
    for text in texts:
        before, colon, shown = text.partition(":")
        ruleset, _, number = before.strip().rpartition(" ")
        if not colon or not number.isdecimal() or not 1 <= int(number) <= len(draft.steps):
            steps = f"a step from 1 to {len(draft.steps)}" if draft.steps else "the number of a step"
            raise click.UsageError(
                f"--expect '{sanitize(text[:60])}': it begins with {steps}, and a colon: \"1: scores A 40\"."
            )
        if ruleset and ruleset not in draft.rulesets:
            raise click.UsageError(
                f"--expect '{sanitize(text[:60])}': '{sanitize(ruleset)}' is none of the rulesets of --ruleset."
            )
        said = _understood(f"--expect {before.strip()}", says.expectation, shown.strip(), draft.steps[int(number) - 1])
        of_step = expect.setdefault(ruleset, {}).setdefault(int(number), {})
        of_step |= said
    return expect


def _understood(option: str, understand: "Callable[..., _Understood]", *words: Any, more: str = "") -> _Understood:
    """What an option means; raises UsageError where that is not understood."""
    from hoyle_conformance.tools.authoring.parse import ParseError

    try:
        return understand(*words)
    except ParseError as unclear:
        why = sanitize(str(unclear))
        end = "" if why.endswith((".", "?")) else "."
        raise click.UsageError(f"{option}: {why}{end}{f' {more}' if more else ''}") from unclear


def _writable_or_leave(suite: Suite, spec: Path | None, output: str | None) -> None:
    """Raises UsageError where there is no folder of scenarios to write into."""
    from hoyle_conformance.suite.paths import VERSION, is_installed

    if output or spec or not is_installed(suite.root):
        return
    here = "--spec spec" if (Path("spec") / VERSION).is_file() else "--spec FOLDER/spec"
    raise click.UsageError(
        "This Hoyle was installed without the repository in which scenarios are kept: clone that, and name its spec "
        f"folder ({here}), or name a file with --output (- prints it)."
    )


def _write_or_leave(suite: Suite, draft: "Draft", output: str | None, *, asked: bool) -> None:
    """Write the file, and say what is left to do; where something is wrong with it, nothing is written, unless it was
    `asked` for: then it would have to be typed again."""
    from hoyle_conformance.tools.authoring.draft import inspect_draft

    looked = inspect_draft(suite, draft)
    if looked.faults and not asked:
        for fault in looked.faults:
            click.echo(f"{_without_place(str(fault))}\n", err=True)
        raise click.UsageError("Nothing is written: say it otherwise, with the same options.")
    path = Path(output) if output else suite.root / "scenarios" / draft.file
    file = Output("--output", output or str(path))
    if not file.is_standard_output and not Path(os.path.realpath(path)).as_posix().endswith(f"/{draft.file}"):
        raise click.UsageError(f"--output: the file of this id must be named {draft.file}, in any folder.")
    if not output:
        _new_topic(path)
    sure_or_leave([file], suite.root)
    if output:
        write_or_leave(file, looked.text)
    else:
        write_in_place(path, looked.text)
    if not file.is_standard_output:
        _say_what_is_left(suite, draft, looked, path)


def _new_topic(path: Path) -> None:
    if path.parent.parent.is_dir():
        path.parent.mkdir(exist_ok=True)


def _without_place(fault: str) -> str:
    """A mistake without the place in a file that is not there yet."""
    first, *rest = fault.split("\n")
    return "\n".join([first.split(": ", 1)[-1], *rest])


def _leave_out(suite: Suite, draft: "Draft", path: Path) -> tuple[str, ...]:
    """Name in the file, which is sound, the options and extending rulesets that do not come to an outcome of it."""
    from hoyle_conformance.tools.authoring.draft import inspect_draft
    from hoyle_conformance.tools.validate.inherit import inheritance_faults

    names = tuple(inheritance_faults(suite, path))
    if names:
        write_in_place(path, inspect_draft(suite, replace(draft, but_not=names)).text)
    return names


def _say_what_is_left(suite: Suite, draft: "Draft", looked: "InspectedDraft", path: Path) -> None:
    from hoyle_conformance.files.diagnostics import Invalid, shown_path
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.tools.validate.check_file import check_file

    shown = shown_path(path)
    click.echo(f"Wrote {shown}.")
    places = [n for n, line in enumerate(looked.text.splitlines(), 1) if "# to be written" in line]
    if looked.missing:
        lines = f"line{'s' if len(places) > 1 else ''} {' and '.join(map(str, places))}"
        click.echo(f"Left for you, from the source ({lines}): what the steps show, and the clauses that decide it.")
        click.echo(f"Then: hoyle validate {shown}")
        return
    faults = check_file(suite, path)
    if faults:
        show_invalid(Invalid(faults))
        click.echo(f"The file stays as you said it. Then: hoyle validate {shown}", err=True)
        leave(Exit.SUITE_INVALID)
    if left_out := _leave_out(suite, draft, path):
        click.echo(
            f"It does not hold for {join_and(left_out)}: the file names {_THEM[len(left_out) > 1]} under 'but_not'."
        )
        click.echo("Where a clause of the source decides it, give an outcome instead.")
    click.echo("It is sound, and the reference interpreter agrees with you.")
    click.echo(f"Next: hoyle explain {draft.id} --as-written")
