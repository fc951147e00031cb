"""The rules that an engine plays, found in its transcripts: the nearest ruleset, and the rules in which it differs."""

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.runner.departures.changes import RuleChange
from hoyle_conformance.runner.departures.forms import Form, forms
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.model import Transcript
from hoyle_conformance.tools.transcript.prepare import prepare
from hoyle_conformance.tools.transcript.run import JudgedRun, LoggedCause, RunSetting, count_departures, judge_run
from hoyle_reference.frozen import frozen

#: After so many games, rulesets with far more departures than the best are left out.
_ROUNDS: Final = (1, 3, 10)
#: A ruleset is left out if so many times as many acts differ as under the best, and so many more.
_FAR: Final = 3
_FAR_AT_LEAST: Final = 20
#: The most rulesets whose departures are explained, the most rules that are found to differ, and the acts of a game
#: that decide which game it is.
_MOST_EXPLAINED: Final = 3
_MOST_RULES: Final = 12
_FIRST_ACTS: Final = 60


class Nearness(NamedTuple):
    """How many acts of the games differ under a ruleset, of those that were compared with it."""

    ruleset: str
    departures: int
    games: int


class PlayedRule(NamedTuple):
    """A rule that an engine has otherwise than the nearest ruleset: the cause of its departures, and the changed rules
    that explain them."""

    cause: LoggedCause
    changes: tuple[RuleChange, ...]


@frozen
class NearestRules:
    """The nearest ruleset to what the games of one form show: how near each ruleset is, the rules that differ, the
    games judged with these rules changed, and rulesets that are as near."""

    form: Form
    nearness: tuple[Nearness, ...]
    rules: tuple[PlayedRule, ...]
    run: JudgedRun
    as_near: tuple[str, ...]


def nearest_rules(suite: Suite, transcripts: Sequence[Transcript]) -> list[NearestRules]:
    """Return the nearest rules for the games of each form; raises Invalid if a game cannot be of any form."""
    by_form: dict[Form, list[Transcript]] = {}
    for game in transcripts:
        by_form.setdefault(_form_of(suite, game), []).append(game)
    return [_nearest(suite, form, games) for form, games in by_form.items()]


def _form_of(suite: Suite, game: Transcript) -> Form:
    """Return the form in which fewest of the first acts of a game differ; of equals the one that the game names."""
    begins = game.up_to(_FIRST_ACTS)
    found: list[tuple[float, bool, int, Form]] = []
    for number, form in enumerate(forms(suite)):
        count = min(count_departures(suite, name, begins) for name in form.plain)
        found.append((count, game.ruleset.partition("+")[0] not in form.rulesets, number, form))
    best = min(found, key=lambda each: each[:3])
    if best[0] == inf:
        prepare(suite.rules.of(best[3].plain[0]), game)
        message, remedy = f"{game.title} is no game of any ruleset", "'hoyle check --transcript -r NAME' says why."
        raise Invalid([game.diagnose(game.line, "ruleset", message, remedy)])
    return best[3]


def _nearest(suite: Suite, form: Form, games: Sequence[Transcript]) -> NearestRules:
    nearness = _ranked(suite, form, games)
    best = [each for each in nearness if each.games == len(games)]
    limit = _FAR * best[0].departures + 1
    runs = [
        judge_run(RunSetting.of(suite, each.ruleset, games))
        for each in _plain_first(best)[:_MOST_EXPLAINED]
        if each.departures <= limit
    ]
    runs.sort(key=_cost)
    first = runs[0]
    as_near = tuple(run.ruleset for run in runs[1:] if _cost(run) == _cost(first))
    rules, run = _rules_that_differ(RunSetting.of(suite, first.ruleset, games), first)
    return NearestRules(form, nearness, rules, run, as_near)


def _cost(run: JudgedRun) -> tuple[int, int]:
    """Return the number of causes, then of acts that differ: the lower, the nearer."""
    return len(run.causes) + len(run.readings), run.departures


def _plain_first(ranked: Sequence[Nearness]) -> list[Nearness]:
    """Return the rulesets, nearest first, without those whose options change nothing in these games."""
    plain = {each.ruleset: each.departures for each in ranked if "+" not in each.ruleset}
    return [
        each
        for each in ranked
        if plain.get(each.ruleset.partition("+")[0], -1) != each.departures or ("+" not in each.ruleset)
    ]


def _ranked(suite: Suite, form: Form, games: Sequence[Transcript]) -> tuple[Nearness, ...]:
    """Return how near each ruleset of a form is, nearest first; those that are far are left out after a few games."""
    found = dict.fromkeys(form.rulesets, 0.0)
    compared = dict.fromkeys(form.rulesets, 0)
    done = 0
    for end in (*(each for each in _ROUNDS if each < len(games)), len(games)):
        least = min(found.values())
        near = [name for name, count in found.items() if done == 0 or count <= max(_FAR * least, least + _FAR_AT_LEAST)]
        for name in near:
            found[name] += sum(count_departures(suite, name, game) for game in games[done:end])
            compared[name] = end
        done = end
    claimed = {game.ruleset.partition("+")[0] for game in games}
    possible = [name for name in form.rulesets if found[name] < inf]
    possible.sort(key=lambda name: (-compared[name], found[name], name.partition("+")[0] not in claimed, "+" in name))
    return tuple(Nearness(name, int(found[name]), compared[name]) for name in possible)


def _rules_that_differ(setting: RunSetting, run: JudgedRun) -> tuple[tuple[PlayedRule, ...], JudgedRun]:
    """Return the rules that differ, each found by what explains most acts, and the run with all of them changed."""
    rules: list[PlayedRule] = []
    tried = set[str]()
    while run.departures and len(rules) < _MOST_RULES:
        better = _next_rule(setting, run, tried)
        if better is None:
            break
        rule, run = better
        rules.append(rule)
    return tuple(rules), run


def _next_rule(setting: RunSetting, run: JudgedRun, tried: set[str]) -> tuple[PlayedRule, JudgedRun] | None:
    """Return the next rule that differs, with the run in which it is changed; None if there is none."""
    for cause in sorted(run.causes, key=lambda each: -len(each.departures)):
        changes = cause.first.changes
        for change in changes:
            if change.key in tried:
                continue
            tried.add(change.key)
            other = setting.judged(run.readings, (*run.applied, change))
            if other and run.departures - other.departures >= (len(cause.departures) + 1) // 2:
                rest = tuple(each for each in changes if each is not change)
                return PlayedRule(cause, (change, *rest)), other
    return None
