"""Engines that do not know the rules, or read them otherwise."""

from collections.abc import Iterator
from dataclasses import replace

from faults import Respond, adapter, otherwise, reference, with_cell

from hoyle_reference import Table
from hoyle_reference.chapters.calling import reckoning
from hoyle_reference.events import Event, NoBonus, Scored
from hoyle_reference.events.combinations import ClassDecided
from hoyle_reference.seats import Seat
from hoyle_reference.table.states import Cause


@adapter
def second_identical_card_wins() -> Respond:
    return with_cell("tricks.identical_cards_won_by", "last-played")


@adapter
def ten_below_the_king() -> Respond:
    return with_cell("cards.rank_while_drawing", "A K T Q J 9 8 7")


@adapter
def follows_another_reading() -> Respond:
    return otherwise({"settle.winner": "higher-at-the-end"})


@adapter
def contradicts_itself() -> Respond:
    """It reads one rule in two ways."""
    plain, other = reference(), otherwise({"seven.with_a_declaration": "instead"})
    return lambda message: (other if message.get("seq", 0) % 2 else plain)(message)


@adapter
def scores_the_best_alone() -> Respond:
    return with_cell("classes.winner_scores", "only-the-best")


@adapter
def counts_the_cards_beside_capot() -> Respond:
    return with_cell("score.capot.and_cards", "both")


@adapter
def equal_is_good_for_elder() -> Respond:
    """Takes an equal for a good."""
    right = ClassDecided.change

    def change(self: ClassDecided, table: Table) -> None:
        equal = self.seat is None and table.called.count > 0
        right(replace(self, seat=table.leader) if equal else self, table)

    ClassDecided.change = change  # type: ignore[method-assign]  # that is the fault
    return reference()


@adapter
def reckons_as_it_is_called() -> Respond:
    """Gives a repique to whoever comes to thirty first by the clock: what younger has still to score does not count."""
    right = reckoning.after_combination

    def by_the_clock(table: Table, seat: Seat, points: int) -> Iterator[Event]:
        for event in right(table, seat, points):
            barred = isinstance(event, NoBonus) and not any(table.made_of[1 - seat].values())
            yield Scored(seat, 60, "repique", event.grounds, Cause.BONUS) if barred else event

    reckoning.after_combination = by_the_clock
    return reference()
