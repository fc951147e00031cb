"""The judgement of transcripts: replay each game under some rules up to the first act that differs.

If a transcript is ambiguous, for instance about the copy of a card, every table that agrees with it is followed. A
reading of a disputed rule under which more acts agree is reported, but does not count as a difference.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any, Final

from hoyle_conformance.checks.setup.trace import observation_of
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.runner.consensus import is_decided, same_value
from hoyle_conformance.runner.rule_changes import RuleChange, sourced_changes
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.read import FACTS, LoggedAct, Transcript, numbered
from hoyle_reference import Game, Malformed, Phase, Refusal, Rules, Table, compile_cells, new_game, read_act
from hoyle_reference.acts import Deal
from hoyle_reference.cards import BY_NAME, Card, face_of, name
from hoyle_reference.events import Event, Scored, TrickWon
from hoyle_reference.refusals import Grounds
from hoyle_reference.seats import SEATS, Seat

#: The maximum numbers of tables followed, of ways to read an act, and of changed rules that explain one.
_MOST_TABLES: Final = 64
_MOST_WAYS: Final = 24
_MOST_CHANGES: Final = 3
#: The facts that have their own comparison, or give the places of the cards of a deal.
_OF_TRANSCRIPTS: Final = frozenset({"accepted", "scored", "drew", "stock"})
#: The acts that may come first: those that chance decides, or that may happen at any time.
_BETWEEN_DEALS: Final = frozenset({"cut", "choose", "deal", "mishap", "claim"})
_WHOLE: Final = "Give the whole 'deck', or 'hands', 'stock' and 'turn_up'."
_OTHER_RULESET: Final = "Check that the ruleset is the right one: -r NAME."


@dataclass(frozen=True, slots=True)
class LoggedDeparture:
    """An act on which the rules differ from the transcript: the table before it, the differing fact with both values,
    the refusal if it is one, the cells behind it, and changed rules that explain it."""

    act: LoggedAct
    table: Table
    what: str
    expected: Any
    observed: Any
    refusal: str = ""
    grounds: Grounds = ()
    changes: Sequence[RuleChange] = ()


@dataclass(frozen=True, slots=True)
class JudgedGame:
    """A judged game: the number of acts that agree, and the first one that does not, if any."""

    transcript: Transcript
    agree: int
    departure: LoggedDeparture | None = None

    @property
    def not_judged(self) -> int:
        """The number of acts after the one that differs."""
        return len(self.transcript.acts) - self.agree - (self.departure is not None)


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """The judgement of all games of a run under a ruleset with some readings, by the paths of their cells."""

    ruleset: str
    games: Sequence[JudgedGame]
    readings: Mapping[str, str] = field(default_factory=dict)

    @property
    def agree(self) -> int:
        """The number of acts that agree."""
        return sum(game.agree for game in self.games)

    @property
    def departures(self) -> int:
        """The number of games with an act that differs from the ruleset."""
        return sum(game.departure is not None for game in self.games)


def judge_run(suite: Suite, ruleset: str, games: Sequence[Transcript]) -> JudgedRun:
    """Return the judgement of games under the readings with which the most acts agree, with the changes that explain
    differences; raise Invalid if one of them cannot be a game of the ruleset."""
    run = judge_plainly(suite, ruleset, games, {})
    better: JudgedRun | None = run
    while better:
        run = better
        better = next((each for each in _under_other_readings(suite, run) if each.agree > run.agree), None)
    if not run.departures:
        return run
    sourced = sourced_changes(suite, ruleset)
    return replace(run, games=[_explained(suite, run, sourced, game) for game in run.games])


def nearest_rules(suite: Suite, games: Sequence[Transcript]) -> list[JudgedRun]:
    """Return the judgement of games by each ruleset, nearest first; raise Invalid if they cannot be games of any
    ruleset."""
    found: list[JudgedRun] = []
    for ruleset in suite.rules.names:
        with suppress(Invalid):
            found.append(judge_plainly(suite, ruleset, games, {}))
    if not found:
        message, remedy = f"{games[0].title} is no game of any ruleset", "'hoyle check --transcript -r NAME' says why."
        raise games[0].invalid(games[0].line, "ruleset", message, remedy)
    found.sort(key=lambda run: (-run.agree, run.ruleset.partition("+")[0] != games[0].ruleset.partition("+")[0]))
    return [judge_run(suite, found[0].ruleset, games), *found[1:]]


def judge_plainly(suite: Suite, ruleset: str, games: Sequence[Transcript], readings: Mapping[str, str]) -> JudgedRun:
    """Return the judgement of games under these readings; raise Invalid if one of them cannot be a game under them."""
    rules = suite.rules.of(ruleset, readings)
    return JudgedRun(ruleset, [_judge(rules, game) for game in games], readings)


def _under_other_readings(suite: Suite, run: JudgedRun) -> Iterator[JudgedRun]:
    """Yield the run under each other reading of one cell that moves the first difference to a later act."""
    differ = next((game for game in run.games if game.departure), None)
    for cell in suite.rules.cells(run.ruleset) if differ else ():
        for reading in cell.readings:
            ways = {**run.readings, cell.path: reading.name}
            if differ and reading.name != run.readings.get(cell.path, cell.follows):
                try:
                    if _judge(suite.rules.of(run.ruleset, ways), differ.transcript).agree > differ.agree:
                        yield judge_plainly(suite, run.ruleset, [each.transcript for each in run.games], ways)
                except (Malformed, Invalid):
                    continue


def _explained(suite: Suite, run: JudgedRun, sourced: Sequence[RuleChange], game: JudgedGame) -> JudgedGame:
    """Return a game with the changes from other sources that remove its departure."""
    departure = game.departure
    if departure is None:
        return game
    cells = suite.rules.cells(run.ruleset, run.readings)
    replay = _Replay.of(departure.table.rules.pack, game.transcript)

    def explains(change: RuleChange) -> bool:
        try:
            table = Table(compile_cells(run.ruleset, change.apply_to(cells)))
            table.restore(departure.table)
            return not isinstance(replay.take([table], departure.act), LoggedDeparture)
        except (Malformed, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
            return False  # such rules are impossible, or do not have such a position

    changes = sorted(filter(explains, sourced), key=lambda change: len(change.cell_values))
    return replace(game, departure=replace(departure, changes=changes[:_MOST_CHANGES]))


def _judge(rules: Rules, game: Transcript) -> JudgedGame:
    """Return the judgement of a game by some rules; raise Invalid if it cannot be a game under them."""
    for act in (LoggedAct({}, game.facts, game.line), *game.acts):
        for text in _texts((act.step, act.facts)):
            if text in SEATS and text not in rules.letters:
                message = f"{text} is no player: {rules.id} is a game of {', '.join(rules.letters)}"
                raise game.invalid(act.line, "seat", message, _OTHER_RULESET)
            if text in BY_NAME[-1] and BY_NAME[-1][text] not in rules.pack:
                message = f"{text} is not in the pack: {rules.id} has {rules.packs} of each card"
                raise game.invalid(act.line, "card", message, _OTHER_RULESET)
    replay, tables = _Replay.of(rules.pack, game), [_start(rules, game)]
    for at, act in enumerate(game.acts):
        taken = replay.take(tables, act)
        if isinstance(taken, LoggedDeparture):
            return JudgedGame(game, at, taken)
        tables = taken
    return JudgedGame(game, len(game.acts))


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in a value that may name a player or a card; words such as ranks and suits do not count."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from () if key in {"rank", "top", "suit", "trumps"} else (key, *_texts(each))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def _start(rules: Rules, game: Transcript) -> Table:
    """Return the table before the first act: before the cut if the game begins with it, otherwise before the deal."""
    if game.acts and game.acts[0].step["do"] not in _BETWEEN_DEALS:
        message = "the game begins with neither its cut nor its deal"
        raise game.invalid(game.acts[0].line, "deal", message, f"Write down the deal. {_WHOLE}")
    table = new_game(rules).table
    table.score = [game.facts.get("score", {}).get(letter, 0) for letter in rules.side_letters]
    if game.acts and game.acts[0].step["do"] not in {"cut", "choose"}:
        dealer = game.facts.get("dealer") or game.acts[0].step.get("by", SEATS[0])
        table.phase, table.turn, table.dealer = Phase.DEAL, Seat(SEATS.index(dealer)), Seat(SEATS.index(dealer))
    return table


@dataclass(frozen=True, slots=True)
class _Replay:
    """The reading of a transcript's acts: whether it distinguishes the copies of a card, or the pack has only one of
    each."""

    game: Transcript
    exact: bool

    @classmethod
    def of(cls, pack: Sequence[Card], game: Transcript) -> "_Replay":
        """Return the replay settings of a game with this pack."""
        texts = (text for act in game.acts for text in _texts((act.step, act.facts)))
        return cls(game, len(set(map(face_of, pack))) == len(pack) or any("#" in text for text in texts))

    def take(self, tables: Sequence[Table], act: LoggedAct) -> list[Table] | LoggedDeparture:
        """Return the tables after an act, from those before it; or the first departure if none agrees."""
        ways = [(table, step) for table in tables for step in islice(self._steps(table, act), _MOST_WAYS)]
        taken = [_take_one(table, act, step) for table, step in ways]
        after = [each for each in taken if isinstance(each, Table)]
        return after[:_MOST_TABLES] or next(each for each in taken if isinstance(each, LoggedDeparture))

    def _steps(self, table: Table, act: LoggedAct) -> Iterator[Mapping[str, Any]]:
        """Yield the ways to read an act, at least one: with each choice of copies that its player holds, or each way to
        deal."""
        step, seat = act.step, SEATS.find(act.step.get("by", "?"))
        if step["do"] == "deal" and table.phase is Phase.DEAL and table.dealer == seat:
            ways = [each[0] for each in Game(table).rules.deal.packets.value]
            packets = [{}] if "packets" in step or len(ways) == 1 else [{"packets": size} for size in ways]
            yield from (self._whole_deal(table, act, {**step, **each}) for each in packets)
            return
        if step["do"] == "cut":
            yield {**step, "cards": numbered(step["cards"])}
            return
        if self.exact or not 0 <= seat < table.players or not {"card", "cards"} & step.keys():
            yield step
            return
        seen = set[tuple[object, ...]]()
        for cards in product(*(_copies(table, Seat(seat), text) for text in step.get("cards") or [step.get("card")])):
            alike = tuple(_use(table, Seat(seat), card) for card in cards)
            if len(set(cards)) == len(cards) and alike not in seen:
                seen.add(alike)
                yield {**step, **({"card": name(cards[0])} if "card" in step else {"cards": list(map(name, cards))})}
        if not seen:
            yield step

    def _whole_deal(self, table: Table, act: LoggedAct, step: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a deal with its whole deck; raise Invalid if the transcript does not give the place of each card."""
        pack, deck = table.rules.pack, dict[Card, str]()
        try:
            dealt = Game(table.copy())
            dealt.attempt(Deal(table.turn, pack, step.get("packets")))
            if "deck" in step:
                deck = dict(zip(pack, step["deck"], strict=True))
            else:
                for place, cards in (
                    *((hand, act.facts["hands"][SEATS[seat]]) for seat, hand in enumerate(dealt.table.hands)),
                    *([([dealt.table.turn_up], [act.facts["turn_up"]])] if dealt.table.turn_up else []),
                    (dealt.table.next_cards(len(dealt.table.stock)), act.facts.get("stock", ())),
                ):
                    deck |= zip(place, cards, strict=True)
            cards = [deck[card] for card in pack]
            cards = cards if self.exact else numbered(card[:2] for card in cards)
            assert {BY_NAME[-1][card] for card in cards} == set(pack)
        except (AssertionError, LookupError, ValueError):
            message = f"the deal does not say where each of the {len(pack)} cards is, once"
            raise self.game.invalid(act.line, "deal", message, _WHOLE) from None
        return {**step, "deck": cards}


