"""Given up: what is good and could be scored now, and is scored no more once something else is done."""

from collections.abc import Iterable, Mapping
from typing import Final

from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.text import join_and
from hoyle_reference import Game, Refusal
from hoyle_reference.chapters.calling.class_scores import not_the_moment
from hoyle_reference.chapters.calling.classes import ClassRules
from hoyle_reference.table.acts import Act, Declare, by
from hoyle_reference.table.cards import name

#: Why what was good is scored no more.
_CLOSED: Final = "class-is-closed"


def given_up(game: Game, act: Act, scored_now: Iterable[Declare], melds: Mapping[str, str]) -> str:
    """Return the combinations that may be scored now and not after an act, in words; "" if there are none."""
    own = [each for each in scored_now if each.by == by(act)]
    if not own or isinstance(act, Declare) or game.rules.get(ClassRules) is None:
        return ""
    after = game.clone()
    after.attempt(act)
    gone = [each for each in own if _is_closed(after, each)]
    said = [_called(each, melds) for each in _together(game, gone)]
    return f"Gives up {join_and(said)}" if said else ""


def _called(act: Declare, melds: Mapping[str, str]) -> str:
    cards = printed.cards(printed.sort_hand([name(each) for each in act.cards]))
    return f"{melds.get(act.meld, act.meld)} {cards}".rstrip()


def _is_closed(game: Game, act: Declare) -> bool:
    refusal = not_the_moment(game.table, act.by, game.rules.of(ClassRules).by_id[act.meld].class_)
    return refusal is not None and refusal.code == _CLOSED


def _together(game: Game, acts: Iterable[Declare]) -> list[Declare]:
    """Of some combinations those that can be scored one after the other, the greatest first."""
    trial = game.clone()
    return [act for act in sorted(acts, key=lambda act: -len(act.cards)) if not isinstance(trial.attempt(act), Refusal)]
