"""The file of a ruleset's preludes: those that still hold, and new ones for the other positions."""

import json
from collections.abc import Iterator
from typing import Any

from hoyle_conformance.checks.preludes import store
from hoyle_conformance.checks.preludes.follow import FoundHistory, beside, never
from hoyle_conformance.checks.request import NoPrelude
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.cards import names
from preludes.find import disputed, find


def rulesets_of(suite: Suite, table: str) -> list[str]:
    """Return a ruleset, and those of its options for which there are checks."""
    return sorted(name for name in suite.index.checks_by_ruleset if name.partition("+")[0] == table)


def text(suite: Suite, table: str, *, anew: bool) -> str:
    """Return the file of a ruleset: the readings it was found under, and a line for each history; with `anew`, none of
    those that are stored."""
    heads = ({"ruleset": name, "beside": beside(suite, name)} for name in rulesets_of(suite, table))
    rows = [*map(json.dumps, heads), *(written(line) for line in lines(suite, table, anew=anew))]
    return "".join(f"{row}\n" for row in rows)


def lines(suite: Suite, table: str, *, anew: bool) -> Iterator[store.PreludeLine]:
    """Yield the lines of a ruleset, in the order of the scenarios' ids; rulesets with the same history share a line."""
    rulesets = rulesets_of(suite, table)
    for name in sorted(suite.scenarios):
        checks = [check for check in suite.index.checks_of(suite.scenarios[name]) if check.ruleset in rulesets]
        sought = sorted((check for check in checks if not never(check)), key=lambda check: check.ruleset)
        yield from (None if anew else _stored(suite, sought)) or _of_a_scenario(suite, sought)


def _stored(suite: Suite, checks: list[Check]) -> list[store.PreludeLine] | None:
    """Return the stored lines of a scenario; None if a check has none, or one that no longer holds."""
    stored: dict[store.PreludeLine, None] = {}
    for check in checks:
        line = store.kept(suite, check)
        if line is None or not (
            isinstance(line.found, NoPrelude) or isinstance(store.again(suite, check, line.found), FoundHistory)
        ):
            return None
        stored[line] = None
    return list(stored)


def _of_a_scenario(suite: Suite, checks: list[Check]) -> Iterator[store.PreludeLine]:
    shared: dict[store.History | NoPrelude, list[Check]] = {}
    for check in checks:
        shared.setdefault(_found(suite, check, list(shared)), []).append(check)
    for found, those in shared.items():
        yield store.PreludeLine(
            those[0].scenario.id, tuple(each.ruleset for each in those), store.digest(those[0]), found
        )


def _found(suite: Suite, check: Check, known: list[store.History | NoPrelude]) -> store.History | NoPrelude:
    """Return the history of a check: one that was found for another ruleset, if it serves this one too."""
    for each in known:
        played = store.again(suite, check, each) if isinstance(each, store.History) else None
        if isinstance(played, FoundHistory) and disputed(suite, check, played.played) == played.rests_on:
            return each
    found = find(suite, check)
    return history(found) if isinstance(found, FoundHistory) else found


def history(found: FoundHistory) -> store.History:
    """Return a history that was found in the form in which it is stored."""
    acts = "; ".join(store.written_act(act) for act in found.prelude.acts)
    letters = found.played.before.rules.letters
    for at, letter in enumerate(letters):
        each = "; ".join(f"{other} {store.DRAW}" for other in letters[at:] + letters[:at])
        acts = acts.replace(each, f"{letter} {store.ALL_DRAW}")
    deck = " ".join(names(found.played.deal.deck))
    return store.History(deck, acts, found.tricks, found.variant, not found.prelude.from_new_game, found.rests_on)


def written(line: store.PreludeLine) -> str:
    """Return a line as JSON."""
    return json.dumps(dict(_fields(line)), ensure_ascii=False)


def _fields(line: store.PreludeLine) -> Iterator[tuple[str, Any]]:
    found = line.found
    yield from (("scenario", line.scenario), ("rulesets", list(line.rulesets)), ("of", line.of))
    if isinstance(found, NoPrelude):
        yield from (("none", found.why.value), ("reason", found.reason))
        return
    yield "tricks", found.tricks
    if found.variant:
        yield "variant", found.variant
    if found.later:
        yield "later", True
    if found.rests_on:
        yield "rests_on", list(found.rests_on)
    yield from (("deck", found.deck), ("acts", found.acts))
