"""The report of a census, for people or as data: the agreement ruleset by ruleset, and the first difference."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hoyle_conformance.reports.terminal import (
    print_exit_reason,
    print_heading,
    print_not_done,
    print_totals,
    print_unclaimed,
    say,
)
from hoyle_conformance.reports.words import explain_exit, reason, remedy, stop_reason
from hoyle_conformance.runner.results import UNEXPECTED, Mismatch, Result, Run, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.processes import join_command
from hoyle_conformance.tools.games.census import game_of, replay_game
from hoyle_conformance.tools.games.census_game import CensusPlay, replay
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import plural, sanitize, sentence, with_label
from hoyle_reference import write_act
from hoyle_reference.acts import alike, by

#: The number of acts to show before the differing one.
_ACTS_BEFORE: Final = 4
#: The maximum number of open acts to show.
_MOST_OPEN_ACTS: Final = 20
#: The words that begin and end the command that repeats a game.
Repeat = tuple[Sequence[str], Sequence[str]]
_HINT: Final = "This is a later deal: also check what carries over from the deal before it."


def print_report(console: Console, suite: Suite, run: Run, repeat: Repeat, code: int = 0) -> None:
    """Print the report of a finished census; `code` is the exit code, if it differs from that of the run."""
    print_heading(console, suite, run)
    say(console)
    ran = [result for result in run.results if result.ran]
    if ran:
        console.print(_table(suite, ran))
    print_unclaimed(console, suite, run)
    print_not_done(console, run.results)
    _print_failures(console, suite, run, repeat)
    say(console)
    for line in _next_steps(run):
        say(console, line)
    print_totals(console, run)
    print_exit_reason(console, run, code, "game")


def census_data(suite: Suite, run: Run, repeat: Repeat, code: int) -> dict[str, Any]:
    """Return a finished census as `census-report.schema.json` describes it; `code` is the exit code."""
    return {
        "engine": {"name": run.ready.name, "version": run.ready.version, "language": run.ready.language},
        "exit": code,
        "explained": explain_exit(run, code, "game"),
        "selected": len(run.selected),
        "totals": {str(status): run.totals[status] for status in sorted(run.totals)},
        "rulesets": [_ruleset_data(suite, name, run) for name in _rulesets(run.results)],
        "failures": [_failure_data(suite, each, repeat) for each in run.failures],
    }


def _rulesets(results: Sequence[Result]) -> Sequence[str]:
    return list(dict.fromkeys(each.check.ruleset for each in results))


def _ruleset_data(suite: Suite, name: str, run: Run) -> dict[str, Any]:
    of_it = [each for each in run.results if each.check.ruleset == name]
    agreed = [game_of(suite, each.check) for each in of_it if each.status is Status.PASS]
    return {
        "ruleset": name,
        "games": sum(each.ran for each in of_it),
        "agreed": len(agreed),
        "deals": sum(game.deals for game in agreed),
        "acts": sum(game.acts for game in agreed),
        "unsupported": sum(each.status is Status.UNSUPPORTED for each in of_it),
    }


def _failure_data(suite: Suite, result: Result, repeat: Repeat) -> dict[str, Any]:
    check, mismatch = result.check, result.mismatch
    return {
        "ruleset": check.ruleset,
        "game": game_of(suite, check).game,
        "status": str(result.status),
        "file": check.scenario.file,
        "line": _line_of(suite, check),
        "act": mismatch.step if mismatch else None,
        "what": mismatch.what if mismatch else "",
        "expected": mismatch.expected if mismatch else None,
        "observed": mismatch.observed if mismatch else None,
        "reason": sanitize(reason(result)),
        "remedy": remedy(result),
        "again": _again(suite, check, repeat),
    }


def _line_of(suite: Suite, check: Check) -> int:
    """Return the line of a game in the file of its ruleset."""
    tables = suite.censuses[check.ruleset.partition("+")[0]].tables
    at = next(number for number, table in enumerate(tables) if table.ruleset == check.ruleset)
    return check.scenario.document.line_of(["tables", at, "games", tables[at].games.index(game_of(suite, check))])


def _again(suite: Suite, check: Check, repeat: Repeat) -> str:
    """Return the command that repeats a game."""
    begin, end = repeat
    return sanitize(join_command([*begin, "-r", check.ruleset, "--game", str(game_of(suite, check).game), *end]))


def _table(suite: Suite, results: Sequence[Result]) -> Table:
    """Return a table of the numbers of games, deals and acts that agreed, for each ruleset."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("ruleset", "games", "agreed", "deals", "acts"):
        table.add_column(name, justify="left" if name == "ruleset" else "right")
    rows = [(name, [each for each in results if each.check.ruleset == name]) for name in _rulesets(results)]
    for name, of_it in [*rows, ("all", list(results))] if len(rows) > 1 else rows:
        agreed = [game_of(suite, each.check) for each in of_it if each.status is Status.PASS]
        color = "green" if len(agreed) == len(of_it) else "red"
        deals, acts = sum(game.deals for game in agreed), sum(game.acts for game in agreed)
        table.add_row(name, str(len(of_it)), f"[{color}]{len(agreed)}[/]", f"{deals:,}", f"{acts:,}")
    return table


