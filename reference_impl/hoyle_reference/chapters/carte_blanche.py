"""A hand dealt without certain ranks, shown and scored before a card is played, and again with each card drawn that
leaves it intact.

Implements SEMANTICS-BEZIQUE.md, carte-blanche-1 to carte-blanche-7.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from ..acts import CarteBlanche
from ..cards import Card, name, rank_of, read_rank
from ..cells import Cells, Rule, cell, equals, number, word, words
from ..events import Event, Scored
from ..events.combinations import CarteBlancheDrawn, CarteBlancheLapsed, CarteBlancheResumed, CarteBlancheShown
from ..frozen import frozen
from ..refusals import Malformed, Refusal
from ..seats import Seat, ring, seat_name
from ..table.states import BlankState, Phase
from ..table.table import Table
from .chapter import Chapter, Follows, Move, during
from .deal import DealRules


def ranks(value: Any) -> frozenset[int]:
    """Return the ranks that a cell names."""
    return frozenset(map(read_rank, words(value)))


@frozen
class CarteBlancheRules:
    """The rules of carte blanche: its score (points), the ranks it may not hold, and whether it must be the hand as
    dealt.

    Scoring again: whether each card drawn scores, only while each is shown, and the last card too. Cards put back:
    whether a forbidden card ends it even if it goes back to the stock, and whether the score with such a card stands.

    Further rules: whether the cards shown lie on the table; the points for both partners, how they count, and whether
    they score again.
    """

    points: Rule[int] = cell("carte_blanche.points", number)
    without: Rule[frozenset[int]] = cell("carte_blanche.without", ranks)
    only_as_dealt: Rule[bool] = cell("carte_blanche.when", equals("before-playing-a-card"))
    again: Rule[bool] = cell("carte_blanche.again", equals("after-each-card-drawn"))
    ends_unless_shown: Rule[bool] = cell("carte_blanche.a_card_not_shown", equals("ends-it"), otherwise=False)
    ends_if_put_back: Rule[bool] = cell("carte_blanche.a_court_card_put_back", equals("ends-it"), otherwise=False)
    stands_if_put_back: Rule[bool] = cell(
        "carte_blanche.scored_with_a_card_put_back", equals("stands"), otherwise=False
    )
    with_the_last_card: Rule[bool] = cell("carte_blanche.with_the_last_card", equals("scores"), otherwise=False)
    lies_on_the_table: Rule[bool] = cell("carte_blanche.shown", equals("lies-on-the-table"), otherwise=False)
    both: Rule[int] = cell("carte_blanche.both_partners", number, otherwise=0)
    both_in: Rule[str] = cell("carte_blanche.both_partners_in", word, otherwise="")
    both_again: Rule[bool] = cell("carte_blanche.both_partners_again", equals("both-again"), otherwise=False)


def read(cells: Cells) -> CarteBlancheRules:
    """Compile the cells of this chapter."""
    rules = cells.compiled(CarteBlancheRules)
    if rules.both.grounds and rules.both.value < rules.points.value:
        raise Malformed("both partners score less than one", *rules.both.grounds)
    return rules


def refuse_show(table: Table, act: CarteBlanche) -> Refusal | None:
    """Return why a carte blanche may not be shown, or None (cells `carte_blanche.*`).

    The player to whom it was dealt shows it before the first card is played, or whenever it is held; and again with
    each card drawn, before a card is played.
    """
    rules, blank = table.rules.of(CarteBlancheRules), table.blanks[act.by]
    if table.phase not in {Phase.PLAY, Phase.DECLARE, Phase.DRAW}:
        return Refusal("not-now", rules.only_as_dealt.grounds)
    if court_cards(table, act.by):
        return Refusal("not-a-blank", rules.without.grounds)
    if not table.a_trick_is_won and act.by not in table.have_played:
        return None if blank is BlankState.UNSPOKEN else Refusal("nothing-new-to-show", rules.again.grounds)
    return _refuse_later(table, act)


def _refuse_later(table: Table, act: CarteBlanche) -> Refusal | None:
    """Return why a player who has played may not show a new hand, or the card drawn to one already shown, or None."""
    rules, blank = table.rules.of(CarteBlancheRules), table.blanks[act.by]
    anew = not rules.only_as_dealt.value and blank in {BlankState.UNSPOKEN, BlankState.OVER}
    if not table.drawing and (anew or blank is BlankState.DRAWN) and not rules.with_the_last_card.value:
        return Refusal("stock-is-gone", rules.with_the_last_card.grounds)
    has_drawn = len(table.hands[act.by]) - table.referee.surplus[act.by] == table.rules.of(DealRules).hand_size
    if (anew or blank is BlankState.DRAWN) and has_drawn:
        return None
    if blank is BlankState.UNSPOKEN:
        return Refusal("too-late-for-carte-blanche", rules.only_as_dealt.grounds)
    played_on = rules.only_as_dealt.grounds if act.by in table.have_played else ()
    return Refusal("nothing-new-to-show", rules.again.grounds + played_on)


def court_cards(table: Table, seat: Seat) -> list[Card]:
    """Return the cards in a player's hand that carte blanche may not hold (cell `carte_blanche.without`)."""
    without = table.rules.of(CarteBlancheRules).without.value
    return [card for card in table.hands[seat] if rank_of(card) in without]


