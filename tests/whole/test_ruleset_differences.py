"""Where two rulesets differ, some scenario tells them apart; or it is written down here why none can."""

from itertools import combinations

import pytest

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.runner.rule_changes import change_rules, try_check
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Rules

#: The rulesets of each game: what is no form of the same game is not told apart, it is another.
GAMES = {
    "Bézique": (
        *("bezique-bicycle", "bezique-britannica", "bezique-h2g2", "bezique-hoyle"),
        *("eight-deck-h2g2", "four-handed-h2g2", "rubicon-h2g2", "rubicon-hoyle", "six-deck-h2g2", "three-handed-h2g2"),
    ),
    "Piquet": (
        *("piquet-hoyle", "piquet-rubicon-hoyle", "piquet-rubicon-parlett", "piquet-saunt-parlett"),
        *("piquet-cavendish", "piquet-rubicon-cavendish"),
    ),
}
#: Rulesets that are compared cell by cell: the ordinary games, each game and the one it builds on, and one game after
#: two sources. The others are too far apart for every difference to be met in one position.
PAIRS = [
    *combinations(GAMES["Bézique"][:4], 2),
    *combinations(GAMES["Piquet"], 2),
    ("bezique-hoyle", "rubicon-hoyle"),
    ("bezique-h2g2", "rubicon-h2g2"),
    ("rubicon-h2g2", "rubicon-hoyle"),
    ("rubicon-h2g2", "six-deck-h2g2"),
    ("eight-deck-h2g2", "six-deck-h2g2"),
    ("four-handed-h2g2", "rubicon-h2g2"),
    ("bezique-h2g2", "three-handed-h2g2"),
]

#: Cells (or whole chapters) that a table has and another has not, which no scenario of both can turn on.
ONLY_IN_SOME = {
    "declare.inferior": "it says what is barred after the superior, and one of the tables bars nothing",
    "declare.lower_kept_when_higher_scores": "it is of what is kept to score, and one of the tables keeps nothing",
    "seven.after_being_shown": "it is of a first seven that was shown, and one of the tables shows none",
    "score.brisques.counted_first_by": "it is of who counts first, and in one of the tables that decides nothing",
    "seven": "it is of the seven of trumps, and in one of the tables no card is turned up",
    "deal.seven_turned_up": "it is of the turn-up, and one of the tables has none",
    "draw.turn_up": "it is of the turn-up, and one of the tables has none",
    "deal.packets_kept": "it is of a choice between packets, and one of the tables has only one size",
    "deal.next_dealer": "it is of the next deal, and in one of the tables a game has only one",
    "carte_blanche": "one of the tables knows no carte blanche, or no partners who both have one",
    "players.partners": "in one of the tables nobody has a partner",
    "players.partners_see": "in one of the tables nobody has a partner",
    "declare.by": "in one of the tables nobody has a partner",
    "referee": "one of the tables does not speak of it, and what it speaks of is no act of the other",
    "tricks.heap": "only one of the tables says where the tricks lie",
    "tricks.own_looked_at_from": "only one of the tables lets players look through their tricks",
    "declare.old_couple": "only one of the tables speaks of a couple that marries again",
    "declare.before_trumps": "only in some of the tables the cards of a combination depend on the trumps",
    "declare.what_makes_trumps": "only some of the tables ask it, and the others have it in their rows",
    "score.tripled": "only one of the tables speaks of tripled scores",
    "score.brisques": "it is of brisques, which do not count in one of the tables",
    **{
        f"settle.{cell}": "it is of how a game is settled by points, and one of the tables settles in another way"
        for cell in (
            *("bonus_under_the_rubicon", "brisques_under_the_rubicon", "fractions", "least_difference"),
            *("least_of_the_rubiconed", "brisques_and_the_rubicon", "winner_after_brisques", "brisques_if_rubiconed"),
        )
    },
    "settle.equal_scores": "it is of equal scores when a deal ends, and in one of the tables the first to reach wins",
    **{
        f"settle.{cell}": "it is of how a partie ends and is settled, and one of the tables plays to a target instead"
        for cell in ("deals", "still_equal", "bonus", "rubicon", "over_the_rubicon", "under_the_rubicon")
    },
    "settle.double_below": "only one of the tables knows a double game",
    "settle.games_for_a_partie": "only one of the tables knows a partie of several games",
    "reckoning.pique.thirty_before": "in one of the tables whatever bars a repique bars a pique too",
    "settle.target": "it is of a game to a target, and one of the tables plays a partie of so many deals",
    "settle.winner": "it is of who reaches the target, and one of the tables plays a partie of so many deals",
    "settle.bonuses": "only one of the tables leaves open where a repique or a pique stands in the order of what wins",
    "settle.repique_once_won": "only one of the tables leaves open whether a repique is marked once the game is won",
    "blank.unshown_at_the_first_call": "in one of the tables elder shows a blank at once",
    "referee.claims_after_the_deal": "only one of the tables leaves open until when a revoke is claimed",
    "declare.kept_again": "only one of the tables says whether what is kept to score is announced again",
    "classes.asking": "only one of the tables binds younger by asking",
    "classes.elder_scores": "only some of the tables let elder score a class after calling the next",
    "talon.wrong_hand": "only one of the tables says how a hand of eleven or thirteen is exchanged",
    "talon.youngers_share": "only one of the tables says what elder leaves of a stock of seven",
    "tricks.unplayed_to": "only one of the tables says what cards are to which nobody can play",
    "talon.named_suit": "it is of a suit that elder names, and in one of the tables elder names none",
    **{
        f"declare.melds.{meld}": "a combination that one of the tables does not have cannot be declared there at all"
        for meld in (
            *("double-common-marriage", "double-royal-marriage", "plain-sequence", "treble-bezique"),
            *("quadruple-bezique", "quintuple-bezique", "sextuple-bezique", "four-tens"),
            *("triple-common-marriage", "triple-royal-marriage"),
            *(
                f"{n}-{rank}-of-trumps"
                for n in ("four", "five")
                for rank in ("knaves", "queens", "kings", "tens", "aces")
            ),
        )
    },
}
#: Cells with different values that make no difference between two tables in any position of both, by the pair.
NO_DIFFERENCE: dict[tuple[str, str], dict[str, str]] = {
    ("bezique-bicycle", "bezique-hoyle"): {
        "referee.irregularities.revoke": "it differs only in the duties that can be broken, which are told apart",
    },
    ("bezique-h2g2", "three-handed-h2g2"): {
        "referee.irregularities.revoke": "only more than two players can fail to overtrump",
        "declare.higher_after_lower": "with two packs a double has all the cards of its kind and suit",
    },
    ("bezique-bicycle", "bezique-britannica"): {
        "seven.second.which": "Bicycle lets either seven be exchanged, and so does Britannica as it is read "
        "wherever the two values differ",
    },
    **{
        pair: {
            "classes.specified": "what is shown of a combination that has scored is seen by players, and asked of none"
        }
        for pair in (("piquet-hoyle", "piquet-saunt-parlett"), ("piquet-rubicon-hoyle", "piquet-rubicon-parlett"))
    },
}


