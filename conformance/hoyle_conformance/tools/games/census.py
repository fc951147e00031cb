"""The census of the suite: prove the recorded games, and run them against an implementation.

Proving replays the games under the table's own readings. Writing them (`make census`) also shows that no disputed
reading affects them, which takes ten times as long. Each game is replayed when needed and then discarded, since all
games together would need too much memory.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from hashlib import sha256
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of
from hoyle_conformance.checks.preludes.follow import beside
from hoyle_conformance.checks.request import Adapted, RunRequest
from hoyle_conformance.checks.setup.trace import observation_of, trace
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.reports.progress import counted
from hoyle_conformance.runner.checker import Checker, Observations
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import STALE_CENSUS, Mismatch, Result, Status
from hoyle_conformance.runner.select import CENSUS, game_ids, is_game
from hoyle_conformance.suite.capabilities import LEGAL_ACTS
from hoyle_conformance.suite.lint.ids import named_after_id
from hoyle_conformance.suite.model import Census, CensusGame, CensusTable, Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import words
from hoyle_reference import Game, Phase, Refusal, Rules, Table, acts, new_game, read_position, write_act, write_position
from hoyle_reference.cards import Card, name, rank_of, read_rank, suit_of
from hoyle_reference.events import Event
from hoyle_reference.seats import Seat

# ---- the game, act by act


#: The size of a number, in bytes of the hash.
_BYTES: Final = 8
Pools = tuple[Sequence[acts.Act], Sequence[acts.Act]]
#: Acts that score, or that are rare in random play.
_SCORING_ACTS: Final = (acts.Declare, acts.Exchange, acts.Hold, acts.Peep, acts.Show)
#: The lowest rank that most combinations need.
_LOWEST_COUNTING_RANK: Final = read_rank("J")


def shuffled_deck(rules: Rules, game: int, number: int) -> tuple[Card, ...]:
    """Return a deck of a game, top card first: the pack in the order of the hashes of the cards' names.

    Deck 0 is for the cut; the others are dealt in turn.
    """
    return tuple(sorted(rules.pack, key=lambda card: _hash(f"{rules.id} {game} {number} {name(card)}")))


def first_dealer(rules: Rules, game: int) -> Seat:
    """Return the seat that deals first in a game that begins before the deal."""
    return Seat(int.from_bytes(_hash(f"{rules.id} {game} dealer"), "big") % rules.players)


def cut_cards(rules: Rules, game: int, times: int) -> tuple[Card, ...]:
    """Return the card that each player cuts, after this many earlier cuts."""
    first = times * rules.players
    return shuffled_deck(rules, game, 0)[first : first + rules.players]


def choice_number(rules: Rules, game: int, act: int, count: int) -> int:
    """Return the number that chooses an act, after `count` skipped numbers."""
    return int.from_bytes(_hash(f"{rules.id} {game} act {act} {count}")[:_BYTES], "big")


def pick(number: int, pools: Sequence[int]) -> tuple[int, int]:
    """Return the pool that a number picks from, and the index in that pool: the first pool two times in three, unless
    it is empty."""
    first, second = pools
    at = int(second > 0 and (first == 0 or number % 3 == 2))  # noqa: PLR2004 -- two times of three
    return at, number // 3 % pools[at]


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()


def choice_pools(game: Game, number: int, deck: int, cuts: int) -> Pools:
    """Return the acts that may be taken next, in two pools; `deck` is the number of the next deck, `cuts` the number of
    earlier cuts."""
    table = game.table
    if table.phase is Phase.CUT:
        return (), [acts.Cut(cut_cards(game.rules, number, cuts))]
    if table.phase is Phase.DEAL:
        return (), _legal_deals(game, number, deck)
    parts = game.legal_actions.parts
    listed = sorted(chain.from_iterable(part for part in parts if isinstance(part, list)), key=repr)
    if shown := [act for act in listed if _is_of_a_blank(act)]:
        return shown, ()
    scores = [act for act in listed if isinstance(act, _SCORING_ACTS)]
    first = scores or _best_call(parts) or [act for act in listed if _is_preferred_play(game, act)]
    rest = [act for act in listed if act not in first]
    many = next((part for part in parts if not isinstance(part, list)), ())
    return (first or _short_suit_discards(game), many) if many else (first, rest)


def _is_of_a_blank(act: acts.Act) -> bool:
    """Whether an act concerns a hand without court cards: such hands are rare, and always shown."""
    return isinstance(act, (acts.CarteBlanche, acts.Prove)) or (
        isinstance(act, acts.Announce) and act.class_ == acts.BLANK
    )


def _best_call(parts: Sequence[Sequence[acts.Act]]) -> list[acts.Act]:
    """Return the announcement of the best combination of a class, the first in the list; an empty list if there is
    none."""
    calls = (act for part in parts if isinstance(part, list) for act in part)
    return list(islice((act for act in calls if isinstance(act, acts.Announce) and act.count), 1))


def _is_preferred_play(game: Game, act: acts.Act) -> bool:
    """Whether a play is preferred: in games with drawing, a plain card that few combinations need, so that more
    combinations come together; in others, a card that may win."""
    if not isinstance(act, acts.Play):
        return False
    is_high = rank_of(act.card) >= _LOWEST_COUNTING_RANK
    return not is_high and suit_of(act.card) != game.table.trumps if game.rules.draws else is_high


def _short_suit_discards(game: Game) -> list[acts.Discard]:
    """Return the legal discards of cards from the shortest suits, lowest first, which leave more combinations in the
    hand."""
    seat = game.table.turn
    held = game.table.hands[seat]
    length = Counter(map(suit_of, held))
    hand = sorted(held, key=lambda card: (length[suit_of(card)], rank_of(card), card))
    found = [acts.Discard(seat, tuple(hand[:count])) for count in range(len(hand) + 1)]
    return [act for act in found if game.check(act) is None]


def _legal_deals(game: Game, number: int, deck: int) -> list[acts.Deal]:
    """Return the deal of a deck, once for each packet size that the dealer may choose."""
    table, ways = game.table, game.rules.deal.packets.value
    assert table.dealer is not None, "a deal is awaited of a dealer"
    cards = shuffled_deck(game.rules, number, deck)
    found = [acts.Deal(table.dealer, cards, way[0] if len(ways) > 1 else None) for way in ways]
    return [act for act in found if game.check(act) is None]


#: Observables of every phase.
_ALWAYS_OBSERVED: Final = ("score", "trick_won_by", "game_won_by", "legal_acts")
#: Observables of a deal: the second list only in games that have them, cards on the table only while cards are drawn.
_OBSERVED_IN_A_DEAL: Final = ("turn", "dealer", "hands", "stock_left")
_OBSERVED_IF_ANY: Final = ("shown", "trumps", "turn_up")
_UNORDERED: Final = frozenset({"hands", "shown"})
#: All observables.
COMPARED: Final = frozenset({*_ALWAYS_OBSERVED, *_OBSERVED_IN_A_DEAL, *_OBSERVED_IF_ANY, "settled"})
#: The length of a digest, in hexadecimal digits.
DIGITS: Final = 16


def observed_keys(table: Table) -> tuple[str, ...]:
    """Return the observables of this phase: before a deal none of the table, and at the end of a game
    only the outcome."""
    match table.phase:
        case Phase.CUT:
            return _ALWAYS_OBSERVED
        case Phase.DEAL:
            return (*_ALWAYS_OBSERVED, "turn", "dealer")
        case Phase.OVER:
            return (*_ALWAYS_OBSERVED, "settled")
        case _ if not table.is_dealt:
            return (*_ALWAYS_OBSERVED, "turn")
        case _:
            has = {field.name for field in table.rules.fields} - (set() if table.drawing else {"shown"})
            return (*_ALWAYS_OBSERVED, *_OBSERVED_IN_A_DEAL, *(key for key in _OBSERVED_IF_ANY if key in has))


def observe(table: Table, events: Sequence[Event]) -> Mapping[str, Any]:
    """Return the observations after these events, as an adapter reports them, with hands sorted by card name."""
    sight = {key: observation_of(table, events, key) for key in sorted(observed_keys(table))}
    for key in _UNORDERED.intersection(sight):
        sight[key] = {seat: sorted(cards) for seat, cards in sight[key].items()}
    return sight


class CannotReplay(Exception):
    """The rules no longer allow a recorded game."""


class CensusStep(NamedTuple):
    """An act as it is sent, with the observations that must follow."""

    act: Mapping[str, Any]
    sight: Mapping[str, Any]


@dataclass(slots=True)
class CensusPlay:
    """A game of the census in progress: its first position, and the acts and observations since.

    `passed_over` maps an act (counted from 1) to the number of choices or decks skipped before it. The number of open
    acts differs among the readings after each of the `uncounted` acts. `left_open` lists the observables that differ
    after the last act, if some reading ends the game there.
    """

    number: int
    game: Game
    begins: Mapping[str, Any]
    steps: list[CensusStep] = field(default_factory=list)
    deals: int = 0
    decks: int = 0
    cuts: int = 0
    passed_over: dict[int, int] = field(default_factory=dict)
    uncounted: list[int] = field(default_factory=list)
    left_open: tuple[str, ...] = ()

    @property
    def at_a_deal(self) -> bool:
        """Whether the next act is a deal."""
        return self.game.table.phase is Phase.DEAL

    def choose(self, count: int) -> acts.Act | None:
        """Return the next act after `count` skipped choices; None if there is none."""
        pools = choice_pools(self.game, self.number, self.decks + 1 + count, self.cuts)
        if not any(map(len, pools)):
            return None
        number = choice_number(self.game.rules, self.number, len(self.steps) + 1, count)
        pool, at = pick(number, (len(pools[0]), len(pools[1])))
        return pools[pool][at]

    def record(self, act: acts.Act, events: Sequence[Event], passed_over: int, left_out: Collection[str] = ()) -> None:
        """Record an act that has been carried out, with all observations except `left_out`."""
        sight = observe(self.game.table, events)
        self.steps.append(CensusStep(write_act(act), {key: sight[key] for key in sight if key not in left_out}))
        if passed_over:
            self.passed_over[len(self.steps)] = passed_over
        if isinstance(act, acts.Deal):
            self.deals, self.decks = self.deals + 1, self.decks + 1 + passed_over
        self.cuts += isinstance(act, acts.Cut)


def start_game(rules: Rules, number: int, *, with_the_cut: bool) -> CensusPlay:
    """Return a game that begins with the cut, or with a deal."""
    game = new_game(rules)
    if not with_the_cut:
        game.table.phase = Phase.DEAL
        game.table.turn = game.table.dealer = first_dealer(rules, number)
    return CensusPlay(number, game, write_position(game.table))


def replay(rules: Rules, game: CensusGame) -> CensusPlay:
    """Replay and return a recorded game; raise CannotReplay if the rules no longer allow it."""
    play, uncounted = start_game(rules, game.game, with_the_cut=game.begins == Phase.CUT), frozenset(game.uncounted)
    for at in range(1, game.acts + 1):
        count = game.passed_over.get(at, 0)
        act = None if play.game.is_over else play.choose(count)
        if act is None:
            raise CannotReplay(f"no legal act is left after act {at - 1}")
        events = play.game.attempt(act)
        assert not isinstance(events, Refusal), "only acts that are open are chosen"
        left_out = [*(["legal_acts"] if at in uncounted else []), *(game.left_open if at == game.acts else ())]
        play.record(act, events, count, left_out)
    play.uncounted, play.left_open = list(game.uncounted), game.left_open
    return play


def census_game(play: CensusPlay) -> CensusGame:
    """Return the record of a game."""
    table = play.game.table
    ends = "over" if play.game.is_over else "in-dispute" if play.left_open else "after-a-deal"
    return CensusGame(
        game=play.number,
        begins=play.begins["phase"],
        deals=play.deals,
        acts=len(play.steps),
        ends=ends,
        score=dict(zip(table.rules.side_letters, table.score, strict=False)),
        legal_acts=sum(step.sight.get("legal_acts") or 0 for step in play.steps),
        digest=digest(play),
        passed_over=play.passed_over,
        uncounted=tuple(play.uncounted),
        left_open=play.left_open,
    )


def digest(play: CensusPlay) -> str:
    """Return the digest of a game: the hash of all acts and observations as canonical JSON."""
    text = json.dumps([[step.act, step.sight] for step in play.steps], sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:DIGITS]


# ---- the census


_REMEDY = "Run 'make census RULESETS={}' to write it again; 'git diff' then shows what has changed."


def tables_of(suite: Suite, ruleset: str) -> list[str]:
    """Return a ruleset, alone and with each of its options."""
    return [ruleset, *(f"{ruleset}+{option}" for option in suite.rules.options(ruleset))]


def stored_table(suite: Suite, ruleset: str) -> CensusTable | None:
    """Return the games of a table in the suite."""
    census = suite.censuses.get(ruleset.partition("+")[0])
    return next((table for table in census.tables if table.ruleset == ruleset), None) if census else None


def prove_censuses(suite: Suite, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield every mistake in the censuses of the suite, and each ruleset without one."""
    for ruleset in suite.rulesets:
        if ruleset not in suite.censuses:
            file = suite.shown(suite.root / "census" / f"{ruleset}.census.yaml")
            yield Diagnostic(file, 1, 1, "no-census", f"{ruleset} has no census", _REMEDY.format(ruleset))
    for census in counted(suite.censuses.values(), "census file"):
        yield from prove_census(suite, census, proofs)


