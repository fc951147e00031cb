"""`hoyle new scenario`: edit a scenario's file in the user's editor, which opens again with the mistakes until the file
is sound."""

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from hoyle_conformance.cli.exit import exit_with, show_invalid
from hoyle_conformance.cli.options import no_such, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import Output, output_option, safe_or_exit, write_in_place, write_or_exit
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.paths import SCENARIO_FILE, VERSION, is_installed
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import (
    TO_WRITE,
    Draft,
    UnusableId,
    draft_data,
    require_topic,
    require_unused_id,
    scenario_text,
    topics,
)
from hoyle_conformance.tools.validate.check_file import check_file
from hoyle_conformance.tools.validate.inherit import inheritance_faults
from hoyle_conformance.wording.text import plural, sanitize, sentence

#: The prefix of explanatory lines, which are not written.
_COMMENT: Final = "##"
_MOST_SHOWN: Final = 10
_FIRST: Final = (
    f"{_COMMENT} A new scenario. Fill it in, save it and close the editor. To write nothing, leave it as it is.",
    f"{_COMMENT} The end lists everything that you can write. Hoyle removes lines that begin with {_COMMENT}.",
)
_AGAIN: Final = (
    "Correct the file, save it and close the editor. To accept the file as it is, leave it unchanged. "
    "To discard the file, empty it."
)
_KEEP_TOPIC: Final = "To begin this topic, leave the file as it is."


@click.command("scenario")
@click.argument("name", metavar="[ID]", default="")
@click.option(
    "--like", default="", metavar="ID", help="Begin with the rulesets, the position and the steps of this scenario."
)
@output_option("--output", "-o", help="Write the scenario here (- prints it).")
@spec_option
def command(name: str, like: str, output: str | None, spec: Path | None) -> None:
    """Write the file of a scenario: a position, some steps, and what they show.

    Hoyle opens the file in your editor (named by the variable EDITOR), with instructions and a list of every act and
    question. If it has mistakes when you save it, it opens again with the mistakes at the top. To write nothing, leave
    it unchanged or empty.

    \b
    hoyle new scenario
    hoyle new scenario tricks.my-question --like tricks.ace-over-ten

    Derive what the steps show from the source: Hoyle fills in nothing from the reference interpreter.

    \b
    Exit codes:
      0  the file is written, and has no mistake     5  it is written, and has mistakes
      4  nothing is written
    """
    suite = suite_or_exit(spec, drafts=True, mention=False)
    if name:
        _unused_or_exit(suite, name)
    draft = _like_or_exit(suite, name, like) if like else Draft(id=name)
    _writable_or_exit(suite, spec, output)
    if not is_interactive():
        raise click.UsageError(
            "Hoyle opens the file in your editor, which needs a terminal. 'hoyle validate FILE' checks a file that you "
            "write without it."
        )
    _write_edited_or_exit(suite, edit(suite, draft), output)


def _like_or_exit(suite: Suite, name: str, like: str) -> Draft:
    """Return a draft with the position and the steps of another scenario, without its outcomes."""
    if like not in suite.scenarios:
        raise click.UsageError(f"--like: {no_such('scenario', like, suite.scenarios, 'hoyle suite list')}")
    other = suite.scenarios[like]
    return Draft(id=name, rulesets=other.named, given=other.given, steps=tuple(other.steps))


def _unused_or_exit(suite: Suite, name: str) -> str:
    """Return an id that a new scenario may have; raise UsageError if it may not."""
    try:
        return require_unused_id(suite, name)
    except UnusableId as unusable:
        why = sanitize(str(unusable))
        raise click.UsageError(f"ID: {why}{'' if why.endswith(('.', '?')) else '.'}") from unusable


def _writable_or_exit(suite: Suite, spec: Path | None, output: str | None) -> None:
    """Raise UsageError if there is no folder for scenarios."""
    if output or spec or not is_installed(suite.root):
        return
    here = "--spec spec" if (Path("spec") / VERSION).is_file() else "--spec FOLDER/spec"
    raise click.UsageError(
        "This Hoyle was installed without the repository that holds the scenarios: clone it, and name its "
        f"spec folder ({here}), or name a file with --output (- prints it)."
    )


