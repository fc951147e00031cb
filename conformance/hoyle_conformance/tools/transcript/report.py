"""The report of judged transcripts, as lines of text and as plain data."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.runner.departures.changes import RuleChange
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.report import rule_title
from hoyle_conformance.tools.transcript.judge import JudgedGame, LoggedDeparture
from hoyle_conformance.tools.transcript.model import Transcript
from hoyle_conformance.tools.transcript.nearest import NearestRules, PlayedRule
from hoyle_conformance.tools.transcript.run import JudgedRun, LoggedCause, LoggedReading
from hoyle_conformance.tools.transcript.shorthands import SHORTHANDS
from hoyle_conformance.wording import words
from hoyle_conformance.wording.citations import places
from hoyle_conformance.wording.departures import departure_sentence, rule_sentence
from hoyle_conformance.wording.text import join_and, plural, sanitize, sentence, with_label, wrap
from hoyle_reference import Cells

#: The greatest numbers of games, causes, rules, places and acts not judged that are shown.
_MOST_GAMES: Final = 20
_MOST_CAUSES: Final = 20
_MOST_RULES: Final = 2
_MOST_PLACES: Final = 5
_MOST_NOT_JUDGED: Final = 3
#: The most rulesets that are shown by their nearness.
_MOST_NEAR: Final = 4
#: Longer acts, such as the deal of a whole pack, are cut short; in characters.
_LONGEST_ACT: Final = 120


def run_lines(suite: Suite, run: JudgedRun) -> Iterator[str]:
    """Yield the whole report of a run, line by line."""
    engines = sorted({game.transcript.engine for game in run.games if game.transcript.engine})
    of = f" of {sanitize(join_and(engines))}" if engines else ""
    yield f"{plural(len(run.games), 'game')}{of}, judged by {run.ruleset} ({suite.rules.title(run.ruleset)})."
    yield ""
    for game in run.games[:_MOST_GAMES]:
        yield game_line(game)
    if more := run.games[_MOST_GAMES:]:
        differ = sum(bool(game.departures) for game in more)
        yield f"And {plural(len(more), 'more game')}; {differ:,} of them differ."
    for number, cause in enumerate(run.causes[:_MOST_CAUSES], start=1):
        yield ""
        yield from cause_lines(suite, run, number, cause)
    if others := run.causes[_MOST_CAUSES:]:
        yield ""
        yield f"And {plural(len(others), 'more cause')}."
    yield from reading_lines(suite, run)
    yield from _not_judged_lines(run)


def game_line(game: JudgedGame) -> str:
    """Return the result of a game in one line."""
    said = f"{_name(game.transcript)}: {plural(game.acts, 'act')} judged"
    if game.departures:
        count = len(game.departures)
        return (
            f"{said}; {count:,} {'differs' if count == 1 else 'differ'}, first at line {game.departures[0].act.line}."
        )
    return f"{said}; none differs."


def _name(transcript: Transcript) -> str:
    return sanitize(f"{transcript.file}, {transcript.title}" if transcript.file else transcript.title)


def cause_lines(suite: Suite, run: JudgedRun, number: int, cause: LoggedCause) -> Iterator[str]:
    """Yield one cause: the first act that differs, what was expected and written down, the rule and who says so."""
    first, game = cause.first, cause.game
    melds = suite.rules.meld_names(run.ruleset)
    yield f"{number}. {sentence(act_in_words(first.act.step, melds))}"
    yield f"  {game.transcript.file}:{first.act.line} ({game.transcript.title})"
    yield from with_label("expected", expected_in_words(first, melds))
    yield from with_label("observed", _observed_in_words(first, melds))
    cells = run.cells(suite)
    for path in _paths(first, cells)[:_MOST_RULES]:
        yield from _rule_lines(suite, cells, path)
    if first.change:
        yield from _change_lines(suite, cells, first.changes)
    yield from with_label("again", _again(cause))


def act_in_words(step: Mapping[str, Any], melds: words.Names) -> str:
    """Return an act in words, cut short if it is long."""
    if step["do"] in SHORTHANDS or (step["do"] == "deal" and "deck" not in step):
        said = f"{step['by']} deals" if step["do"] == "deal" else words.step(step, melds)
    else:
        said = words.step(step, melds)
    return said if len(said) <= _LONGEST_ACT else f"{said[:_LONGEST_ACT]}…"


def expected_in_words(departure: LoggedDeparture, melds: words.Names) -> str:
    """Return what the rules make of an act that differs."""
    what, expected, _ = departure.difference
    if what != "accepted":
        return _value_in_words(what, expected, melds)
    return "accepted" if expected else f"refused: {departure.refusal or 'the rules know no such act'}"


def _observed_in_words(departure: LoggedDeparture, melds: words.Names) -> str:
    what, _, observed = departure.difference
    if what != "accepted":
        return _value_in_words(what, observed, melds)
    if not observed:
        return "refused"
    made = departure.act.facts.get("scored")
    return f"accepted; {words.value('scores', made, melds)}" if made else "accepted"


def _value_in_words(what: str, value: Any, melds: words.Names) -> str:
    if what == "drew":
        return words.value("answer", value, melds)
    return words.value("scores" if what == "scored" else what, value, melds)


def _paths(departure: LoggedDeparture, cells: Cells) -> list[str]:
    """Return the cells that are shown for a departure: those that the engine has otherwise, or those at work."""
    changed = [value.path for value in departure.change.cell_values] if departure.change else []
    return [path for path in dict.fromkeys(changed or departure.grounds) if path in cells]


def _rule_lines(suite: Suite, cells: Cells, path: str) -> Iterator[str]:
    """Yield a rule in words, with its cell, its clauses and their places."""
    yield from with_label("rule", rule_sentence(suite, cells, path))
    clauses = sorted(cells.clauses([path]))
    yield from with_label("", f"{path}: {places(suite, clauses)}" if clauses else path)
    for clause in clauses[:_MOST_RULES]:
        yield from with_label("", f"{clause}: {suite.clauses[clause].says}")


def _change_lines(suite: Suite, cells: Cells, changes: Sequence[RuleChange]) -> Iterator[str]:
    """Yield the rule that would explain a departure, who has it, and the others that would."""
    first = changes[0]
    others = [each for each in changes[1:] if len(each.cell_values) <= len(first.cell_values)]
    yield from with_label("it plays", change_in_words(suite, cells, first))
    yield from with_label("as", owners_in_words(first) or "no source has it: a house rule, or a bug")
    for other in others[:_MOST_RULES]:
        yield from with_label("or", change_in_words(suite, cells, other))
        yield from with_label("as", owners_in_words(other))


def change_in_words(suite: Suite, cells: Cells, change: RuleChange) -> str:
    """Return what the rules say with a change."""
    changed = change.apply_to(cells)
    paths = dict.fromkeys(value.path for value in change.cell_values)
    said = " ".join(rule_sentence(suite, changed, path) for path in list(paths)[:_MOST_RULES])
    return f"{said} ({', '.join(list(paths)[:_MOST_RULES])})"


def change_title(suite: Suite, cells: Cells, change: RuleChange) -> str:
    """Return the title of the rule that is changed, with its cell."""
    return rule_title(suite, change, cells, change.apply_to(cells))


def owners_in_words(change: RuleChange) -> str:
    """Return which rulesets have a changed rule; empty if none has."""
    names = [owner.ruleset for owner in change.owners if not owner.reading]
    own = [name for name in names if "+" not in name or name.partition("+")[0] not in names]
    read = [f"{each.ruleset} may be read ('{each.reading}')" for each in change.owners if each.reading]
    plain = [each for each in dict.fromkeys(read) if "+" not in each]
    return "; ".join([*([join_and(list(dict.fromkeys(own)))] if own else []), *plain[:_MOST_RULES]])


def _again(cause: LoggedCause) -> str:
    """Return where else a cause occurs."""
    others = cause.departures[1:]
    if not others:
        return ""
    files = len({game.transcript.file for game, _ in cause.departures}) > 1
    at = [f"{game.transcript.file}:{each.act.line}" if files else str(each.act.line) for game, each in others]
    more = f" and {plural(len(at) - _MOST_PLACES, 'more act')}" if len(at) > _MOST_PLACES else ""
    noun = "in line" if len(at) == 1 else "in lines"
    return f"{noun} {', '.join(at[:_MOST_PLACES])}{more}"


def reading_lines(suite: Suite, run: JudgedRun) -> Iterator[str]:
    """Yield the readings that the engine follows and the ruleset does not."""
    for each in run.readings:
        yield ""
        yield from wrap(_reading_in_words(suite, run.ruleset, each))


def _reading_in_words(suite: Suite, ruleset: str, each: LoggedReading) -> str:
    cells = suite.rules.cells(ruleset, {each.path: each.name})
    said = rule_sentence(suite, cells, each.path)
    return (
        f"The engine follows another reading of {each.path}: '{each.name}', where {ruleset} follows '{each.follows}'. "
        f"{said} It decides first at {_name(each.game)}, line {each.line}. This is no difference."
    )


def _not_judged_lines(run: JudgedRun) -> Iterator[str]:
    if not run.not_judged:
        return
    yield ""
    yield f"{plural(run.not_judged, 'act')} could not be judged:"
    shown = 0
    for game in run.games:
        for line, reason in game.not_judged:
            if shown == _MOST_NOT_JUDGED:
                yield "  …"
                return
            yield f"  {_name(game.transcript)}, line {line}: {reason}"
            shown += 1


# ---- as plain data


def run_data(suite: Suite, run: JudgedRun) -> dict[str, Any]:
    """Return a run as plain data, for other programs."""
    return {
        "ruleset": run.ruleset,
        "acts": run.acts,
        "departures": run.departures,
        "not_judged": run.not_judged,
        "readings": [_reading_data(each) for each in run.readings],
        "games": [_game_data(suite, run, game) for game in run.games],
    }


def _reading_data(each: LoggedReading) -> dict[str, Any]:
    return {
        "cell": each.path,
        "reading": each.name,
        "follows": each.follows,
        "file": each.game.file,
        "game": each.game.name,
        "line": each.line,
    }


def _game_data(suite: Suite, run: JudgedRun, game: JudgedGame) -> dict[str, Any]:
    return {
        "file": game.transcript.file,
        "game": game.transcript.name,
        "engine": game.transcript.engine,
        "line": game.transcript.line,
        "acts": game.acts,
        "facts": game.facts,
        "departures": [_departure_data(suite, run, each) for each in game.departures],
        "not_judged": [{"line": line, "reason": reason} for line, reason in game.not_judged],
    }


def _departure_data(suite: Suite, run: JudgedRun, each: LoggedDeparture) -> dict[str, Any]:
    cells = run.cells(suite)
    return {
        "line": each.act.line,
        "act": dict(each.act.step),
        "what": each.difference.what,
        "expected": each.difference.expected,
        "observed": each.difference.observed,
        "refusal": each.refusal,
        "cells": list(each.grounds),
        "clauses": sorted(cells.clauses(path for path in each.grounds if path in cells)),
        "explained_by": [
            {"cells": [value.full_path for value in change.cell_values], "owners": owners_in_words(change)}
            for change in each.changes
        ],
    }


# ---- the nearest rules


def nearest_lines(suite: Suite, found: NearestRules) -> Iterator[str]:
    """Yield which ruleset the games of one form are nearest to, and the rules in which they differ."""
    run, base = found.run, found.run.ruleset
    engines = sorted({game.transcript.engine for game in run.games if game.transcript.engine})
    of = f" of {sanitize(join_and(engines))}" if engines else ""
    yield f"{found.form.game}: {plural(len(run.games), 'game')}{of}, {plural(run.acts, 'act')} judged."
    yield ""
    yield from _nearness_lines(found)
    yield ""
    if not found.rules and not run.departures:
        yield f"The engine plays {base} ({suite.rules.title(base)}): no act differs."
    elif found.rules:
        count = plural(len(found.rules), "rule")
        yield f"The engine plays {base} ({suite.rules.title(base)}), except for {count}."
    else:
        yield f"Nearest: {base} ({suite.rules.title(base)})."
    if found.as_near:
        verb = "is" if len(found.as_near) == 1 else "are"
        yield f"{join_and(found.as_near)} {verb} equally near: the games do not distinguish them."
    cells = suite.rules.cells(base, run.ways)
    for number, rule in enumerate(found.rules, start=1):
        yield from _played_rule_lines(suite, cells, base, number, rule)
    yield from _unexplained_lines(suite, found)
    yield from reading_lines(suite, run)
    yield from _not_judged_lines(run)


def _nearness_lines(found: NearestRules) -> Iterator[str]:
    shown = [each for each in found.nearness if each.games == len(found.run.games)][:_MOST_NEAR]
    width = max(len(each.ruleset) for each in shown)
    for each in shown:
        mark = "→" if each.ruleset == found.run.ruleset else " "
        verb = "differs" if each.departures == 1 else "differ"
        yield f"  {mark} {each.ruleset:<{width}}  {plural(each.departures, 'act')} {verb}"


def _played_rule_lines(suite: Suite, cells: Cells, base: str, number: int, rule: PlayedRule) -> Iterator[str]:
    first, cause = rule.changes[0], rule.cause
    changed = first.apply_to(cells)
    yield ""
    paths = list(dict.fromkeys(value.path for value in first.cell_values))[:_MOST_RULES]
    said, *more = (departure_sentence(suite, cells, changed, path, base) for path in paths)
    yield from wrap(f"{number}. {said}", 0, 3)
    for other in more:
        yield from with_label("and", other)
    yield from with_label("rule", change_title(suite, cells, first))
    yield from with_label("as", owners_in_words(first) or "no source has it: a house rule, or a bug")
    rivals = [each for each in rule.changes[1:] if len(each.cell_values) <= len(first.cell_values)]
    for rival in rivals[:_MOST_RULES]:
        yield from with_label("or", change_in_words(suite, cells, rival))
        yield from with_label("as", owners_in_words(rival))
    games = len({id(game) for game, _ in cause.departures})
    place = f"{cause.game.transcript.file}:{cause.first.act.line}"
    yield from with_label(
        "shown by", f"{plural(len(cause.departures), 'act')} in {plural(games, 'game')}, first at {place}"
    )


def _unexplained_lines(suite: Suite, found: NearestRules) -> Iterator[str]:
    run = found.run
    if not run.departures:
        return
    yield ""
    yield f"No rule explains {plural(run.departures, 'act')}: bugs, or rules that no rule table can have."
    for number, cause in enumerate(run.causes[:_MOST_CAUSES], start=len(found.rules) + 1):
        yield ""
        yield from cause_lines(suite, run, number, cause)


def nearest_data(suite: Suite, found: NearestRules) -> dict[str, Any]:
    """Return the nearest rules as plain data, for other programs."""
    return {
        "nearest": found.run.ruleset,
        "as_near": list(found.as_near),
        "rulesets": [each._asdict() for each in found.nearness],
        "rules": [_played_rule_data(rule) for rule in found.rules],
        "run": run_data(suite, found.run),
    }


def _played_rule_data(rule: PlayedRule) -> dict[str, Any]:
    first = rule.changes[0]
    return {
        "cells": [value.full_path for value in first.cell_values],
        "owners": owners_in_words(first),
        "acts": len(rule.cause.departures),
        "file": rule.cause.game.transcript.file,
        "line": rule.cause.first.act.line,
    }
