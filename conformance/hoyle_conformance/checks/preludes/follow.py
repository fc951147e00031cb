"""Play a history to the position of a check, and verify it; or prove that no history leads there.

The parts are: the target position, positions without a history, the play of a history, its verification, and the
history of a check.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp, NoPrelude, Prelude, RunRequest, Why
from hoyle_conformance.checks.setup.given import REST, Given, PartlyGiven, pile_of, read_seat
from hoyle_conformance.checks.setup.layout import lay_out
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.capabilities import IRREGULAR_FIELDS
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import (
    Game,
    Malformed,
    Phase,
    Refusal,
    Rules,
    Table,
    read_position,
    rules_of,
    write_act,
    write_position,
)
from hoyle_reference.acts import Act, Deal
from hoyle_reference.cards import Card, read_card
from hoyle_reference.seats import Seat, seat_name
from hoyle_reference.table import FIELDS, new_table

# ---- the target of a history


@dataclass(frozen=True, slots=True)
class PreludeTarget(PartlyGiven):
    """A completed table, the parts of it that were given, and the cards with a given place."""

    table: Table
    given: Given
    placed: frozenset[Card]

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return rules_of(self.table)

    @property
    def tricks(self) -> int:
        """The number of complete tricks in the completed position."""
        return sum(map(len, self.table.won)) // self.table.players


def wanted(table: Table, given: Given) -> PreludeTarget:
    """Return the target of a history that leads to this table, which was completed from the given parts."""
    placed = {*lay_out(rules_of(table), given).cards(), *_of_combinations(given), *table.claimed}
    return PreludeTarget(table, given, frozenset(placed))


def _of_combinations(given: Given) -> Iterator[Card]:
    for key in ("scored", "kept"):
        for each in given.get(key, {}).values():
            for combination in each:
                yield from (card for card in map(read_card, combination["cards"]) if card is not None)


# ---- positions without a legal history
#
# Each proof uses only the given parts of the position. It counts quantities that the rules preserve: points already
# made are not lost, tricks are won before each declaration, and every card has a place. The parts that a position
# leaves open prove nothing.


def impossible(sought: PreludeTarget) -> str:
    """Return the reason, in words, why no legal history leads to a position; empty if that is not proved."""
    if "declare" not in sought.rules.chapters:
        return ""
    given = lay_out(sought.rules, sought.given)
    proofs = (_of_points(sought, given), _of_tricks(sought, given), _of_all_tricks(sought, given))
    return next((why for proof in proofs for why in proof), "")


def _of_points(sought: PreludeTarget, given: Table) -> Iterator[str]:
    """Yield the sides with fewer points than they have declared in this deal. A declaration that makes trumps may have
    scored less."""
    rules = rules_of(given).declare
    for side, letter in enumerate(given.rules.side_letters):
        least = sum(rules.melds.by_id[each.meld].points for each in given.scored[side])
        is_given = letter in sought.given.get("score", {}) and not rules.plain_while_it_makes_trumps.value
        if is_given and given.score[side] < least:
            yield f"{letter} has scored combinations of {least} points, but has a score of {given.score[side]}"


def _of_tricks(sought: PreludeTarget, given: Table) -> Iterator[str]:
    """Yield the sides whose won cards are all given, and whose tricks are too few for their declarations."""
    for side, seats in enumerate(given.rules.sides):
        if any(sought.is_open("won", seat) for seat in seats):
            continue
        won = sum(len(given.won[seat]) for seat in seats) // given.players
        if won < (least := _least(given, side)):
            letter = given.rules.side_letters[side]
            yield f"{letter} has won {_tricks(won)}, but needs {least} for what it has declared"


def _of_all_tricks(sought: PreludeTarget, given: Table) -> Iterator[str]:
    """Yield the proofs that count all tricks: more were won than can have been played, or a side has played more
    declared cards than there were tricks since its first possible declaration."""
    most = _most(sought, given)
    needed = [max(_least(given, side), _won(given, side)) for side in range(len(given.rules.sides))]
    if sum(needed) > most:
        yield f"{_tricks(most)} can have been played, but {sum(needed)} are needed for what was declared and won"
    first = max(rules_of(given).declare.tricks_won_first.value, 1)
    for side, seats in enumerate(given.rules.sides):
        declared = {card for each in (*given.scored[side], *given.kept[side]) for card in each.cards}
        played = declared & {card for pile in given.won for card in pile}
        since = -(-len(played) // len(seats))
        if played and first + since > most:
            after = (
                f"{given.rules.side_letters[side]} has played {len(played)} declared cards, all after at least "
                f"{_tricks(first)}"
            )
            yield f"{_tricks(most)} can have been played, but {after}"


def _least(given: Table, side: int) -> int:
    """Return the minimum number of tricks that a side must have won for its scores: one before each declaration, or
    before all of them; and one after which nothing has been declared yet."""
    rules, scored = rules_of(given).declare, len(given.scored[side])
    more = 0 if rules.several_after_one_trick.value else scored - 1
    new = given.phase is Phase.DECLARE and given.rules.side_of[given.leader] == side
    new_too = new and not given.combinations_since_trick
    return max(rules.tricks_won_first.value, 1) + more + new_too if scored else 0


def _won(given: Table, side: int) -> int:
    """Return the number of tricks that a side must have won for the cards given as won."""
    seats = given.rules.sides[side]
    return sum(-(-len(given.won[seat]) // given.players) for seat in seats)


def _most(sought: PreludeTarget, given: Table) -> int:
    """Return the maximum number of tricks that can have been played: those of all cards that are not certainly
    elsewhere. As long as there is a stock, hands are full."""
    hands = sought.table.hands if given.stock or given.turn_up is not None else given.hands
    away = [*hands, given.stock, given.referee.undrawn, given.trick]
    return (len(given.rules.pack) - sum(map(len, away)) - (given.turn_up is not None)) // given.players


def _tricks(number: int) -> str:
    return f"{number} trick{'' if number == 1 else 's'}"


# ---- the play of a history


class PlayedHistory(Protocol):
    """A history: the deck that is dealt, and the acts after that, each carried out before the next is taken."""

    @property
    def deck(self) -> tuple[Card, ...]:
        """The whole pack, starting with the top card."""

    @property
    def tricks(self) -> int:
        """The number of complete tricks."""

    def acts(self, game: Game) -> Iterator[Act]:
        """Yield the acts at the table of a game."""


@dataclass(frozen=True, slots=True)
class Played:
    """A history that was played: the table before the deal, the deal, the table just after it, the acts, and the table
    that they lead to."""

    before: Table
    deal: Deal
    start: Table
    acts: tuple[Act, ...]
    reached: Table


def before_the_deal(then: Table, score: Sequence[int]) -> Table:
    """Return the table before the deal of a position, with these scores."""
    table = new_table(then.rules)
    table.phase, table.dealer = Phase.DEAL, then.dealer
    assert then.dealer is not None, "a deal has been dealt"
    table.turn = then.dealer
    table.score = list(score)
    table.deals, table.deals_left = max(0, then.deals - 1), then.deals_left
    table.packets = [None if seat == then.dealer else size for seat, size in enumerate(then.packets)]
    return table


def deal_act(before: Table, deck: tuple[Card, ...], packets: Sequence[int | None]) -> Deal:
    """Return the deal of a deck, in packets of the size known to have been chosen by the dealer or, if not, by the
    other player."""
    ways = rules_of(before).deal.packets.value
    assert before.dealer is not None, "somebody deals"
    likely = (packets[before.dealer], *packets)
    size = next((size for size in likely if size is not None), ways[0][0])
    return Deal(before.dealer, deck, size if len(ways) > 1 else None)


def play(before: Table, course: PlayedHistory, packets: Sequence[int | None]) -> Played | Refusal:
    """Play a history from before its deal; return the refusal if an act is illegal."""
    dealt = deal_act(before, course.deck, packets)
    game = Game(before.copy())
    refused = game.attempt(dealt)
    if isinstance(refused, Refusal):
        return refused
    start, acts = game.table.copy(), []
    for act in course.acts(game):
        if game.is_over:
            return Refusal("game-is-over")
        outcome = game.attempt(act)
        if isinstance(outcome, Refusal):
            return outcome
        acts.append(act)
    return Played(before, dealt, start, tuple(acts), game.table)


# ---- the verification of a history


#: The fields that a history must reach exactly as in the completed position, even if they are not given.
_EXACTLY: Final = frozenset(
    {
        *("phase", "turn", "dealer", "choices", "deals", "deals_left", "leader", "trumps", "trick", "blanks", "drawn"),
        *(
            "to_show",
            "surplus",
            "untouched",
            "errors",
            "claim",
            "ruled",
            "drawn_early",
            "seen_ahead",
            "chooser",
            "undrawn",
        ),
        *("game_won_by", "settled", "kept"),
    }
)
#: The fields that a history must reach if they are given.
_IF_GIVEN: Final = frozenset(["turn_up", "last_trick_won_by", "last_tricks", "heap", "made_of"])
#: The prefix of the referee's rules, which are about irregularities; a history has none.
_REFEREE: Final = "referee."
_NOT_COMPARED: Final = frozenset({"refused", "answer"})


def differs(then: Table, given: Given, reached: Table) -> str:
    """Return the first field in which a table differs from the given parts; empty if none does."""
    for field in FIELDS:
        wanted = field.name in _EXACTLY or (field.name in _IF_GIVEN and field.name in given)
        wanted = wanted or (field.name == "claimed" and (then.drawing or "claimed" in given))
        if wanted and field.kind.same(field.get(then)) != field.kind.same(field.get(reached)):
            return field.name
    return next((key for key, fits in _parts(then, given, reached) if not fits), "")


def _parts(then: Table, given: Given, reached: Table) -> Iterator[tuple[str, bool]]:
    for letter, points in given.get("score", {}).items():
        yield "score", reached.score[read_seat(letter)] == points
    for seat in range(then.players):
        yield "hands", sorted(then.hands[seat]) == sorted(reached.hands[seat])
        for key in ("won", "discarded"):
            texts = given.get(key, {}).get(seat_name(Seat(seat)))
            yield key, texts is None or _holds(texts, pile_of(reached, key, Seat(seat)))
    for letter in given.get("scored", ()):
        side = then.rules.side_of[read_seat(letter)]
        yield "scored", then.scored[side] == reached.scored[side]
    for letter, size in given.get("packets", {}).items():
        yield "packets", reached.packets[read_seat(letter)] == size
    for at, (class_, whose) in enumerate(then.good_for.items()):
        yield "called", class_ not in given.get("called", {}) or reached.called.decided[at] == whose
        said = then.called.announced[at]
        yield "announced", class_ not in given.get("announced", {}) or reached.called.announced[at] == said
    yield "called", len(reached.called.decided) == len(then.called.decided)
    if "stock" in given:
        yield "stock", _lies_so(given["stock"], reached.stock[::-1])


def _holds(texts: Sequence[str], pile: Sequence[Card]) -> bool:
    """Return whether a pile has the given cards, and no others if the whole pile was given."""
    cards = {read_card(text) for text in texts if text != REST}
    return cards <= {*pile} if REST in texts else cards == {*pile}


def _lies_so(texts: Sequence[str], pile: Sequence[Card]) -> bool:
    """Return whether a pile has the given order: the cards before `...` on top, and the cards after it at the
    bottom."""
    cards = [read_card(text) for text in texts if text != REST]
    if REST not in texts:
        return cards == list(pile)
    top = list(texts).index(REST)
    below = len(cards) - top
    return list(pile[:top]) == cards[:top] and list(pile[len(pile) - below :]) == cards[top:]


def comes_out_alike(
    rules: Rules, check: Check, plan: RunRequest, then: Mapping[str, Any], reached: Mapping[str, Any]
) -> bool:
    """Return whether the steps of a check give the same values for its expectations from two positions."""
    try:
        one = observations(rules, {**plan.message, "position": then})
    except Malformed:
        return True  # a reading without such a position decides nothing about it
    try:
        other = observations(rules, {**plan.message, "position": reached})
    except Malformed:
        return False
    scores = then["score"], reached["score"]
    for step, end in enumerate(plan.ends, start=1):
        keys = {key for expected in check.branches.values() for key in expected.get(step, ())}
        for at in range(plan.start(step), end):
            if not _same(one[at], other[at]):
                return False
        if not all(_alike(key, one[end - 1], other[end - 1], scores) for key in keys - _NOT_COMPARED):
            return False
        scores = one[end - 1].get("score", scores[0]), other[end - 1].get("score", scores[1])
    return True


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one.get(key) == other.get(key) for key in ("accepted", "reason", "answer"))


def _alike(key: str, one: Mapping[str, Any], other: Mapping[str, Any], before: tuple[Any, Any]) -> bool:
    """Return whether two observations agree under a key; for points, those made in the step are compared."""
    if key == "scores":
        return _made(one["score"], before[0]) == _made(other["score"], before[1])
    key = "score" if key == "total" else key
    return bool(one[key] == other[key])


def _made(after: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    return {seat: points - before[seat] for seat, points in after.items()}


def beside(suite: Suite, ruleset: str) -> tuple[str, ...]:
    """Return the other readings under which a history, or a whole game, must be the same, as `cell=name`."""
    return tuple(f"{path}={name}" for path, name in other_readings(suite, ruleset))


def other_readings(suite: Suite, ruleset: str) -> list[tuple[str, str]]:
    """Return every reading that a table does not follow, as the path of its cell and its name. Readings only about
    irregularities are left out, because no history has any."""
    return [(path, name) for path, name in suite.rules.other_readings(ruleset) if not path.startswith(_REFEREE)]


# ---- the history of a check


NO_HISTORY: Final = NoPrelude(Why.NOT_FOUND, "no legal history was found within the bounds of the search")
_SCORE: Final = NoPrelude(Why.SCORE, "every history that was found scores more points than the position has")
_MATTERS: Final = NoPrelude(Why.MATTERS, "after every history that was found, the steps have a different outcome")


@dataclass(frozen=True, slots=True)
class TriedVariant:
    """A check whose position is completed in one way, for which histories are tried."""

    suite: Suite
    check: Check
    plan: RunRequest
    variant: int
    position: Mapping[str, Any]
    sought: PreludeTarget

    @property
    def rules(self) -> Rules:
        """The rules of the check's own ruleset."""
        return self.suite.rules.of(self.check.ruleset)