def _write_edited_or_exit(suite: Suite, text: str, output: str | None) -> None:
    """Write the file that comes from the editor; if that fails, print it, so that the user's text is not lost."""
    if not text:
        click.echo("Nothing was written: you left the file unchanged or empty.", err=True)
        exit_with(Exit.USAGE)
    try:
        draft = Draft(id=_id_or_exit(suite, text))
        path = _write_file_or_exit(suite, draft, text, output)
    except click.UsageError:
        click.echo(text, nl=False)
        raise
    if path is None:
        return
    if mistakes := _mistakes_in(suite, path):
        show_invalid(Invalid(mistakes))
        click.echo(f"The file is as you wrote it. Next: hoyle validate {shown_path(path)}", err=True)
        exit_with(Exit.SUITE_INVALID)
    click.echo("The scenario is valid, and the reference interpreter agrees with it.")
    click.echo(f"Next: hoyle explain {draft.id}")


def _mistakes_in(suite: Suite, path: Path) -> list[Diagnostic]:
    """Return the mistakes that `hoyle validate` finds in a file."""
    return check_file(suite, path) or list(inheritance_faults(suite, path).values())


def _id_or_exit(suite: Suite, text: str) -> str:
    """Return the id in the text of a scenario; raise UsageError if there is none, or no file may have it."""
    try:
        name = str(load(text, "").data["id"])
    except (Invalid, KeyError, TypeError) as error:
        raise click.UsageError("Nothing was written: the file, printed above, has no id that names it.") from error
    return _unused_or_exit(suite, name)


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


# ---- the editor


def is_interactive() -> bool:
    """Whether an editor can use the terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def edit(suite: Suite, draft: Draft) -> str:
    """Return a scenario's file as the user has edited it, without the comments; empty if there is nothing to write.

    The editor reopens until the file has no mistakes, or the user leaves it unchanged. Raise UsageError if the editor
    fails.
    """
    text, mistakes = "\n".join(_commented_lines(suite, draft)) + "\n", list[Diagnostic]()
    while True:
        edited = _open_editor("\n".join([*(_mistakes_on_top(mistakes) if mistakes else _FIRST), text]))
        if not any(line.strip() and not line.startswith("#") for line in edited.splitlines()):
            return ""
        if edited == text:
            return _without_comments(text) if mistakes else ""
        text, mistakes = edited, find_mistakes(suite, edited)
        if not mistakes:
            return _without_comments(text)


def find_mistakes(suite: Suite, text: str) -> list[Diagnostic]:
    """Return all mistakes in the text of a new scenario: those of its id, and those that `hoyle validate` finds."""
    try:
        document = load(text, "")
        name = str(document.data["id"])
    except Invalid as invalid:
        return list(invalid.diagnostics)
    except (KeyError, TypeError):  # missing, as the schema reports
        name = ""
    try:
        file = Draft(id=require_unused_id(suite, name) if name else "new.scenario").file
    except UnusableId as unclear:
        return [document.diagnose(["id"], "id", unclear.message, unclear.remedy)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / file
        path.parent.mkdir()
        path.write_text(text, "utf-8", newline="\n")
        found = _mistakes_in(suite, path)
    if found:
        return found
    try:
        require_topic(suite, name)
    except UnusableId as unclear:
        return [document.diagnose(["id"], "topic", unclear.message, f"{unclear.remedy} {_KEEP_TOPIC}".strip())]
    return []


def _open_editor(text: str) -> str:
    """Return the text as it is after the user has edited it, without the comments before its first line."""
    try:
        edited = click.edit(text.encode(), extension=SCENARIO_FILE, require_save=False)
    except click.ClickException as error:
        raise click.UsageError(
            f"{error.message}. Nothing was written. The variable EDITOR names the editor."
        ) from error
    lines = (edited or b"").decode("utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n")
    first = next((number for number, line in enumerate(lines) if not line.startswith(_COMMENT)), len(lines))
    return "\n".join(lines[first:])


def _without_comments(text: str) -> str:
    """Return the text without explanatory lines, and without the marks of parts still to be written."""
    for mark in TO_WRITE.values():
        text = text.replace(f"  {mark}", "")
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_COMMENT))


def _mistakes_on_top(mistakes: Sequence[Diagnostic]) -> list[str]:
    """Return the mistakes as comments to put before the text, with the line numbers that the text then has."""
    shown = mistakes[:_MOST_SHOWN]
    more = len(mistakes) - len(shown)
    heading = [f"{plural(len(mistakes), 'mistake')}{', of which these are the first' if more else ''}. {_AGAIN}"]
    height = len(heading) + sum(str(each).count("\n") + 1 for each in shown)
    for each in shown:
        moved = replace(each, line=each.line + height)
        message, *rest = str(moved).split("\n")
        heading += [f"Line {moved.line}: {message.partition(': ')[2]}", *rest]
    return [f"{_COMMENT} {line}" for line in heading]


def _commented_lines(suite: Suite, draft: Draft) -> Iterator[str]:
    """Yield the lines of a draft's file, with an explanation before each key and a list of all keys at the end."""
    explained = _explanations(suite)
    for line in scenario_text(
        draft_data(suite, draft if draft.rulesets else replace(draft, rulesets=("",)))
    ).splitlines():
        for comment in explained.get(line.partition(":")[0], ()):
            yield f"{_COMMENT} {comment}"
        yield line.removesuffix(" {}") if line == "given: {}" else line
    for heading, entries in _reference(suite.schemas):
        yield f"{_COMMENT} {heading}:"
        yield from (f"{_COMMENT}   {key}: {sentence(about)}" for key, about in entries.items())


