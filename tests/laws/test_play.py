"""Laws of the interpreter: whatever is played, these hold."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, combinations, product
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conftest import ROOT
from games import acts, after, play, tables
from hoyle_conformance.suite.semantics import paragraphs
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import (
    Game,
    Malformed,
    Phase,
    Refused,
    Rules,
    compile_cells,
    compile_rules,
    new_game,
    read_act,
    read_position,
    replay,
    write_act,
    write_position,
)
from hoyle_reference.acts import (
    Act,
    Announce,
    Answer,
    CarteBlanche,
    Choose,
    Cut,
    Deal,
    Declare,
    Discard,
    Draw,
    Exchange,
    Hold,
    Peep,
    Play,
    Prove,
    Show,
)
from hoyle_reference.cards import RANKS, Card, Suit, face_of, rank_of, suit_of
from hoyle_reference.cells import lay_flat, offered_by
from hoyle_reference.cells import number as whole_number
from hoyle_reference.chapters.calling.classes import ClassRules
from hoyle_reference.chapters.declare.declarations import DeclareRules, waits
from hoyle_reference.events import Awaits, Dealt, Drew, Scored
from hoyle_reference.seats import Seat
from hoyle_reference.table.table import new_table

seeds = st.integers(0, 2**32)
tapes = st.binary(min_size=1, max_size=80)
TABLES = tables()
#: The tables of games in which the players draw from a stock after a trick.
DRAWN = [table for table in TABLES if compile_rules(table).draws]
#: A ruleset by its name, and how its disputed cells are read.
Kind = tuple[str, dict[str, str]]


def of_table(table: Any) -> st.SearchStrategy[Kind]:
    """The ruleset of a table, plain or with one of its options; any disputed cells, each read in any of its ways."""
    return st.one_of(_with(table, ()), *(_with(table, (option,)) for option in offered_by(table)))


def _with(table: Any, options: tuple[str, ...]) -> st.SearchStrategy[Kind]:
    """The same with these options, and the cells that are disputed then."""
    disputed = {cell.path: [each.name for each in cell.readings] for cell in lay_flat(table, options) if cell.readings}
    readings = {path: st.sampled_from(known) for path, known in disputed.items()}
    return st.tuples(st.just("+".join((table["id"], *options))), st.fixed_dictionaries({}, optional=readings))


kinds = st.one_of(*map(of_table, TABLES))
drawn_kinds = st.one_of(*map(of_table, DRAWN))
BRISQUE = "score.brisques.points"
laws = settings(max_examples=25, deadline=None)


def _every_card_is_in_one_place(game: Game) -> bool:
    return not game.table.is_dealt or sorted(game.table.cards()) == list(game.rules.pack)


def _scores_are_the_sum_of_what_was_booked(game: Game) -> bool:
    booked, before = Counter[int](), Counter[int]()
    for event in game.log:
        if isinstance(event, Dealt):
            before = Counter(booked)
        elif isinstance(event, Scored):
            booked[game.rules.side_of[event.seat]] += event.points
    score, made = game.table.score, [sum(each.values()) for each in game.table.made_of]
    in_the_deal = [points - before[side] for side, points in enumerate(score)]
    return all(booked[side] == points for side, points in enumerate(score)) and (
        "reckoning" not in game.rules.chapters or in_the_deal == made
    )


def _a_refused_card_changes_nothing(game: Game) -> bool:
    before = game.table.copy()
    for seat, hand in enumerate(before.hands):
        for act in [Play(Seat(seat), card) for card in hand]:
            if game.check(act) is not None:
                game.attempt(act)
    return game.table.is_like(before)


def _the_phase_limits_the_turn(game: Game) -> bool:
    table = game.table
    if table.phase is Phase.DRAW:
        return table.turn != table.leader
    to_play = Seat((table.leader + len(table.trick)) % table.players)
    turn = {Phase.CUT: Seat(0), Phase.DEAL: table.dealer, Phase.PLAY: to_play, Phase.DECLARE: table.leader}
    return table.turn == turn.get(table.phase, table.turn)


def _the_phase_says_whether_there_is_a_choice_or_an_end(game: Game) -> bool:
    table = game.table
    ended = not list(game.legal_actions) if game.is_over else (table.game_won_by, table.settled) == (None, None)
    return bool(table.choices) == (table.phase is Phase.CHOOSE) and ended


def _hands_are_of_a_size(game: Game) -> bool:
    table = game.table
    to_come = {*table.have_played, *table.still_to_draw}
    counts = {len(hand) + (seat in to_come) - table.referee.surplus[seat] for seat, hand in enumerate(table.hands)}
    whole = len(table.trick) < table.players and not any(len(won) % table.players for won in table.won)
    return game.is_over or (len(counts) == 1 and whole)


def _fields_agree(game: Game) -> bool:
    table, won = game.table, chain.from_iterable(game.table.won)
    shown = all(cards <= set(hand) for cards, hand in zip(table.shown, table.hands, strict=True))
    sevens = all(suit_of(card) == table.trumps and rank_of(card) == RANKS.index("7") for card in table.claimed)
    scored = len(table.scored[game.rules.side_of[table.leader]]) >= table.combinations_since_trick
    return shown and sevens and scored and set(table.referee.heap) <= set(won)


def _a_position_set_up_again_is_the_same(game: Game) -> bool:
    table = game.table
    not_given = game.is_over or any(drawn and drawn not in chain(*table.hands) for drawn in table.drawn)
    if not_given or table.phase in {Phase.CUT, Phase.DEAL}:
        return True
    again = Game(read_position(game.rules, write_position(table)))
    return again.table.is_like(table) and set(again.legal_actions) == set(game.legal_actions)


#: The invariants of the semantics, each by the id of its paragraph.
INVARIANTS: Mapping[str, Callable[[Game], bool]] = {
    "invariant-1": _every_card_is_in_one_place,
    "invariant-2": _scores_are_the_sum_of_what_was_booked,
    "invariant-3": _a_refused_card_changes_nothing,
    "invariant-4": _the_phase_limits_the_turn,
    "invariant-5": _the_phase_says_whether_there_is_a_choice_or_an_end,
    "invariant-6": _hands_are_of_a_size,
    "invariant-7": _fields_agree,
    "invariant-8": _a_position_set_up_again_is_the_same,
}


def broken(game: Game) -> list[str]:
    """The invariants that do not hold."""
    return [name for name, holds in INVARIANTS.items() if not holds(game)]


def test_every_invariant_of_the_semantics_is_tested() -> None:
    assert {each.id for each in paragraphs(ROOT / "spec") if each.chapter == "Invariants"} == INVARIANTS.keys()


@pytest.mark.slow
@given(kind=kinds, seed=seeds, tape=tapes)
@laws
def test_after_every_act_the_invariants_hold_and_events_name_cells(
    suite: Suite, kind: Kind, seed: int, tape: bytes
) -> None:
    game = new_game(suite.rules.of(*kind))
    for act in acts(game, seed, tape, most_deals=2):
        assert read_act(game.rules, write_act(act)) == act
        for event in game.apply(act):
            assert bool(event.grounds) != isinstance(event, Awaits)
            assert all(path in game.rules.cells for path in event.grounds)
        assert broken(game) == []
    assert replay(new_table(game.rules), game.log).table.is_like(game.table)


@pytest.mark.slow
@given(kind=kinds, seed=seeds, tape=tapes)
@laws
def test_a_game_ends_with_a_winner_at_the_target(suite: Suite, kind: Kind, seed: int, tape: bytes) -> None:
    game, events = play(suite.rules.of(*kind), seed, tape)
    assert game.is_over
    winner = game.table.game_won_by
    if winner is None:
        assert len(set(game.scores)) == 1
    elif game.rules.settle.game.value == "one-deal" or game.rules.settle.least_deals.value:
        brisques = any(isinstance(event, Scored) and event.what == "brisques" for event in events)
        assert (brisques and game.rules.settle.settlement) or game.scores[winner] == max(game.scores)
        assert brisques or game.scores.count(game.scores[winner]) == 1
    else:
        assert game.scores[winner] >= game.rules.settle.target.value
    unit = game.rules.cells.rule_if_any(BRISQUE, whole_number, otherwise=10 if game.rules.draws else 1).value
    assert all(event.points > 0 and event.points % unit == 0 for event in events if isinstance(event, Scored))


@pytest.mark.slow
@given(kind=drawn_kinds, seed=seeds, tape=tapes)
@laws
def test_every_whole_deal_brings_all_brisques_and_one_last_trick(
    suite: Suite, kind: Kind, seed: int, tape: bytes
) -> None:
    cells = suite.rules.of(*kind).cells
    out_of_reach = [replace(cells[path], value=100_000) for path in ("settle.target",) if path in cells]
    _, events = play(compile_cells("endless", cells.with_cells(out_of_reach)), seed, tape, most_deals=1)
    scored = [event for event in events if isinstance(event, Scored)]
    rules = suite.rules.of(*kind)
    brisques = sum(event.points for event in scored if event.what == "brisques")
    all_of_them = 8 * rules.packs * max(rules.score.counting.value)
    assert brisques == all_of_them or (
        brisques == 0 and not rules.score.as_won.value and not rules.score.at_the_end.value
    )
    assert [event.points for event in scored if event.what == "last-trick"] == [rules.score.last_trick.value]
    dealt = rules.players * rules.deal.hand_size
    assert sum(isinstance(event, Drew) for event in events) == len(rules.pack) - dealt


@pytest.mark.interpreter
@pytest.mark.parametrize("name", [table["id"] for table in TABLES])
def test_a_whole_game_of_every_ruleset_keeps_the_laws(suite: Suite, name: str) -> None:
    """A game of each, whatever the dice of the other tests have reached."""
    rules = suite.rules.of(name)
    game = new_game(rules)
    for act in acts(game, 1, bytes(range(256))):
        game.apply(act)
        assert broken(game) == []
    assert game.is_over
    assert replay(new_table(rules), game.log).table.is_like(game.table)


def conceivable(game: Game) -> Iterator[Act]:
    """Every act that could be thought of with these cards, legal or not."""
    options = ("deals", "leaves-the-deal", "exposes-the-rest", "looks-at-the-rest", "leaves-the-rest")
    for seat in (Seat(n) for n in range(game.rules.players)):
        yield from (Choose(seat, option) for option in options)
        yield from (Play(seat, card) for card in game.rules.pack)
        yield from (_drawn if game.rules.draws else _handled)(game, seat)


def _drawn(game: Game, seat: Seat) -> Iterator[Act]:
    yield Draw(seat)
    for card in game.rules.pack if "seven" in game.rules.chapters else ():
        yield Exchange(seat, card)
        yield Show(seat, card)
    if "carte_blanche" in game.rules.chapters:
        yield CarteBlanche(seat)
    within_reach = [card for each in game.rules.side(seat) for card in game.table.hands[each]]
    for cards in sets_of(within_reach):
        for meld in game.rules.of(DeclareRules).melds.by_id:
            yield Declare(seat, meld, cards)
            yield Hold(seat, meld, cards)


def sets_of(hand: list[Card]) -> Iterator[tuple[Card, ...]]:
    """Every choice of so many cards as combinations have; of a large hand, those that look like one by their ranks."""
    if len(hand) <= 8:
        yield from subsets(hand, {2, 4, 5})
        return
    of = {rank: sorted(card for card in hand if RANKS[rank_of(card)] == rank) for rank in RANKS}
    for rank in "TJQKA":
        yield from subsets(of[rank], {4, 5})
    for one, other in ("KQ", "QJ"):
        for size in range(1, 7):
            for ours, theirs in product(combinations(of[one], size), combinations(of[other], size)):
                yield ours + theirs
    yield from product(*(of[rank] for rank in "ATKQJ"))


def _handled(game: Game, seat: Seat) -> Iterator[Act]:
    yield from (Peep(seat, suit) for suit in (None, *map(Suit, range(4))))
    yield Prove(seat)
    yield Announce(seat, "blank")
    yield from (Answer(seat, says) for says in ("good", "not-good", "equal", "making", "how-high"))
    for count in range(13):
        yield Announce(seat, "point", count)
        yield Announce(seat, "sequence", count)
        yield from (Announce(seat, "set", count, rank=rank) for rank in RANKS if count)
    yield Announce(seat, "set", 0)
    yield from (Announce(seat, "point", value=value) for value in range(100))
    yield from (Announce(seat, "sequence", top=top) for top in (*RANKS, *(["nought"] if _nought(game) else [])))
    if game.table.phase is Phase.EXCHANGE:
        yield from (Discard(seat, cards) for cards in subsets(game.table.hands[seat], set(range(9))))
    for kind in game.rules.of(ClassRules).by_id.values() if game.table.phase in {Phase.ANNOUNCE, Phase.PLAY} else ():
        if kind.void:
            yield Declare(seat, kind.id, ())
        elif kind.points or kind.id == "point":
            sizes = set(range(1, 9)) if kind.id == "point" else {kind.cards}
            yield from (Declare(seat, kind.id, cards) for cards in subsets(game.table.hands[seat], sizes))


def _nought(game: Game) -> bool:
    return game.rules.of(ClassRules).void_below > 0


def subsets(hand: list[Card], sizes: set[int]) -> Iterator[tuple[Card, ...]]:
    """Every choice of so many cards of a hand."""
    return chain.from_iterable(combinations(sorted(hand), size) for size in sizes)


@pytest.mark.slow
@given(kind=kinds, seed=seeds, tape=tapes, stop=st.integers(0, 110), short=st.sampled_from([1000, 20, 0]))
@example(kind=("piquet-hoyle", {}), seed=0, tape=b"\x00", stop=5, short=1000)  # cards are left in the talon
@settings(max_examples=50, deadline=None)
def test_legal_actions_are_exactly_the_conceivable_acts_that_are_not_refused(
    suite: Suite, kind: Kind, seed: int, tape: bytes, stop: int, short: int
) -> None:
    rules = suite.rules.of(*kind)
    game = after(rules, seed, tape, stop, score=max(0, rules.settle.target.value - short))
    if game.table.phase in {Phase.CUT, Phase.DEAL}:
        return
    listed = list(game.legal_actions)
    assert len(listed) == len(set(listed)) == len(game.legal_actions)
    legal = {act for act in conceivable(game) if game.check(act) is None}
    again = {act for act in legal if isinstance(act, Hold) and waits(game.table, act)}  # which changes nothing
    assert set(listed) == legal - again
    assert all(act in game.legal_actions for act in listed)


@pytest.mark.slow
@given(kind=kinds, seed=seeds, tape=tapes, stop=st.integers(0, 110))
@settings(max_examples=15, deadline=None)
def test_a_refused_act_changes_nothing(suite: Suite, kind: Kind, seed: int, tape: bytes, stop: int) -> None:
    game = after(suite.rules.of(*kind), seed, tape, stop)
    before = write_position(game.table)
    for act in list(conceivable(game))[:: 1 + stop % 7]:
        if game.check(act) is not None:
            with pytest.raises(Refused):
                game.apply(act)
    assert write_position(game.table) == before


@pytest.mark.slow
@given(kind=kinds, seed=seeds, tape=tapes, stop=st.integers(0, 110))
@laws
def test_a_clone_goes_its_own_way(suite: Suite, kind: Kind, seed: int, tape: bytes, stop: int) -> None:
    game = after(suite.rules.of(*kind), seed, tape, stop)
    before = write_position(game.table)
    other = game.clone()
    for act in acts(other, seed, tape[::-1], most_deals=1):
        other.apply(act)
    assert write_position(game.table) == before


@pytest.mark.slow
@given(kind=kinds, seed=seeds, tape=tapes, stop=st.integers(2, 110), other_seed=seeds)
@laws
def test_an_observation_does_not_depend_on_hidden_cards(
    suite: Suite, kind: Kind, seed: int, tape: bytes, stop: int, other_seed: int
) -> None:
    """Hidden cards, shuffled among the places where they lie hidden, leave what a seat observes the same."""
    import random

    game = after(suite.rules.of(*kind), seed, tape, stop)
    if not game.table.hands[0]:
        return
    for seat in map(Seat, range(game.rules.players)):
        table = game.table.copy()
        others = [other for other in range(game.rules.players) if other != seat]
        open_ = set().union(*(table.shown[other] for other in others)) | table.seen[seat]
        piles = [pile for other in others for pile in (table.hands[other], table.discards[other])] + [table.stock]
        hidden = [card for pile in piles for card in pile if card not in open_]
        random.Random(other_seed).shuffle(hidden)
        for pile in piles:
            pile[:] = [card if card in open_ else hidden.pop() for card in pile]
        assert Game(table).observation(seat) == game.observation(seat)


@pytest.mark.slow
@given(kind=drawn_kinds, seed=seeds, tape=tapes)
@laws
def test_the_copies_of_a_card_are_alike(suite: Suite, kind: Kind, seed: int, tape: bytes) -> None:
    """The same game with two copies of every card changed for each other brings the same scores."""

    def twin(card: Card) -> Card:
        return Card(card ^ 32) if card < 64 else card

    def twins(act: Act) -> Act:
        match act:
            case Cut(cards):
                return Cut(tuple(map(twin, cards)))
            case Deal(by, deck, packets):
                return Deal(by, tuple(map(twin, deck)), packets)
            case Play(by, card) | Exchange(by, card) | Show(by, card):
                return type(act)(by, twin(card))
            case Declare(by, meld, cards) | Hold(by, meld, cards):
                return type(act)(by, meld, tuple(map(twin, cards)))
            case _:
                return act

    rules = suite.rules.of(*kind)
    one, two = new_game(rules), new_game(rules)
    for act in acts(one, seed, tape, most_deals=2):
        one.apply(act)
        two.apply(twins(act))
        assert one.scores == two.scores
        assert one.table.turn == two.table.turn


@pytest.mark.slow
@given(data=st.data(), table=st.sampled_from(DRAWN))
@laws
def test_melds_are_found_as_an_independent_count_finds_them(suite: Suite, data: st.DataObject, table: Any) -> None:
    rules = suite.rules.of(table["id"])
    court = [card for card in rules.pack if rank_of(card) >= RANKS.index("T")]
    hand = data.draw(st.lists(st.sampled_from(court), min_size=7, max_size=9, unique=True))
    trumps = data.draw(st.integers(0, 3))
    held = rules.of(DeclareRules).melds.held(hand, Suit(trumps))
    for meld in rules.of(DeclareRules).melds.by_id.values():
        found = [cards for each, cards in held if each == meld]
        assert len(found) == len(set(found))
        by_count = {
            cards
            for size in (2, 4, 5, 6, 8)
            for cards in combinations(sorted(hand), size)
            if _is(table["id"], meld.id, [divmod(face_of(card), 8) for card in cards], trumps)
        }
        assert set(found) == by_count


def _is(ruleset: str, meld: str, faces: list[tuple[int, int]], trumps: int) -> bool:
    """The score tables once more, in other words: faces as (suit, rank), suits from clubs, ranks from the seven."""
    suits, ranks = [suit for suit, _ in faces], sorted(rank for _, rank in faces)
    one_suit, of_trumps = len(set(suits)) == 1, set(suits) == {trumps}
    queen, knave = (3, 5), (1, 4)
    if ruleset in {"six-deck-h2g2", "eight-deck-h2g2"}:
        queen, knave = (trumps, 5), ({0: 2, 1: 3, 2: 0, 3: 1}[trumps], 4)
    elif ruleset == "bezique-britannica" and trumps in {1, 3}:
        queen, knave = (0, 5), (2, 4)
    first = meld.split("-", maxsplit=1)[0]
    if meld.endswith("marriage"):
        times = {"double": 2, "triple": 3}.get(first, 1)
        return ranks == [5] * times + [6] * times and one_suit and of_trumps == ("royal" in meld)
    if meld.endswith("sequence"):
        return ranks == [3, 4, 5, 6, 7] and one_suit and of_trumps == (meld == "sequence")
    if meld.endswith("bezique"):
        times = ["bezique", "double", "treble", "quadruple", "quintuple", "sextuple"].index(first) + 1
        return sorted(faces) == sorted([knave, queen] * times)
    number, rank, *trump = meld.replace("-of-trumps", "-trumps").split("-")
    place = {"aces": 7, "kings": 6, "queens": 5, "knaves": 4, "tens": 3}[rank]
    free = bool(trump) or not ruleset.endswith("h2g2") or ruleset == "four-handed-h2g2"
    alike = ranks == [place] * (5 if number == "five" else 4)
    return alike and (of_trumps or not trump) and (free or len(set(suits)) == 4)


@pytest.mark.interpreter
def test_chance_can_be_checked_but_not_listed(rules: Rules) -> None:
    game = new_game(rules)
    assert Cut((rules.pack[0], rules.pack[1])) in game.legal_actions
    with pytest.raises(Malformed, match="the cut is chance"):
        len(game.legal_actions)
