"""Carte blanche: a hand dealt without certain ranks, shown and scored before a card is played; and again with each card
drawn that leaves it as it was."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..cells import Cells, Rule, equals, number, word, words
from ..events.carte_blanche import CarteBlancheDrawn, CarteBlancheShown
from ..events.event import Event
from ..events.score import Scored
from ..table.acts import CarteBlanche
from ..table.cards import Card, name, rank_of, read_rank
from ..table.refusals import Malformed, Refusal
from ..table.seats import Seat, ring, seat_name
from ..table.states import BlankState, Phase
from ..table.table import Table
from .chapter import Chapter, Follows, Move, during
from .declare.declaring import DeclareRules


@dataclass(frozen=True, slots=True)
class CarteBlancheRules:
    """What carte blanche scores (points), the ranks it may not hold, whether it scores again with each card drawn, only
    as long as each is shown, and what that of both partners scores: a number of points, which counts in a certain way.
    """

    points: Rule[int]
    without: Rule[frozenset[int]]
    when: Rule[str]
    again: Rule[bool]
    ends_unless_shown: Rule[bool]
    both: Rule[int]
    both_in: Rule[str]


def read(cells: Cells) -> CarteBlancheRules:
    """The rules of this chapter, from the table."""
    points = cells.rule("carte_blanche.points", number)
    both = cells.rule_if_any("carte_blanche.both_partners", number, otherwise=0)
    if both.grounds and both.value < points.value:
        raise Malformed("both partners score less than one", *both.grounds)
    return CarteBlancheRules(
        points=points,
        without=cells.rule("carte_blanche.without", ranks),
        when=cells.rule("carte_blanche.when", word),
        again=cells.rule("carte_blanche.again", equals("after-each-card-drawn")),
        ends_unless_shown=cells.rule_if_any("carte_blanche.a_card_not_shown", equals("ends-it"), otherwise=False),
        both=both,
        both_in=cells.rule_if_any("carte_blanche.both_partners_in", word, otherwise=""),
    )


def ranks(value: Any) -> frozenset[int]:
    """The ranks that a cell names."""
    return frozenset(map(read_rank, words(value)))


def refuse_show(table: Table, act: CarteBlanche) -> Refusal | None:
    """It is shown before the first card is played, by whoever was dealt it; afterwards only by whoever has shown it,
    between drawing a card and playing one (cells `carte_blanche.*`)."""
    rules, blank = table.rules.of(CarteBlancheRules), table.blanks[act.by]
    if table.phase not in {Phase.PLAY, Phase.DECLARE, Phase.DRAW}:
        return Refusal("not-now", rules.when.grounds)
    if court_cards(table, act.by):
        return Refusal("not-a-blank", rules.without.grounds)
    if not _has_played(table, act.by):
        return None if blank is BlankState.UNSPOKEN else Refusal("nothing-new-to-show", rules.again.grounds)
    if blank is BlankState.UNSPOKEN:
        return Refusal("too-late-for-carte-blanche", rules.when.grounds)
    if blank is BlankState.DRAWN and _drawn_last(table):
        return Refusal("stock-is-gone", table.rules.of(DeclareRules).before_the_last_draw.grounds)
    drawn = blank is BlankState.DRAWN and _may_show_the_card(table, act.by)
    return None if drawn else Refusal("nothing-new-to-show", rules.again.grounds)


def court_cards(table: Table, seat: Seat) -> list[Card]:
    """The cards in a player's hand that carte blanche may not hold (cell `carte_blanche.without`)."""
    without = table.rules.of(CarteBlancheRules).without.value
    return [card for card in table.hands[seat] if rank_of(card) in without]


def _has_played(table: Table, seat: Seat) -> bool:
    """Whether a player has played a card in this deal."""
    return table.a_trick_is_won or seat in table.have_played


def _may_show_the_card(table: Table, seat: Seat) -> bool:
    """Whether a player has drawn since the last trick, and has not played since."""
    if table.phase is Phase.PLAY:
        return seat not in table.have_played
    return table.phase is Phase.DRAW and seat not in table.still_to_draw


def _drawn_last(table: Table) -> bool:
    """Whether the card drawn is of the last round of drawing: nothing is left for another."""
    return table.phase is not Phase.DECLARE and table.left_to_draw == len(table.still_to_draw)


def show(table: Table, act: CarteBlanche) -> Iterator[Event]:
    """The hand is shown and scores; both partners may score more together than each alone."""
    rules, drawn = table.rules.of(CarteBlancheRules), table.drawn[act.by]
    if table.blanks[act.by] is BlankState.DRAWN and drawn is not None:
        yield CarteBlancheShown(act.by, (drawn,), rules.without.grounds + rules.again.grounds)
        yield Scored(act.by, rules.points.value, "carte-blanche", rules.points.grounds)
        return
    hand = tuple(sorted(table.hands[act.by]))
    yield CarteBlancheShown(act.by, hand, rules.without.grounds + rules.when.grounds)
    if any(table.blanks[seat] is not BlankState.UNSPOKEN for seat in table.rules.side(act.by) if seat != act.by):
        why = rules.points.grounds + rules.both.grounds + rules.both_in.grounds
        yield Scored(act.by, _with_the_partner(rules), "double-carte-blanche", why)
    else:
        yield Scored(act.by, rules.points.value, "carte-blanche", rules.points.grounds)


def _with_the_partner(rules: CarteBlancheRules) -> int:
    """What the second partner scores, the first having scored (points; cell `carte_blanche.both_partners_in`)."""
    match rules.both_in.value:
        case "all":
            return rules.both.value - rules.points.value
        case "place-of-the-second":
            return rules.both.value
        case _:
            return rules.points.value + rules.both.value


def by_drawing(table: Table, seat: Seat, card: Card) -> Iterable[CarteBlancheDrawn]:
    """A card drawn to a carte blanche that has been shown leaves it as it was, or ends it (cell `carte_blanche.again`);
    and one that was drawn and not shown may end it too (cell `carte_blanche.a_card_not_shown`)."""
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


def open_shows(table: Table) -> list[CarteBlanche]:
    """To show it, for anybody; after the first trick only where somebody has shown it before."""
    if table.a_trick_is_won and BlankState.DRAWN not in table.blanks:
        return []
    return [CarteBlanche(seat) for seat in ring(Seat(0), table.players)]


def sees_blanks(_table: Table, seat: Seat, blanks: dict[str, str]) -> dict[str, str]:
    """What has become of each carte blanche, as far as a player knows: a card drawn by another lies hidden."""
    hidden = {BlankState.DRAWN, BlankState.OVER}
    return {
        letter: BlankState.SCORED if letter != seat_name(seat) and blank in hidden else blank
        for letter, blank in blanks.items()
    }


def sense(table: Table) -> None:
    """Raise Malformed where a carte blanche that has scored is none, or the card that was drawn to it is not held."""
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


CHAPTER = Chapter(
    "carte_blanche",
    read,
    (Move(CarteBlanche, refuse_show, show, during(Phase.PLAY, Phase.DRAW), open_shows),),
    fields=lambda _rules: ("blanks", "drawn"),
    sees=(("blanks", sees_blanks),),
    sense=sense,
    follows=lambda _rules: Follows(on_draw=by_drawing),
)
