"""A transcript made ready for some rules: shorthands expanded, seats and cards checked, the start of the game found."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.tools.transcript.model import LoggedAct, Transcript, cards_in
from hoyle_conformance.tools.transcript.shorthands import expand
from hoyle_conformance.tools.transcript.take import Reader
from hoyle_reference import Game, Phase, Rules, Table, new_game
from hoyle_reference.frozen import frozen
from hoyle_reference.table.acts import Deal
from hoyle_reference.table.cards import BY_NAME
from hoyle_reference.table.seats import SEATS, Seat

#: Acts before the first deal.
_BEFORE_THE_DEAL: Final = frozenset({"cut", "choose"})
_OTHER_RULESET: Final = "Check that the ruleset is the right one: -r NAME."


@frozen
class PreparedGame:
    """A transcript for some rules: its single acts, how they are read, the table before the first of them, and whether
    it leaves out the deals."""

    transcript: Transcript
    acts: tuple[LoggedAct, ...]
    reader: Reader
    start: Table
    deals_left_out: bool


def prepare(rules: Rules, transcript: Transcript) -> PreparedGame:
    """Return a transcript made ready; raises Invalid if it cannot be a game of these rules."""
    faults = [*_seat_faults(rules, transcript), *_card_faults(rules, transcript)]
    if faults:
        raise Invalid(faults[:1])
    acts = expand(transcript.acts, rules.players)
    numbered = any("#" in card for act in acts for card in cards_in((act.step, act.facts)))
    draws = any(act.step["do"] == "draw" for act in acts)
    reader = Reader(exact=numbered or rules.packs == 1, draws_left_out=rules.draws and not draws)
    no_deals = not any(act.step["do"] == "deal" for act in acts)
    return PreparedGame(transcript, acts, reader, _start(rules, transcript, acts), no_deals)


def _seat_faults(rules: Rules, transcript: Transcript) -> Iterator[Diagnostic]:
    for act in transcript.acts:
        strange = sorted(set(_seats(act)) - set(rules.letters))
        if strange:
            message = f"{strange[0]} is no player: {rules.id} is a game of {', '.join(rules.letters)}"
            yield transcript.diagnose(act.line, "seat", message, _OTHER_RULESET)
    if strange := sorted(set(_named_seats(transcript.facts)) - set(rules.letters)):
        message = f"{strange[0]} is no player: {rules.id} is a game of {', '.join(rules.letters)}"
        yield transcript.diagnose(transcript.line, "seat", message, _OTHER_RULESET)


def _seats(act: LoggedAct) -> Iterator[str]:
    if "by" in act.step:
        yield act.step["by"]
    yield from _named_seats(act.facts)


def _named_seats(facts: Any) -> Iterator[str]:
    for key, value in facts.items():
        if key in {"score", "scored", "hands", "shown"}:
            yield from value
        elif key in {"dealer", "turn", "trick_won_by", "game_won_by"} and value is not None:
            yield value


def _card_faults(rules: Rules, transcript: Transcript) -> Iterator[Diagnostic]:
    pack = set(rules.pack)
    for act in transcript.acts:
        for text in cards_in((act.step, act.facts)):
            if BY_NAME[-1][text] not in pack:
                message = f"{text} is not in the pack: {rules.id} has {rules.packs} of each card"
                yield transcript.diagnose(act.line, "card", message, _OTHER_RULESET)


def _start(rules: Rules, transcript: Transcript, acts: Sequence[LoggedAct]) -> Table:
    """Return the table before the first act: before the cut if the game begins with it, else before the deal."""
    table = new_game(rules).table
    score = transcript.facts.get("score", {})
    table.score = [score.get(letter, 0) for letter in rules.side_letters]
    accepted = [act for act in acts if act.facts.get("accepted", True)]
    if accepted and accepted[0].step["do"] in _BEFORE_THE_DEAL:
        return table
    table.phase = Phase.DEAL
    table.turn = table.dealer = _dealer(table, transcript, accepted)
    return table


def _dealer(table: Table, transcript: Transcript, acts: Sequence[LoggedAct]) -> Seat:
    """Return who deals first: as the game or the first deal says, or such that the first player to act leads."""
    first = acts[0] if acts else LoggedAct({"do": "deal"})
    named = transcript.facts.get("dealer") or (first.step.get("by") if first.step["do"] == "deal" else None)
    if named:
        return Seat(SEATS.index(named))
    acting = (act.step["by"] for act in acts if act.step["do"] not in {"deal", "mishap", "claim"} and "by" in act.step)
    leader = next(acting, SEATS[1])
    seats = [Seat(seat) for seat in range(table.players)]
    return next((seat for seat in seats if SEATS[_leads(table, seat)] == leader), seats[0])


def _leads(table: Table, dealer: Seat) -> Seat:
    """Return who acts first after a deal."""
    game = Game(table.copy())
    game.table.phase, game.table.turn, game.table.dealer = Phase.DEAL, dealer, dealer
    packets = game.rules.deal.packets.value
    game.apply(Deal(dealer, game.rules.pack, packets[0][0] if len(packets) > 1 else None))
    return game.table.turn


def with_fact(act: LoggedAct, key: str, value: Any) -> LoggedAct:
    """Return an act with one more fact."""
    return replace(act, facts={**act.facts, key: value})
