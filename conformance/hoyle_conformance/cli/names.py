"""Names on the command line that may be wrong: errors with the name that was probably meant, or the command that lists
all.

Hoyle prints the command that was probably meant and never runs it: a word that looks like a command today may be the
name of a check next year, and a build that works by a guess would break.
"""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

import click

from hoyle_conformance.files.diagnostics import nearest
from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import sanitize
from hoyle_reference import Malformed

#: So many names are shown, and how many more there are.
_SHOWN: Final = 8
_LONGEST: Final = 100  # characters of a wrong name that are repeated
_LONGEST_REASON: Final = 500  # characters of what is wrong with a name


def no_such(what: str, name: str, known: Iterable[str], listed_by: str) -> str:
    """Return that there is no such thing, with the nearest name or the command that lists all."""
    near = nearest(name, known)
    remedy = f"Did you mean '{near}'?" if near else f"'{listed_by}' shows them all."
    return f"no {what} '{_shorten(name)}'. {remedy}"


def join_first(names: Sequence[str], listed_by: str = "") -> str:
    """Join the first of many names, with the number of the others and the command that lists all."""
    shown = ", ".join(names[:_SHOWN])
    if len(names) <= _SHOWN:
        return shown
    where = f": '{listed_by}'" if listed_by else ""
    return f"{shown}, and {len(names) - _SHOWN} more{where}"


def _nearest_rulesets(suite: Suite, name: str) -> str:
    """Return the rulesets that a wrong name may mean, as a sentence or a list that follows another sentence."""
    near, among = nearest(name, suite.rules.names), matching_rulesets(suite, name)
    if len(among) > 1:
        width = max(map(len, among))
        lines = [f"  {each:<{width}}  {suite.rules.title(each)}" for each in among]
        return "\n".join((" These rulesets have it in their name or title:", *lines))
    if meant := near or "".join(among):
        return f" Did you mean '{meant}'?"
    return f" 'hoyle suite list rulesets' shows all {len(suite.rulesets)}."


def matching_rulesets(suite: Suite, text: str) -> list[str]:
    """Return the rulesets with all these words in their name or title."""
    wanted = set(words(text))
    titles = {name: set(words(f"{name} {suite.rules.title(name)}")) for name in suite.rulesets}
    return [name for name, has in titles.items() if wanted and wanted <= has]


def no_such_file(path: Path) -> str:
    """Return that there is no such file, with the nearest name in its folder."""
    near = nearest(path.name, _names_in_folder(path))
    meant = f" Did you mean '{sanitize(str(path.with_name(near)))}'?" if near else ""
    return f"no such file: '{sanitize(str(path))}'.{meant}"


def _names_in_folder(path: Path) -> Collection[str]:
    """Return the names of the files in a path's folder."""
    try:
        return [each.name for each in path.parent.iterdir()]
    except (OSError, ValueError):  # no folder either, or a name that nothing can have
        return ()


def _shorten(name: str) -> str:
    """Return a name on one line, shortened."""
    return sanitize(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…").replace("\n", " ")


def similar_rulesets(name: str, suite: Suite) -> str:
    """Return the rulesets that a wrong name may mean, as a sentence or a list; nothing if only the name's options are
    wrong."""
    return "" if name.partition("+")[0] in suite.rulesets else _nearest_rulesets(suite, name)


def ruleset_or_exit(suite: Suite, name: str) -> None:
    """Raise UsageError unless there is such a ruleset with such options."""
    try:
        suite.rules.cells(name)
    except Malformed as malformed:
        said = sanitize(str(malformed)[:_LONGEST_REASON])
        raise click.UsageError(f"{said}.{similar_rulesets(name, suite)}") from malformed


def rulesets_or_exit(suite: Suite, names: Iterable[str]) -> None:
    """Raise UsageError unless each name is a ruleset with one option at most."""
    for name in names:
        if name in suite.rules.names:
            continue
        ruleset_or_exit(suite, name)
        raise click.UsageError(f"'{name}' has several options; here a ruleset can have one at most.")