def _copies(table: Table, seat: Seat, text: str) -> list[Card]:
    """Return the copies of a card that a player may use: in the hand, or a partner's on the table."""
    partners = [other for other in table.rules.side(seat) if other != seat]
    held = [*table.hands[seat], *(card for other in partners for card in table.shown[other])]
    return [card for card in held if face_of(card) == face_of(BY_NAME[-1][text])]


def _use(table: Table, seat: Seat, card: Card) -> tuple[object, ...]:
    """Return the properties that distinguish a player's card from another copy: its face, its place, and its scores."""
    scored = [each.meld for row in (*table.scored, *table.kept) for each in row if card in each.cards]
    return face_of(card), card in table.shown[seat], card in table.claimed, card in table.drawn, tuple(scored)


def _take_one(before: Table, act: LoggedAct, step: Mapping[str, Any]) -> Table | LoggedDeparture:
    """Return the table after one reading of an act, or the departure."""
    game, accepted = Game(before.copy()), act.facts.get("accepted", True)
    try:
        outcome = game.attempt(read_act(game.rules, step))
    except Malformed as malformed:
        return game.table if not accepted else LoggedDeparture(act, before, "accepted", False, True, str(malformed))
    if isinstance(outcome, Refusal):
        refused = LoggedDeparture(act, before, "accepted", False, True, outcome.message, outcome.grounds)
        return game.table if not accepted else refused
    if not accepted:
        return LoggedDeparture(act, before, "accepted", True, False, "", _grounds(outcome))
    for what, expected, observed in _compared(before, game.table, act, outcome):
        if not same_value(what, expected, observed):
            kind = {"scored": Scored, "score": Scored, "trick_won_by": TrickWon}.get(what)
            own = [event for event in outcome if kind and isinstance(event, kind)]
            return LoggedDeparture(act, before, what, expected, observed, "", _grounds([*own, *outcome]))
    return game.table


