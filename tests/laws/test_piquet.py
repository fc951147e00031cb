"""Laws of Piquet: whatever hands are dealt and however they are called and played, these hold."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import acts
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Game, Phase, Rules, compile_cells, new_game
from hoyle_reference.acts import (
    CLASSES,
    Act,
    Announce,
    Answer,
    ClassWinner,
    Cut,
    Deal,
    Declare,
    Discard,
    Discards,
    Play,
    Reckoning,
    TrickPoints,
    Visible,
)
from hoyle_reference.cards import CARDS_IN_PACK, Card, card, rank_of, suit_of
from hoyle_reference.chapters.blank import BlankRules
from hoyle_reference.chapters.calling.classes import ClassRules
from hoyle_reference.events import Event, Scored
from hoyle_reference.seats import Seat

NAME = "piquet-rubicon-parlett"
ELDER, YOUNGER = Seat(0), Seat(1)
seeds = st.integers(0, 2**32)
tapes = st.binary(min_size=1, max_size=80)
decks = st.permutations(range(CARDS_IN_PACK))
laws = settings(max_examples=25, deadline=None)
FOR_TRICKS = {"lead", "capture", "last-trick", "cards", "capot"}


def one_deal(suite: Suite, seed: int, tape: bytes, name: str = NAME) -> tuple[list[Act], list[Event]]:
    """The acts of one deal from the cut on, and everything that happened."""
    game = new_game(suite.rules.of(name))
    done: list[Act] = []
    events: list[Event] = []
    for act in acts(game, seed, tape, most_deals=1):
        done.append(act)
        events += game.apply(act)
    return done, events


@given(seed=seeds, tape=tapes)
@laws
def test_the_traditional_and_the_simplified_count_of_tricks_agree(suite: Suite, seed: int, tape: bytes) -> None:
    """Parlett's simplification: one for elder's lead, then one for a trick won on one's own lead and two for the
    adversary's, and nothing for the last (parlett/simplification/same-total)."""
    done, events = one_deal(suite, seed, tape)
    plays = [act for act in done if isinstance(act, Play)]
    simple = [0, 0]
    simple[plays[0].by] = 1
    won = [0, 0]
    for lead, reply in zip(plays[::2], plays[1::2], strict=True):
        follows = suit_of(reply.card) == suit_of(lead.card) and rank_of(reply.card) > rank_of(lead.card)
        winner = reply.by if follows else lead.by
        simple[winner] += 1 if winner == lead.by else 2
        won[winner] += 1
    for seat, tricks in enumerate(won):
        simple[seat] += 40 if tricks == 12 else 10 if tricks > 6 else 0
    made = [0, 0]
    for event in events:
        if isinstance(event, Scored) and event.what in FOR_TRICKS:
            made[event.seat] += event.points
    assert made == simple
    table = Game(new_game(suite.rules.of(NAME)).table)
    asked = table.ask(TrickPoints(plays[0].by, tuple(play.card for play in plays)))
    assert list(asked.value) == simple  # type: ignore[arg-type]  # the points of each


@given(seed=seeds, tape=tapes)
@laws
def test_the_points_of_a_class_never_go_to_both(suite: Suite, seed: int, tape: bytes) -> None:
    _, events = one_deal(suite, seed, tape)
    kinds = suite.rules.of(NAME).of(ClassRules).by_id
    for class_ in CLASSES:
        scorers = {
            event.seat
            for event in events
            if isinstance(event, Scored) and event.what in kinds and kinds[event.what].class_ == class_
        }
        assert len(scorers) <= 1


