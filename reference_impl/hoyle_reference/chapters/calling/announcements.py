"""Elder's announcements of the best of each class, and younger's answers.

Implements SEMANTICS-PIQUET.md, announce-1 to announce-4.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

from ...acts import (
    ANSWERS,
    BLANK,
    CLASSES,
    EQUAL_TO,
    GOOD,
    NOT_GOOD,
    POINT,
    QUESTION,
    SEQUENCE,
    SET,
    Announce,
    Answer,
    Call,
)
from ...events import Event, awaits
from ...events.combinations import Announced, Asked, ClassDecided
from ...refusals import Malformed, Refusal
from ...seats import Seat, after
from ...table.states import Phase
from ...table.table import Table
from .. import blank
from . import classes, reckoning
from .classes import ClassRules, Holding
from .reckoning import whole_hand

#: An unknown height, which nothing can beat.
UNTOLD: Final = 1 << 30


def class_being_called(table: Table) -> str:
    """Return the class that is being called."""
    return table.classes[len(table.called.decided)]


def _open_to_elder(table: Table) -> Sequence[str]:
    """Return the classes that elder may announce now: the next one; or any, and so pass over the point (cell
    `classes.order`)."""
    undecided = table.classes[len(table.called.decided) :]
    return undecided if table.rules.of(ClassRules).order.value and not table.called.asked else undecided[:1]


def held(table: Table, seat: Seat, class_: str) -> Sequence[Holding]:
    """Return the combinations of a class that a player may call, the best first."""
    return classes.callable_(table.rules.of(ClassRules), class_, tuple(whole_hand(table, seat)))


def refuse_announce(table: Table, act: Announce) -> Refusal | None:
    """Return why an announcement is refused, or None: elder announces the classes in their order, each by its number of
    cards and, when asked, its height; no more is announced than is held (cells `classes.*`)."""
    if act.class_ == BLANK:
        return blank.refuse_announce(table, act)
    rules = table.rules.of(ClassRules)
    if table.phase is not Phase.ANNOUNCE:
        return Refusal("not-now", rules.order.grounds)
    if act.by != table.leader or table.turn != table.leader:
        return Refusal("not-your-turn", rules.first.grounds)
    return blank.refuse_first_call(table, act.by) or _refuse_to_announce(table, rules, act)


def _refuse_to_announce(table: Table, rules: ClassRules, act: Announce) -> Refusal | None:
    """Return why elder may not announce this of the class that is to be called, or None."""
    if act.class_ not in _open_to_elder(table):
        return Refusal("not-this-class", rules.order.grounds)
    incomplete = rules.called_in_full and act.count and not spoken(act)
    if incomplete or table.called.asked != (act.count is None):
        return Refusal("not-what-is-asked", rules.replies.grounds)
    if act.count == 0 or _matching(table, act):
        return None
    why = rules.best[act.class_].grounds + classes.makeup(rules, act.class_, ()) + rules.parts_too.grounds
    return Refusal("not-held", why)


def _matching(table: Table, act: Announce) -> list[Holding]:
    """Return the combinations in elder's hand that match an announcement."""
    count = table.called.count if act.count is None else act.count
    return [
        each
        for each in held(table, act.by, act.class_)
        if each.count == count and spoken(act) in {"", classes.said(each)}
    ]


def spoken(call: Announce | Call) -> str:
    """Return the height that an announcement names, or an empty text if it names none."""
    return call.top or call.rank or ("" if call.value is None else str(call.value))


def announce(table: Table, act: Announce) -> Iterator[Event]:
    """Yield the announcement, which stands until younger answers."""
    if act.class_ == BLANK:
        yield from blank.announce(table, act)
        return
    rules = table.rules.of(ClassRules)
    count = table.called.count if act.count is None else act.count
    matching, best = _matching(table, act), held(table, act.by, act.class_)[:1]
    sunk = _passed_over(table) or (best and (not matching or matching[0].key < best[0].key))
    why = rules.first.grounds + rules.order.grounds + rules.best[act.class_].grounds
    why += classes.makeup(rules, act.class_, matching) + (rules.parts_too.grounds if sunk else ())
    why += blank.why_lost(table, act.by)
    if act.class_ != POINT and not table.called.decided:
        yield ClassDecided(after(act.by, table.players), rules.order.grounds)
    yield Announced(act.by, act.class_, count, spoken(act), why)
    yield awaits(Phase.ANNOUNCE, after(act.by, table.players))


