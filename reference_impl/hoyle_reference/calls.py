"""Calling: elder announces each class of combinations, younger answers, and what is good is specified and scored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from . import blank, classes, reckoning
from .acts import Announce, Answer, Declare
from .classes import CLASSES, POINT, SEQUENCE, SET, Held
from .events import Event, Scored
from .handling import Announced, Asked, ClassDecided, Specified
from .refusals import Grounds, Malformed, Violation
from .seats import Seat
from .table import Phase, Table

FIRST: Final[Grounds] = ("classes.first",)
ORDER: Final[Grounds] = ("classes.order",)
REPLIES: Final[Grounds] = ("classes.replies",)
EQUAL: Final[Grounds] = ("classes.equal",)
SINKING: Final[Grounds] = ("classes.sinking",)
SCORES_ALL: Final[Grounds] = ("classes.winner_scores",)
YOUNGER_SCORES: Final[Grounds] = ("classes.younger_scores",)
SPECIFIED: Final[Grounds] = ("classes.specified",)

GOOD: Final = "good"
NOT_GOOD: Final = "not-good"
EQUAL_TO: Final = "equal"
#: How younger asks for more, in the classes where that is done.
QUESTION: Final[Mapping[str, str]] = MappingProxyType({POINT: "making", SEQUENCE: "how-high"})
_UNTOLD: Final = 1 << 30
ANSWERS: Final = (GOOD, NOT_GOOD, EQUAL_TO, *QUESTION.values())


def now(table: Table) -> str:
    """The class that is being called."""
    return CLASSES[len(table.called.decided)]


def _held(table: Table, seat: Seat, class_: str) -> Sequence[Held]:
    """What a player may call of a class, the best first."""
    return classes.callable_(table.rules.classes, class_, tuple(table.hands[seat]))


def may_announce(table: Table, act: Announce) -> Violation | None:
    """Elder announces the classes in their order, each by its number of cards and, when asked, its height; no more is
    announced than is held (cells `classes.*`)."""
    if act.class_ == blank.BLANK:
        return blank.may_announce(table, act)
    if table.phase is not Phase.ANNOUNCE:
        return Violation("not-now", ORDER)
    if act.by != table.leader or table.turn != table.leader:
        return Violation("not-your-turn", FIRST)
    return _not_held_so(table, act)


def _not_held_so(table: Table, act: Announce) -> Violation | None:
    """Why elder may not announce this of the class that is to be called."""
    if act.class_ != now(table):
        return Violation("not-this-class", ORDER)
    if table.called.asked != (act.count is None):
        return Violation("not-what-is-asked", REPLIES)
    if act.count == 0 or _matching(table, act):
        return None
    return Violation("not-held", classes.BEST[act.class_] + classes.makeup(act.class_, ()) + SINKING)


def _matching(table: Table, act: Announce) -> list[Held]:
    """What elder holds that is as it is announced."""
    count = table.called.count if act.count is None else act.count
    return [
        held
        for held in _held(table, act.by, act.class_)
        if held.count == count and _spoken(act) in {"", classes.said(held)}
    ]


def _spoken(act: Announce) -> str:
    """What an announcement says of the height."""
    return act.top or act.rank or ("" if act.value is None else str(act.value))


def announce(table: Table, act: Announce) -> Iterator[Event]:
    """What is announced stands until younger answers."""
    if act.class_ == blank.BLANK:
        yield from blank.announce(table, act)
        return
    count = table.called.count if act.count is None else act.count
    matching, best = _matching(table, act), _held(table, act.by, act.class_)[:1]
    sunk = SINKING if best and (not matching or matching[0].key < best[0].key) else ()
    made_up = classes.makeup(act.class_, matching) + (SINKING if _passed_over(table) else ())
    yield Announced(act.by, count, _spoken(act), FIRST + ORDER + classes.BEST[act.class_] + made_up + sunk)


def _passed_over(table: Table) -> bool:
    """Whether elder has scored nothing in a class that was good."""
    won = (at for at, seat in enumerate(table.called.decided) if seat == table.leader)
    scored = {_class_of(table, each.meld) for each in table.scored[table.leader]}
    return any(at not in scored for at in won)


def may_answer(table: Table, act: Answer) -> Violation | None:
    """Younger answers truly, but may call good what could be beaten or equalled (cells `classes.replies`,
    `classes.sinking`)."""
    if table.phase is not Phase.ANNOUNCE:
        return Violation("not-now", ORDER)
    if act.by != table.turn or table.turn == table.leader:
        return Violation("not-your-turn", FIRST)
    return None if act.says == GOOD else _untrue(table, act)


def _untrue(table: Table, act: Answer) -> Violation | None:
    """Why an answer that denies, equals or asks does not fit what younger holds."""
    class_, called = now(table), table.called
    if act.says == NOT_GOOD:
        held = _holds_better(table, act.by)
        return None if held else Violation("nothing-better-held", classes.BEST[class_])
    mine = _held(table, act.by, class_)
    if act.says == EQUAL_TO:
        equal = bool(called.height) and any(each.key == _announced(table) for each in mine)
        return None if equal else Violation("nothing-equal-held", EQUAL)
    if act.says != QUESTION.get(class_) or called.height or not called.count:
        return Violation("not-to-be-asked", REPLIES)
    equal = any(each.count == called.count for each in mine)
    return None if equal else Violation("nothing-equal-held", REPLIES)


def _key(table: Table, class_: str, count: int, height: str) -> tuple[int, int]:
    """What was announced, as combinations are compared; a height that has not been told is beaten by none."""
    told = classes.height_said(class_, height, table.rules.classes) if height else _UNTOLD
    return count, told


def _announced(table: Table) -> tuple[int, int]:
    return _key(table, now(table), table.called.count, table.called.height)


def _holds_better(table: Table, seat: Seat) -> bool:
    """Whether a player holds better than what is announced."""
    mine = _held(table, seat, now(table))
    return bool(mine) and mine[0].key > _announced(table)


def _holds_as_good(table: Table, seat: Seat) -> bool:
    """Whether a player holds as much as what is announced, for all that has been told."""
    mine, (count, height) = _held(table, seat, now(table)), _announced(table)
    return bool(mine) and mine[0].key >= (count, 0 if height == _UNTOLD else height)


def answer(table: Table, act: Answer) -> Iterator[Event]:
    """The class is elder's, younger's or nobody's; or younger wants to know how high elder's combination is."""
    class_, called = now(table), table.called
    if act.says == QUESTION.get(class_):
        yield Asked(act.by, REPLIES + classes.BEST[class_])
        return
    last = len(called.decided) + 1 == len(CLASSES)
    sunk = SINKING if act.says == GOOD and _holds_as_good(table, act.by) else ()
    if act.says == EQUAL_TO:
        yield ClassDecided(None, last, EQUAL + classes.BEST[class_])
    elif act.says == NOT_GOOD:
        yield ClassDecided(act.by, last, REPLIES + classes.BEST[class_])
    else:
        yield ClassDecided(table.leader if called.count else None, last, REPLIES + classes.BEST[class_] + sunk)


def may_declare(table: Table, act: Declare) -> Violation | None:
    """Who has the better of a class scores it, and lesser ones of the class, each with its very cards: elder at once,
    younger after elder's lead (cells `classes.*`)."""
    class_ = table.rules.classes.by_id[act.meld].class_
    closed = not_the_moment(table, act.by, class_)
    if closed is not None:
        return closed
    if not set(act.cards) <= set(table.hands[act.by]):
        return Violation("card-not-held", SPECIFIED)
    taken = _beside_the_others(table, act, class_)
    if taken is not None:
        return taken
    if _as_held(table, act) is None:
        return Violation("not-a-combination", (table.rules.classes.by_id[act.meld].path, *SINKING))
    return _in_its_place(table, act, class_)