def brute(hand: Sequence[Card], nought: bool) -> dict[str, list[tuple[tuple[int, int], int]]]:
    """The point, sequences and sets of a hand once more, in other words: what each is compared by, and what it scores;
    the best first."""
    suits = [{rank_of(each) for each in hand if suit_of(each) == suit} for suit in range(4)]
    pips = {7: 11, 6: 10, 5: 10, 4: 10, 3: 10, 2: 9, 1: 8, 0: 7}
    points = [((len(ranks), sum(pips[rank] for rank in ranks)), len(ranks)) for ranks in suits if ranks]
    runs = [
        ((length, 2 * low + 2 * length - 2), {3: 3, 4: 4}.get(length, length + 10))
        for ranks in suits
        for low in ranks
        for length in range(3, 9)
        if ranks >= set(range(low, low + length)) and low - 1 not in ranks and low + length not in ranks
    ]
    sets = [
        ((count, rank), 14 if count == 4 else 3)
        for rank in range(3, 8)
        if (count := sum(rank in ranks for ranks in suits)) >= 3
    ]
    if nought:
        points += [((5, 50), 5) for ranks in suits if not ranks]
        runs += [((5, 13), 10) for ranks in suits if not ranks]
    return {
        "point": sorted(points, reverse=True),
        "sequence": sorted(runs, reverse=True),
        "set": sorted(sets, reverse=True),
    }


def reckoned(
    hands: Sequence[Sequence[Card]], blanks: Sequence[int], *, nought: bool
) -> tuple[list[int], list[int | None]]:
    """What both score before the play, and whose each class is."""
    made = [10 if seat in blanks else 0 for seat in (0, 1)]
    ahead = [seat in blanks for seat in (0, 1)]
    both = [brute(hand, nought) for hand in hands]
    winners: list[int | None] = []
    for class_ in CLASSES:
        best = [held[class_][0][0] if held[class_] else (0, 0) for held in both]
        winner = None if best[0] == best[1] else int(best[1] > best[0])
        winners.append(winner)
        if winner is None:
            continue
        for _, points in both[winner][class_][: 1 if class_ == "point" else None]:
            made[winner] += points
            if made[winner] - points < 30 <= made[winner] and not ahead[1 - winner]:
                made[winner] += 60
        ahead[winner] = True
    return made, winners


@pytest.mark.slow
@given(deck=decks, nought=st.booleans(), blanks=st.sampled_from([(), (0,), (1,)]))
@settings(max_examples=60, deadline=None)
def test_declarations_are_reckoned_as_an_independent_count_reckons_them(
    suite: Suite, deck: list[int], nought: bool, blanks: tuple[int, ...]
) -> None:
    game = new_game(suite.rules.of(f"{NAME}+nought" if nought else NAME))
    hands = tuple(map(Card, deck[:12])), tuple(map(Card, deck[12:24]))
    made, winners = reckoned(hands, blanks, nought=nought)
    assert game.ask(Reckoning(ELDER, hands, tuple(map(Seat, blanks)))).value == tuple(made)
    assert [game.ask(ClassWinner(ELDER, class_, hands)).value for class_ in CLASSES] == winners


def true_call(legal: Iterable[Act]) -> Act:
    """What a player does who calls all that the hand holds, and then leads."""
    acts = list(legal)
    scoring = [act for act in acts if isinstance(act, Declare)]
    answers = [act for act in acts if isinstance(act, Answer)]
    announcements = [act for act in acts if isinstance(act, Announce)]
    if scoring:
        return scoring[0]
    if answers:
        wanted = ["not-good", "equal", "making", "how-high", "good"]
        return min(answers, key=lambda answer: wanted.index(answer.says))
    if announcements:
        return announcements[1] if len(announcements) > 1 and announcements[0].count == 0 else announcements[0]
    return next(act for act in acts if isinstance(act, Play))


def called_truly(game: Game) -> Iterator[Event]:
    """Both players call all they hold, from elder's first announcement to younger's last declaration."""
    while game.table.phase is Phase.ANNOUNCE or not game.table.trick:
        yield from game.apply(true_call(game.legal_actions))
    while scoring := [act for act in game.legal_actions if isinstance(act, Declare)]:
        yield from game.apply(scoring[0])


