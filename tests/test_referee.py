"""Laws of the referee: whatever is irregular, every card lies somewhere, and the game goes on to its end."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import acts, tables
from hoyle_reference import (
    Game,
    Malformed,
    Phase,
    Rules,
    compile_rules,
    new_game,
    read_position,
    replay,
    write_position,
)
from hoyle_reference.chapters.referee.rows import RefereeRules
from hoyle_reference.table.acts import Act, Claim, Draw, Irregular, Play
from hoyle_reference.table.seats import Seat
from hoyle_reference.table.table import new_table

pytestmark = pytest.mark.interpreter

RULES = {table["id"]: compile_rules(table) for table in tables()}
#: A table of each source that rules on something, and of each number of players.
REFEREED = (
    *("bezique-bicycle", "bezique-britannica", "bezique-h2g2", "four-handed-h2g2", "piquet-saunt-parlett"),
    *("rubicon-hoyle", "three-handed-h2g2"),
)

TAPES = st.binary(min_size=1, max_size=60)


def irregular_acts(game: Game) -> Iterator[Irregular]:
    """Every irregular act that could be carried out now."""
    table, rows = game.table, game.rules.of(RefereeRules).rows.values()
    seats = [Seat(seat) for seat in range(table.players)]
    plain: list[Act] = [Play(seat, card) for seat in seats for card in table.hands[seat]]
    plain += [Draw(seat, count) for seat in seats for count in range(4)]
    for row in rows:
        for act in plain if row.breaks else ():
            assert isinstance(act, (Play, Draw))
            irregular = Irregular(act.by, act, row.id)
            if irregular in game.legal_actions:
                yield irregular


def tampered(rules: Rules, seed: int, tape: bytes, *, claims: bool) -> Iterator[Game]:
    """A game of one deal after every act; irregular ones are among them, and claims, if they are asked for."""
    game = new_game(rules)
    for at, act in enumerate(acts(game, seed, tape, most_deals=1)):
        game.apply(act)
        yield game
        byte = tape[at % len(tape)]
        wrong = list(irregular_acts(game)) if byte % 5 == 0 and game.table.phase is not Phase.CHOOSE else []
        if wrong:
            game.apply(wrong[byte % len(wrong)])
            yield game
        open_ = [claim for claim in every_claim(game) if claim in game.legal_actions] if claims else []
        if open_:
            game.apply(open_[byte % len(open_)])
            yield game


def every_claim(game: Game) -> Iterator[Claim]:
    for row in game.rules.of(RefereeRules).rows.values():
        if not row.happens:
            yield from (Claim(Seat(seat), row.id) for seat in range(game.table.players))


GAMES = given(seed=st.integers(0, 10_000), tape=TAPES, claims=st.booleans())


@pytest.mark.parametrize("name", REFEREED)
@settings(max_examples=8, deadline=None)
@GAMES
def test_whatever_is_irregular_every_card_lies_somewhere(name: str, seed: int, tape: bytes, claims: bool) -> None:
    rules = RULES[name]
    for game in tampered(rules, seed, tape, claims=claims):
        if game.table.is_dealt:
            assert sorted(game.table.cards()) == list(rules.pack)


@pytest.mark.parametrize("name", REFEREED)
@settings(max_examples=5, deadline=None)
@GAMES
def test_an_irregular_position_is_read_as_it_is_written(name: str, seed: int, tape: bytes, claims: bool) -> None:
    for game in tampered(RULES[name], seed, tape, claims=claims):
        if not game.is_over and game.table.phase not in {Phase.DEAL, Phase.CUT}:
            written = write_position(game.table)
            assert read_position(game.rules, written).is_like(game.table)
            slip = {key: value for key, value in written.items() if key != "surplus"}
            if len(set(game.table.surplus)) > 1:
                with pytest.raises(Malformed):
                    read_position(game.rules, slip)


@pytest.mark.parametrize("name", REFEREED)
@settings(max_examples=5, deadline=None)
@GAMES
def test_the_log_of_an_irregular_game_makes_the_same_table(name: str, seed: int, tape: bytes, claims: bool) -> None:
    rules = RULES[name]
    *_, game = tampered(rules, seed, tape, claims=claims)
    assert replay(new_table(rules), game.log).table.is_like(game.table)
