"""The report of judged transcripts, as lines of text and as plain data."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.judge import JudgedGame, JudgedRun, LoggedDeparture
from hoyle_conformance.wording import words
from hoyle_conformance.wording.citations import places
from hoyle_conformance.wording.rulebook_entries import owners_text, rule_sentence
from hoyle_conformance.wording.text import join_and, plural, sanitize, sentence, with_label, wrap
from hoyle_reference import Cells

#: The maximum numbers of games, departures, rules and rulesets to show.
_MOST_GAMES: Final = 20
_MOST_DEPARTURES: Final = 20
_MOST_RULES: Final = 2
_MOST_NEAR: Final = 4
#: The length at which an act is truncated, such as the deal of a whole pack; in characters.
_LONGEST_ACT: Final = 120


def run_lines(suite: Suite, run: JudgedRun) -> Iterator[str]:
    """Yield the whole report of a run, line by line."""
    engines = sorted({game.transcript.engine for game in run.games if game.transcript.engine})
    of = f" of {sanitize(join_and(engines))}" if engines else ""
    yield f"{plural(len(run.games), 'game')}{of}, judged by {run.ruleset} ({suite.rules.title(run.ruleset)})."
    yield ""
    for game in run.games[:_MOST_GAMES]:
        yield _game_line(game)
    if more := run.games[_MOST_GAMES:]:
        yield f"And {plural(len(more), 'more game')}; {sum(bool(game.departure) for game in more):,} of them differ."
    differ = [(game, game.departure) for game in run.games if game.departure]
    for number, (game, departure) in enumerate(differ[:_MOST_DEPARTURES], start=1):
        yield ""
        yield from _departure_lines(suite, run, number, game, departure)
    for path, reading in run.readings.items():
        cells = suite.rules.cells(run.ruleset, {path: reading})
        follows = suite.rules.cells(run.ruleset)[path].follows
        yield ""
        yield from wrap(
            f"The engine follows another reading of {path}: '{reading}', where {run.ruleset} follows '{follows}'. "
            f"{rule_sentence(suite, cells, path)} This is no difference."
        )


def _game_line(game: JudgedGame) -> str:
    """Return the result of a game in one line."""
    title = game.transcript.title
    name = sanitize(f"{game.transcript.file}, {title}" if game.transcript.file else title)
    if not game.departure:
        return f"{name}: {plural(game.agree, 'act')} judged; none differs."
    rest = f"; {plural(game.not_judged, 'act')} after it not judged" if game.not_judged else ""
    return f"{name}: {plural(game.agree + 1, 'act')} judged; line {game.departure.act.line} differs{rest}."


def _departure_lines(
    suite: Suite, run: JudgedRun, number: int, game: JudgedGame, departure: LoggedDeparture
) -> Iterator[str]:
    """Yield the act that differs, the expected and the recorded result, and the rule with its owners."""
    melds, cells = suite.rules.meld_names(run.ruleset), suite.rules.cells(run.ruleset, run.readings)
    step = departure.act.step
    said = f"{step['by']} deals" if step["do"] == "deal" else words.step(step, melds)
    yield f"{number}. {sentence(said if len(said) <= _LONGEST_ACT else f'{said[:_LONGEST_ACT]}…')}"
    yield f"  {game.transcript.file}:{departure.act.line} ({game.transcript.title})"
    yield from with_label("expected", _expected(departure, melds))
    yield from with_label("observed", _observed(departure, melds))
    for path in [path for path in departure.grounds if path in cells][:_MOST_RULES]:
        yield from with_label("rule", rule_sentence(suite, cells, path))
        clauses = sorted(cells.clauses([path]))
        yield from with_label("", f"{path}: {places(suite, clauses)}" if clauses else path)
        for clause in clauses[:_MOST_RULES]:
            yield from with_label("", f"{clause}: {suite.clauses[clause].says}")
    for other, change in enumerate(departure.changes):
        paths = list(dict.fromkeys(value.path for value in change.cell_values))[:_MOST_RULES]
        changed = change.apply_to(cells)
        says = " ".join(rule_sentence(suite, changed, path) for path in paths)
        yield from with_label("or" if other else "it plays", f"{says} ({', '.join(paths)})")
        yield from with_label("as", owners_text(change.owners, _MOST_RULES))


def _expected(departure: LoggedDeparture, melds: words.Names) -> str:
    """Return the result under the rules for an act that differs."""
    if departure.what != "accepted":
        return _value(departure.what, departure.expected, melds)
    return "accepted" if departure.expected else f"refused: {departure.refusal}"


def _observed(departure: LoggedDeparture, melds: words.Names) -> str:
    if departure.what != "accepted":
        return _value(departure.what, departure.observed, melds)
    made = departure.act.facts.get("scored")
    accepted = f"accepted; {words.value('scores', made, melds)}" if made else "accepted"
    return accepted if departure.observed else "refused"


def _value(what: str, value: Any, melds: words.Names) -> str:
    return words.value({"drew": "answer", "scored": "scores"}.get(what, what), value, melds)


def run_data(suite: Suite, run: JudgedRun) -> dict[str, Any]:
    """Return a run as plain data, for other programs."""
    cells = suite.rules.cells(run.ruleset, run.readings)
    return {
        "ruleset": run.ruleset,
        "acts": run.agree + run.departures,
        "departures": run.departures,
        "not_judged": sum(game.not_judged for game in run.games),
        "readings": [{"cell": path, "reading": reading} for path, reading in run.readings.items()],
        "games": [
            {
                "file": game.transcript.file,
                "game": game.transcript.name,
                "engine": game.transcript.engine,
                "line": game.transcript.line,
                "acts": game.agree + (game.departure is not None),
                "departures": [_departure_data(cells, game.departure)] if game.departure else [],
                "not_judged": game.not_judged,
            }
            for game in run.games
        ],
    }


def _departure_data(cells: Cells, each: LoggedDeparture) -> dict[str, Any]:
    explained = [([value.full_path for value in change.cell_values], change.owners) for change in each.changes]
    return {
        "line": each.act.line,
        "act": dict(each.act.step),
        "what": each.what,
        "expected": each.expected,
        "observed": each.observed,
        "refusal": each.refusal,
        "cells": list(each.grounds),
        "clauses": sorted(cells.clauses(path for path in each.grounds if path in cells)),
        "explained_by": [{"cells": paths, "owners": owners_text(of, _MOST_RULES)} for paths, of in explained],
    }


def nearest_lines(suite: Suite, runs: Sequence[JudgedRun]) -> Iterator[str]:
    """Yield the rulesets by the number of agreeing acts, nearest first, and the report for the nearest."""
    width = max(len(each.ruleset) for each in runs[:_MOST_NEAR])
    for number, each in enumerate(runs[:_MOST_NEAR]):
        yield f"  {' ' if number else '→'} {each.ruleset:<{width}}  {plural(each.agree, 'act')} in a row agree"
    if as_near := [each.ruleset for each in runs[1:] if each.agree == runs[0].agree]:
        verb = "is" if len(as_near) == 1 else "are"
        yield ""
        yield from wrap(f"{join_and(as_near)} {verb} equally near: the games do not distinguish them.")
    yield ""
    yield from run_lines(suite, runs[0])


def nearest_data(suite: Suite, runs: Sequence[JudgedRun]) -> dict[str, Any]:
    """Return the nearest rules as plain data, for other programs."""
    return {
        "nearest": runs[0].ruleset,
        "as_near": [each.ruleset for each in runs[1:] if each.agree == runs[0].agree],
        "rulesets": [{"ruleset": each.ruleset, "agree": each.agree} for each in runs],
        "run": run_data(suite, runs[0]),
    }
