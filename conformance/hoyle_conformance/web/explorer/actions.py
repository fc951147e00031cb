"""Actions at a table, in a player's words: the legal acts, the most significant first, and the acts, questions and
irregularities to try."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.web.explorer.forms import SEVERAL, Vocabulary, irregular, kinds, questions
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import rulings, words
from hoyle_conformance.wording.calls import ANSWERS
from hoyle_conformance.wording.cards import suit_name
from hoyle_conformance.wording.rulings import plain
from hoyle_conformance.wording.text import join_and, sentence
from hoyle_reference import CHANCE, Game, Phase, Refusal, Rules, read_act, write_act
from hoyle_reference.acts import (
    POINT,
    SEQUENCE,
    SET,
    Act,
    Announce,
    Answer,
    CarteBlanche,
    Choose,
    Declare,
    Discard,
    Draw,
    Exchange,
    Hold,
    Peep,
    Play,
    Prove,
    Show,
    alike,
    by,
)
from hoyle_reference.cards import RANK_NAMES, RANKS, name, rank_of, suit_of
from hoyle_reference.seats import Seat, ring, seat_name

Names = Mapping[str, str]

#: The acts by which a player scores at once, or may do so.
_SCORING: Final = (Declare, Exchange, Show, CarteBlanche, Prove, Peep)

#: The maximum number of acts to list; for the rest, only their number is given.
MOST: Final = 60
#: The kinds of acts in the order of the list: rare ones that deserve attention first, those always possible last.
_TELLING: Final[tuple[type[Act], ...]] = (
    *(Choose, Answer, Prove, CarteBlanche, Declare, Announce, Exchange, Show, Hold, Peep, Discard, Play, Draw),
)


def acts(
    game: Game,
    melds: Names,
    documents: Mapping[str, Any],
    others: Sequence[Rules] = (),
    known: frozenset[str] | None = None,
) -> dict[str, Any]:
    """Return the legal acts at a table, and the kinds of acts, questions and irregularities to try, also under
    `others`. If only some cards are `known`, no legal act uses any other card."""
    vocabulary = Vocabulary((game.rules, *others), melds, documents)
    legal, more = legal_acts(game, melds, known)
    return {
        "by": whose_turn(game),
        "legal": legal,
        "more": more,
        "kinds": kinds(game, vocabulary),
        "questions": questions(game, vocabulary),
        "irregular": irregular(vocabulary),
    }


def whose_turn(game: Game) -> str | None:
    """Return the player to act; None before the cut, and after the end of the game."""
    return None if game.table.phase in {Phase.CUT, Phase.OVER} else seat_name(game.table.turn)


def legal_acts(game: Game, melds: Names, known: frozenset[str] | None = None) -> tuple[list[dict[str, Any]], int]:
    """Return the open acts with known cards, those of the player to act first, and the number of further acts."""
    if game.table.phase in CHANCE or game.is_over:
        return [], 0
    listed, unlisted = _listed(game)
    together = _everybody_draws(game)
    own = [act for act in listed if not isinstance(act, Draw)]
    draws = [act for act in listed if isinstance(act, Draw)]
    steps = [*map(write_act, own), *together, *map(write_act, [*draws, *_claims(game)])]
    steps = [step for step in steps if known is None or known.issuperset(_cards(step))]
    scored = [
        act for act in own if isinstance(act, Declare) and (known is None or known.issuperset(map(name, act.cards)))
    ]
    shown = [_shown(game, melds, step, scored) for step in steps[:MOST]]
    return shown, unlisted + len(steps) - len(shown)


def acts_of(game: Game, melds: Names, seat: str) -> list[dict[str, Any]]:
    """Return the acts open to one player, without claims, and with only one discard: that of no cards. Acts that score
    at once have their `points`."""
    if game.table.phase in CHANCE or game.is_over:
        return []
    who = Seat(game.rules.letters.index(seat))
    own = [act for act in _listed(game)[0] if by(act) == who]
    scored = [act for act in own if isinstance(act, Declare)]
    shown = []
    for act in own:
        points = points_of(game, act)
        made = _shown(game, melds, write_act(act), scored)
        shown.append({**made, "points": points} if points else made)
    return shown


def points_of(game: Game, act: Act) -> int:
    """Return the points that an act scores at once for its player; 0 for cards that are played or discarded."""
    who = by(act)
    if who is None or not isinstance(act, _SCORING):
        return 0
    after = game.clone()
    after.attempt(act)
    side = game.rules.side_of[who]
    return after.table.score[side] - game.table.score[side]


def _shown(game: Game, melds: Names, step: Mapping[str, Any], scored: Sequence[Declare]) -> dict[str, Any]:
    """Return an act with its words, and with the scores that it gives up."""
    says = sentence(words.step(step, melds))
    made = {"step": dict(step), "says": says, "short": short(game.rules, melds, step), "cards": _cards(step)}
    lost = given_up(game, read_act(game.rules, step), scored, melds) if scored and step["do"] not in SEVERAL else ""
    return {**made, "gives_up": lost} if lost else made


def _cards(step: Mapping[str, Any]) -> list[str]:
    return [step["card"]] if "card" in step else list(step.get("cards", ()))


def _listed(game: Game) -> tuple[list[Act], int]:
    """Return the open acts in order, and the number of acts too many to list: discards."""
    found: list[Act] = []
    unlisted = 0
    for part in game.legal_actions.parts:
        if isinstance(part, list):
            found += part
        else:
            none = [act for act in (Discard(game.table.turn, ()),) if act in game.legal_actions]
            found += none
            unlisted += len(part) - len(none)
    return _in_order(game, found), unlisted


def _in_order(game: Game, found: Iterable[Act]) -> list[Act]:
    """Return acts, the most significant first; an act that differs from an earlier one only in copies of its cards
    comes last."""
    in_order = sorted(found, key=lambda act: _telling(game, act))
    first = {alike(act): act for act in reversed(in_order)}
    again = [act for act in in_order if first[alike(act)] is not act]
    return [*(act for act in in_order if first[alike(act)] is act), *again]


def _telling(game: Game, act: Act) -> tuple[Any, ...]:
    """Return a sort key: the player to act first; then kinds; combinations by points or number of cards; cards as a
    player sorts them."""
    others = by(act) != game.table.turn
    cards = (act.card,) if isinstance(act, (Play, Exchange, Show)) else getattr(act, "cards", ())
    return (
        others,
        _TELLING.index(type(act)),
        -_weight(game.rules, act),
        [(-suit_of(each), -rank_of(each), each) for each in cards],
    )


def _weight(rules: Rules, act: Act) -> int:
    if isinstance(act, Announce):
        return act.count or 0
    if "declare" in rules.chapters and isinstance(act, (Declare, Hold)):
        return rules.declare.melds.by_id[act.meld].points
    return 0


def _everybody_draws(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the step in which everybody draws, if everybody may and nobody has drawn yet."""
    table = game.table
    if table.still_to_draw != ring(table.turn, table.players) or Draw(table.turn) not in game.legal_actions:
        return
    trial = game.clone()
    if all(not isinstance(trial.attempt(Draw(seat)), Refusal) for seat in table.still_to_draw):
        yield {"by": seat_name(table.turn), "do": "draw-all"}


