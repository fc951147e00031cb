"""Laws of the Rubicon games: re-use as a scale of freedom, carte blanche, the settlement, partners."""

import random
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import acts, after, tables
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Phase, Rules, compile_cells, compile_rules, lay_flat, new_game
from hoyle_reference.acts import CarteBlanche, Cut, Deal, Declare, Draw, Play
from hoyle_reference.cards import rank_of, read_rank
from hoyle_reference.chapters.carte_blanche import CarteBlancheRules
from hoyle_reference.chapters.declare.declarations import DeclareRules
from hoyle_reference.chapters.declare.reuse import AGAIN
from hoyle_reference.chapters.settle import Ended, settlement
from hoyle_reference.events import GameWon, Scored
from hoyle_reference.events.combinations import Declared
from hoyle_reference.seats import Seat


def cells_of(table: Any) -> set[str]:
    """The paths of a table's cells."""
    return {cell.path for cell in lay_flat(table)}


seeds = st.integers(0, 2**32)
tapes = st.binary(min_size=1, max_size=80)
laws = settings(max_examples=20, deadline=None)
#: The games in which combinations are declared after tricks, and those of them that are settled with a rubicon.
DECLARED = [table["id"] for table in tables() if compile_rules(table).draws]
SETTLED = [table["id"] for table in tables() if {"draw.when", "settle.rubicon"} <= cells_of(table)]
COURT: Final = frozenset(map(read_rank, "KQJ"))


def read_as(rules: Rules, **values: Any) -> Rules:
    """The same rules with some cells changed."""
    changed = [replace(rules.cells[path.replace("__", ".")], value=value) for path, value in values.items()]
    return compile_cells("changed", rules.cells.with_cells(changed))


# What is allowed in a stricter setting of re-use is allowed in a wider one.
WIDER = [
    ("unused-cards-only", "in-place-of-one-played"),
    ("in-place-of-one-played", "a-new-card-or-one-played"),
    ("a-new-card-or-one-played", "another-set"),
    ("unused-cards-only", "a-new-card-or-couples-paired-anew"),
    ("a-new-card-or-couples-paired-anew", "another-set"),
]


def test_every_setting_of_re_use_has_its_place_on_the_scale() -> None:
    assert {word for pair in WIDER for word in pair} == set(AGAIN)


@pytest.mark.slow
@given(name=st.sampled_from(DECLARED), seed=seeds, tape=tapes, stop=st.integers(20, 400))
@laws
def test_re_use_is_a_scale_of_freedom(suite: Suite, name: str, seed: int, tape: bytes, stop: int) -> None:
    rules = suite.rules.of(name)
    game = after(read_as(rules, declare__same_kind="another-set"), seed, tape, stop)
    if game.table.phase is not Phase.DECLARE:
        return
    open_: dict[str, set[Declare]] = {}
    for setting in AGAIN:
        table = game.table.copy()
        table.rules = read_as(rules, declare__same_kind=setting)
        open_[setting] = {act for act in Game(table).legal_actions if isinstance(act, Declare)}
    for strict, wide in WIDER:
        assert open_[strict] <= open_[wide], (strict, wide)


@pytest.mark.slow
@given(name=st.sampled_from(DECLARED), seed=seeds, tape=tapes)
@laws
def test_no_set_of_cards_scores_one_kind_twice(suite: Suite, name: str, seed: int, tape: bytes) -> None:
    game = new_game(suite.rules.of(name))
    scored: set[tuple[int, str, tuple[int, ...]]] = set()
    for act in acts(game, seed, tape, most_deals=1):
        for event in game.apply(act):
            if isinstance(event, Declared):
                kind = game.rules.of(DeclareRules).melds.by_id[event.meld].kind
                what = (game.rules.side_of[event.seat], kind, event.cards)
                assert what not in scored
                scored.add(what)


@pytest.mark.slow
@given(name=st.sampled_from(["rubicon-hoyle", "rubicon-h2g2", "six-deck-h2g2", "eight-deck-h2g2"]), seed=seeds)
@laws
def test_carte_blanche_scores_until_a_court_card_is_drawn(suite: Suite, name: str, seed: int) -> None:
    """A pack with the low cards on top, so that both hands and the first draws are carte blanche."""
    rules = suite.rules.of(name)
    chance = random.Random(seed)
    low = [card for card in rules.pack if rank_of(card) not in COURT]
    chance.shuffle(low)
    top, rest = low[: 2 * rules.deal.hand_size + 6], low[2 * rules.deal.hand_size + 6 :]
    rest += [card for card in rules.pack if rank_of(card) in COURT]
    chance.shuffle(rest)
    game = new_game(rules)
    game.apply(Cut((rules.pack[7], rules.pack[0])))
    if game.table.phase is Phase.CHOOSE:
        game.apply(game.legal_actions[0])
    assert game.table.dealer is not None
    packets = rules.deal.packets.value[0][0] if len(rules.deal.packets.value) > 1 else None
    game.apply(Deal(game.table.dealer, (*top, *rest), packets))
    expected = {Seat(0): 1, Seat(1): 1}
    lives = {Seat(0): True, Seat(1): True}
    shown = {Seat(0): 0, Seat(1): 0}
    while game.table.drawing:
        for act in [each for each in game.legal_actions if isinstance(each, CarteBlanche)]:
            events = game.apply(act)
            assert [each.points for each in events if isinstance(each, Scored)] == [
                rules.of(CarteBlancheRules).points.value
            ]
            shown[act.by] += 1
            assert CarteBlanche(act.by) not in game.legal_actions
        act = next(each for each in game.legal_actions if isinstance(each, (Play, Draw)))
        if isinstance(act, Draw):
            lives[act.by] &= rank_of(game.table.stock[-1]) not in COURT
            expected[act.by] += lives[act.by] and len(game.table.stock) > rules.players
        game.apply(act)
    assert shown == expected


