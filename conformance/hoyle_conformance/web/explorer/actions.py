"""Actions at a table, in a player's words: the legal acts, the most significant first, and the acts, questions and
irregularities to try."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.web.explorer.forms import ACTS, Vocabulary, irregular, kinds, questions
from hoyle_conformance.wording import calls as calling
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import rulings, words
from hoyle_conformance.wording.rulings import plain
from hoyle_conformance.wording.text import sentence
from hoyle_reference import CHANCE, Game, Phase, Refusal, Rules, read_act, write_act
from hoyle_reference.acts import (
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
from hoyle_reference.cards import rank_of, suit_of
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
        "questions": questions(vocabulary),
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
    shown = [_shown(melds, step) for step in steps[:MOST]]
    return shown, unlisted + len(steps) - len(shown)


def acts_of(game: Game, melds: Names, seat: str) -> list[dict[str, Any]]:
    """Return the acts open to one player, without claims, and with only one discard: that of no cards. Acts that score
    at once have their `points`."""
    if game.table.phase in CHANCE or game.is_over:
        return []
    who = Seat(game.rules.letters.index(seat))
    shown = []
    for act in _listed(game)[0]:
        if by(act) == who:
            points = points_of(game, act)
            shown.append({**_shown(melds, write_act(act)), **({"points": points} if points else {})})
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


def _shown(melds: Names, step: Mapping[str, Any]) -> dict[str, Any]:
    """Return an act with its words."""
    says = sentence(words.step(step, melds))
    return {"step": dict(step), "says": says, "short": short(melds, step), "cards": _cards(step)}


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
            claim = read_act(game.rules, {"by": letter, "do": "claim", "irregularity": word})
            if claim in game.legal_actions:
                yield claim


# ---- short words for acts


def short(melds: Names, step: Mapping[str, Any]) -> str:
    """Return an act in a player's few words, without its cards."""
    made = _SHORT.get(step["do"])
    return made(melds, step) if made else ACTS[step["do"]]


def _meld(melds: Names, step: Mapping[str, Any]) -> str:
    return melds.get(step["meld"], plain(step["meld"]))


_SHORT: Final[Mapping[str, Callable[[Names, Mapping[str, Any]], str]]] = MappingProxyType(
    {
        "play": lambda _melds, _step: "Play",
        "declare": lambda melds, step: f"Declare {_meld(melds, step)}",
        "hold": lambda melds, step: f"Keep {_meld(melds, step)} to score",
        "discard": lambda _melds, step: "Exchange" if step["cards"] else "Exchange nothing",
        "draw": lambda _melds, step: "Draw" if step.get("count", 1) == 1 else f"Draw {step['count']}",
        "peep": lambda _melds, step: (
            f"Name {printed.suit_name(step['suit'])}, to look" if "suit" in step else ACTS["peep"]
        ),
        "announce": lambda _melds, step: sentence(calling.whole_call(step)).removesuffix("."),
        "answer": lambda _melds, step: calling.ANSWERS[step["says"]].capitalize(),
        "choose": lambda _melds, step: rulings.choice(step["choice"]).removeprefix("to ").capitalize(),
        "claim": lambda _melds, step: f"Claim: {plain(step['irregularity'])}",
    }
)
