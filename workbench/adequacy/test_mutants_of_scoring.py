"""Engines that lose what a player keeps to score, or carte blanche, by a rule of their own: a check notices each."""

from collections.abc import Callable

import pytest

from adequacy.mutants import MEMORY, Detector, Mutant, Patch
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Refusal, Table
from hoyle_reference.acts import CarteBlanche
from hoyle_reference.cards import suit_of
from hoyle_reference.chapters import carte_blanche
from hoyle_reference.chapters.declare.declarations import DeclareRules
from hoyle_reference.events.combinations import Declared
from hoyle_reference.table import Combination

pytestmark = pytest.mark.slow

#: Whether an engine takes a combination that is kept for lost when another is scored, with these cards in common.
Loses = Callable[[Table, Combination, Declared, bool], bool]


def losing(loses: Loses) -> Patch:
    """An engine that crosses kept combinations off, so that the same cards cannot score them any more."""
    right = Declared.change

    def change(self: Declared, table: Table) -> None:
        right(self, table)
        side = table.rules.side_of[self.seat]
        for seat, waiting in enumerate(table.kept):
            for kept in list(waiting):
                if loses(table, kept, self, seat == side):
                    waiting.remove(kept)
                    table.scored[seat].append(kept)

    return Patch(Declared, "change", change)


def kinds(table: Table, kept: Combination, scored: Declared) -> tuple[str, str]:
    """The kinds of what is kept and of what scores."""
    melds = table.rules.of(DeclareRules).melds.by_id
    return melds[kept.meld].kind, melds[scored.meld].kind


def same_suit(kept: Combination, scored: Declared) -> bool:
    return suit_of(kept.cards[0]) == suit_of(scored.cards[0])


def a_single_to_another_single(table: Table, kept: Combination, scored: Declared, own: bool) -> bool:
    return own and kinds(table, kept, scored) == ("bezique", "bezique")


def a_marriage_to_the_sequence_of_another_couple(table: Table, kept: Combination, scored: Declared, own: bool) -> bool:
    return own and kinds(table, kept, scored) == ("marriage", "sequence") and same_suit(kept, scored)


def a_single_to_a_double_of_other_pairs(table: Table, kept: Combination, scored: Declared, own: bool) -> bool:
    return own and kinds(table, kept, scored) == ("bezique", "double-bezique")


def four_queens_to_double_bezique(table: Table, kept: Combination, scored: Declared, own: bool) -> bool:
    return own and kinds(table, kept, scored) == ("four-queens", "double-bezique")


def a_royal_marriage_when_its_suit_becomes_trumps(table: Table, kept: Combination, scored: Declared, own: bool) -> bool:
    first = kinds(table, kept, scored) == ("marriage", "marriage") and table.trumps is None
    return own and first and same_suit(kept, scored)


def a_royal_marriage_when_the_other_player_makes_trumps(
    table: Table, kept: Combination, scored: Declared, own: bool
) -> bool:
    return not own and kinds(table, kept, scored) == ("marriage", "marriage") and table.trumps is None


WRONGLY_LOST = [
    a_single_to_another_single,
    a_marriage_to_the_sequence_of_another_couple,
    a_single_to_a_double_of_other_pairs,
    four_queens_to_double_bezique,
    a_royal_marriage_when_its_suit_becomes_trumps,
    a_royal_marriage_when_the_other_player_makes_trumps,
]


@pytest.fixture(scope="module")
def rubicon(suite: Suite) -> Detector:
    return Detector(suite, "rubicon-hoyle")


@pytest.mark.parametrize("loses", WRONGLY_LOST)
def test_what_is_kept_is_lost_by_no_other_rule(rubicon: Detector, loses: Loses) -> None:
    fault = Mutant(MEMORY, "Declared", loses.__name__, patch=losing(loses))
    failed = [detection.check.id for detection in rubicon.checks if rubicon.fails(fault, detection)]
    assert failed
    assert all(each.startswith("to-score.") for each in failed), failed


def test_no_trick_need_be_won_for_carte_blanche_again(suite: Suite) -> None:
    right = carte_blanche._refuse_later

    def winner_alone(table: Table, act: CarteBlanche) -> Refusal | None:
        return right(table, act) or (None if act.by == table.leader else Refusal("nothing-new-to-show"))

    fault = Mutant(
        MEMORY, "carte blanche", "again by the winner", patch=Patch(carte_blanche, "_refuse_later", winner_alone)
    )
    for ruleset in ("rubicon-hoyle", "rubicon-h2g2", "six-deck-h2g2", "eight-deck-h2g2"):
        detector = Detector(suite, ruleset)
        assert any(detector.fails(fault, detection) for detection in detector.checks), ruleset
