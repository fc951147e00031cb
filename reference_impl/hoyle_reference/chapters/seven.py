"""The seven of trumps: its exchange for the turn-up, its showing, and its score.

Implements SEMANTICS-BEZIQUE.md, seven-1 to seven-9.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from ..acts import Exchange, Exchangeable, Show
from ..cards import MOST_PACKS, SEVEN, SUITS, Card, card, face_of, name, rank_of, suit_of
from ..cells import Cells, Rule, cell, equals, word
from ..events import Event, Scored
from ..events.combinations import Exchanged, SevenShown
from ..frozen import frozen
from ..refusals import Grounds, Malformed, Refusal
from ..seats import Seat, ring
from ..table.states import Phase
from ..table.table import Table
from . import triple_scores
from .chapter import Ask, Chapter, Follows, Move, Ruling
from .deal import DealRules
from .declare.declarations import DeclareRules, scored_since_trick, too_early


@frozen
class SevenRules:
    """The scores of the first and second seven of trumps (points), and how and when they may be used."""

    at_any_time: Rule[bool]
    may_be_shown: Rule[bool]
    points: Rule[int]
    exchanged_after_being_shown: Rule[bool]
    second_by_itself: Rule[bool]
    second_at_any_time: Rule[bool]
    second_points: Rule[int]
    #: The phases for exchanging or showing a seven: after a trick; also in the play if a seven needs no trick.
    phases: frozenset[Phase]
    before_the_last_draw: Rule[bool] = cell("seven.until", equals("stock-is-gone"))
    lies_on_the_table: Rule[bool] = cell("seven.shown", equals("lies-on-the-table"))
    which_is_second: Rule[str] = cell("seven.second.which", word)
    second_may_be_exchanged: Rule[bool] = cell("seven.second.may", equals("be-exchanged-or-shown"))


def read(cells: Cells) -> SevenRules:
    """Compile the cells of this chapter."""
    may_be_shown = cells.rule("seven.may", equals("be-exchanged-or-shown"))
    again, second = "seven.after_being_shown", cells.rule("seven.second.when", word)
    at_any_time = cells.rule("seven.when", equals("whenever-held"))
    needs_no_trick = at_any_time.value or second.value in {"when-drawn-or-played", "whenever-held"}
    return cells.compiled(
        SevenRules,
        at_any_time=at_any_time,
        may_be_shown=may_be_shown,
        points=triple_scores.of_a_seven(cells, "seven.points"),
        exchanged_after_being_shown=(
            cells.rule(again, equals("exchange-without-points")) if may_be_shown.value else Rule(value=False)
        ),
        second_by_itself=Rule(second.value == "when-drawn-or-played", second.grounds),
        second_at_any_time=Rule(second.value == "whenever-held", second.grounds),
        second_points=triple_scores.of_a_seven(cells, "seven.second.points"),
        phases=frozenset({Phase.PLAY, Phase.DECLARE, Phase.DRAW} if needs_no_trick else {Phase.DECLARE}),
    )


def is_second(table: Table, seven: Card) -> bool:
    """Whether this is the second seven of trumps, after the use of the other one (cell `seven.second.which`)."""
    which = table.rules.of(SevenRules).which_is_second.value
    if which == "while-a-seven-is-turned-up":
        return table.turn_up is not None and rank_of(table.turn_up) == SEVEN
    if table.claimed - {seven}:
        return True
    return which == "after-one-that-is-gone" and _another_is_gone(table, seven)


def _another_is_gone(table: Table, seven: Card) -> bool:
    played = (card for pile in (*table.won, table.trick) for card in pile)
    return any(face_of(card) == face_of(seven) and card != seven for card in played)


def refuse_exchange(table: Table, act: Exchange) -> Refusal | None:
    """Return why an exchange is refused, or None: the winner of a trick may give the first seven of trumps for the
    turn-up (cells `seven.*`)."""
    refused = _refuse_to_claim(table, act)
    if refused is not None:
        return refused
    rules = table.rules.of(SevenRules)
    if table.turn_up is None:
        return Refusal("no-turn-up", table.rules.of(DealRules).a_card_is_turned_up.grounds)
    if is_second(table, act.card) and not rules.second_may_be_exchanged.value:
        return Refusal("not-to-exchange", rules.second_may_be_exchanged.grounds + rules.which_is_second.grounds)
    return None


def refuse_show(table: Table, act: Show) -> Refusal | None:
    """Return why a seven may not be shown, or None: one of trumps may be shown and scored without an exchange (cells
    `seven.*`)."""
    rules = table.rules.of(SevenRules)
    if rules.second_by_itself.value and act.card in table.hands[act.by] and is_second(table, act.card):
        if act.card in table.claimed:
            return Refusal("seven-has-scored", rules.second_points.grounds)
        if _is_seven_of_trumps(table, act.card):
            return None
    refused = _refuse_to_claim(table, act)
    if refused is None and not is_second(table, act.card) and not rules.may_be_shown.value:
        return Refusal("not-to-show", rules.may_be_shown.grounds)
    return refused


def scores_by_itself(table: Table, card: Card) -> bool:
    """Whether a card is a second seven that needs no trick to be won, and has not scored yet (cell
    `seven.second.when`)."""
    return (
        table.rules.of(SevenRules).second_by_itself.value
        and _is_seven_of_trumps(table, card)
        and card not in table.claimed
        and is_second(table, card)
    )


def _is_seven_of_trumps(table: Table, card: Card) -> bool:
    return rank_of(card) == SEVEN and suit_of(card) == table.trumps


def _refuse_to_claim(table: Table, act: Exchange | Show) -> Refusal | None:
    rules, free = table.rules.of(SevenRules), _at_any_time(table, act.card)
    if not (_has_won_the_trick(table, act.by) or (free.value and table.drawing)):
        return Refusal("only-after-winning-a-trick", free.grounds)
    if act.card not in table.hands[act.by]:
        return Refusal("card-not-held", rules.may_be_shown.grounds)
    if not _is_seven_of_trumps(table, act.card):
        return Refusal("not-the-seven", rules.may_be_shown.grounds)
    if act.card in table.claimed:
        again = rules.exchanged_after_being_shown if isinstance(act, Exchange) else Rule(value=False)
        return None if again.value else Refusal("seven-has-scored", rules.points.grounds + again.grounds)
    if table.last_draw and not rules.before_the_last_draw.value:
        return Refusal("too-late-to-declare", rules.before_the_last_draw.grounds)
    return _refuse_as_a_declaration(table, act)


def _has_won_the_trick(table: Table, seat: Seat) -> bool:
    """Whether a player has just won a trick, and has not drawn."""
    return table.phase is Phase.DECLARE and seat == table.turn


def _at_any_time(table: Table, card: Card) -> Rule[bool]:
    """Return the rule whether a card may be exchanged or shown without winning a trick; the second seven has its own
    rule."""
    rules = table.rules.of(SevenRules)
    second = _is_seven_of_trumps(table, card) and is_second(table, card)
    return rules.second_at_any_time if second else rules.at_any_time


def _refuse_as_a_declaration(table: Table, act: Exchange | Show) -> Refusal | None:
    """Return why a seven that takes the place of a combination is refused, or None."""
    declared = table.rules.of(DeclareRules)
    if not declared.seven_is_a_declaration.value:
        return None
    if too_early(table, act.by):
        return Refusal("too-few-tricks-won", declared.tricks_won_first.grounds)
    return Refusal("one-score-a-trick", declared.seven_is_a_declaration.grounds) if scored_since_trick(table) else None


def exchange(table: Table, act: Exchange) -> Iterator[Event]:
    """Yield the exchange of the seven for the turn-up, and its score if it has not scored before."""
    assert table.turn_up is not None, "an exchange is refused where there is no turn-up"
    if act.card in table.claimed:
        again = table.rules.of(SevenRules).exchanged_after_being_shown
        yield Exchanged(act.by, act.card, table.turn_up, declared=False, grounds=again.grounds)
        return
    score = _score(table, act.by, act.card)
    declared = _has_won_the_trick(table, act.by)
    yield Exchanged(act.by, act.card, table.turn_up, declared=declared, grounds=_liberty(table, act))
    yield score


def show(table: Table, act: Show) -> Iterator[Event]:
    """Yield the seven as shown and scored; it remains in the hand."""
    lies = table.rules.of(SevenRules).lies_on_the_table
    score, by_itself = _score(table, act.by, act.card), scores_by_itself(table, act.card)
    why = _why_by_itself(table) if by_itself else _liberty(table, act)
    declared = not by_itself and _has_won_the_trick(table, act.by)
    yield SevenShown(act.by, act.card, lies.value, declared=declared, grounds=why + lies.grounds)
    yield score


def _why_by_itself(table: Table) -> Grounds:
    rules = table.rules.of(SevenRules)
    return rules.second_by_itself.grounds + rules.which_is_second.grounds


def by_playing(table: Table, seat: Seat, card: Card) -> Iterable[Event]:
    """Return the score of a second seven that needs no trick to be won, when it is played."""
    if not scores_by_itself(table, card):
        return ()
    shown = SevenShown(seat, card, lies=False, declared=False, grounds=_why_by_itself(table))
    return shown, _score(table, seat, card)


def _liberty(table: Table, act: Exchange | Show) -> Grounds:
    """Return the cells that let this seven be exchanged or shown now."""
    rules, second = table.rules.of(SevenRules), is_second(table, act.card)
    may = rules.second_may_be_exchanged if second else rules.may_be_shown
    one_of_two = second or table.claimed or _another_is_gone(table, act.card)
    beside = table.rules.of(DeclareRules).seven_is_a_declaration
    return (
        *may.grounds,
        *_at_any_time(table, act.card).grounds,
        *(rules.which_is_second.grounds if one_of_two else ()),
        *(rules.before_the_last_draw.grounds if table.last_draw else ()),
        *(beside.grounds if table.combinations_since_trick else ()),
    )


def _score(table: Table, seat: Seat, card: Card) -> Scored:
    rules = table.rules.of(SevenRules)
    if is_second(table, card):
        return Scored(seat, rules.second_points.value, "second-seven", rules.second_points.grounds)
    return Scored(seat, rules.points.value, "seven", rules.points.grounds)


def _sevens_held(table: Table) -> list[tuple[Seat, Card]]:
    """Return the sevens of trumps that could be exchanged or shown now, with their holders."""
    rules = table.rules.of(SevenRules)
    if table.trumps is None or not (table.drawing or rules.second_by_itself.value):
        return []
    if len(table.claimed) == table.rules.packs and not rules.exchanged_after_being_shown.value:
        return []  # each has been used
    sevens, seats = _SEVENS[table.trumps], ring(Seat(0), table.players) if Phase.PLAY in rules.phases else (table.turn,)
    held = [seat for seat in seats if not sevens.isdisjoint(table.hands[seat])]  # usually nobody
    return [
        (seat, each)
        for seat in held
        for each in table.hands[seat]
        if each in sevens
        and (_has_won_the_trick(table, seat) or _at_any_time(table, each).value or scores_by_itself(table, each))
    ]


#: The sevens of each suit, in the maximum number of packs.
_SEVENS: Final = tuple(
    frozenset(card(SEVEN, suit, copy) for copy in range(1, MOST_PACKS + 1)) for suit in range(len(SUITS))
)


def open_exchanges(table: Table) -> list[Exchange]:
    """Return the exchange of each seven, by the player who holds it."""
    return [Exchange(seat, seven) for seat, seven in _sevens_held(table)]


def open_shows(table: Table) -> list[Show]:
    """Return the showing of each seven, by the player who holds it."""
    return [Show(seat, seven) for seat, seven in _sevens_held(table)]


def what_may_be_exchanged(table: Table, question: Exchangeable) -> Ruling:
    """Return the sevens of trumps that a player may exchange or show now, in their order."""
    seat, rules = question.by, table.rules.of(SevenRules)
    if table.phase not in rules.phases:
        return Ruling((), rules.at_any_time.grounds + rules.second_at_any_time.grounds)
    sevens = tuple(sorted(held for held in table.hands[seat] if _is_seven_of_trumps(table, held)))
    why: dict[Card, list[Refusal | None]] = {
        seven: [refuse_exchange(table, Exchange(seat, seven)), refuse_show(table, Show(seat, seven))]
        for seven in sevens
    }
    refused = [each for both in why.values() for each in both if each is not None]
    may = tuple(seven for seven in sevens if None in why[seven])
    grounds = [path for each in refused for path in each.grounds]
    for seven in may:
        grounds += _why_by_itself(table) if scores_by_itself(table, seven) else _liberty(table, Show(seat, seven))
    return Ruling(may, tuple(grounds))


def sense(table: Table) -> None:
    """Raise Malformed if the turn-up does not make trumps, a card that has scored by itself is no seven of trumps, or a
    seven turned up has not scored."""
    if table.sevens_since_trick < 0:
        raise Malformed(f"{table.sevens_since_trick} sevens cannot have scored since the last trick")
    turned = table.turn_up
    if turned is not None and rank_of(turned) == SEVEN and turned not in table.claimed:
        raise Malformed(f"{name(turned)} is turned up, and so it has scored: it belongs to 'claimed'")
    for each in table.claimed:
        if not _is_seven_of_trumps(table, each):
            raise Malformed(f"{name(each)} is not a seven of trumps, and scores nothing by itself")


CHAPTER: Chapter = Chapter(
    "seven",
    read,
    (
        Move(Exchange, refuse_exchange, exchange, lambda rules: rules.phases, open_exchanges),
        Move(Show, refuse_show, show, lambda rules: rules.phases, open_shows),
    ),
    (Ask(Exchangeable, what_may_be_exchanged),),
    fields=lambda _rules: ("claimed", "sevens_since_trick"),
    sense=sense,
    follows=lambda rules: Follows(on_play=by_playing if rules.second_by_itself.value else None),
)
