"""The rows of a rule table on irregularities: the time limits for claims, the players who choose, and the remedies.

Implements SEMANTICS-PENALTIES.md, irregular-1 to irregular-3, penalty-state-2 and penalty-state-7.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ...cells import Cells, Rule, cell, equals, word
from ...events import DOUBLED, Event, Scored
from ...events.referee import RECKONS_NOTHING, Miscounted, NotReckoned, Ruled
from ...frozen import frozen
from ...refusals import Grounds, Malformed
from ...seats import Seat
from ...table.states import Cause
from ...table.table import Table
from .. import settle, triple_scores

#: The rulings on a player that last for a time.
RUBICONED: Final = "rubiconed"
VOIDED: Final = "void-the-game"
LAST_TRICK_LOST: Final = "last-trick-lost"
LAST_TRICK_STANDS: Final = "last-trick-stands"
LAST_TRICK_UNSCORED: Final = "last-trick-unscored"
SHOWS_NEXT_CARD: Final = "shows-next-card"
CARDS_ARE_FACED: Final = "next-cards-are-faced"
#: Another effect that is carried out later.
OTHER_CHOOSES: Final = "other-chooses-next-cards"
#: The effects on the tricks already won, including the last: they go to the next player, or to another.
FORFEITS: Final = "forfeit-the-last-tricks"
FORFEITS_TO_THE_CLAIMANT: Final = "forfeit-to-the-claimant"


@frozen
class Effect:
    """One effect of a remedy, with a number of points for effects on points, and the player who claims it, once carried
    out."""

    word: str
    points: int
    claimant: Seat | None = None


@frozen
class Remedy:
    """One remedy for an irregularity, by the word for choosing it, with a condition if there is one."""

    choice: str
    does: tuple[Effect, ...]
    only_if: str


@frozen
class Irregularity:
    """One row: an irregularity. It arises from the refusals that it breaks (by one kind of act, if named), from a
    finding at the table, or otherwise as a mishap.

    The row gives its player, its number of cards and their owner, the class of a call, and the times from which it is
    possible and until which it may be claimed. It also names the player who chooses, the effects before the choice, and
    the remedies, and whether it lies beyond the play.
    """

    id: str
    breaks: tuple[str, ...]
    by_act: str
    finds: str
    of: str
    at_least: int
    at_most: int
    shown: str
    since: str
    class_: str
    until: str
    chooses: str
    at_first: tuple[Effect, ...]
    remedies: tuple[Remedy, ...]
    beyond_play: bool
    grounds: Grounds

    @property
    def happens(self) -> bool:
        """Whether it is a mishap: neither an act of the game nor a finding at the table."""
        return not self.breaks and not self.finds

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of all its remedies."""
        return tuple(effect for remedy in self.remedies for effect in remedy.does)

    @property
    def effect_words(self) -> frozenset[str]:
        """The words for the effects of all its remedies."""
        return frozenset(effect.word for effect in self.effects)

    @property
    def forfeits(self) -> bool:
        """Whether its remedies may forfeit the tricks after which nobody draws."""
        return not self.effect_words.isdisjoint({FORFEITS, FORFEITS_TO_THE_CLAIMANT})

    @property
    def lasts(self) -> bool:
        """Whether its ruling applies to the whole deal, regardless of the players' later numbers of cards."""
        return not self.effect_words.isdisjoint(_LASTING)

    @property
    def takes_up(self) -> bool:
        """Whether one of its remedies takes up a led card."""
        return "take-up-the-card" in self.effect_words

    @property
    def corrects(self) -> bool:
        """Whether it is the correction of a call: a mishap by which something is taken back."""
        return self.happens and "take-back" in self.effect_words

    @property
    def by_drawing(self) -> bool:
        """Whether it arises by drawing after a trick."""
        return self.by_act == "draw" or (not self.by_act and any(code.endswith("drawn") for code in self.breaks))

    def is_of(self, count: int | None) -> bool:
        """Whether it is possible with this many cards."""
        return count is None or self.at_least <= count <= self.at_most


def _is(path: str, word: str) -> Rule[bool]:
    """Declare a rule that tests whether a cell, which a table may lack, holds this word."""
    return cell(path, equals(word), otherwise=False)