def _claims(game: Game) -> Iterator[Act]:
    """Yield the irregularities that may be claimed now, with the claimant."""
    for word in game.rules.referee.rows if "referee" in game.rules.chapters else ():
        for letter in game.rules.letters:
            claim = _sensible(game, {"by": letter, "do": "claim", "irregularity": word})
            if claim is not None:
                yield claim


def _sensible(game: Game, step: Mapping[str, str]) -> Act | None:
    act = read_act(game.rules, step)
    return act if act in game.legal_actions else None


# ---- scores given up

#: The refusal code of a combination that can no longer be scored.
_CLOSED: Final = "class-is-closed"


def given_up(game: Game, act: Act, scored_now: Iterable[Declare], melds: Mapping[str, str]) -> str:
    """Return, in words, the combinations that may be scored now but not after an act; "" if there are none."""
    own = [each for each in scored_now if each.by == by(act)]
    if not own or isinstance(act, Declare) or "classes" not in game.rules.chapters:
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
    refusal = game.check(act)
    return refusal is not None and refusal.code == _CLOSED


def _together(game: Game, acts: Iterable[Declare]) -> list[Declare]:
    """Return those of some combinations that can be scored one after another, the largest first."""
    trial = game.clone()
    return [act for act in sorted(acts, key=lambda act: -len(act.cards)) if not isinstance(trial.attempt(act), Refusal)]


# ---- short words for acts