@pytest.mark.slow
@given(deck=decks, nought=st.booleans())
@settings(max_examples=50, deadline=None)
def test_what_is_called_is_scored_as_it_is_reckoned(suite: Suite, deck: list[int], nought: bool) -> None:
    """Announced, answered and declared act by act, two hands score what the reckoning of them says."""
    game = new_game(suite.rules.of(f"{NAME}+nought" if nought else NAME))
    game.apply(Cut((card(7, 0), card(0, 0))))
    game.apply(Deal(YOUNGER, tuple(map(Card, deck)), 3))
    game.apply(Discard(ELDER, tuple(game.table.hands[ELDER][:5])))
    game.apply(Discard(YOUNGER, tuple(game.table.hands[YOUNGER][:3])))
    hands = tuple(map(tuple, game.table.hands))
    events = list(called_truly(game))
    made = [0, 0]
    for event in events:
        if isinstance(event, Scored) and event.what not in {*FOR_TRICKS, "pique"}:
            made[event.seat] += event.points
    assert tuple(made) == game.ask(Reckoning(ELDER, hands)).value


@given(seed=seeds, tape=tapes, stop=st.integers(1, 30))
@laws
def test_a_seat_sees_of_the_others_cards_only_what_lay_open(suite: Suite, seed: int, tape: bytes, stop: int) -> None:
    """Everything that an observation names lies in the seat's own places, in tricks, or has been seen."""
    game = new_game(suite.rules.of(NAME))
    for number, act in enumerate(acts(game, seed, tape, most_deals=1)):
        if number == stop:
            break
        game.apply(act)
    table = game.table
    for seat in (ELDER, YOUNGER):
        named = set(game.ask(Visible(seat)).value)
        own = {*table.hands[seat], *table.discards[seat], *table.trick}
        assert named <= own | table.seen[seat]


def test_elder_has_1585_exchanges_and_none_is_made_before_it_is_asked_for(suite: Suite) -> None:
    game = new_game(suite.rules.of(NAME))
    game.apply(Cut((card(7, 0), card(0, 0))))
    game.apply(Deal(YOUNGER, game.rules.pack, 2))
    legal = game.legal_actions
    assert len(legal) == 1585
    discards = Discards(ELDER, game.table.hands[ELDER], 1, 5)
    assert [discards[at] for at in range(len(discards))] == list(discards)
    assert legal[1584] == list(discards)[-1]
    by_hand = [
        Discard(ELDER, cards) for size in range(1, 6) for cards in combinations(sorted(game.table.hands[ELDER]), size)
    ]
    assert list(legal) == by_hand


@pytest.mark.interpreter
def test_a_place_beyond_the_last_act_is_none(suite: Suite) -> None:

    for view in (new_game_at_the_exchange(suite).legal_actions, Discards(ELDER, (), 0, 0)):
        with pytest.raises(IndexError):
            view[len(view)]


def new_game_at_the_exchange(suite: Suite) -> Game:
    game = new_game(suite.rules.of(NAME))
    game.apply(Cut((card(7, 0), card(0, 0))))
    game.apply(Deal(YOUNGER, game.rules.pack, 2))
    return game


def test_two_blanks_cannot_be_dealt(suite: Suite) -> None:
    """Parlett's pack has twenty cards without a face, and two blanks would need twenty-four."""
    rules: Any = suite.rules.of(NAME)
    plain = [each for each in rules.pack if rank_of(each) not in rules.of(BlankRules).without.value]
    assert len(plain) == 20 < 2 * rules.deal.hand_size


HUNDRED, PARTIE = "piquet-hoyle", "piquet-rubicon-hoyle"
#: The other readings of what bears on a repique and a pique, each of which changes what is reckoned where.
OTHERWISE = (
    {},
    {"reckoning.repique.barred_by": "what-is-scored-first"},
    {"reckoning.pique.thirty_before": "pique"},
    {"reckoning.pique.counts": "all-of-the-play", "classes.sinking": "parts-too"},
)
otherwise = st.sampled_from(OTHERWISE)
nears = st.tuples(st.integers(0, 120), st.integers(0, 120))