def _passed_over(table: Table) -> bool:
    """Whether elder has scored nothing in a class that was good."""
    won = {class_ for class_, seat in table.good_for.items() if seat == table.leader}
    return not won <= {class_of(table, each.meld) for each in table.scored[table.leader]}


def class_of(table: Table, meld: str) -> str:
    """Return the class that a combination belongs to."""
    return table.rules.of(ClassRules).by_id[meld].class_


def refuse_answer(table: Table, act: Answer) -> Refusal | None:
    """Return why an answer is refused, or None: younger answers truly, but may call good a call that could be beaten or
    equalled (cells `classes.replies`, `classes.sinking`)."""
    rules = table.rules.of(ClassRules)
    if table.phase is not Phase.ANNOUNCE:
        return Refusal("not-now", rules.order.grounds)
    if act.by != table.turn or table.turn == table.leader:
        return Refusal("not-your-turn", rules.first.grounds)
    return None if act.says == GOOD else _refuse_as_untrue(table, act)


def _refuse_as_untrue(table: Table, act: Answer) -> Refusal | None:
    """Return why an answer that denies, equals or asks does not fit younger's hand, or None."""
    rules, class_, called = table.rules.of(ClassRules), class_being_called(table), table.called
    asking = rules.asking_binds.grounds if class_ == POINT else ()
    if act.says == NOT_GOOD:
        better = _holds_better(table, act.by)
        return None if better else Refusal("nothing-better-held", rules.best[class_].grounds + asking)
    mine = _set_against_it(table, act.by)
    if act.says == EQUAL_TO:
        equal = bool(called.height) and any(each.key == _announced(table) for each in mine)
        return None if equal else Refusal("nothing-equal-held", rules.equal.grounds)
    if act.says != QUESTION.get(class_) or called.height or not called.count:
        return Refusal("not-to-be-asked", rules.replies.grounds)
    equal = any(each.count == called.count or (asking and each.count > called.count) for each in mine)
    return None if equal else Refusal("nothing-equal-held", rules.replies.grounds + asking)


def most_cards(table: Table, class_: str, count: int, height: str) -> int:
    """Return the most cards with which younger may have a class against a call: those of the call, if younger has asked
    for the value of the point (cell `classes.asking`)."""
    bound = class_ == POINT and height and table.rules.of(ClassRules).asking_binds.value
    return count if bound else len(table.rules.pack)


def _set_against_it(table: Table, seat: Seat) -> Sequence[Holding]:
    """Return the combinations with which younger may answer the announcement, the best first."""
    class_, called = class_being_called(table), table.called
    most = most_cards(table, class_, called.count, called.height)
    return [each for each in held(table, seat, class_) if each.count <= most]


def key(table: Table, class_: str, count: int, height: str) -> tuple[int, int]:
    """Return an announcement in the form in which combinations are compared; nothing beats an unknown height."""
    told = classes.height_said(class_, height, table.rules.of(ClassRules)) if height else UNTOLD
    return count, told


def _announced(table: Table) -> tuple[int, int]:
    return key(table, class_being_called(table), table.called.count, table.called.height)


def _holds_better(table: Table, seat: Seat) -> bool:
    """Whether a player holds a better combination than the one announced."""
    mine = _set_against_it(table, seat)
    return bool(mine) and mine[0].key > _announced(table)


def _holds_as_good(table: Table, seat: Seat) -> bool:
    """Whether a player's combination equals the one announced, as far as it is known."""
    mine, (count, height) = _set_against_it(table, seat), _announced(table)
    return bool(mine) and mine[0].key >= (count, 0 if height == UNTOLD else height)