Step = Mapping[str, Any]

_NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
#: The choices, as button labels.
_CHOSEN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "deals": "Deal",
        "leaves-the-deal": "Leave the deal",
        "exposes-the-rest": "Turn up the rest",
        "looks-at-the-rest": "Look at the rest",
        "leaves-the-rest": "Leave the rest",
        "adds": "Add the points",
        "deducts": "Deduct the points",
        "deal-stands": "Let the deal stand",
        "deals-again": "Have it dealt again",
        "hand-is-completed": "Complete the hand",
        "surplus-is-drawn": "Draw the surplus",
        "surplus-stays": "Leave the surplus",
        "first-lifted": "The first card lifted",
        "second-lifted": "The second card lifted",
        "upper-card": "The upper card",
        "lower-card": "The lower card",
    }
)


def short(rules: Rules, melds: Names, step: Step) -> str:
    """Return an act or question in a player's few words."""
    return _SHORT[step["do"]](rules, melds, step)


def _meld(melds: Names, step: Step) -> str:
    return melds.get(step["meld"], plain(step["meld"]))


def _declare(rules: Rules, melds: Names, step: Step) -> str:
    verb = "Score" if "classes" in rules.chapters else "Declare"
    return f"{verb} {_meld(melds, step)}"


def _announce(rules: Rules, melds: Names, step: Step) -> str:
    class_ = step["class"]
    if step.get("count") == 0:
        return f"No {class_}"
    if class_ == POINT:
        return f"Point of {_NUMBERS[step['count']]}" if "count" in step else f"Making {step['value']}"
    if class_ == SEQUENCE:
        return _sequence(rules, melds, step["count"]) if "count" in step else _top(step["top"])
    return _set(rules, melds, step) if class_ == SET else f"Announce a {class_}"


def _sequence(rules: Rules, melds: Names, count: int) -> str:
    """Return the name of a sequence of this many cards, or a description if the game has no name."""
    kind = rules.classes.sequences.get(count)
    return melds.get(kind.id, kind.id).capitalize() if kind else f"Sequence of {_NUMBERS[count]}"


def _top(top: str) -> str:
    return f"{RANK_NAMES[RANKS.index(top)].capitalize()} high" if top in RANKS else "A void suit"


def _set(rules: Rules, melds: Names, step: Step) -> str:
    kind = rules.classes.sets.get(step["count"])
    name = melds.get(kind.id, kind.id).capitalize() if kind else f"Set of {_NUMBERS[step['count']]}"
    return f"{name} of {plural_rank(RANK_NAMES[RANKS.index(step['rank'])])}"


def plural_rank(rank: str) -> str:
    """Return the plural name of a rank."""
    return f"{rank}es" if rank == "six" else f"{rank}s"


def _peep(_rules: Rules, _melds: Names, step: Step) -> str:
    return f"Name {suit_name(step['suit'])} and look" if "suit" in step else "Look at the rest"


def _discard(_rules: Rules, _melds: Names, step: Step) -> str:
    return "Exchange" if step["cards"] else "Exchange nothing"


def _choose(_rules: Rules, _melds: Names, step: Step) -> str:
    return _CHOSEN.get(step["choice"]) or rulings.choice(step["choice"]).capitalize()


def _draw(_rules: Rules, _melds: Names, step: Step) -> str:
    return "Draw" if step.get("count", 1) == 1 else f"Draw {_NUMBERS[step['count']]}"


_SHORT: Final[Mapping[str, Callable[[Rules, Names, Step], str]]] = MappingProxyType(
    {
        "choose": _choose,
        "play": lambda _r, _m, _s: "Play",
        "declare": _declare,
        "hold": lambda _r, melds, step: f"Keep {_meld(melds, step)} to score",
        "exchange": lambda _r, _m, _s: "Exchange the seven",
        "show": lambda _r, _m, _s: "Show the seven",
        "draw": _draw,
        "draw-all": lambda _r, _m, _s: "Everybody draws",
        "discard": _discard,
        "peep": _peep,
        "announce": _announce,
        "answer": lambda _r, _m, step: ANSWERS[step["says"]].capitalize(),
        "prove": lambda _r, _m, _s: "Show the carte blanche",
        "carte-blanche": lambda _r, _m, _s: "Show carte blanche",
        "claim": lambda _r, _m, step: f"Claim: {plain(step['irregularity'])}",
    }
)