def begun(rules: Rules, score: Sequence[int]) -> Game:
    """A game in which the players have so many points already."""
    game = new_game(rules)
    game.table.score = list(score)
    return game


def played_out(suite: Suite, seed: int, tape: bytes, readings: dict[str, str]) -> tuple[list[Act], list[Event]]:
    """The acts of a deal that no total ends, and what happened: elder calls all there is, and younger counts most of
    it, in the order of the tape."""
    game = begun(suite.rules.of(PARTIE, readings), (0, 0))
    done: list[Act] = []
    events: list[Event] = []
    for act in acts(game, seed, tape, most_deals=1):
        done.append(instead_of(act, game, tape[len(done) % len(tape)]))
        events += game.apply(done[-1])
    return done, events


def instead_of(act: Act, game: Game, byte: int) -> Act:
    """A true call, if it is for calling; a combination, mostly, as long as there is one to count."""
    if game.table.phase is Phase.ANNOUNCE:
        return true_call(game.legal_actions)
    counting = game.table.phase is Phase.PLAY and byte % 8 != 7
    scoring = [each for each in game.legal_actions if isinstance(each, Declare)] if counting else []
    return scoring[byte % len(scoring)] if scoring else act


def near_the_end(near: tuple[int, int], events: Iterable[Event]) -> tuple[int, ...]:
    """Scores from which each player comes to a hundred in this deal, mostly before the cards are played."""
    made = [0, 0]
    for event in events:
        if isinstance(event, Scored) and event.what not in {"capture", "last-trick", "cards", "capot"}:
            made[event.seat] += event.points
    return tuple(99 - some % (made_here + 1) for some, made_here in zip(near, made, strict=True))


def first_by_the_order(suite: Suite, score: Sequence[int], events: Iterable[Event]) -> Seat | None:
    """Who comes to a hundred first when everything scored in a deal is sorted by the order in which it is reckoned."""
    kinds = suite.rules.of(PARTIE).of(ClassRules).by_id
    scored = [event for event in events if isinstance(event, Scored)]
    heads = {"blank": 0, "lead": 4, "capture": 4, "last-trick": 4, "pique": 4, "cards": 5, "capot": 5}
    heads |= {kind.id: 1 + CLASSES.index(kind.class_) for kind in kinds.values()}
    placed = [(heads[each.what], each) for each in scored if each.what != "repique"]
    for repique in (each for each in scored if each.what == "repique"):
        made = [
            sum(each.points for at, each in placed if each.seat == repique.seat and at == head) for head in range(4)
        ]
        placed.append((next(at for at, so_far in enumerate(accumulate(made)) if so_far >= 30), repique))
    total = list(score)
    for _, each in sorted(placed, key=lambda one: one[0]):
        total[each.seat] += each.points
        if total[each.seat] >= 100:
            return each.seat
    return None


def replayed(rules: Rules, score: Sequence[int], done: Iterable[Act]) -> tuple[Game, int]:
    """A game after these acts, or after as many as it has taken to end it; and how many that were."""
    game, taken = begun(rules, score), 0
    for act in done:
        if game.is_over:
            break
        game.apply(act)
        taken += 1
        if game.table.a_trick_is_won:  # younger has played to the first lead, so that nothing is open any more
            assert game.is_over == (max(game.table.score) >= 100)
    return game, taken