def by_the_laws(score: tuple[int, int], brisques: tuple[int, int]) -> tuple[int | None, int | None]:
    """The settlement of Rubicon Bézique after laws 57 to 61, in other words than the table's."""
    full = (score[0] + brisques[0], score[1] + brisques[1])
    ranked = score if score[0] != score[1] else full
    if ranked[0] == ranked[1]:
        return None, None
    winner = 0 if ranked[0] > ranked[1] else 1
    loser = 1 - winner
    hundreds = [each // 100 for each in score]
    if full[loser] >= 1000 and (score[loser] < 1000 or score[0] == score[1]):
        hundreds = [each // 100 for each in full]
    elif score[loser] < 1000:
        return winner, 100 * (hundreds[winner] + max(1, hundreds[loser])) + 1300
    return winner, 500 + 100 * max(1, hundreds[winner] - hundreds[loser])


tens = st.integers(0, 400).map(lambda n: 10 * n)
few = st.integers(0, 32).map(lambda n: 10 * n)


@pytest.mark.slow
@given(one=tens, other=tens, brisques=few)
@settings(max_examples=100, deadline=None)
def test_rubicon_is_settled_by_the_laws(suite: Suite, one: int, other: int, brisques: int) -> None:
    rules = suite.rules.of("rubicon-hoyle").settle
    ended = settlement(rules, (one, other), (brisques, 320 - brisques))
    assert (ended.winner, ended.points) == by_the_laws((one, other), (brisques, 320 - brisques))


@pytest.mark.slow
@given(
    name=st.sampled_from(SETTLED),
    chosen=st.lists(st.integers(0, 11), min_size=6, max_size=6),
    score=st.tuples(tens, tens),
    brisques=st.tuples(few, few),
)
@settings(max_examples=60, deadline=None)
def test_a_settlement_does_not_depend_on_the_seats(
    suite: Suite, name: str, chosen: list[int], score: tuple[int, int], brisques: tuple[int, int]
) -> None:
    disputed = {
        cell.path: cell.readings for cell in suite.rules.of(name).cells if cell.readings and "settle" in cell.path
    }
    assert len(disputed) <= len(chosen)
    readings = {path: each[n % len(each)].name for n, (path, each) in zip(chosen, disputed.items(), strict=False)}
    rules = suite.rules.of(name, readings).settle
    ended = settlement(rules, score, brisques)
    turned = settlement(rules, score[::-1], brisques[::-1])
    assert turned.points == ended.points
    assert turned.winner == (None if ended.winner is None else 1 - ended.winner)
    assert (ended.winner is None) == (not ended.points)
    if ended.winner is not None and score[ended.winner] < score[1 - ended.winner]:
        assert ended.with_brisques


@pytest.mark.slow
@given(name=st.sampled_from(SETTLED), seed=seeds, tape=tapes)
@laws
def test_a_whole_game_is_settled_as_the_question_answers(suite: Suite, name: str, seed: int, tape: bytes) -> None:
    game = new_game(suite.rules.of(name))
    won: list[GameWon] = []
    last: list[Any] = []
    for act in acts(game, seed, tape):
        last = game.apply(act)
        won += [event for event in last if isinstance(event, GameWon)]
    counting = game.rules.score.counting.value
    added = [event.points for event in last if isinstance(event, Scored) and event.what == "brisques"]
    brisques = tuple(
        sum(counting[rank_of(card)] for seat in side for card in game.table.won[seat]) for side in game.rules.sides
    )
    score = tuple(a - b for a, b in zip(game.scores, brisques, strict=True)) if added else game.scores
    assert not added or added == [each for each in brisques if each]
    ended: Ended = settlement(game.rules.settle, score, brisques)
    assert [(event.seat, event.settled) for event in won] == (
        [] if ended.winner is None else [(ended.winner, ended.points)]
    )
    assert game.table.settled == ended.points


@pytest.mark.parametrize("name", ["four-handed-h2g2"])
def test_partners_sit_opposite_and_share_a_score(suite: Suite, name: str) -> None:
    rules = suite.rules.of(name)
    assert rules.sides == ((0, 2), (1, 3))
    assert [rules.side_of[seat] for seat in range(4)] == [0, 1, 0, 1]
    assert all(seat in rules.side(Seat(seat)) for seat in range(4))