@dataclass(frozen=True, slots=True)
class FoundHistory:
    """A history that was found, and the completed variant of the position that it leads to."""

    played: Played
    variant: int
    tricks: int
    rests_on: tuple[str, ...] = ()

    @property
    def prelude(self) -> Prelude:
        """The history in the form of the protocol."""
        before = self.played.before
        is_new = not any(before.score) and not before.deals and not any(before.packets)
        return Prelude(
            start=write_position(self.played.start),
            acts=tuple(map(write_act, self.played.acts)),
            reached=write_position(self.played.reached),
            before=write_position(before),
            deal=write_act(self.played.deal),
            from_new_game=is_new and before.deals_left == before.rules.least_deals,
            tricks=self.tricks,
            rests_on=self.rests_on,
        )


def never(check: Check) -> NoPrelude | None:
    """Return the reason why a check has no prelude under any rules: no cards are dealt in it, or the position is
    already irregular. Return None if there is no such reason."""
    given = check.scenario.given
    if "before" in given:
        return NoPrelude(Why.BEFORE_THE_DEAL, "no cards have been dealt")
    if irregular := sorted(IRREGULAR_FIELDS & given.keys()):
        named = " and ".join(f"'{key}'" for key in irregular)
        return NoPrelude(Why.IRREGULAR, f"{named}: an irregularity leads to such a position, or it is set up by hand")
    return None


