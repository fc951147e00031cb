"""The chapter `declare` as a value, and the positions that make no sense in it.

Implements SEMANTICS-BEZIQUE.md, declare-4, declare-5 and keep-1.
"""

from ...acts import Declarable, Declare, Hold, Worth
from ...cards import name
from ...refusals import Malformed
from ...table.states import Phase
from ...table.table import Table
from ..chapter import Ask, Chapter, Follows, Move, during
from .declarations import (
    DeclareRules,
    declare,
    hold,
    lapses_by_playing,
    open_declarations,
    open_holdings,
    read,
    refuse_declare,
    refuse_hold,
    sense_of_combination,
    what_it_is_worth,
    what_may_be_declared,
)


def sense(table: Table) -> None:
    """Raise Malformed where more has scored since the last trick than in the deal, or a card is shown and not held."""
    since, side = table.combinations_since_trick, table.rules.side_of[table.leader]
    if not 0 <= since <= len(table.scored[side]):
        raise Malformed(f"{since} combinations cannot have scored since the last trick")
    for hand, shown in zip(table.hands, table.shown, strict=True):
        if not shown <= set(hand):
            raise Malformed(f"{name(min(shown - set(hand)))} is shown but not held")


def _fields(rules: DeclareRules) -> tuple[str, ...]:
    return ("shown", "combinations_since_trick", *(["kept"] if rules.may_keep.value else []))


def _to_keep(rules: DeclareRules) -> frozenset[Phase]:
    """When combinations are kept to score, in games in which they are."""
    return frozenset({Phase.DECLARE}) if rules.may_keep.value else frozenset()


CHAPTER: Chapter = Chapter(
    "declare",
    read,
    (
        Move(
            Declare,
            refuse_declare,
            declare,
            during(Phase.DECLARE),
            open_declarations,
            exact=True,
            sense=sense_of_combination,
        ),
        Move(Hold, refuse_hold, hold, _to_keep, open_holdings, exact=True, sense=sense_of_combination),
    ),
    (Ask(Declarable, what_may_be_declared), Ask(Worth, what_it_is_worth)),
    fields=_fields,
    combinations=lambda rules: rules.melds.by_id,
    sight=lambda rules: rules.laid.grounds,
    sense=sense,
    follows=lambda rules: Follows(on_play=lapses_by_playing if rules.may_keep.value else None),
)