def show(table: Table, act: CarteBlanche) -> Iterator[Event]:
    """Yield the hand, or the card drawn to it, as shown and scored; two partners may score more together."""
    rules, drawn = table.rules.of(CarteBlancheRules), table.drawn[act.by]
    again = table.blanks[act.by] is BlankState.DRAWN and drawn is not None
    cards = (drawn,) if again and drawn is not None else tuple(sorted(table.hands[act.by]))
    double = _both_show(table, act.by, again=again)
    why = rules.without.grounds + (rules.again if again else rules.only_as_dealt).grounds
    why += rules.lies_on_the_table.grounds
    why += () if table.drawing else rules.with_the_last_card.grounds
    yield CarteBlancheShown(act.by, cards, rules.lies_on_the_table.value, why)
    if double.value:
        both = rules.points.grounds + rules.both.grounds + rules.both_in.grounds + double.grounds
        yield Scored(act.by, _with_the_partner(rules), "double-carte-blanche", both)
    else:
        yield Scored(act.by, rules.points.value, "carte-blanche", rules.points.grounds + double.grounds)


def _both_show(table: Table, seat: Seat, *, again: bool) -> Rule[bool]:
    """Return the rule for both partners if the partner has shown carte blanche too; when scored again, a card drawn
    after the same trick (cell `carte_blanche.both_partners_again`)."""
    rules = table.rules.of(CarteBlancheRules)
    partners = [each for each in table.rules.side(seat) if each != seat]
    if not again:
        return Rule(any(table.blanks[each] is not BlankState.UNSPOKEN for each in partners))
    have_drawn = [each for each in partners if each not in table.still_to_draw]
    together = any(table.blanks[each] is BlankState.SCORED for each in have_drawn)
    return Rule(together and rules.both_again.value, rules.both_again.grounds if together else ())


def _with_the_partner(rules: CarteBlancheRules) -> int:
    """Return the score of the second partner after the first has scored (points; cell
    `carte_blanche.both_partners_in`)."""
    match rules.both_in.value:
        case "all":
            return rules.both.value - rules.points.value
        case "place-of-the-second":
            return rules.both.value
        case _:
            return rules.points.value + rules.both.value


def by_drawing(table: Table, seat: Seat, card: Card) -> Iterable[CarteBlancheDrawn]:
    """Return the effect of a card drawn to a carte blanche already shown: it remains or ends (cell
    `carte_blanche.again`); a card drawn and not shown may also end it (cell `carte_blanche.a_card_not_shown`)."""
    rules, blank = table.rules.of(CarteBlancheRules), table.blanks[seat]
    if blank not in {BlankState.SCORED, BlankState.DRAWN}:
        return ()
    if rank_of(card) in rules.without.value:
        return (CarteBlancheDrawn(seat, card, ends=True, grounds=rules.again.grounds + rules.without.grounds),)
    if not rules.again.value:
        return ()
    ends = blank is BlankState.DRAWN and rules.ends_unless_shown.value
    passed_over = rules.ends_unless_shown.grounds if blank is BlankState.DRAWN else ()
    return (CarteBlancheDrawn(seat, card, ends=ends, grounds=rules.again.grounds + passed_over),)