def not_the_moment(table: Table, seat: Seat, class_: str) -> Violation | None:
    """Why a player may score no combination of a class now, whatever the cards."""
    decided, at = table.called.decided, CLASSES.index(class_)
    if table.phase not in {Phase.ANNOUNCE, Phase.PLAY} or at >= len(decided):
        return Violation("not-now", ORDER)
    if decided[at] != seat:
        return Violation("class-not-won", EQUAL if decided[at] is None else REPLIES)
    elder = table.dealer != seat
    if not elder and not (table.phase is Phase.PLAY and (table.trick or any(table.won))):
        return Violation("only-after-the-lead", YOUNGER_SCORES)
    if elder:
        open_ = at == len(decided) - 1 and table.turn == seat and not table.called.asked and _nothing_led(table)
        return None if open_ else Violation("class-is-closed", ORDER)
    open_ = table.turn == seat and not any(table.won) and len(table.trick) == 1
    return None if open_ else Violation("class-is-closed", YOUNGER_SCORES)


def _nothing_led(table: Table) -> bool:
    return not table.trick and not any(table.won)


def _class_of(table: Table, meld: str) -> int:
    return CLASSES.index(table.rules.classes.by_id[meld].class_)


def _as_held(table: Table, act: Declare) -> Held | None:
    """The combination as the hand holds it, if it may be called so."""
    class_ = table.rules.classes.by_id[act.meld].class_
    fits = (each for each in _held(table, act.by, class_) if each.kind.id == act.meld and each.cards == act.cards)
    return next(fits, None)


def _beside_the_others(table: Table, act: Declare, class_: str) -> Violation | None:
    """One point is scored; sequences and sets of a class share no card; a void suit stands for one of a class."""
    rules = table.rules.classes
    scored = [each for each in table.scored[act.by] if rules.by_id[each.meld].class_ == class_]
    if scored and (class_ == POINT or not rules.winner_scores_all):
        return Violation("one-of-the-class", classes.POINT_WORTH if class_ == POINT else SCORES_ALL)
    if any(not set(each.cards).isdisjoint(act.cards) for each in scored):
        return Violation("in-another-of-its-class", SPECIFIED + SCORES_ALL)
    if not act.cards:
        voids = sum(not held.cards for held in _held(table, act.by, class_))
        if sum(not each.cards for each in scored) >= voids:
            return Violation("in-another-of-its-class", (rules.by_id[act.meld].path,))
    return None