def _explanations(suite: Suite) -> dict[str, tuple[str, ...]]:
    """Return an explanation for each key of a scenario."""
    return {
        "id": (f"A topic, a dot and a permanent name: tricks.identical-cards. Topics: {', '.join(topics(suite))}.",),
        "title": ("The situation or the question, in at most 70 characters: Ace and ten of one suit.",),
        "given": (
            "The point in the game (before, exchanges, announces, leads or has_won), and the cards that matter:",
            "  leads: A",
            "  trumps: H",
            '  hands: {A: [KS, "QS#2", ...], B: [9S, ...]}',
            "... stands for cards that do not matter; QS#2 is the second queen of spades, T is a ten.",
        ),
        "steps": ("Acts and questions, in order:", "  - {by: A, do: trick, cards: [KS, 9S]}"),
        "outcomes": (
            "The outcome of the steps according to the source, and the clauses that decide it. Derive it by reading.",
            f"Rulesets: {', '.join(suite.rulesets)}. Rulesets that differ have separate outcomes.",
            "'hoyle ask' finds clauses by words. The key 'why' explains an outcome that is not obvious.",
            "If the source leaves the outcome open, write readings instead: docs/scenario-files.md has an example.",
        ),
    }


def _reference(schemas: Schemas) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield all steps, keys of a position and observables of a step, each with its meaning, under their headings."""
    common, scenario = schemas.documents["common"]["$defs"], schemas.documents["scenario"]["$defs"]
    kinds = {**common["do"], **common["ask"], **scenario["do"]}
    steps = {_entry(word, schema): _first_sentence(schema["description"]) for word, schema in kinds.items()}
    yield "Steps (? marks what may be left out)", steps
    for heading, part in (("a position, under 'given'", "given"), ("what a step shows, under 'expect'", "expectation")):
        described = scenario[part]["properties"]
        yield f"Keys of {heading}", {key: _description(schemas, schema) for key, schema in described.items()}


def _entry(word: str, schema: Mapping[str, Any]) -> str:
    """Return an act or a question as written in a file: ``{by: A, do: declare, meld: …, cards: […]}``."""
    kind = "do" if "do" in schema["properties"] else "ask"
    keys = [key for key in ("by", kind, *schema["required"], *schema["properties"]) if key in schema["properties"]]
    known = {"by": "A", kind: word}
    parts = [f"{key}: {known.get(key, '…')}{'' if key in schema['required'] else '?'}" for key in dict.fromkeys(keys)]
    return f"{{{', '.join(parts)}}}"


def _description(schemas: Schemas, schema: Mapping[str, Any]) -> str:
    """Return the description of a value, its own or that of the schema to which it refers."""
    while "description" not in schema and "$ref" in schema:
        name, _, pointer = schema["$ref"].partition("#/")
        node: Any = schemas.documents[name.removesuffix(".schema.json") or "scenario"]
        for key in pointer.split("/"):
            node = node[key]
        schema = node
    return _first_sentence(schema.get("description", ""))


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[^.])\. ", text, maxsplit=1)[0].rstrip(".")