def by_drawing_none(table: Table, seat: Seat) -> Iterable[CarteBlancheLapsed]:
    """Return the effect of a draw that a player misses: a card drawn earlier and not shown before playing can no longer
    be shown (cells `carte_blanche.again`, `carte_blanche.a_card_not_shown`)."""
    rules = table.rules.of(CarteBlancheRules)
    if table.blanks[seat] is not BlankState.DRAWN:
        return ()
    why = rules.again.grounds + rules.ends_unless_shown.grounds
    return (CarteBlancheLapsed(seat, ends=rules.ends_unless_shown.value, grounds=why),)


def by_putting_back(
    table: Table, before: Table, seat: Seat, back: Iterable[Card], kept: Iterable[Card]
) -> Iterator[CarteBlancheDrawn | CarteBlancheResumed | Scored]:
    """Decide the fate of a carte blanche from the card kept. The cards put back count as not drawn; but one that it may
    not hold may still end it, and a score with one may stand (cells `carte_blanche.a_court_card_put_back`,
    `carte_blanche.scored_with_a_card_put_back`)."""
    rules = table.rules.of(CarteBlancheRules)
    court = [card for card in back if rank_of(card) in rules.without.value]
    why = rules.ends_if_put_back.grounds if court else ()
    if table.blanks[seat] is BlankState.SCORED and rules.again.value:  # with a card that counts as not drawn
        stands = rules.stands_if_put_back
        why += stands.grounds
        if not stands.value:
            off = rules.points.grounds + rules.again.grounds + stands.grounds
            yield Scored(seat, -rules.points.value, "carte-blanche", off)
    yield CarteBlancheResumed(seat, before.blanks[seat], before.drawn[seat], rules.again.grounds + why)
    for card in court if court and rules.ends_if_put_back.value else kept:
        yield from by_drawing(before, seat, card)


def open_shows(table: Table) -> list[CarteBlanche]:
    """Return the act of showing it, for each player; after the first trick only with a card drawn, if only the hand as
    dealt counts."""
    as_dealt = table.rules.of(CarteBlancheRules).only_as_dealt.value
    if as_dealt and table.a_trick_is_won and BlankState.DRAWN not in table.blanks:
        return []
    return [CarteBlanche(seat) for seat in ring(Seat(0), table.players)]


def sees_blanks(_table: Table, seat: Seat, blanks: dict[str, str]) -> dict[str, str]:
    """Return the state of each carte blanche as far as a player knows it: a card that another player drew is hidden."""
    hidden = {BlankState.DRAWN, BlankState.OVER}
    return {
        letter: BlankState.SCORED if letter != seat_name(seat) and blank in hidden else blank
        for letter, blank in blanks.items()
    }


def sense(table: Table) -> None:
    """Raise Malformed if a scored carte blanche is not one, or its player does not hold the card drawn to it."""
    for seat in ring(Seat(0), table.players):
        blank, letter, drawn = table.blanks[seat], seat_name(seat), table.drawn[seat]
        if blank is BlankState.ANNOUNCED:
            raise Malformed(f"a blank is unspoken, scored, drawn, over, not {str(blank)!r}")
        if blank in {BlankState.SCORED, BlankState.DRAWN} and (court := court_cards(table, seat)):
            raise Malformed(f"{name(court[0])} is not in a carte blanche, which {letter} has scored")
        if (blank is BlankState.DRAWN) != (drawn is not None):
            raise Malformed(f"the card that {letter} has drawn to a carte blanche is given where it may be shown")
        if drawn is not None and drawn not in table.hands[seat]:
            raise Malformed(f"{name(drawn)} is drawn by {letter}, who does not hold it")


CHAPTER: Chapter = Chapter(
    "carte_blanche",
    read,
    (Move(CarteBlanche, refuse_show, show, during(Phase.PLAY, Phase.DRAW), open_shows),),
    fields=lambda _rules: ("blanks", "drawn"),
    sees=(("blanks", sees_blanks),),
    sense=sense,
    follows=lambda _rules: Follows(on_draw=by_drawing, on_missed_draw=by_drawing_none),
)