def fails(rules: Rules, check: Check, suite: Suite) -> bool:
    """Whether the table gives another outcome than the check's own."""
    became = try_check(rules, check, planner_of(suite).request(check))
    if became.broken:
        raise became.broken
    return bool(became.mismatch or became.senseless)


def tells_apart(suite: Suite, one: str, other: str, path: str) -> str:
    """A scenario with different outcomes in two rulesets, the first of which rests on the cell's value."""
    rules, others = suite.rules.of(one), suite.rules.of(other).cells
    lacking = [cell for cell in others if cell.path not in rules.cells]  # a cell of its own may need another
    mixed, clauses = change_rules(rules, {path: others[path].value}, lacking), rules.cells.clauses({path})
    likely_first = sorted(differing(suite, one, other), key=lambda check: clauses.isdisjoint(check.cites))
    return next((check.scenario.id for check in likely_first if fails(mixed, check, suite)), "")


def differing(suite: Suite, one: str, other: str) -> list[Check]:
    """The checks of a ruleset that have another outcome in another ruleset."""
    return [
        check
        for check in suite.index.checks.values()
        if check.ruleset == one
        and (twin := suite.index.checks.get(f"{check.scenario.id}@{other}"))
        and twin.expect != check.expect
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_every_difference_is_shown_by_a_scenario(suite: Suite, one: str, other: str) -> None:
    mine, theirs = suite.rules.of(one).cells, suite.rules.of(other).cells
    only_in_one = {cell.path for cell in (*mine, *theirs) if (cell.path in mine) != (cell.path in theirs)}
    assert [path for path in sorted(only_in_one) if not _is_only_in_some(path)] == []
    differ = [cell.path for cell in mine if cell.path in theirs and _rule(cell.value) != _rule(theirs[cell.path].value)]
    assert differ
    shown = {path: tells_apart(suite, one, other, path) or tells_apart(suite, other, one, path) for path in differ}
    assert {path for path, scenario in shown.items() if not scenario} == NO_DIFFERENCE.get((one, other), {}).keys()


def _is_only_in_some(path: str) -> bool:
    return any(path == each or path.startswith(f"{each}.") for each in ONLY_IN_SOME)


@pytest.mark.parametrize(("one", "other"), [pair for names in GAMES.values() for pair in combinations(names, 2)])
def test_some_scenario_tells_any_two_rulesets_of_a_game_apart(suite: Suite, one: str, other: str) -> None:
    assert differing(suite, one, other)


def _rule(value: object) -> object:
    """A value without what is only a name or words, or is only of use under an option without a turn-up."""
    idle = {"name", "makes_trumps", "title", "ruling"}
    return {key: field for key, field in value.items() if key not in idle} if isinstance(value, dict) else value


def test_the_rulesets_are_all_compared(suite: Suite) -> None:
    assert {game: {each.id for each in rulesets} for game, rulesets in suite.rules.games.items()} == {
        game: set(names) for game, names in GAMES.items()
    }