def answer(table: Table, act: Answer) -> Iterator[Event]:
    """Yield the decision of the class (elder's, younger's or nobody's), or younger's question about the height of
    elder's combination."""
    rules, class_, called = table.rules.of(ClassRules), class_being_called(table), table.called
    best = rules.best[class_].grounds
    if act.says == QUESTION.get(class_):
        asking = rules.asking_binds.grounds if class_ == POINT else ()
        yield Asked(act.by, rules.replies.grounds + best + asking)
        yield awaits(Phase.ANNOUNCE, table.leader)
        return
    if act.says == EQUAL_TO:
        yield ClassDecided(None, rules.equal.grounds + best)
    elif act.says == NOT_GOOD:
        yield ClassDecided(act.by, rules.replies.grounds + best)
    else:
        sunk = rules.parts_too.grounds if _holds_as_good(table, act.by) else ()
        yield ClassDecided(table.leader if called.count else None, rules.replies.grounds + best + sunk)
    yield from reckoning.after_decision(table, class_)
    over = len(table.called.decided) == len(CLASSES)
    yield awaits(Phase.PLAY if over else Phase.ANNOUNCE, table.leader)


def open_announcements(table: Table) -> list[Announce]:
    """Return the announcements open to elder; before the exchange, that of a blank for any player."""
    if table.phase is Phase.EXCHANGE:
        return blank.open_announcements(table)
    if table.turn != table.leader:
        return []
    return [act for class_ in _open_to_elder(table) for act in _of_a_class(table, class_)]


def _of_a_class(table: Table, class_: str) -> Iterator[Announce]:
    called = table.called
    if not called.asked:
        yield Announce(table.turn, class_, 0)
    with_height = called.asked or class_ == SET or table.rules.of(ClassRules).called_in_full
    for count, height in dict.fromkeys(
        (each.count, classes.said(each) if with_height else "") for each in held(table, table.turn, class_)
    ):
        if not called.asked or count == called.count:
            value = int(height) if height and class_ == POINT else None
            top, rank = (height if class_ == each else "" for each in (SEQUENCE, SET))
            yield Announce(table.turn, class_, None if called.asked else count, value, top, rank)


def open_answers(table: Table) -> list[Answer]:
    """Return every answer that younger could give."""
    return [] if table.turn == table.leader else _answers(table.turn)


@cache
def _answers(seat: Seat) -> list[Answer]:
    return [Answer(seat, says) for says in ANSWERS]


#: The fields announced for each class: at first, and when asked.
_SAID: Final[Mapping[str, tuple[frozenset[str], ...]]] = MappingProxyType(
    {
        BLANK: (frozenset(),),
        POINT: (frozenset({"count"}), frozenset({"value"})),
        SEQUENCE: (frozenset({"count"}), frozenset({"top"})),
        SET: (frozenset({"count", "rank"}),),
    }
)


def sense_of_announcement(table: Table, act: Announce) -> None:
    """Raise Malformed if an announcement lacks the fields of its class: a point has a count or a value, a sequence a
    count or a top card, a set a count and a rank; if classes are called in full, a point or a sequence may have both.
    A count of 0 alone announces nothing."""
    if act.class_ not in _SAID:
        raise Malformed(f"no class '{act.class_}' of combinations")
    ways = _SAID[act.class_]
    if table.rules.of(ClassRules).called_in_full:
        ways += (frozenset().union(*ways),)
    given = {key for key in ("count", "value", "top", "rank") if getattr(act, key) not in {None, ""}}
    nothing = act.count == 0 and act.class_ != BLANK
    if given not in (({"count"},) if nothing else ways):
        known = " or ".join(" and ".join(f"'{key}'" for key in sorted(way)) or "nothing else" for way in ways)
        told = " and ".join(f"'{key}'" for key in sorted(given)) or "nothing"
        raise Malformed(f"a {act.class_} is announced by {known}; here by {told}")