@frozen
class RefereeRules:
    """The rules on irregularities, by the words for them.

    Hands: whether a last card that does not go round is left undrawn; and how drawing corrects the number of cards in a
    hand, where one too many may count only once it is found. Further: whether the dealer's mistake costs a player
    nothing, and whether a wrong number of cards is ruled on though nobody points it out.

    False scores: whether one may make trumps once it stands, and whether its cards count as those of a combination. If
    it is taken off: whether the cards stay on the table, and whether another may be scored. Further: whether there is a
    ruling if something has been scored after that trick, and whether a false score stands at once if an earlier one
    stands.

    Deals and games: whether a fresh deal takes off the scores before it, which is the whole score if a game is one
    deal; whether a game falls with the tricks that won it; and whether claims end once the last trick is scored.

    Also: the factor for the points of a penalty, and whether a heap stays taken up when a card played before that is
    taken back.
    """

    rows: Mapping[str, Irregularity]
    game_is_one_deal: bool
    times: Rule[int]
    claims_after_the_deal: Rule[str] = cell("referee.claims_after_the_deal", word, otherwise="")
    odd_card_is_left: Rule[bool] = _is("referee.odd_card", "left-undrawn")
    short_draws_two: Rule[bool] = _is("referee.card_too_few", "draws-two")
    over_does_not_draw: Rule[bool] = _is("referee.card_too_many", "does-not-draw")
    false_score_makes_trumps: Rule[bool] = _is("referee.false_score_that_stands", "makes-trumps")
    false_score_counts_as_none: Rule[bool] = _is("referee.cards_of_a_false_score", "count-as-none")
    cards_stay_after_one_taken_off: Rule[bool] = _is("referee.cards_of_a_score_taken_off", "stay-on-the-table")
    another_after_one_taken_off: Rule[bool] = _is("referee.after_a_score_taken_off", "another-may-score")
    false_score_after_another_is_refused: Rule[bool] = _is("referee.false_score_after_another", "is-refused")
    misdealt_costs_nothing: Rule[bool] = _is("referee.hand_dealt_wrongly", "costs-nothing")
    fresh_deal_takes_points_off: Rule[bool] = _is("referee.scored_before_a_fresh_deal", "is-taken-off")
    game_falls_with_the_tricks: Rule[bool] = _is("referee.game_won_by_forfeited_tricks", "is-lost-with-the-tricks")
    wrong_hand_is_ruled_on: Rule[bool] = _is("referee.wrong_hand_not_pointed_out", "is-ruled-on")
    false_scores_stand_together: Rule[bool] = _is("referee.false_score_after_one_that_stands", "stands-at-once")
    heap_stays_taken_up: Rule[bool] = _is("referee.heap_taken_up_before_a_replay", "stays-taken-up")

    def row(self, irregularity: str) -> Irregularity:
        """Return one of the rows; raise Malformed if there is none."""
        if irregularity not in self.rows:
            raise Malformed(f"the table does not speak of '{irregularity}'")
        return self.rows[irregularity]

    def effect(self, word: str, among: Iterable[str] | None = None) -> tuple[int, Grounds]:
        """Return the points of an effect, and the rows that have it; of all rows, or among these."""
        having = [
            (effect.points, row.grounds)
            for row in (self.rows.values() if among is None else map(self.row, among))
            for remedy in row.remedies
            for effect in remedy.does
            if effect.word == word
        ]
        return max((points for points, _ in having), default=0), tuple(path for _, why in having for path in why)


def read(cells: Cells) -> RefereeRules:
    """Compile the cells of this chapter."""
    rows = [_row(cell.path, cell.value) for cell in cells.rows("referee.irregularities")]
    return cells.compiled(
        RefereeRules,
        rows={row.id: row for row in rows},
        game_is_one_deal=settle.is_one_deal(cells),
        times=triple_scores.of_penalties(cells),
    )


#: More cards than there are.
_ANY: Final = 1000