@pytest.mark.slow
@given(near=nears, seed=seeds, tape=tapes, readings=otherwise)
@settings(max_examples=40, deadline=None)
def test_the_game_is_won_as_the_whole_deal_says_when_it_is_put_in_order(
    suite: Suite, near: tuple[int, int], seed: int, tape: bytes, readings: dict[str, str]
) -> None:
    """Ended early, the game goes to nobody else than it would if all were played out, written down and sorted; and
    to a player at the target."""
    done, events = played_out(suite, seed, tape, readings)
    score = near_the_end(near, events)
    game, _ = replayed(suite.rules.of(HUNDRED, readings), score, done)
    assert game.table.game_won_by == first_by_the_order(suite, score, events)
    assert game.table.game_won_by is None or game.table.score[game.table.game_won_by] >= 100


@pytest.mark.slow
@given(near=nears, seed=seeds, tape=tapes, readings=otherwise, turn=st.integers(0, 5))
@settings(max_examples=20, deadline=None)
def test_who_is_first_does_not_depend_on_the_order_in_which_younger_counts(
    suite: Suite, near: tuple[int, int], seed: int, tape: bytes, readings: dict[str, str], turn: int
) -> None:
    done, events = played_out(suite, seed, tape, readings)
    score = near_the_end(near, events)
    rules = suite.rules.of(HUNDRED, readings)
    led = next(at for at, act in enumerate(done) if isinstance(act, Play)) + 1
    answered = next(at for at, act in enumerate(done) if at >= led and isinstance(act, Play))
    order = list(permutations(CLASSES))[turn]
    kinds = rules.of(ClassRules).by_id
    counted = [act for act in done[led:answered] if isinstance(act, Declare)]
    by_class = sorted(counted, key=lambda act: order.index(kinds[act.meld].class_))
    others = [act for act in done[led:answered] if not isinstance(act, Declare)]
    winners = {
        replayed(rules, score, [*done[:led], *others, *some, *done[answered:]])[0].table.game_won_by
        for some in (counted, by_class)
    }
    assert len(winners) == 1


@pytest.mark.slow
@given(near=nears, seed=seeds, tape=tapes)
@settings(max_examples=20, deadline=None)
def test_with_nothing_of_youngers_to_count_the_first_to_score_it_is_first_as_reckoned(
    suite: Suite, near: tuple[int, int], seed: int, tape: bytes
) -> None:
    """Then points are scored in the order in which they are reckoned, and the game ends with the same act."""
    done, events = played_out(suite, seed, tape, {})
    score = near_the_end(near, events)
    rules = suite.rules.of(HUNDRED)
    as_scored = rules.cells.with_cells([Cell("settle.winner", "first-to-reach", ())])
    (one, at), (other, then) = (replayed(each, score, done) for each in (rules, compile_cells("as-scored", as_scored)))
    if one.table.dealer not in one.table.called.decided:
        assert (one.table.game_won_by, at) == (other.table.game_won_by, then)
    assert at >= then


@given(wrong=st.sampled_from([(1, -1), (1, 0), (-1, 1), (0, 1)]), deck=decks, tape=tapes, au_cent=st.booleans())
@laws
def test_the_exchange_puts_every_hand_right(
    suite: Suite, wrong: tuple[int, int], deck: list[int], tape: bytes, au_cent: bool
) -> None:
    """Whatever the players exchange, each has twelve cards in the calling, and twelve tricks are played."""
    game = new_game(suite.rules.of("piquet-cavendish" if au_cent else "piquet-rubicon-cavendish"))
    table, cards, elders = game.table, list(map(Card, deck)), 12 + wrong[0]
    table.dealer, table.phase, table.referee.surplus = YOUNGER, Phase.EXCHANGE, list(wrong)
    table.hands, table.stock = [cards[:elders], cards[elders : 24 + sum(wrong)]], cards[24 + sum(wrong) :]
    for act in acts(game, 0, tape, most_deals=0):
        game.apply(act)
        if table.phase is Phase.ANNOUNCE:
            assert (list(map(len, table.hands)), table.referee.surplus) == ([12, 12], [0, 0])
    assert game.is_over or len(table.won[ELDER] + table.won[YOUNGER]) == 24
