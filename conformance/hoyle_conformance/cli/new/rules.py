"""`hoyle new rules`: create starter house rules, with a line to edit for every rule that differs among similar
rulesets."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click

from hoyle_conformance.cli.options import complete_files, force_option, similar_rulesets, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import Output, safe_or_exit, to_write, write_or_exit
from hoyle_conformance.runner.rule_changes import form_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import without_words
from hoyle_conformance.tools.authoring.draft import flow
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.rulings import is_irregularity
from hoyle_conformance.wording.text import plural, wrap

_HEAD: Final = """\
# House rules: a printed ruleset with a few rules changed. Check an engine against them with
#   hoyle check --rules {file} COMMAND
id: {id}
title: {title}
extends: {extends}"""
_RULES: Final = (
    "A line that begins with # and the name of a rule has the value of {extends}: remove the #, and change "
    "the value. Below it are the values of other rulesets, or other readings. These are the rules that "
    "differ among the rulesets of {game} for {players} with {packs}; 'hoyle rules {extends} --cells' names "
    "all rules."
)


@click.command("rules")
@click.argument("file", metavar="[FILE]", callback=to_write, shell_complete=complete_files, default="mine.yaml")
@click.option(
    "--extends",
    default="bezique-hoyle",
    show_default=True,
    metavar="RULESET",
    help="The ruleset to change, one of 'hoyle suite list rulesets'.",
)
@force_option
@spec_option
def command(file: str, extends: str, force: bool, spec: Path | None) -> None:
    """Write a FILE of house rules (mine.yaml if you name none; - prints it): a RULESET, and a line for every rule in
    which similar rulesets differ, to keep or remove. As it is written, the file changes nothing.

    \b
    hoyle new rules --extends bezique-hoyle mine.yaml
    hoyle check --rules mine.yaml ./adapter
    """
    suite = suite_or_exit(spec)
    if extends not in suite.rulesets:
        base = extends.partition("+")[0]
        hint = " Its options are chosen in the file." if base in suite.rulesets else similar_rulesets(extends, suite)
        raise click.UsageError(f"No ruleset '{extends}'.{hint}")
    output = Output("FILE", file, force=force)
    safe_or_exit([output], suite.root)
    name = "mine.yaml" if output.is_standard_output else output.path.name
    write_or_exit(output, "\n".join(house_rules_template(suite, extends, name)) + "\n")
    if not output.is_standard_output:
        click.echo(
            f"Wrote {file}. Change the rules that you play differently, then: hoyle check --rules {file} COMMAND"
        )


def house_rules_template(suite: Suite, ruleset: str, file: str) -> Iterator[str]:
    """Yield the lines of a file of house rules that changes nothing yet."""
    table, rules = suite.rulesets[ruleset], suite.rules.of(ruleset)
    title = json.dumps(f"{table.title}, as we play it", ensure_ascii=False)
    yield _HEAD.format(file=file, id=f"my-{ruleset}", title=title, extends=ruleset)
    if options := suite.rules.options(ruleset):
        said = "; ".join(f"{name} ({title[:1].lower()}{title[1:]})" for name, title in options.items())
        yield from (f"# {line}" for line in wrap(f"Options of {ruleset} that you play, of these: {said}."))
        yield f"#options: [{next(iter(options))}]"
    yield "rules:"
    players, packs = plural(rules.players, "player"), plural(rules.packs, "pack")
    yield from _comment(_RULES.format(extends=ruleset, game=table.game, players=players, packs=packs))
    others = [name for name in form_of(suite, ruleset).rulesets if name != ruleset]
    for chapter in rulebook.chapters(suite, suite.rules.cells(ruleset)):
        lines = [line for entry in chapter.entries for line in _rule_lines(suite, entry, others)]
        if lines:
            yield f"\n  # ---- {chapter.title}"
            yield from lines


def _comment(text: str) -> Iterator[str]:
    yield from (f"  # {line}" for line in wrap(text))


def _rule_lines(suite: Suite, entry: rulebook.Entry, others: list[str]) -> Iterator[str]:
    """Yield a rule that differs: its sentence, the line for its value, and the values of others."""
    cell, schema = entry.cell, rulebook.parameter_schema(suite, entry.cell.path)
    if is_irregularity(cell.value):
        return
    known = _other_values(suite, entry, others)
    if not known:
        return
    group = f"{entry.group}: " if entry.group not in {"", entry.heading} else ""
    yield ""
    yield from _comment(f"{group}{entry.heading}. {entry.sentence}")
    own = without_words(cell.value)
    if isinstance(own, Mapping):
        differing = dict.fromkeys(key for each, _ in known for key in without_words(each) if own.get(key) != each[key])
        yield from (f"  #{cell.path}.{key}: {flow(own[key])}" for key in differing if key in own)
    else:
        yield f"  #{cell.path}: {flow(own)}"
    for value, whose in known:
        short = flow(value)
        if isinstance(own, Mapping):
            other = without_words(value)
            short = ", ".join(f"{key}: {flow(other[key])}" for key in other if own.get(key) != other[key])
        said = f"or {short}: {rulebook.sentence(schema, value)} ({whose})"
        yield from (f"  #   {line}" for line in wrap(said, hanging=2) if short)


def _other_values(suite: Suite, entry: rulebook.Entry, others: list[str]) -> list[tuple[Any, str]]:
    """Return the other values of a cell, each with the names of its owners; an option is left out if its ruleset is
    among them."""
    cell, found = entry.cell, dict[str, tuple[Any, list[str]]]()
    values = [(reading.value, "another reading") for reading in cell.readings]
    of_others = [(name, suite.rules.cells(name)) for name in others]
    values += [(cells[cell.path].value, name) for name, cells in of_others if cell.path in cells]
    for value, owner in values:
        if (fields := without_words(value)) != without_words(cell.value):
            found.setdefault(json.dumps(fields, sort_keys=True), (value, []))[1].append(owner)
    return [
        (value, ", ".join(each for each in whose if "+" not in each or each.partition("+")[0] not in whose))
        for value, whose in found.values()
    ]