def prove_census(suite: Suite, census: Census, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield every mistake in one census whose file is valid."""
    yield from named_after_id(census.document, f"{census.id}.census.yaml")
    if census.id not in suite.rulesets:
        message = f"there is no ruleset '{census.id}' for this census"
        yield census.document.diagnose(["id"], "unknown-ruleset", message, "Remove the file.")
        return
    names, remedy = tables_of(suite, census.id), _REMEDY.format(census.id)
    present = [table.ruleset for table in census.tables]
    for at, table in enumerate(census.tables):
        if table.ruleset not in names or table.ruleset in present[:at]:
            message = f"{table.ruleset} does not belong in the census of {census.id}, or is in it already"
            yield census.document.diagnose(["tables", at, "ruleset"], "surplus-table", message, remedy)
        else:
            yield from proofs.faults(partial(_inputs, suite, census, at), partial(_prove_table, suite, census, at))
    for missing in (each for each in names if each not in present):
        yield census.document.diagnose(["tables"], "missing-table", f"{missing} is missing", remedy, key=True)


def _inputs(suite: Suite, census: Census, at: int) -> Sequence[Any]:
    """Return the files on which the games of a table depend."""
    return "census", census.document.data["tables"][at], inputs_of(suite).rules([census.tables[at].ruleset])


def _prove_table(suite: Suite, census: Census, at: int) -> Iterator[Diagnostic]:
    table, remedy = census.tables[at], _REMEDY.format(census.id)
    if table.beside != beside(suite, table.ruleset):
        message = f"the readings of the disputed cells of {table.ruleset} have changed since these games were played"
        yield census.document.diagnose(["tables", at, "beside"], STALE_CENSUS, message, remedy, key=True)
    for number, game in enumerate(table.games):
        _, fault = play_again(suite, table.ruleset, game)
        if fault:
            yield census.document.diagnose(["tables", at, "games", number], STALE_CENSUS, fault, remedy)
            return  # the other games differ for the same reason


def play_again(suite: Suite, ruleset: str, game: CensusGame) -> tuple[CensusPlay | None, str]:
    """Return a game, replayed as far as possible, and how it differs from its record; an empty string if it does
    not."""
    try:
        play = replay(suite.rules.of(ruleset), game)
    except CannotReplay as lost:
        return None, f"game {game.game}: {lost}"
    now = census_game(play)
    for each in fields(game):
        was, is_ = getattr(game, each.name), getattr(now, each.name)
        if was != is_:
            differs = f"'{each.name}' is {_value_text(was)} in the file, but {_value_text(is_)} by the rules"
            return play, f"game {game.game}: {differs}"
    return play, ""


def _value_text(value: object) -> str:
    return ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)


def games_named(suite: Suite, words: Sequence[str], rulesets: Sequence[str] = ()) -> list[Check]:
    """Return a check for each game that one of the words selects, under one of these rulesets if there are any. It has
    no steps: its acts are found by playing the game."""
    named = set[str]().union(*(game_ids(suite, word) for word in words))
    every = (_check(census, at, number) for census in suite.censuses.values() for at, number in _places(census))
    return [each for each in every if each.id in named and (not rulesets or each.ruleset in rulesets)]


def _places(census: Census) -> Iterator[tuple[int, int]]:
    """Yield the place of each game of a census: its table, and its place there."""
    return ((at, number) for at, table in enumerate(census.tables) for number in range(len(table.games)))


def _check(census: Census, at: int, number: int) -> Check:
    table = census.tables[at]
    game = table.games[number]
    scenario = Scenario(
        id=f"{CENSUS}.game-{game.game}",
        title=f"Game {game.game}",
        why="",
        given={"before": game.begins},
        steps=(),
        outcomes=(),
        readings=(),
        followed_by=(),
        document=census.document,
        place=("tables", at, "games", number),
    )
    return Check(scenario, table.ruleset, cites=(), branches={"": {}}, follows="")


#: The maximum number of legal acts to name.
_MOST_LEGAL_ACTS: Final = 20
#: Observables with another name in an expectation.
_EXPECTED_AS: Final = {"score": "total"}


def game_of(suite: Suite, check: Check) -> CensusGame:
    """Return the game of a check."""
    _, table, _, number = check.scenario.place
    census = suite.censuses[check.ruleset.partition("+")[0]]
    return census.tables[int(table)].games[int(number)]


def request_of(suite: Suite, check: Check, play: CensusPlay, claims: frozenset[str]) -> Adapted:
    """Return the request for a game, with expectations for everything claimed."""
    observed = {key for key in COMPARED if key in claims}
    name, *options = check.ruleset.split("+")
    message: dict[str, Any] = {
        "ruleset": name,
        "options": options,
        "position": play.begins,
        "steps": [act for act, _ in play.steps],
        "observe": sorted(observed.intersection(key for _, sight in play.steps for key in sight)),
    }
    expected = {
        at: {_EXPECTED_AS.get(key, key): value for key, value in sight.items() if key in observed}
        for at, (_, sight) in enumerate(play.steps, start=1)
    }
    needs = frozenset({LEGAL_ACTS, *(suite.capabilities.word(act) for act, _ in play.steps)})
    plan = RunRequest(message, tuple(range(1, len(play.steps) + 1)), needs, play.game.rules.letters)
    return Adapted(replace(check, branches={"": expected}), plan)


@dataclass(frozen=True, slots=True)
class CensusGames:
    """The checks of one adapter, with the games of the census among them."""

    of_suite: Checker

    def adapt(self, check: Check) -> Adapted | Result:
        """Return the request for a check, or its result if nothing is sent: the adapter lacks a claim, or the game
        differs from its record."""
        if not is_game(check):
            return self.of_suite.adapt(check)
        suite, info = self.of_suite.claims.suite, self.of_suite.claims.info
        if check.ruleset not in info.rulesets:
            return Result(check, Status.UNSUPPORTED, lacks=(f"ruleset {check.ruleset}",))
        other = [f"{mode} {usual}" for mode, (usual, _) in info.unusual_modes.items()]
        if LEGAL_ACTS not in info.claims or other:
            return Result(check, Status.UNSUPPORTED, lacks=tuple(other if LEGAL_ACTS in info.claims else [LEGAL_ACTS]))
        play, fault = play_again(suite, check.ruleset, game_of(suite, check))
        if play is None or fault:
            remedy = _REMEDY.format(check.ruleset.partition("+")[0])
            return Result(check, Status.ERROR, code=STALE_CENSUS, reason=fault, remedy=remedy)
        request = request_of(suite, check, play, info.claims)
        lacks = sorted(request.plan.needs - info.claims)
        return Result(check, Status.UNSUPPORTED, lacks=tuple(lacks)) if lacks else request

    def judge(self, request: Adapted, observations: Observations) -> Result:
        """Return the result of a check from its observations; of a game, only the first difference, since an engine
        that differs plays another game from then on."""
        if not is_game(request.check):
            return self.of_suite.judge(request, observations)
        result = judge(request.check, request.plan, observations, trusted=False)
        hint = _hint(self.of_suite.claims.suite, request, result.mismatch) if result.mismatch else ""
        return replace(result, later=(), remedy=hint)


def _hint(suite: Suite, request: Adapted, mismatch: Mismatch) -> str:
    """Return the deal in which an engine differs, if it is a later one; and the legal acts, if their number is
    wrong."""
    ruleset, steps = request.check.ruleset, request.plan.message["steps"][: mismatch.step]
    rules, names = suite.rules.of(ruleset), suite.rules.meld_names(ruleset)
    deal = sum(step["do"] == "deal" for step in steps)
    hints = [f"This is deal {deal}: also check what carries over from the deal before it."] if deal > 1 else []
    if mismatch.what == LEGAL_ACTS:
        now = trace(rules, {**request.plan.message, "steps": steps})[-1].position
        game = Game(read_position(rules, now))
        own = {acts.alike(act): act for act in game.legal_actions if acts.by(act) == game.table.turn}
        named = [words.step(write_act(act), names) for act in islice(own.values(), _MOST_LEGAL_ACTS)]
        hints.append(f"Legal are: {'; '.join(named)}{'; and others' if len(own) > len(named) else ''}.")
    return " ".join(hints)