def _row(path: str, row: Mapping[str, Any]) -> Irregularity:
    try:
        return Irregularity(
            row["id"],
            tuple(row.get("breaks", ())),
            row.get("act", ""),
            row.get("finds", ""),
            row.get("of", ""),
            row.get("at_least", 0),
            row.get("at_most", _ANY),
            row.get("shown", ""),
            row.get("since", ""),
            row.get("class", ""),
            row["until"],
            row.get("chooses", ""),
            _effects(row.get("at_first", ())),
            tuple(Remedy(each["choice"], _effects(each["does"]), each.get("only_if", "")) for each in row["remedies"]),
            row.get("beyond_play", False),
            (path,),
        )
    except KeyError as lacking:
        raise Malformed(f"it has no {lacking}", path) from lacking


def _effects(effects: Iterable[Mapping[str, Any]]) -> tuple[Effect, ...]:
    return tuple(Effect(effect["effect"], effect.get("points", 0)) for effect in effects)


def due_by_the_hand(table: Table, seat: Seat) -> tuple[int, Grounds]:
    """Return how many cards the next draw gives a player, and why: one without grounds, unless the hand is to be
    corrected (cells `referee.card_too_few`, `referee.card_too_many`)."""
    surplus = table.referee.surplus[seat]
    rules = table.rules.get(RefereeRules) if surplus else None
    if rules is not None and surplus < 0 and rules.short_draws_two.value:
        return 2, rules.short_draws_two.grounds
    if rules is not None and surplus > 0 and rules.over_does_not_draw.grounds:
        known = rules.over_does_not_draw.value or seat != table.dealer or has_been_found(table, seat)
        return 1 - known, rules.over_does_not_draw.grounds
    return 1, ()


def has_been_found(table: Table, seat: Seat) -> bool:
    """Whether a wrong number of cards of this player has been ruled on."""
    rows = table.rules.of(RefereeRules).rows
    return any(rows[word].finds for word in table.referee.ruled[seat] if word in rows)


def is_ruled(table: Table, seat: Seat, word: str) -> bool:
    """Whether a player has been ruled to do or suffer this."""
    return word in table.referee.ruled[seat]


def has_missed_no_draw(table: Table, seat: Seat) -> Iterator[Ruled]:
    """Yield the rows under which a player whose draw the stock did not cover does not count as having played with too
    few cards."""
    rules = table.rules.of(RefereeRules)
    for row in rules.rows.values():
        if row.finds and row.since == "offender-plays":
            yield Ruled(seat, row.id, row.grounds)


def why_ruled(table: Table, word: str) -> Grounds:
    """Return the rows by which players are ruled to do or suffer this."""
    rules = table.rules.get(RefereeRules)
    return () if rules is None else rules.effect(word)[1]


def cap_of_the_rubiconed(table: Table, seat: Seat) -> int:
    """Return the maximum score that counts for a player who is ruled to be rubiconed."""
    rules = table.rules.of(RefereeRules)
    return rules.effect(RUBICONED, [word for word in table.referee.ruled[seat] if word in rules.rows])[0]


def as_reckoned(table: Table, made: Scored) -> Event:
    """Return points as they score, or as made in vain by a player who reckons nothing but a blank."""
    reckons = made.cause is Cause.BLANK or made.what == DOUBLED or made.points < 0
    in_vain = is_ruled(table, made.seat, RECKONS_NOTHING) and not reckons
    return NotReckoned(made, made.grounds) if in_vain else made


def miscount(table: Table, seat: Seat, by: int, why: Grounds) -> Miscounted:
    """Return the event that changes a player's surplus of cards over the rules. With the right number, a later wrong
    number is a new finding; but a ruling for the whole deal is not repeated."""
    rows, right = table.rules.of(RefereeRules).rows, table.referee.surplus[seat] + by == 0
    ruled = [word for word in table.referee.ruled[seat] if word in rows] if right else ()
    return Miscounted(seat, by, tuple(word for word in ruled if not rows[word].lasts), why)


#: The penalties at the end of the deal for a player who played with a wrong number of cards, whatever the number then.
_LASTING: Final = frozenset({RUBICONED, VOIDED, LAST_TRICK_LOST, LAST_TRICK_STANDS, LAST_TRICK_UNSCORED})
