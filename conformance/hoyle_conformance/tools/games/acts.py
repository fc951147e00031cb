"""Random starts, deals and acts for a game: scores near the target, rare hands, and acts that are legal, illegal or
irregular, mishaps and claims."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.suite.capabilities import IRREGULAR_ACTS, Capabilities, refusal_of
from hoyle_reference import Game, Irregularity, Malformed, Phase, Rules, new_game, write_act
from hoyle_reference.acts import Act, Claim, Cut, Deal, Declare, Draw, Irregular, Mishap, Play
from hoyle_reference.cards import Card, rank_of, read_rank, suit_of
from hoyle_reference.seats import Seat

_COURT: Final = (read_rank("J"), read_rank("Q"), read_rank("K"))
_SEVEN: Final = read_rank("7")
#: The distance of a random score from the target, in percent of the target.
_NEAR: Final = (0, 1, 2, 5, 20, 60, 100)
#: The possible scores, in points, of a game without a target.
_POINTS: Final = (0, 0, 20, 90, 99, 100, 500, 990, 1500)
#: The weights for sorting the wished-for cards of a hand first: 1.0 is pure chance, 0.0 takes as many as there are.
_STRENGTHS: Final = (1.0, 0.6, 0.3, 0.1, 0.0)


def start(rules: Rules, source: random.Random, *, with_scores: bool, with_the_cut: bool) -> Game:
    """Return a game that begins with the cut or with a deal; if `with_scores`, sometimes with scores
    near the target."""
    game = new_game(rules)
    if with_the_cut and source.random() < 1 / 4:
        return game
    table = game.table
    table.phase = Phase.DEAL
    table.turn = table.dealer = Seat(source.randrange(rules.players))
    if with_scores and source.random() < 1 / 2:
        table.score = [_score(rules, source) for _ in rules.sides]
    return game


def _score(rules: Rules, source: random.Random) -> int:
    """Return a possible score below the target, if there is one; a multiple of ten in games that score in tens."""
    target = rules.settle.target.value
    if not target:
        return source.choice(_POINTS)
    return max(0, target - max(target * source.choice(_NEAR) // 1000 * 10, 1 if "talon" in rules.chapters else 10))


def deal(game: Game, source: random.Random) -> Deal:
    """Return a random deal; in most, each hand tends to hold certain kinds of cards."""
    table, rules = game.table, game.rules
    assert table.dealer is not None, "a deal is awaited of a dealer"
    ways = rules.deal.packets.value
    packets = source.choice(ways)[0] if len(ways) > 1 else None
    pack = list(rules.pack)
    source.shuffle(pack)
    as_it_lies = Deal(table.dealer, tuple(pack), packets)
    if source.random() < 1 / 4 or game.check(as_it_lies) is not None:
        return as_it_lies
    dealt = game.clone()
    dealt.apply(as_it_lies)
    return Deal(table.dealer, _with_wishes(pack, dealt.table.hands, source), packets)


def _with_wishes(pack: Sequence[Card], hands: Sequence[Sequence[Card]], source: random.Random) -> tuple[Card, ...]:
    """Return the pack reordered so that the cards dealt to each hand tend to satisfy a wish."""
    place = {card: at for at, card in enumerate(pack)}
    left, deck = list(pack), list[Any](pack)
    for hand in source.sample(list(hands), len(hands)):
        wished, strength = source.choice(_WISHES)(source, deck), source.choice(_STRENGTHS)
        left.sort(key=lambda card: source.random() * (strength if wished(card) else 1))
        for card in hand:
            deck[place[card]] = left.pop(0)
    source.shuffle(left)
    taken = {place[card] for hand in hands for card in hand}
    for at in range(len(deck)):
        if at not in taken:
            deck[at] = left.pop()
    return tuple(deck)


_Wish = Callable[[Card], bool]


def _no_court(_source: random.Random, _deck: Sequence[Card]) -> _Wish:
    return lambda card: rank_of(card) not in _COURT


def _courts(_source: random.Random, _deck: Sequence[Card]) -> _Wish:
    return lambda card: rank_of(card) in _COURT


def _sevens(_source: random.Random, _deck: Sequence[Card]) -> _Wish:
    return lambda card: rank_of(card) == _SEVEN


def _suits(source: random.Random, deck: Sequence[Card]) -> _Wish:
    suits = {suit_of(card) for card in source.sample(list(deck), 2)}
    return lambda card: suit_of(card) in suits


def _ranks(source: random.Random, deck: Sequence[Card]) -> _Wish:
    ranks = {rank_of(card) for card in source.sample(list(deck), 3)}
    return lambda card: rank_of(card) in ranks


def _like_the_first(_source: random.Random, deck: Sequence[Card]) -> _Wish:
    ranks = {rank_of(card) for card in deck[:6]}
    return lambda card: rank_of(card) in ranks


#: The wishes for a hand.
_WISHES: Final = (_no_court, _courts, _sevens, _suits, _ranks, _like_the_first)


#: How much likelier one kind of act is than another in a game.
_TASTES: Final = (0.1, 1, 1, 3, 10)
#: The probabilities of an illegal act and of an irregular one, at each step.
_ILLEGAL: Final = 0.1
_IRREGULAR: Final = 0.06
#: The number of candidates to try before choosing another kind of act.
_TRIES: Final = 12
#: The maximum numbers of cards in an irregular declaration, an irregular draw and a mishap.
_MOST: Final = 4
#: The number of legal acts to remember and retry once they are illegal.
_REMEMBERED: Final = 40


class ActChooser:
    """Chooser of the acts of one game, for an engine with these claims. `source` may be replaced at any time."""

    def __init__(self, capabilities: Capabilities, claims: frozenset[str], source: random.Random) -> None:
        self._capabilities, self._claims = capabilities, claims
        self.source = source
        self._taste = dict[type, float]()
        self._earlier: list[Act] = []

    def choose(self, game: Game) -> Act | None:
        """Return the next act that the engine can be sent; None if there is none."""
        if game.table.phase is Phase.OVER:
            return None
        luck = self.source.random()
        tries: list[Callable[[Game], Iterator[Act]]] = [self._legal]
        if luck < _ILLEGAL:
            tries.insert(0, self._illegal)
        elif luck < _ILLEGAL + _IRREGULAR and "referee" in game.rules.chapters:
            tries.insert(0, self._outside_the_rules)
        return next((act for way in tries for act in way(game) if self._can_be_sent(game, act)), None)

    def _can_be_sent(self, game: Game, act: Act) -> bool:
        """Whether an act is valid here, and the engine claims to carry it out or to refuse it."""
        try:
            refusal = game.check(act)
        except Malformed:
            return False
        step = write_act(act)
        if "irregular" in step and (refusal or IRREGULAR_ACTS not in self._claims):
            return False
        claimed = self._capabilities.word(step) in self._claims
        return claimed and (refusal is None or refusal_of(step) in self._claims)

    def _legal(self, game: Game) -> Iterator[Act]:
        """Yield legal acts in random order, every kind equally likely except for this game's taste."""
        if game.table.phase is Phase.CUT:
            yield Cut(tuple(self.source.sample(game.rules.pack, game.rules.players)))
            return
        if game.table.phase is Phase.DEAL:
            yield deal(game, self.source)
            return
        parts = [part for part in game.legal_actions.parts if part]
        self._remember(parts)
        while parts:
            weights = [self._taste_for(type(part[0])) for part in parts]
            part = self.source.choices(parts, weights)[0]
            yield from (self.source.choice(part) for _ in range(_TRIES))
            parts.remove(part)

    def _taste_for(self, kind: type) -> float:
        if kind not in self._taste:
            self._taste[kind] = self.source.choice(_TASTES)
        return self._taste[kind]

    def _remember(self, parts: Sequence[Sequence[Act]]) -> None:
        """Remember an act of each part; forget a random one where there are more than the maximum."""
        for part in parts:
            self._earlier.append(self.source.choice(part))
            if len(self._earlier) > _REMEMBERED:
                self._earlier.pop(self.source.randrange(len(self._earlier)))

    def _illegal(self, game: Game) -> Iterator[Act]:
        """Yield acts that are illegal in most positions: an unplayable card, or an act that is no longer legal, perhaps
        by another player."""
        for _ in range(_TRIES):
            seat = self._seat(game)
            act = self._any_act(game, seat)
            if self._is_refused(game, act):
                yield act

    def _any_act(self, game: Game, seat: Seat) -> Act:
        """Return a card to play, a claim, or an act that was legal earlier, perhaps by another player."""
        luck = self.source.random()
        if "referee" in game.rules.chapters and luck < _ILLEGAL:
            return Claim(seat, self.source.choice(list(game.rules.referee.rows)))
        if not self._earlier or luck < 1 / 3:
            return Play(seat, self._card(game, seat))
        act = self.source.choice(self._earlier)
        if luck < 1 / 2 and hasattr(act, "by"):
            return _by(act, seat)
        return act

    @staticmethod
    def _is_refused(game: Game, act: Act) -> bool:
        try:
            return game.check(act) is not None
        except Malformed:
            return False

    def _outside_the_rules(self, game: Game) -> Iterator[Act]:
        """Yield irregular acts, mishaps and claims, most of which are only rarely legal."""
        rows = list(game.rules.referee.rows.values())
        for row in self.source.sample(rows, len(rows)):
            for _ in range(_TRIES):
                act = self._irregularity(game, row)
                if not self._is_refused(game, act):
                    yield act

    def _irregularity(self, game: Game, row: Irregularity) -> Act:
        """Return an act that may cause or claim an irregularity."""
        seat = self._seat(game)
        if row.happens:
            return Mishap(seat, row.id, self._some_cards(game, row))
        if not row.breaks or self.source.random() < 1 / 2:
            return Claim(seat, row.id)
        return Irregular(seat, self._wrong_act(game, seat), row.id)

    def _wrong_act(self, game: Game, seat: Seat) -> Act:
        draw = Draw(seat, self.source.randrange(_MOST))
        play = Play(seat, self._card(game, seat))
        melds = [*game.rules.declare.melds.by_id] if "declare" in game.rules.chapters else []
        if not melds:
            return self.source.choice((draw, play))
        held = game.table.hands[seat]
        cards = self.source.sample(held, min(len(held), self.source.choice((1, 2, 2, 3, 4, 4))))
        return self.source.choice((draw, play, Declare(seat, self.source.choice(melds), tuple(cards))))

    def _some_cards(self, game: Game, row: Irregularity) -> tuple[Card, ...]:
        """Return cards that a mishap may have exposed: from one hand or from the top of the stock, or none."""
        table = game.table
        piles = [*table.hands, list(reversed(table.stock[-_MOST:])), *table.won]
        pile = self.source.choice(piles)
        most = min(len(pile), _MOST)
        return tuple(pile[: self.source.randint(0, most)]) if row.shown else ()

    def _seat(self, game: Game) -> Seat:
        return Seat(self.source.randrange(game.rules.players))

    def _card(self, game: Game, seat: Seat) -> Card:
        return self.source.choice(game.table.hands[seat] or game.rules.pack)


def _by(act: Any, seat: Seat) -> Act:
    """Return the same act by another player."""
    changed: Act = replace(act, by=seat)
    return changed