def _print_failures(console: Console, suite: Suite, run: Run, repeat: Repeat) -> None:
    """Print the first failure in full, and the names of the others."""
    failed = run.failures
    if not failed:
        return
    say(console)
    say(console, escape("\n".join(_failure_lines(suite, failed[0], repeat))))
    if len(failed) > 1:
        say(console, f"\nand {len(failed) - 1} more:")
        for result in failed[1:]:
            at = f", act {result.mismatch.step}" if result.mismatch else ""
            say(console, f"  {result.status}  {result.check.scenario.title.lower()} of {result.check.ruleset}{at}")


def _failure_lines(suite: Suite, result: Result, repeat: Repeat) -> Iterator[str]:
    check = result.check
    yield f"{result.status.upper()}  {check.scenario.title.lower()} of {check.ruleset}"
    yield f"  {check.scenario.file}:{_line_of(suite, check)}"
    yield ""
    if result.mismatch:
        yield from _mismatch_lines(suite, check, replay_game(suite, check), result.mismatch)
    else:
        yield from with_label("reason", sanitize(reason(result) or "none given"))
        yield from with_label("remedy", remedy(result))
    yield from with_label("again", _again(suite, check, repeat), whole=True)


def _mismatch_lines(suite: Suite, check: Check, play: CensusPlay, mismatch: Mismatch) -> Iterator[str]:
    melds, at = suite.rules.meld_names(check.ruleset), mismatch.step
    lines = [words.step(_shortened(act), melds) for act, _ in play.steps[:at]]
    deal = sum(act["do"] == "deal" for act, _ in play.steps[:at])
    yield from with_label("deal", f"{deal} of {play.deals}" if deal else "none yet")
    for line in words.partners(suite.rules.of(check.ruleset)):
        yield from with_label("", line)
    for number in range(max(0, at - 1 - _ACTS_BEFORE), at - 1):
        yield from with_label(f"act {number + 1}", lines[number])
    yield from _position_lines(play, at, melds)
    yield from with_label(f"act {at}", f"{lines[-1]} (of {len(play.steps)})")
    yield ""
    yield from with_label("expected", words.value(mismatch.what, mismatch.expected, melds))
    yield from with_label("observed", words.value(mismatch.what, mismatch.observed, melds))
    if mismatch.what == "legal_acts" and mismatch.expected:
        yield from with_label("these", _open_acts(suite, check, at, melds))
    if deal > 1:
        yield from with_label("hint", _HINT)
    yield ""


def _shortened(act: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an act for the report, with only the first cards of a deck."""
    if act["do"] != "deal":
        return act
    return {**act, "deck": [*act["deck"][:_ACTS_BEFORE], "..."]}


def _position_lines(play: CensusPlay, at: int, melds: words.Names) -> Iterator[str]:
    """Yield the hands and trumps before an act, or after it if there are none before."""
    sight = play.steps[at - 2].sight if at > 1 else {}
    sight = sight if "hands" in sight else play.steps[at - 1].sight
    for seat, hand in sight.get("hands", {}).items():
        yield from with_label("hands" if seat == "A" else "", f"{seat} holds {printed.cards(printed.sort_hand(hand))}.")
    for seat, cards in sight.get("shown", {}).items():
        if cards:
            yield from with_label("", f"{seat} has on the table {printed.cards(printed.sort_hand(cards))}.")
    if "trumps" in sight:
        yield from with_label("trumps", words.value("trumps", sight["trumps"], melds))
    if "score" in sight:
        yield from with_label("score", words.value("total", sight["score"], melds))


def _open_acts(suite: Suite, check: Check, at: int, melds: words.Names) -> str:
    """Describe the open acts of the player to act after an act, up to a limit."""
    game = replay(suite.rules.of(check.ruleset), replace(game_of(suite, check), acts=at)).game
    own = {alike(act): act for act in game.legal_actions if by(act) == game.table.turn}
    acts = [words.step(write_act(act), melds) for act in islice(own.values(), _MOST_OPEN_ACTS)]
    return "; ".join([*acts, *(["and others"] if len(own) > _MOST_OPEN_ACTS else [])])


def _next_steps(run: Run) -> Iterator[str]:
    if run.stopped:
        why = sentence(stop_reason(run.stopped)).removesuffix(".")
        yield f"[red]{why}: {plural(len(run.not_run), 'game')} not played.[/]"
    ran = sum(result.ran for result in run.results)
    if not ran:
        yield "No game was played: a census needs an engine that claims 'census' and all the acts of a ruleset."
    elif run.totals[Status.PASS] == ran and not run.count(UNEXPECTED):
        yield f"Agreed in {plural(ran, 'game')}, act by act."