def _in_its_place(table: Table, act: Declare, class_: str) -> Violation | None:
    """Elder scores first what was announced, and nothing higher; younger first what beats it."""
    held, at = _as_held(table, act), CLASSES.index(class_)
    assert held is not None, "looked for before"
    announced = _key(table, class_, *table.called.announced[at])
    first = all(_class_of(table, each.meld) != at for each in table.scored[act.by])
    if act.by == table.dealer:
        return Violation("better-one-first", REPLIES) if first and held.key <= announced else None
    if held.key > announced:
        return Violation("higher-than-announced", classes.BEST[class_] + SINKING)
    return Violation("announced-one-first", REPLIES) if first and not _is_as_announced(held, announced) else None


def _is_as_announced(held: Held, announced: tuple[int, int]) -> bool:
    count, height = announced
    return held.count == count and height in {_UNTOLD, held.height}


def declare(table: Table, act: Declare) -> Iterator[Event]:
    """The combination is specified and scored; points for combinations may make a repique."""
    held = _as_held(table, act)
    assert held is not None, "an act that is refused is not carried out"
    class_ = held.kind.class_
    again = any(_class_of(table, each.meld) == CLASSES.index(class_) for each in table.scored[act.by])
    lesser = SCORES_ALL if again else ()
    later = YOUNGER_SCORES if act.by == table.dealer else ()
    red = reckoning.CARTE_ROUGE if table.rules.reckoning.carte_rouge else ()
    yield Specified(act.by, act.meld, act.cards, (*SPECIFIED, *lesser, *later, *red))
    yield Scored(act.by, held.points, act.meld, (held.kind.path,))
    yield from reckoning.after_combination(table, act.by, held.points)


def choices_to_announce(table: Table) -> Iterator[Announce]:
    """Every announcement that is open to elder."""
    if table.turn != table.leader:
        return
    class_, called = now(table), table.called
    held = _held(table, table.turn, class_)
    if not called.asked:
        yield Announce(table.turn, class_, 0)
    for count, height in dict.fromkeys(_as_announced(each, class_, called.asked) for each in held):
        if not called.asked:
            yield Announce(table.turn, class_, count, rank=height)
        elif count == called.count:
            yield _telling(table.turn, class_, height)


def _as_announced(held: Held, class_: str, asked: bool) -> tuple[int, str]:
    """What of a combination is said: its number of cards, and its height if that is asked or belongs to the call."""
    return held.count, classes.said(held) if asked or class_ == SET else ""


def _telling(seat: Seat, class_: str, height: str) -> Announce:
    return Announce(seat, class_, value=int(height)) if class_ == POINT else Announce(seat, class_, top=height)


def choices_to_answer(table: Table) -> list[Answer]:
    """Every answer that is open to younger."""
    if table.turn == table.leader:
        return []
    acts = [Answer(table.turn, says) for says in ANSWERS]
    return [act for act in acts if may_answer(table, act) is None]


def choices_to_declare(table: Table) -> Iterable[Declare]:
    """Every combination that the player whose turn it is may specify and score now."""
    return () if any(table.won) else _declarable(table)


def _declarable(table: Table) -> Iterator[Declare]:
    for at, seat in enumerate(table.called.decided):
        if seat != table.turn or not_the_moment(table, seat, CLASSES[at]):
            continue
        for meld, cards in dict.fromkeys((held.kind.id, held.cards) for held in _held(table, seat, CLASSES[at])):
            act = Declare(seat, meld, cards)
            if may_declare(table, act) is None:
                yield act


#: What is said of each class: at first, and when it is asked.
_SAID: Final[Mapping[str, tuple[frozenset[str], ...]]] = MappingProxyType(
    {
        blank.BLANK: (frozenset(),),
        POINT: (frozenset({"count"}), frozenset({"value"})),
        SEQUENCE: (frozenset({"count"}), frozenset({"top"})),
        SET: (frozenset({"count", "rank"}),),
    }
)


def sense_of_announcement(_table: Table, act: Announce) -> None:
    """Raise Malformed where an announcement does not say what is said of its class: a point has a count or a value, a
    sequence a count or a top card, a set a count and a rank; that there is none is a count of 0 alone."""
    if act.class_ not in _SAID:
        raise Malformed(f"no class '{act.class_}' of combinations")
    given = {key for key in ("count", "value", "top", "rank") if getattr(act, key) not in {None, ""}}
    if given not in (({"count"},) if act.count == 0 else _SAID[act.class_]):
        ways = " or ".join(
            " and ".join(f"'{key}'" for key in sorted(way)) or "nothing else" for way in _SAID[act.class_]
        )
        told = " and ".join(f"'{key}'" for key in sorted(given)) or "nothing"
        raise Malformed(f"a {act.class_} is announced by {ways}; here by {told}")
