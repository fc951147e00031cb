"""Engines with mistakes that few questions find: each is right but for one thing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from faults import ADAPTERS, Message, Patch, Respond, adapter, rules_of_the_suite, with_faults
from kinds import answering, says
from ways import InItsWay, Step

from hoyle_conformance.checks.setup.trace import answer_standalone
from hoyle_conformance.runner.consensus import face
from hoyle_reference import Game, Refusal, Rules, Table
from hoyle_reference.acts import Act, Declare
from hoyle_reference.cards import Card, face_of
from hoyle_reference.chapters.calling import class_scores, reckoning
from hoyle_reference.chapters.calling.classes import Holding
from hoyle_reference.chapters.declare import declarations, reuse
from hoyle_reference.chapters.referee import findings
from hoyle_reference.chapters.referee.rows import Irregularity, RefereeRules
from hoyle_reference.events import Dealt, Event, Played, Scored
from hoyle_reference.events.combinations import Exchanged
from hoyle_reference.events.referee import Erred
from hoyle_reference.seats import Seat
from hoyle_reference.table.states import Cause, Combination

_SEQUENCE = sorted("ATKQJ")


def _is_sequence(cards: Sequence[str]) -> bool:
    """Whether these are the five best cards of a suit."""
    return sorted(card[0] for card in cards) == _SEQUENCE and len({card[1] for card in cards}) == 1


@adapter
def pays_any_sequence_150() -> Respond:
    """It values combinations of Bézique, and has a plain sequence for 150, which the book does not."""
    suite = rules_of_the_suite()
    game = suite.rules.fresh_game("bezique-hoyle")

    def worth(step: Step, position: Mapping[str, Any]) -> Any:
        right = answer_standalone(game, {"trumps": position.get("trumps"), **step})
        if right or not _is_sequence(step["cards"]):
            return right
        if "meld" not in step:
            return {"meld": "plain-sequence", "points": 150}
        return 150 if step["meld"] == "plain-sequence" else 0

    return answering(says("pays any sequence", ["bezique-hoyle"], ["worth", "worth-of-cards"]), worth)


class StampsTheTable(InItsWay):
    """When a combination scores, it stamps its value on every card that lies on the table, and not only on its own."""

    def take(self, rules: Rules, message: Message) -> Iterator[dict[str, Any]]:
        """Yield one observation a step; a card stamped with as much scores nothing less."""
        asked = {**message, "observe": sorted({*message["observe"], "shown", "score"})}
        stamped: dict[str, int] = {}
        steps: list[Step] = []
        for step in message["steps"]:
            cards = [face(card) for card in step.get("cards", ())] if step.get("do") == "declare" else []
            seen = list(super().take(rules, {**asked, "steps": [*steps, step]}))
            points = self.points(seen, message["position"]["score"])
            if cards and points and any(stamped.get(card, 0) >= points for card in cards):
                before = seen[-2] if len(seen) > 1 else message["position"]
                yield {"accepted": False, **{key: before[key] for key in message["observe"] if key in before}}
                continue
            steps.append(step)
            if cards and points:
                lie = {face(card) for shown in seen[-1]["shown"].values() for card in shown} - set(cards)
                stamped.update({card: max(points, stamped.get(card, 0)) for card in lie})
            yield {key: value for key, value in seen[-1].items() if key in {"accepted", "answer", *message["observe"]}}

    @staticmethod
    def points(seen: Sequence[Mapping[str, Any]], score: Mapping[str, int]) -> int:
        """What the last act has scored."""
        scores = [score, *(each["score"] for each in seen if "score" in each)]
        return sum(scores[-1].values()) - sum(scores[-2].values()) if len(scores) > 1 else 0


@adapter
def stamps_cards() -> Respond:
    claims = ["tricks", "drawing", "declarations", "score", "legal-plays"]
    ready = says("stamps the table", ["bezique-hoyle"], claims, position="any")
    return StampsTheTable(rules_of_the_suite(), **ready)


@adapter
def stamps_cards_and_cannot_draw() -> Respond:
    """It stamps the table too, and claims no draw: only two declarations after one trick show the stamps."""
    claims = ["worth", "declare", "refuse-declare", "score"]
    ready = says("stamps, and does not draw", ["bezique-britannica"], claims, position="any")
    return StampsTheTable(rules_of_the_suite(), **ready)


class _AnyRefusal(tuple[str, ...]):
    """The reasons for refusals that an irregularity breaks: whatever is asked for is one."""

    __slots__ = ()

    def __contains__(self, _code: object) -> bool:
        return True


@adapter
def carries_out_any_illegal_act_by_any_name() -> Respond:
    """It does not ask for what reason an act is refused that is done under the name of an irregularity."""
    right = RefereeRules.row

    def row(rules: RefereeRules, word: str) -> Irregularity:
        found = right(rules, word)
        return replace(found, breaks=_AnyRefusal(found.breaks)) if found.breaks else found

    rulesets = ("bezique-britannica", "piquet-hoyle")
    return with_faults(rulesets, Patch(RefereeRules, "row", row))


@adapter
def takes_a_lead_out_of_turn_for_an_early_draw() -> Respond:
    right = Erred.change

    def change(self: Erred, table: Table) -> None:
        right(self, table)
        table.referee.drawn_early[self.error.seat] |= self.error.seat != table.turn

    return with_faults(("bezique-britannica",), Patch(Erred, "change", change))


@adapter
def finds_nine_cards_before_the_play() -> Respond:
    """It reads that nine cards cost points if the other holds no more than eight, and does not ask who has played."""

    def more(table: Table) -> list[Seat]:
        surplus = table.referee.surplus
        return [Seat(seat) for seat, cards in enumerate(surplus) if cards > 0 >= min(surplus)]

    found = {**findings.FINDS, "plays-with-more-another-not": more}
    readings = {"referee.irregularities.too-many-cards": "the-other-with-eight-or-fewer"}
    return with_faults(("bezique-britannica",), Patch(findings, "FINDS", found), readings=readings)


#: Whether a combination that is kept is lost with a card that is played, when all these are kept.
Loses = Callable[[Combination, Card, Sequence[Combination]], bool]
#: Rulesets in which something may be kept; and a reading by which it stays when its cards score in a sequence.
KEEPING = ("bezique-h2g2", "four-handed-h2g2")
STAYS = {"declare.lower_kept_when_higher_scores": "stays"}


def _losing(loses: Loses, *, forever: bool) -> Patch:
    """An engine that loses what is kept by another rule: the same cards cannot be kept any more, or even not score."""
    right = Played.change

    def change(self: Played, table: Table) -> None:
        right(self, table)
        for seat, kept in enumerate(table.kept):
            lost = [each for each in kept if self.card not in each.cards and loses(each, self.card, kept)]
            table.kept[seat] = [each for each in kept if each not in lost]
            table.scored[seat] += lost if forever else []

    return Patch(Played, "change", change)


def _a_twin(kept: Combination, card: Card, _all: Sequence[Combination]) -> bool:
    return face_of(card) in map(face_of, kept.cards)


def _a_card_of_another(_kept: Combination, card: Card, all_: Sequence[Combination]) -> bool:
    return any(card in each.cards for each in all_)


#: Loses a kept combination though nothing has happened to it.
_SURVIVES = Patch(declarations, "_lapses", lambda *_lost: iter(()))


@adapter
def loses_what_is_kept_with_a_twin() -> Respond:
    return with_faults(KEEPING, _losing(_a_twin, forever=True))


@adapter
def loses_what_is_kept_with_a_card_of_another() -> Respond:
    return with_faults(KEEPING, _losing(_a_card_of_another, forever=True))


@adapter
def forgets_what_is_kept_with_a_twin() -> Respond:
    return with_faults(("bezique-bicycle",), _losing(_a_twin, forever=False), readings=STAYS)


@adapter
def forgets_what_is_kept_with_a_card_of_another() -> Respond:
    return with_faults(("bezique-bicycle",), _losing(_a_card_of_another, forever=False), readings=STAYS)


@adapter
def scores_what_is_kept_without_its_cards() -> Respond:
    """Keep a combination though one of its cards has been played."""
    right = Game.check

    def check(self: Game, act: Act) -> Refusal | None:
        refused = right(self, act)
        lost = refused is not None and refused.code == "card-not-held"
        return None if lost and isinstance(act, Declare) and declarations.waits(self.table, act) else refused

    return with_faults(KEEPING, _SURVIVES, Patch(Game, "check", check))


@adapter
def keeps_a_marriage_in_its_twin() -> Respond:
    """Keep a combination in another card of the same face."""

    def is_kept(tried: reuse.Attempt) -> bool:
        cards = sorted(map(face_of, tried.act.cards))
        kept = tried.table.kept[tried.table.rules.side_of[tried.act.by]]
        return any(cards == sorted(map(face_of, each.cards)) for each in kept)

    return with_faults(("bezique-bicycle",), _SURVIVES, Patch(reuse, "_is_kept", is_kept), readings=STAYS)


@adapter
def leaves_a_seven_that_is_exchanged() -> Respond:
    """It reads that a seven may be exchanged after being shown; the seven then lies in two places."""
    right = Exchanged.change

    def change(self: Exchanged, table: Table) -> None:
        lay = self.card in table.shown[self.seat]
        right(self, table)
        table.shown[self.seat].update({self.card} if lay else ())

    readings = {"seven.after_being_shown": "exchange-without-points"}
    return with_faults(("bezique-hoyle",), Patch(Exchanged, "change", change), readings=readings)


@adapter
def takes_a_point_for_the_better_sequence() -> Respond:
    """Younger, who has scored in one class, need not begin with the better one in the next."""
    right = class_scores._refuse_out_of_place

    def refuse(table: Table, act: Declare, holding: Holding) -> Refusal | None:
        refused = right(table, act, holding)
        other = refused is not None and refused.code == "better-one-first" and table.scored[act.by]
        return None if other else refused

    return with_faults(("piquet-hoyle",), Patch(class_scores, "_refuse_out_of_place", refuse))


@adapter
def makes_a_pique_beside_a_repique() -> Respond:
    """It reads that thirty in the hand may make a pique, and does not ask whether they have made a repique."""
    right = reckoning._repique

    def repique(table: Table, seat: Seat, points: int) -> Iterator[Event]:
        for event in right(table, seat, points):
            yield replace(event, cause=Cause.BESIDE) if isinstance(event, Scored) else event

    readings = {"reckoning.pique.thirty_before": "pique", "reckoning.pique.by": "either-player"}
    flat = ("piquet-saunt-parlett+ten-for-the-last",)
    return with_faults(flat, Patch(reckoning, "_repique", repique), readings=readings)


@adapter
def remembers_the_blank_of_the_last_deal() -> Respond:
    right = Dealt.change

    def change(self: Dealt, table: Table) -> None:
        blanks = table.blanks
        right(self, table)
        table.blanks = blanks

    return with_faults(("piquet-hoyle",), Patch(Dealt, "change", change))


def slips() -> list[str]:
    """The names of all of them."""
    here = [make.__name__.replace("_", "-") for make in globals().values() if make in ADAPTERS.values()]
    return [name for name in here if ADAPTERS[name].__module__ == __name__]
