"""Changes of the interpreter's code: what checks notice, what only whole games notice, and what nothing notices."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from adequacy import code_mutants as module
from adequacy.code_figures import code_figures
from adequacy.code_mutants import (
    CodeMutant,
    CodeVerdict,
    Noticed,
    choose_mutants,
    code_mutants,
    verdicts,
)
from adequacy.mutant_bench import MutantBench
from adequacy.patch_code import CodePatch, _functions, changes_of, interpreter_modules
from adequacy.reached_lines import reached_lines
from adequacy.report import code_lines
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import cards

pytestmark = pytest.mark.slow

SMALL = "bezique-bicycle+a-thousand"


@pytest.fixture(scope="module")
def bench(suite: Suite) -> MutantBench:
    return MutantBench(suite, [SMALL])


def mutant(function: str, text: str, change: str) -> CodeMutant:
    return next(
        each
        for each in code_mutants()
        if each.function == function and text in each.name and each.name.endswith(f": {change}")
    )


WINNER = partial(mutant, "chapters.tricks trick_winner", "return", "nothing is returned")
OPEN_ACTS = partial(mutant, "machine LegalActions.open_to", "return count", "nothing is returned")
#: Only the cells that allow a card are named otherwise, which no engine is asked for.
GROUNDS = partial(mutant, "chapters.tricks _liberties", "trump_or_follow", "the condition is always True")


def one(bench: MutantBench, tried: CodeMutant) -> CodeVerdict:
    (verdict,) = verdicts(bench, [tried])
    return verdict


def test_a_trick_that_nobody_wins_is_noticed_by_a_check(bench: MutantBench) -> None:
    verdict = one(bench, WINNER())
    assert verdict.noticed is Noticed.BY_CHECKS
    assert verdict.reached
    assert verdict.where.endswith(f"@{SMALL}")


def test_the_number_of_open_acts_is_noticed_only_by_whole_games(bench: MutantBench) -> None:
    verdict = one(bench, OPEN_ACTS())
    assert verdict.noticed is Noticed.BY_GAMES
    assert verdict.where == f"random game 1 of {SMALL}"
    assert not verdict.reached


def test_a_change_of_the_grounds_alone_is_noticed_by_nothing(bench: MutantBench) -> None:
    verdict = one(bench, GROUNDS())
    assert (verdict.noticed, verdict.where) == (Noticed.BY_NOTHING, "")
    assert verdict.reached


def test_an_unchanged_interpreter_is_noticed_by_nothing(bench: MutantBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A control: whatever notices it would notice every mutant."""
    monkeypatch.setattr(CodePatch, "apply", lambda _: None)
    assert one(bench, WINNER()).noticed is Noticed.BY_NOTHING


def test_a_mutant_that_hangs_is_noticed(bench: MutantBench, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(trial: Any, number: int) -> bool:
        trial._progress.begin(Noticed.BY_CHECKS, number)
        while True:
            pass

    monkeypatch.setattr(module, "_SECONDS", 0.1)
    monkeypatch.setattr(module._Trial, "_fails", hang)
    verdict = one(bench, WINNER())
    assert (verdict.noticed, verdict.breaks) == (Noticed.BY_CHECKS, True)
    assert verdict.where.endswith(f"@{SMALL}")


def test_a_patch_changes_the_interpreter_until_it_is_undone(bench: MutantBench) -> None:
    detection = bench.checks[bench.checks_at(WINNER().lines)[0]]
    rules, message = bench.suite.rules.of(SMALL), detection.request.message
    patch = CodePatch(*WINNER())
    patch.apply()
    with pytest.raises(TypeError):
        observations(rules, message)
    with patch.undone():
        assert observations(rules, message) == detection.observed
    patch.undo()
    assert observations(rules, message) == detection.observed


def test_every_changed_function_is_found() -> None:
    for name in interpreter_modules():
        for path, function in {(str(change.path), change.function) for change in changes_of(name)}:
            assert function in {each.__code__.co_qualname for each in _functions()[path]}


def test_a_function_within_a_function_is_changed_too() -> None:
    """It was made when the interpreter was imported, so that a change of what makes it comes too late."""
    within = mutant("table.fields of_type", "return value", "nothing is returned")
    patch = CodePatch(*within)
    assert any("<locals>" in function.__code__.co_qualname for function, _, _ in patch._codes)


def test_a_mutant_that_finds_nothing_next_breaks(bench: MutantBench) -> None:
    """The end of an iteration within the interpreter must not end the checks."""
    verdict = one(bench, mutant("chapters.deal order_of_the_deal", "next(way", "In becomes NotIn"))
    assert (verdict.noticed, verdict.breaks) == (Noticed.BY_CHECKS, True)


def test_lines_are_reached_where_they_run() -> None:
    reached = {line for path, line in reached_lines(lambda: cards.pack(1)) if path.endswith("cards.py")}
    assert reached
    assert not reached_lines(lambda: None)


def test_a_mutant_follows_one_reading_throughout(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its results fits some reading, but no reading fits both."""
    monkeypatch.setattr(module._Progress, "begin", lambda *_: None)  # the time is limited in copies of the process
    bench = MutantBench(suite, ["bezique-hoyle+ten-at-whist-rank"])
    progress = module._Progress()
    trial = module._Trial(bench, WINNER(), progress)
    own = bench.own_results
    assert trial._followed() is not None
    cells = {number: {cell for each in own[number].check.readings for cell in each.cells} for number in own}
    single = [number for number in own if len(own[number].readings) == 1 and len(cells[number]) == 1]
    number = next(each for each in single if any(cells[each] == cells[other] for other in single if other != each))
    result = own[number]
    other = next(each.name for each in result.check.readings if each.name not in result.readings)
    trial._results[number] = replace(result, readings=(other,))
    assert trial._followed() is None
    assert trial._follows_two_readings()
    trial._patch.undo()


def test_mutants_are_chosen_by_a_seed() -> None:
    assert choose_mutants(None, 0) == code_mutants()
    assert choose_mutants(10, 1) == choose_mutants(10, 1) != choose_mutants(10, 2)
    assert len(choose_mutants(10, 1)) == 10


def made(what: str, noticed: Noticed = Noticed.BY_NOTHING, *, reached: bool = True) -> CodeVerdict:
    return CodeVerdict(
        f"chapters.deal {what}: a <line>: it is left out", f"chapters.deal {what}", noticed, "", False, reached
    )


MADE = [
    made("a", Noticed.BY_CHECKS),
    made("b", Noticed.BY_GAMES, reached=False),
    made("c"),
    made("d"),
]


@pytest.fixture
def excused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "adequacy.code_figures.waiver_reason",
        lambda _measure, _ruleset, what: "it is the same" if " c:" in what else "",
    )


@pytest.mark.usefixtures("excused")
def test_the_four_figures_are_apart() -> None:
    figures = code_figures(MADE, 10)
    assert figures.counts == (4, 1, 1, 1, 1)
    lines = list(code_lines(figures, everything=True))
    assert "  chapters.deal c: a <line>: it is left out  (it is the same)" in lines
    assert lines[:2] == ["Surviving:", "  chapters.deal d: a <line>: it is left out"]
    assert lines[-1] == "  chapters.deal b"
    assert "Excused:" not in list(code_lines(figures, everything=False))
