"""The judgement of a transcript: each act and each fact compared with some rules, and what was done where they differ.

After a difference the game goes on from the engine's own position: under the changed rule that explains the difference,
or with the act carried out all the same. A reading of a disputed rule that explains it is no difference, and is named.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, islice
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.runner.departures.changes import RuleChange
from hoyle_conformance.tools.transcript.changes import ActPlace, CandidateChanges
from hoyle_conformance.tools.transcript.deals import Deck, deal_step, deck_of
from hoyle_conformance.tools.transcript.go_on import LookAhead, best, by_force, under
from hoyle_conformance.tools.transcript.json_lines import LineFault
from hoyle_conformance.tools.transcript.model import LoggedAct, Transcript, cards_in
from hoyle_conformance.tools.transcript.prepare import PreparedGame, prepare, with_fact
from hoyle_conformance.tools.transcript.take import LoggedDifference, Reader, Taken, take, ways
from hoyle_reference import Phase, Rules, Table, new_game
from hoyle_reference.events.score import Scored
from hoyle_reference.events.tricks import TrickWon
from hoyle_reference.frozen import frozen
from hoyle_reference.table.refusals import Grounds
from hoyle_reference.table.seats import SEATS, Seat, seat_name

#: The deck before the first deal.
_NO_DECK: Final = Deck((), frozenset())
#: The acts that chance decides, or that happen at any time.
_BETWEEN_DEALS: Final = frozenset({"cut", "choose", "deal", "mishap", "claim"})
#: How many choices of other copies are tried for earlier acts.
_MOST_COPIES_TRIED: Final = 500
#: The refusals that do not depend on the cards of a player, and the acts that depend on all of them.
_NOT_OF_CARDS: Final = frozenset({"not-now", "not-your-turn"})
_OF_A_WHOLE_HAND: Final = frozenset({"carte-blanche", "announce", "prove"})
#: The observable that a refused act shows of an earlier one.
_WINNER: Final = "trick_won_by"
_ENDED: Final = "game_won_by"


@frozen
class LoggedDeparture:
    """An act that the rules have otherwise: the first difference, the refusal or why the rules know no such act, the
    cells behind it, and the changed rules that explain it, likeliest first."""

    act: LoggedAct
    at: int
    difference: LoggedDifference
    refusal: str
    grounds: Grounds
    changes: tuple[RuleChange, ...] = ()

    @property
    def change(self) -> RuleChange | None:
        """The changed rule that explains it best."""
        return self.changes[0] if self.changes else None

    @property
    def cause(self) -> tuple[str, ...]:
        """A value that is the same for departures with the same cause."""
        if self.change:
            return "change", self.change.key
        first = self.grounds[0] if self.grounds else ""
        about = [str(self.act.step.get(key, "")) for key in ("do", "meld", "class")]
        return (*about, self.difference.what, self.refusal, first)


@frozen
class JudgedGame:
    """A game that was judged: how many acts and facts were compared, the departures, and the lines of the acts that
    could not be judged, with the reason."""

    transcript: Transcript
    ruleset: str
    acts: int
    facts: int
    departures: tuple[LoggedDeparture, ...]
    not_judged: tuple[tuple[int, str], ...] = ()


def judge(rules: Rules, transcript: Transcript, changes: CandidateChanges | None = None) -> JudgedGame:
    """Return the judgement of a game by some rules; raises Invalid if it cannot be a game of theirs.

    Without `changes`, no changed rule is looked for.
    """
    return _Walk(rules, prepare(rules, transcript), changes).walk()


@dataclass(slots=True)
class _Walk:
    """A game that is being judged: the table now, the tables before each act so far, and what was found."""

    rules: Rules
    game: PreparedGame
    changes: CandidateChanges | None
    acts: list[LoggedAct] = field(init=False)
    table: Table = field(init=False)
    before: dict[int, Table] = field(default_factory=dict)
    deck: Deck = _NO_DECK
    doubtful: str = ""
    deal_at: int = 0
    lost: str = ""
    judged: set[int] = field(default_factory=set)
    left_out: set[int] = field(default_factory=set)
    departures: list[LoggedDeparture] = field(default_factory=list)
    not_judged: dict[int, tuple[int, str]] = field(default_factory=dict)
    chosen: dict[int, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.acts, self.table = list(self.game.acts), self.game.start

    def walk(self) -> JudgedGame:
        """Judge every act, and return what was found."""
        at = 0
        while at < len(self.acts):
            at = self._step(at)
        return JudgedGame(
            self.game.transcript,
            self.rules.id,
            len(self.judged - self.left_out),
            sum(len(self.acts[each].facts) for each in self.judged),
            tuple(self.departures),
            tuple(self.not_judged.values()),
        )

    def _step(self, at: int) -> int:
        """Judge one act, and return the place of the next one to be judged."""
        if self.acts[at].step["do"] == "deal" and self.lost:
            self._begin_anew(at)
        if self.lost:
            self.not_judged[at] = (self.acts[at].line, self.lost)
            return at + 1
        if self._lacks_its_deal(at):
            dealer = seat_name(self.table.dealer or Seat(0))
            self.acts.insert(at, LoggedAct({"by": dealer, "do": "deal"}, {}, self.acts[at].line))
            self.left_out.add(at)
        if self.acts[at].step["do"] == "deal":
            self._complete_the_deal(at)
        self.before[at] = self.table
        taken = self._take(at)
        if taken.differences:
            return self._differs(at, taken)
        self._accept(at, taken)
        return at + 1

    def _lacks_its_deal(self, at: int) -> bool:
        """Whether a deal must have come before an act, in a transcript that leaves out the deals."""
        act = self.acts[at]
        return (
            self.table.phase is Phase.DEAL
            and self.game.deals_left_out
            and act.facts.get("accepted", True) is not False
            and act.step["do"] not in _BETWEEN_DEALS
        )

    def _take(self, at: int) -> Taken:
        return take(self._reader(at), self.table, self._as_chosen(at, self.acts[at]))

    def _reader(self, at: int) -> Reader:
        """Return how an act is read: exactly, if the copies of its cards were chosen."""
        return replace(self.game.reader, exact=True) if at in self.chosen else self.game.reader

    def _as_chosen(self, at: int, act: LoggedAct) -> LoggedAct:
        return replace(act, step=self.chosen[at]) if at in self.chosen else act

    def _accept(self, at: int, taken: Taken) -> None:
        self.judged.add(at)
        self.table = taken.table

    def _complete_the_deal(self, at: int) -> None:
        """Give a deal its whole deck; raises Invalid if the transcript does not say enough."""
        act = self.acts[at]
        dealer = self.table.dealer
        if self.table.phase is not Phase.DEAL or dealer is None or act.step["by"] != seat_name(dealer):
            return  # the rules refuse it
        act = self._with_packets(at)
        later = self.acts[at + 1 :]
        end = next((n for n, each in enumerate(later) if each.step["do"] == "deal"), len(later))
        try:
            deck = deck_of(self.game.reader, self.table, act, later[:end])
        except LineFault as fault:
            diagnostic = self.game.transcript.diagnose(act.line, fault.code, fault.message, fault.remedy)
            raise Invalid([diagnostic]) from fault
        self.deck, self.deal_at, self.doubtful = deck, at, ""
        self.chosen[at] = deal_step(act.step, seat_name(dealer), deck)

    def _with_packets(self, at: int) -> LoggedAct:
        """Return a deal with the size of its packets, if the dealer may choose it and it is not written down: the one
        with which most of the next acts are possible."""
        act, ways_to_deal = self.acts[at], self.rules.deal.packets.value
        if "packets" in act.step or len(ways_to_deal) == 1:
            return act
        packed = [replace(act, step={**act.step, "packets": way[0]}) for way in ways_to_deal]
        if "deck" not in act.step:
            return packed[0]
        ahead = LookAhead(self.game.reader, self.acts)
        deals = [(take(self.game.reader, self.table, each), each) for each in packed]
        return max(deals, key=lambda each: ahead.possible(each[0].table, at + 1))[1]

    # ---- an act that the rules have otherwise

    def _differs(self, at: int, taken: Taken) -> int:
        """Go on after an act that the rules have otherwise, and return the place of the next one to be judged."""
        if (earlier := self._shown_of_an_earlier_act(at, taken)) is not None:
            self._rewind(earlier)
            return earlier
        if (earlier := self._with_other_copies(at)) is not None:
            self._rewind(earlier)
            return earlier
        line = self.acts[at].line
        if reason := self.doubtful or self._doubt(at, taken):
            self.not_judged[at] = (line, reason)
            self.doubtful = self.doubtful or f"the position after line {line} is not known"
        else:
            self._accept(at, replace(taken, table=self.table))
            self.departures.append(self._departure(at, taken))
        self._go_on(at, taken)
        return at + 1

    def _rewind(self, at: int) -> None:
        """Go back to the place before an act, to judge it again."""
        self.table = self.before[at]
        self.judged = {each for each in self.judged if each < at}
        self.departures = [each for each in self.departures if each.at < at]
        self.not_judged = {each: why for each, why in self.not_judged.items() if each < at}
        self.doubtful = ""
        for later in [each for each in self.before if each >= at]:
            del self.before[later]

    def _shown_of_an_earlier_act(self, at: int, taken: Taken) -> int | None:
        """Return the place of an earlier act about which a refused act shows something, and write it down there: who
        won the trick, or that the game was not over."""
        by = self.acts[at].step.get("by")
        if not taken.refusal or by is None:
            return None
        if self.table.phase is Phase.OVER:
            ended = min((each for each, table in self.before.items() if table.phase is Phase.OVER), default=0) - 1
            return self._write_down(ended, _ENDED, None)
        if SEATS[self.table.turn] != by and at - 1 in self.before and not self.table.trick:
            return self._write_down(at - 1, _WINNER, by)
        return None

    def _write_down(self, at: int, key: str, value: Any) -> int | None:
        """Add a fact to an act that the rules have otherwise; return its place, or None if that says nothing new."""
        if at not in self.before or key in self.acts[at].facts:
            return None
        changed = with_fact(self.acts[at], key, value)
        taken = take(self._reader(at), self.before[at], self._as_chosen(at, changed))
        if not any(each.what == key for each in taken.differences):
            return None
        if key == _WINNER and not any(isinstance(event, TrickWon) for event in taken.events):
            return None
        self.acts[at] = changed
        return at

    def _with_other_copies(self, at: int) -> int | None:
        """Return the place of an earlier act that must have been done with another copy of a card, so that this one
        agrees, after writing the copies down; None if there is none."""
        if self.game.reader.exact:
            return None
        others = list(self._other_copies(at))
        tried = chain(((each,) for each in others), combinations(others, 2))
        for changed in islice(tried, _MOST_COPIES_TRIED):
            steps = dict(changed)
            if len(steps) == len(changed) and self._agrees_to(at, steps):
                self.chosen |= steps
                return min(steps)
        return None

    def _other_copies(self, at: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """Yield each earlier act of the deal that names one of the same cards, with other copies of its cards; the last
        of them first."""
        faces = {text[:2] for text in cards_in(self.acts[at].step)}
        for place in range(at - 1, self.deal_at, -1):
            act = self.acts[place]
            if place in self.chosen or place not in self.before or faces.isdisjoint(t[:2] for t in cards_in(act.step)):
                continue
            own = take(self.game.reader, self.before[place], act).step
            yield from ((place, step) for step in ways(self.game.reader, self.before[place], act.step) if step != own)

    def _agrees_to(self, at: int, steps: Mapping[int, Mapping[str, Any]]) -> bool:
        """Whether the acts up to this place agree with the rules, if some of them have these copies of their cards."""
        chosen = {**self.chosen, **steps}
        table = self.before[min(steps)]
        for place in range(min(steps), at + 1):
            act, reader = self.acts[place], self.game.reader
            if place in chosen:
                act, reader = replace(act, step=chosen[place]), replace(reader, exact=True)
            taken = take(reader, table, act)
            if taken.differences:
                return False
            table = taken.table
        return True

    def _doubt(self, at: int, taken: Taken) -> str:
        """Return why a refusal may only come of cards that are not known; empty if it does not."""
        step = self.acts[at].step
        seat = SEATS.find(step.get("by", "?"))
        if not taken.refusal or not 0 <= seat < self.table.players or taken.refusal.code in _NOT_OF_CARDS:
            return ""
        unknown = not self.deck.guessed.isdisjoint(self.table.hands[seat])
        copies = not self.game.reader.exact and step["do"] != "play"
        if unknown or (self.deck.inferred and (copies or step["do"] in _OF_A_WHOLE_HAND)):
            return f"nothing says which cards {step['by']} held"
        return ""

    def _departure(self, at: int, taken: Taken) -> LoggedDeparture:
        reason = taken.refusal.message if taken.refusal else taken.unknown
        return LoggedDeparture(self.acts[at], at, taken.differences[0], reason, decisive(taken), ())

    def _go_on(self, at: int, taken: Taken) -> None:
        """Find the table from which the game goes on, and the changed rules that explain the departure."""
        act, ahead = self._as_chosen(at, self.acts[at]), LookAhead(self.game.reader, self.acts)
        found = None if act.step["do"] == "deal" else best(ahead, by_force(self.table, act, taken), at + 1)
        departs = bool(self.departures) and self.departures[-1].at == at
        if departs and self.changes:
            place = ActPlace(self._reader(at), self.table, act, ahead, at, found[1] if found else 0)
            explained = self.changes.explaining(self.departures[-1], place)
            if explained:
                changes = tuple(each.change for each in explained)
                self.departures[-1] = replace(self.departures[-1], changes=changes)
                self.table = under(self.rules, explained[0].table)
                return
        if act.step["do"] == "deal":
            self._begin_anew(at)
            self._complete_the_deal(at)
            self.table = self._take(at).table
        elif found is None or (found[1] == 0 and at + 1 < len(self.acts)):
            self.lost = f"the position after line {act.line} is not known"
        else:
            self.table = found[0]

    def _begin_anew(self, at: int) -> None:
        """Set up the table before a deal, with the score that the engine wrote down last."""
        table, deals = new_game(self.rules).table, self.table.deals
        written = (act.facts["score"] for act in reversed(self.acts[:at]) if "score" in act.facts)
        score = next(written, dict(zip(self.rules.side_letters, self.table.score, strict=False)))
        table.score = [score.get(letter, 0) for letter in self.rules.side_letters]
        table.phase, table.deals = Phase.DEAL, deals
        table.turn = table.dealer = Seat(SEATS.index(self.acts[at].step["by"]))
        self.table, self.lost = table, ""


def decisive(taken: Taken) -> Grounds:
    """Return the cells behind a difference, those that decide it first: of the refusal, the points or the trick."""
    if taken.refusal or not taken.differences:
        return taken.grounds
    kinds = {"scored": Scored, "score": Scored, _WINNER: TrickWon}
    kind = kinds.get(taken.differences[0].what)
    own = [path for event in taken.events if kind and isinstance(event, kind) for path in event.grounds]
    return tuple(dict.fromkeys((*own, *taken.grounds)))