def proved_impossible(suite: Suite, check: Check) -> NoPrelude | None:
    """Return the reason why no legal history can lead to the position of a check; None if that is not proved."""
    trying = None if never(check) else tried(suite, check, 0)
    why = impossible(trying.sought) if trying else ""
    return NoPrelude(Why.IMPOSSIBLE, f"impossible: {why}") if why else None


def tried(suite: Suite, check: Check, variant: int) -> TriedVariant | None:
    """Complete the position of a check with a variant; return None if it cannot be completed."""
    rules, plan, scenario = suite.rules.of(check.ruleset), planner_of(suite).request(check), check.scenario
    try:
        position = complete(rules, scenario.given, scenario.steps, variant) if variant else plan.message["position"]
    except CannotSetUp:
        return None
    sought = wanted(read_position(rules, position), scenario.given)
    return TriedVariant(suite, check, plan, variant, position, sought)


def follow(trying: TriedVariant, course: PlayedHistory) -> FoundHistory | NoPrelude:
    """Play a history and verify it under the check's own rules; return the fault if it fails."""
    sought = trying.sought
    nothing = [0] * len(sought.rules.sides)
    played = play(before_the_deal(sought.table, nothing), course, sought.table.packets)
    if isinstance(played, Refusal):
        return NO_HISTORY
    score = _score_before(sought, played)
    if min(score) < 0:
        return _SCORE
    if any(score):
        played = play(before_the_deal(sought.table, score), course, sought.table.packets)
    if isinstance(played, Refusal) or differs(sought.table, sought.given, played.reached):
        return NO_HISTORY
    reached = write_position(played.reached)
    if not comes_out_alike(trying.rules, trying.check, trying.plan, trying.position, reached):
        return _MATTERS
    return FoundHistory(played, trying.variant, course.tricks)


def _score_before(sought: PreludeTarget, played: Played) -> list[int]:
    """Return the score before the deal: the given score without the points made since; 0 if none is given."""
    score = [0] * len(sought.rules.sides)
    for letter, points in sought.given.get("score", {}).items():
        side = read_seat(letter)
        score[side] = points - played.reached.score[side]
    return score