def _grounds(events: Sequence[Event]) -> Grounds:
    return tuple(dict.fromkeys(path for event in events for path in event.grounds))


def _compared(before: Table, table: Table, act: LoggedAct, events: Sequence[Event]) -> Iterator[tuple[str, Any, Any]]:
    """Yield each meaningful fact about an accepted act: its key, its value under the rules, and the recorded value."""
    letters = table.rules.side_letters
    if "scored" in act.facts:
        points = zip(letters, before.score, table.score, strict=False)
        made = {seat: now - was for seat, was, now in points if now != was}
        yield "scored", made, {seat: points for seat, points in act.facts["scored"].items() if points}
    if "score" in act.facts:
        yield "score", dict(zip(letters, table.score, strict=False)), dict.fromkeys(letters, 0) | act.facts["score"]
    if "drew" in act.facts:
        seat = SEATS.index(act.step["by"])
        held = set[Card](before.hands[seat]) if before.hands else set()
        yield "drew", [name(card) for card in sorted(set(table.hands[seat]) - held)], act.facts["drew"]
    seen = {key: observation_of(table, events, key) for key in ("phase", "settled")}
    for key in FACTS:
        if key in act.facts and key not in _OF_TRANSCRIPTS | {"score"} and is_decided(seen, key, deals=True):
            yield key, observation_of(table, events, key), act.facts[key]
