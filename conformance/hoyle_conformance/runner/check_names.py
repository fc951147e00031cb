"""Names of checks on the command line: the checks that a word means, and the message if it means none.

A word may be the id of a check, of a scenario or of a topic, or a pattern of these; a clause, for the checks that cite
it; the name of a scenario without its topic; or a file of the suite, or a folder of them, as one types it or as reports
print it.
"""

import os
import re
from collections.abc import Callable, Iterator
from fnmatch import translate
from pathlib import Path
from typing import Final

from hoyle_conformance.files.safe_text import printable
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.suite.model import topic_of
from hoyle_conformance.suite.paths import shown
from hoyle_conformance.suite.suite import Suite

#: The characters that make a pattern of a name.
_WILD: Final = frozenset("*?[")
#: No pattern of use is so long, in characters; and one of ten thousand stars takes a second to be read.
_LONGEST: Final = 200
_ENDING: Final = ".scenario.yaml"
#: A line, perhaps with a column, after the name of a file in a report.
_LINE: Final = re.compile(r"(:\d+){1,2}$")
#: The characters of a wrong word that are repeated.
_REPEATED: Final = 100
#: How like a topic a word must be to be meant for it, where 1 is the same: a topic is a short word.
_SURELY: Final = 0.8


def is_pattern(word: str) -> bool:
    """Whether a word stands for all that fits it."""
    return not _WILD.isdisjoint(word)


def matcher(pattern: str) -> Callable[[str], object]:
    """Return a predicate that holds for a name, or for all names that fit a pattern."""
    if not is_pattern(pattern):
        return pattern.__eq__
    return re.compile(translate(pattern)).match if len(pattern) <= _LONGEST else lambda _: None


def checks_named(suite: Suite, word: str) -> set[str]:
    """Return the ids of the checks that a word means, or none."""
    if word in suite.clauses:
        return {each.id for each in suite.index.headings.values() if word in each.clauses}
    return _by_id(suite, word) or _by_bare_name(suite, word) or _by_place(suite, word)


def _by_id(suite: Suite, word: str) -> set[str]:
    if word in suite.index.headings:
        return {word}
    fit = matcher(word)
    scenarios = [each for each in suite.scenarios if fit(each) or fit(topic_of(each))]
    found = {f"{each}@{ruleset}" for each in scenarios for ruleset in suite.index.checks_by_ruleset}
    return (found & suite.index.headings.keys()).union(filter(fit, suite.index.headings) if is_pattern(word) else ())


def _by_bare_name(suite: Suite, word: str) -> set[str]:
    """Return the ids of the checks of every scenario with this name, without its topic, with or without a ruleset."""
    named = (each.partition(".") for each in suite.index.headings)
    return {f"{topic}.{bare}" for topic, _, bare in named if word in {bare, bare.partition("@")[0]}}


def _by_place(suite: Suite, word: str) -> set[str]:
    scenarios = Path(os.path.realpath(suite.root / "scenarios"))
    return {name for place in _places(suite, word) for name in _inside(suite, scenarios, place)}


def _inside(suite: Suite, scenarios: Path, place: Path) -> Iterator[str]:
    """Yield the ids of the checks whose files are in a folder, or are this one."""
    if scenarios.is_relative_to(place):
        yield from suite.index.headings
    elif place.is_relative_to(scenarios):
        within = place.relative_to(scenarios).parts
        yield from (each.id for each in suite.index.headings.values() if _path(each.scenario)[: len(within)] == within)


def _path(scenario: str) -> tuple[str, ...]:
    """Return the path of the file of a scenario among the others, which are named after the ids."""
    topic, _, name = scenario.partition(".")
    return topic, f"{name}{_ENDING}"


def _places(suite: Suite, word: str) -> Iterator[Path]:
    """Yield the path under this name, from here, or from the folder that holds the spec, as reports print it."""
    for written in dict.fromkeys((word, _LINE.sub("", word), _LINE.sub("", word).replace("\\", "/"))):
        for path in (Path(written), suite.root.parent / written):
            if written and _is_there(path):
                yield _real(path)
                return


def _real(path: Path) -> Path:
    """Return the real path of a file or folder; an installer may have made each file of a spec a link elsewhere."""
    return Path(os.path.realpath(path)) if path.is_dir() else Path(os.path.realpath(path.parent)) / path.name


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


# ---- messages about a word that means nothing


def explain_unknown(suite: Suite, word: str) -> str:
    """Return the reason why a word means no check, with the nearest name."""
    quoted = printable(word[:_REPEATED] + "…" * (len(word) > _REPEATED))
    if word in suite.clauses:
        return f"no check cites {quoted}. 'hoyle suite list clauses {quoted}' shows why."
    if clause := nearest(word, suite.clauses, cutoff=_SURELY):
        return f"no check matches '{quoted}'. {_perhaps(clause)}"
    below = printable(shown(suite.root, suite.root / "scenarios"))
    if next(_places(suite, word), None):
        return (
            f"'{quoted}' contains no scenario of this suite. Scenarios are below {below}; 'hoyle suite "
            "list' shows their ids."
        )
    if not _is_place(word):
        if topic := nearest(word, suite.index.checks_by_topic, cutoff=_SURELY):
            return f"no check matches '{quoted}'. {_perhaps(topic)}"
        name, at, ruleset = word.partition("@")
        near = nearest(name, suite.scenarios) if not _by_bare_name(suite, name) else name
        checks = (_by_bare_name(suite, near) or _by_id(suite, near)) if at and near else ()
        if of := nearest(ruleset, {each.partition("@")[2] for each in checks}):
            near = f"{near}@{of}"
        return f"no check matches '{quoted}'. {_perhaps(near)}"
    file = _LINE.sub("", word)
    topic_and_name = file.removesuffix(_ENDING).replace("\\", "/").split("/")[-2:]
    near = nearest(".".join(topic_and_name), suite.scenarios) if file.endswith(_ENDING) else ""
    meant = _perhaps("/".join((below, *_path(near)))) if near else f"The files of scenarios are below {below}."
    return f"no such file: '{quoted}'. {meant}"


def _is_place(word: str) -> bool:
    """Whether a word looks like the name of a file: no id has a stroke in it."""
    return "/" in word or "\\" in word or _LINE.sub("", word).endswith((".yaml", ".yml"))


def _perhaps(near: str) -> str:
    return f"Did you mean '{near}'?" if near else "'hoyle suite list' shows them all."
