"""Laws of the referee: whatever is irregular, every card lies somewhere, and the game goes on to its end."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games import acts, tables
from hoyle_conformance.checks.plan import complete
from hoyle_reference import (
    Game,
    Malformed,
    Phase,
    Refusal,
    Rules,
    compile_cells,
    compile_rules,
    lay_flat,
    new_game,
    read_act,
    read_position,
    replay,
    write_act,
    write_position,
)
from hoyle_reference.acts import (
    NOT_GOOD,
    SET,
    Act,
    Announce,
    Answer,
    Choose,
    Claim,
    Draw,
    Irregular,
    Mishap,
    Play,
)
from hoyle_reference.acts import Ruling as AskedRuling
from hoyle_reference.cards import name as name_of
from hoyle_reference.chapters.referee.rows import RefereeRules
from hoyle_reference.seats import Seat, seat_name
from hoyle_reference.table.table import Table, new_table

pytestmark = pytest.mark.interpreter

RULES = {table["id"]: compile_rules(table) for table in tables()}
#: A table of each source that rules on something, and of each number of players.
REFEREED = (
    *("bezique-bicycle", "bezique-britannica", "bezique-h2g2", "four-handed-h2g2", "piquet-saunt-parlett"),
    *("piquet-rubicon-cavendish", "rubicon-hoyle", "three-handed-h2g2"),
)

A, B = Seat(0), Seat(1)
TAPES = st.binary(min_size=1, max_size=60)


def irregular_acts(game: Game) -> Iterator[Irregular]:
    """Every irregular act that could be carried out now."""
    table, rows = game.table, game.rules.of(RefereeRules).rows.values()
    seats = [Seat(seat) for seat in range(table.players)]
    plain: list[Act] = [Play(seat, card) for seat in seats for card in table.hands[seat]]
    plain += [Draw(seat, count) for seat in seats for count in range(4)]
    if table.phase is Phase.ANNOUNCE:
        plain += [Announce(seat, SET, count, rank=rank) for seat in seats for count in (3, 4) for rank in "TJQKA"]
        plain += [Answer(seat, NOT_GOOD) for seat in seats]
    for row in rows:
        for act in plain if row.breaks else ():
            assert isinstance(act, (Play, Draw, Announce, Answer))
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


def position(rules: Rules, **more: Any) -> Table:
    """A position in the last tricks, in which A leads."""
    table = new_table(rules)
    table.phase, table.dealer, table.deals = Phase.PLAY, B, 1
    table.hands = [list(rules.pack[:2]), list(rules.pack[2:4])]
    table.won = [list(rules.pack[4:]), []]
    return read_position(rules, {**write_position(table), **more})


def test_what_makes_no_sense_is_malformed() -> None:
    rules = RULES["bezique-britannica"]
    game = Game(position(rules))
    card = rules.pack[0]
    for act, why in (
        (Irregular(A, Play(A, card), "too-many-cards"), "does not arise by an act"),
        (Irregular(A, Claim(A, "revoke"), "revoke"), "an act of the game is irregular, and no other"),
        (Mishap(A, "revoke"), "does not just happen in play"),
        (Mishap(A, "led-out-of-turn-at-three-or-four"), "does not just happen in play"),
        (Claim(A, "exposed-in-dealing"), "is ruled on when it happens"),
        (Claim(A, "no-such-thing"), "does not speak of 'no-such-thing'"),
    ):
        with pytest.raises(Malformed, match=why):
            game.apply(act)


def test_what_an_irregularity_does_not_break_is_refused_as_ever() -> None:
    rules = RULES["bezique-britannica"]
    game = Game(position(rules))
    not_held = next(Play(A, card) for card in game.table.hands[B] if card not in game.table.hands[A])
    refused = game.check(not_held)
    assert refused is not None
    assert refused.code not in rules.of(RefereeRules).row("revoke").breaks
    assert game.check(Irregular(A, not_held, "revoke")) == refused


def test_what_cannot_have_been_is_no_position() -> None:
    rules = RULES["bezique-britannica"]
    error = {"by": "A", "irregularity": "card-exposed", "tricks": 0, "left": 0, "cards": [], "meld": ""}
    with pytest.raises(Malformed, match="does not arise by an act"):
        position(rules, errors=[error])
    claim = {"error": {**error, "irregularity": "revoke"}, "phase": "play", "turn": "A", "agreed": False}
    with pytest.raises(Malformed, match="is dealt with where a remedy is chosen"):
        position(rules, claim=claim)


def test_the_heap_is_of_cards_that_were_won() -> None:
    rules = RULES["rubicon-hoyle"]
    with pytest.raises(Malformed, match="what lies in the heap has been won by somebody"):
        position(rules, heap=[name_of(rules.pack[0])])


def test_a_card_is_taken_back_only_where_it_is_known_what_was_before() -> None:
    rules = RULES["rubicon-hoyle"]
    error = {"by": "B", "irregularity": "revoke", "tricks": 0, "left": 0, "cards": ["7C"], "meld": ""}
    with pytest.raises(Malformed, match="the table as it was before this error is not known"):
        Game(position(rules, errors=[error])).apply(Claim(A, "revoke"))


def test_a_call_is_corrected_only_where_it_is_known_what_was_before() -> None:
    rules = RULES["piquet-rubicon-cavendish"]
    given = {"announces": "A", "called": {"point": "B", "sequence": "B"}, "hands": {"A": ["..."], "B": ["..."]}}
    table = read_position(rules, complete(rules, given, ()))
    error = {"by": "A", "irregularity": "miscall", "tricks": 0, "left": 0, "cards": [], "meld": "set"}
    game = Game(read_position(rules, {**write_position(table), "errors": [error]}))
    with pytest.raises(Malformed, match="the table as it was before this call is not known"):
        game.apply(Mishap(A, "miscall-corrected"))


@pytest.mark.parametrize("counts", ["count-as-scored", "count-as-none"])
@pytest.mark.parametrize("cards", ["are-taken-up", "stay-on-the-table"])
def test_a_false_score_is_taken_off_whether_its_cards_count_or_not(counts: str, cards: str) -> None:
    document = next(table for table in tables() if table["id"] == "rubicon-hoyle")
    readings = {"referee.cards_of_a_false_score": counts, "referee.cards_of_a_score_taken_off": cards}
    rules = compile_rules(document, (), readings)
    false = ["KS", "KC", "KD", "QH"]
    given = {"trumps": "H", "has_won": "A", "hands": {"A": [*false, "..."], "B": ["..."]}}
    game = Game(read_position(rules, complete(rules, given, ())))
    before = write_position(game.table)
    named = {"by": "A", "do": "declare", "meld": "four-kings", "cards": false, "irregular": "scored-no-combination"}
    game.apply(read_act(rules, named))
    assert len(game.table.scored[A]) == (counts == "count-as-scored")
    game.apply(Claim(B, "scored-no-combination"))
    shown = game.table.shown[A]
    assert len(shown) == (4 if cards == "stay-on-the-table" else 0)
    game.table.shown[A] = set()
    assert write_position(game.table) == before


def test_a_card_led_is_taken_up_only_where_it_is_known_what_its_lead_has_changed() -> None:
    rules = RULES["rubicon-hoyle"]
    game = Game(position(rules))
    card = game.table.hands[A][0]
    game.apply(Play(A, card))
    again = Game(read_position(rules, write_position(game.table)))
    with pytest.raises(Malformed, match="the table as it was before this card was led is not known"):
        again.apply(Mishap(A, "card-led-is-taken-up"))
    game.apply(Mishap(A, "card-led-is-taken-up"))
    assert game.table.is_like(position(rules))


@pytest.mark.parametrize("name", ["bezique-britannica", "rubicon-hoyle"])
def test_no_card_is_led_out_of_turn_that_its_player_does_not_hold(name: str) -> None:
    game = next(game for game in tampered(RULES[name], 1, b"\1", claims=False) if game.table.phase is Phase.PLAY)
    leader = game.table.turn
    other = B if leader == A else A
    own, others = game.table.hands[other][0], game.table.hands[leader][0]
    assert game.check(Irregular(other, Play(other, own), "led-out-of-turn")) is None
    refusal = game.check(Irregular(other, Play(other, others), "led-out-of-turn"))
    assert refusal is not None
    assert refusal.code == "card-not-held"


def test_nothing_just_happens_while_a_choice_is_open() -> None:
    rules = RULES["bezique-britannica"]
    game = Game(next(game for game in tampered(rules, 1, b"\1", claims=False) if game.table.is_dealt).table)
    assert game.table.dealer is not None
    assert isinstance(game.attempt(Mishap(game.table.dealer, "exposed-in-dealing")), list)
    assert game.table.phase is Phase.CHOOSE
    refused = game.attempt(Mishap(A, "card-exposed"))
    assert isinstance(refused, Refusal)
    assert refused.code == "not-now"


@pytest.mark.parametrize("name", ["bezique-britannica", "rubicon-hoyle"])
def test_no_mishap_happens_before_the_deal(name: str) -> None:
    rules, phases = RULES[name], []
    game = new_game(rules)
    for act in acts(game, 1, b"\1", most_deals=1):
        if game.table.is_dealt:
            break
        phases.append(game.table.phase)
        for row in rules.of(RefereeRules).rows.values():
            if row.happens and not row.beyond_play:
                refused = game.check(Mishap(A, row.id))
                assert refused is not None
                assert refused.code == "not-now"
        game.apply(act)
    assert {Phase.CUT, Phase.DEAL} <= set(phases)


@pytest.mark.parametrize("name", REFEREED)
def test_what_the_ruling_would_be_can_be_asked_before_there_is_a_dealer(name: str) -> None:
    game = new_game(RULES[name])
    for row in game.rules.of(RefereeRules).rows.values():
        chooses, chooser, options, until = game.ask(AskedRuling(A, row.id)).value
        assert (chooses, until) == (row.chooses == "both", row.until)
        assert chooser == (B if row.chooses == "other" else None)
        assert options == tuple(each.choice for each in row.remedies if each.only_if in {"", "offender-has-looked"})


def drawn(name: str, **given: Any) -> Game:
    """A game in which A has won a trick, and nobody has drawn."""
    rules = RULES[name]
    whole = {"has_won": "A", "trumps": "none" if name == "rubicon-hoyle" else "H", **given}
    return Game(read_position(rules, complete(rules, whole, ())))


def steps(game: Game, *spelt: Mapping[str, Any]) -> None:
    """Acts carried out; each is read as it is written, and so is the position after it."""
    for each in spelt:
        act = read_act(game.rules, each)
        assert write_act(act) == each
        game.apply(act)
        assert read_position(game.rules, write_position(game.table)).is_like(game.table)


SEEN_TWO: dict[str, Any] = {"by": "B", "do": "draw", "count": 2, "irregular": "loser-drew-two"}
TWO_LIFTED: dict[str, Any] = {"by": "A", "do": "draw", "count": 2, "irregular": "winner-drew-two"}
OUT_OF_TURN: dict[str, Any] = {"by": "B", "do": "draw", "irregular": "drew-out-of-turn"}


def test_a_position_in_which_cards_are_chosen_is_read_as_it_is_written() -> None:
    game = drawn("rubicon-hoyle", stock=["7C", "8C", "9C", "TC", "..."])
    steps(game, {"by": "A", "do": "draw"}, SEEN_TWO)
    for _ in range(2):
        game.apply(game.legal_actions[0])
    steps(game, {"by": seat_name(game.table.turn), "do": "draw"})
    assert game.table.phase is Phase.CHOOSE
    assert game.table.choices == ("upper-card", "lower-card")


def test_the_surplus_is_drawn_from_the_hand_that_has_it_and_with_no_other_option() -> None:
    rules = RULES["bezique-britannica"]
    given = {"leads": "A", "trumps": "H", "surplus": {"B": 2}, "untouched": ["B"], "won": {"A": [], "B": []}}
    game = Game(read_position(rules, complete(rules, given, ())))
    game.apply(Claim(A, "too-many-dealt-to-the-dealer"))
    drawn, (stays,) = game.legal_actions.parts[0][:-1], game.legal_actions.parts[0][-1:]
    assert stays == Choose(A, "surplus-stays")
    assert len(drawn) == 10 * 9 // 2
    assert all(act in game.legal_actions for act in drawn)
    first, second = game.table.hands[B][:2]
    with pytest.raises(Malformed, match="no cards are named with 'surplus-stays'"):
        game.apply(Choose(A, "surplus-stays", (first, second)))
    with pytest.raises(Malformed, match="a card is named twice"):
        game.apply(Choose(A, "surplus-is-drawn", (first, first)))
    game.apply(Choose(A, "surplus-is-drawn", (first, second)))
    assert game.table.stock[:2] == [first, second]
    assert game.table.referee.surplus == [0, 0]


def test_nothing_is_claimed_while_a_choice_is_open() -> None:
    game = drawn("bezique-britannica")
    steps(game, TWO_LIFTED)
    refused = game.check(Claim(B, "revoke"))
    assert isinstance(refused, Refusal)
    assert refused.code == "not-now"


def test_who_has_drawn_out_of_turn_has_a_card_too_many_when_one_is_handed_over() -> None:
    game = drawn("bezique-britannica")
    steps(game, OUT_OF_TURN, TWO_LIFTED, {"by": "B", "do": "choose", "choice": "first-lifted"})
    assert game.table.referee.surplus == [0, 1]


def test_the_stock_goes_round_as_far_as_it_lasts() -> None:
    """Whoever gets no card from the last round has one fewer than the rules would give."""
    game = drawn("bezique-h2g2", stock=["7C", "8C", "9C"])
    steps(game, {**TWO_LIFTED, "irregular": "too-many-cards"}, {"by": "B", "do": "draw"})
    for _ in range(2):
        game.apply(game.legal_actions[0])
    winner = game.table.turn
    assert game.table.left_to_draw == 1
    steps(game, {"by": seat_name(winner), "do": "draw"})
    assert game.table.phase is Phase.PLAY
    assert game.table.referee.surplus == ([1, -1] if winner == A else [0, 0])


def test_a_player_for_whom_the_stock_does_not_last_has_missed_no_draw() -> None:
    game = drawn("bezique-britannica", stock=[], turn_up="9H", surplus={"A": -1})
    steps(game, {"by": "A", "do": "draw"})
    assert game.table.referee.surplus == [-1, -1]
    assert game.table.referee.ruled == [[], ["no-card-drawn"]]


def test_more_cards_than_there_are_are_not_drawn() -> None:
    """A player may try it, as with any other number that is not due; fewer than none is no number of cards."""
    game = drawn("bezique-h2g2", stock=["7C"])
    assert game.check(Draw(A, 3)) == Refusal("too-many-drawn", ("draw.when",))
    with pytest.raises(Malformed, match="-1 cards cannot be drawn"):
        game.check(Draw(A, -1))


def test_two_cards_cannot_be_lifted_when_none_is_left() -> None:
    rules = RULES["bezique-britannica"]
    given = {"leads": "A", "trumps": "H", "hands": {"A": ["AS", "KC"], "B": ["9S", "8C"]}, "stock": []}
    game = Game(read_position(rules, complete(rules, given, ())))
    refused = game.check(Irregular(A, Draw(A, 2), "winner-drew-two"))
    assert refused is not None
    assert refused.code == "not-now"


def test_a_turn_up_that_was_lifted_goes_back_to_its_place() -> None:
    """The stock is so short only where the winner draws one card in place of two."""
    game = drawn("bezique-britannica", stock=["7C", "8C"], turn_up="9H", surplus={"A": -1})
    steps(game, {"by": "A", "do": "draw", "irregular": "no-card-drawn"}, SEEN_TWO)
    table = game.table
    assert table.turn_up is not None
    assert (name_of(table.turn_up), table.stock, table.referee.seen_ahead) == ("9H", [], 1)


def test_a_row_that_lacks_something_is_malformed() -> None:
    cells = lay_flat(next(table for table in tables() if table["id"] == "rubicon-hoyle"))
    path = "referee.irregularities.revoke"
    lacking = replace(cells[path], value={"id": "revoke", "remedies": []})
    with pytest.raises(Malformed, match="it has no 'until'"):
        compile_cells("lacking", cells.with_cells([lacking]))


def test_a_card_may_be_ruled_on_as_it_is_played() -> None:
    """No book says so of a card; by a table that does, the tricks are forfeited without a claim."""
    cells = lay_flat(next(table for table in tables() if table["id"] == "bezique-britannica"))
    row = cells["referee.irregularities.revoke"]
    rules = compile_cells("at-once", cells.with_cells([replace(row, value={**row.value, "until": "at-once"})]))
    given = {"leads": "A", "trumps": "H", "hands": {"A": ["AS", "KC"], "B": ["9S", "8C"]}, "stock": []}
    game = Game(read_position(rules, complete(rules, given, ())))
    game.apply(read_act(rules, {"by": "A", "do": "play", "card": "AS"}))
    game.apply(read_act(rules, {"by": "B", "do": "play", "card": "8C", "irregular": "revoke"}))
    assert game.table.phase is Phase.DEAL
    assert game.table.referee.last_tricks == [rules.deal.hand_size, 0]


def test_a_card_that_goes_back_does_not_score_carte_blanche() -> None:
    """One draw is due, and so carte blanche scores once: with the card drawn in place of the one that went back."""
    game = drawn("rubicon-hoyle", blanks=["B"], hands={"A": ["..."], "B": ["7C", "..."]}, stock=["9H", "8H", "..."])
    shows, draws = {"by": "B", "do": "carte-blanche"}, {"by": "B", "do": "draw"}
    steps(game, OUT_OF_TURN, shows)
    assert game.scores == (0, 50)
    game.apply(Claim(A, "drew-out-of-turn"))
    assert game.scores == (0, 0)
    steps(game, {"by": "A", "do": "draw"}, draws, shows)
    assert game.scores == (0, 50)


@pytest.mark.parametrize(("options", "before"), [((), 970), (("brisques-at-end",), 960)])
def test_a_game_won_between_two_deals_is_lost_with_the_tricks(options: tuple[str, ...], before: int) -> None:
    """B counts ten for what the revoke has won, and gets twenty after the deal; the deal does not end a second time."""
    document = next(table for table in tables() if table["id"] == "bezique-britannica")
    readings = {"referee.game_won_by_forfeited_tricks": "is-lost-with-the-tricks"}
    rules = compile_rules(document, options, readings)
    given: dict[str, Any] = {"leads": "A", "dealer": "B", "trumps": "H", "stock": [], "surplus": {"A": -2}}
    given |= {"hands": {"A": ["TS", "9D"], "B": ["8S", "8H", "7S", "7D"]}, "won": {"A": ["..."], "B": ["AC", "9C"]}}
    given |= {"last_tricks": {"A": 5}, **({"last_trick_won_by": "A"} if options else {})}
    game = Game(read_position(rules, complete(rules, given, ())))
    game.table.score = [500, before]
    for by, card in (("A", "TS"), ("B", "8H"), ("B", "8S"), ("A", "9D")):
        act = {"by": by, "do": "play", "card": card}
        game.apply(read_act(rules, {**act, "irregular": "revoke"} if card == "8H" else act))
    assert (game.table.phase, game.table.dealer, game.table.score[B]) == (Phase.DEAL, A, 980)
    others = game.table.score[A]
    game.apply(Claim(B, "no-card-drawn"))
    game.apply(Choose(B, "adds"))
    assert game.table.game_won_by == B
    game.apply(Claim(A, "revoke"))
    assert (game.table.phase, game.table.turn, game.table.dealer, game.table.game_won_by) == (Phase.DEAL, A, A, None)
    assert game.table.score == [others + 10, 990]


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("name", REFEREED)
@settings(max_examples=2, deadline=None)
@GAMES
@example(seed=0, tape=b"\x14", claims=True)  # somebody has drawn so seldom that the deal ends while cards are left
def test_an_irregular_position_is_read_as_it_is_written(name: str, seed: int, tape: bytes, claims: bool) -> None:
    for game in tampered(RULES[name], seed, tape, claims=claims):
        assert all(read_act(game.rules, write_act(act)) == act for act in islice(irregular_acts(game), 3))
        if not game.is_over and game.table.phase not in {Phase.DEAL, Phase.CUT}:
            written = write_position(game.table)
            assert read_position(game.rules, written).is_like(game.table)
            slip = {key: value for key, value in written.items() if key != "surplus"}
            if len(set(game.table.referee.surplus)) > 1:
                with pytest.raises(Malformed):
                    read_position(game.rules, slip)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("name", REFEREED)
@settings(max_examples=2, deadline=None)
@GAMES
def test_the_log_of_an_irregular_game_makes_the_same_table(name: str, seed: int, tape: bytes, claims: bool) -> None:
    rules = RULES[name]
    *_, game = tampered(rules, seed, tape, claims=claims)
    assert replay(new_table(rules), game.log).table.is_like(game.table)
