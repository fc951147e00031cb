"""A game in which every decision is a number, for learners and for the environments of other libraries."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from hoyle import Action, ChanceOutcomes, Game, IllegalActionError, Rules
from hoyle._actions import exchanges_in, in_order
from hoyle._views import seen_fields
from hoyle_environments.catalogue import PASS, PUT_AWAY, PUT_NO_MORE, Catalogue, catalogue_of
from hoyle_environments.planes import Plane, array_of, planes_of
from hoyle_environments.sampling import determinise
from hoyle_reference import Phase
from hoyle_reference.acts import Act, Deal, Discard, Discards
from hoyle_reference.acts import by as player_of
from hoyle_reference.cards import Card, name
from hoyle_reference.seats import Seat, ring

_ENDS: Final = frozenset({Phase.DEAL, Phase.OVER})


class NumberedGame:
    """A game whose decisions are numbers of its catalogue, each by one player, as learners need it.

    In the exchange of Piquet, cards are put away one by one. The exchange ends when no more may be put away, or when
    the player says so. A player who could act out of turn is asked first, and may pass. Chance takes one card at a
    time, too: the cards that are cut, and then the pack from its top card on.

    If `deals` are given, the game ends after so many deals, or when it is over. Then the returns are the differences of
    the scores.
    """

    __slots__ = ("_cards", "_catalogue", "_deals", "_dealt", "_game", "_open", "_passed", "_who")

    def __init__(self, rules: Rules, deals: int | None = None) -> None:
        self._game, self._catalogue = Game(rules), catalogue_of(rules)
        self._deals, self._dealt = deals, 0
        #: The cards put away, cut or dealt so far.
        self._cards: list[Card] = []
        self._passed: set[Seat] = set()
        self._open: dict[int, Act | Card | None] | None = None
        self._who = Seat(0)

    @property
    def game(self) -> Game:
        """The game as it stands; cards that are put away, cut or dealt one by one are not in it yet."""
        return self._game

    @property
    def catalogue(self) -> Catalogue:
        """The numbers of the actions, with their names."""
        return self._catalogue

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._game.rules

    def is_chance_node(self) -> bool:
        """Whether chance decides now."""
        return self._game.is_chance_node() and not self.is_terminal()

    def is_terminal(self) -> bool:
        """Whether the game is over, or the last of the deals."""
        return self._game.is_terminal() or (
            self._deals is not None and self._dealt >= self._deals and self._game._machine.table.phase in _ENDS
        )

    def current_player(self) -> str | None:
        """Return the seat of the player who is asked; None if chance decides, or the game is over."""
        if self.is_terminal() or self._game.is_chance_node():
            return None
        self._look()
        return self.rules.players[self._who]

    # ---- chance

    def chance_outcomes(self) -> list[int]:
        """Return the numbers of the cards that chance may take next, which are equally likely."""
        taken = set(self._cards)
        return [card for card in self.rules._compiled.pack if card not in taken]

    def apply_chance(self, card: int) -> None:
        """Carry out the choice of chance: the card of this number is cut, or lies next in the pack."""
        self._cards.append(Card(card))
        outcomes = ChanceOutcomes(self._game._machine.table)
        if len(self._cards) == outcomes._count:
            self._apply(Action(outcomes._outcome(tuple(self._cards))))

    def sample_chance(self, rng: Random) -> None:
        """Let chance decide until a player is asked, or the game is over."""
        while self.is_chance_node():
            outcomes, left = ChanceOutcomes(self._game._machine.table), self.chance_outcomes()
            rest = rng.sample(left, outcomes._count - len(self._cards))
            self._apply(Action(outcomes._outcome((*self._cards, *map(Card, rest)))))

    # ---- actions

    def legal_actions(self) -> list[int]:
        """Return the numbers of the legal actions of the player who is asked, the lowest first."""
        return sorted(self._look())

    def mask(self) -> list[int]:
        """Return 1 for each number that is a legal action, and 0 for the others."""
        legal = self._look()
        return [int(number in legal) for number in range(len(self._catalogue))]

    def apply_action(self, number: int) -> None:
        """Carry out the action of a number; raises IllegalActionError if it is not legal, and changes nothing."""
        legal = self._look()
        if number not in legal:
            spelt = self._catalogue.names[number] if 0 <= number < len(self._catalogue) else str(number)
            remedy = "legal_actions() has the legal ones."
            place, reason = str(self._game.rules), "this number is not a legal action"
            raise IllegalActionError("not-legal", reason, place, remedy, action=spelt)
        act, spelt = legal[number], self._catalogue.names[number]
        if spelt == PASS:
            self._passed.add(self._who)
            self._open = None
        elif spelt == PUT_NO_MORE:
            self._put_away()
        elif isinstance(act, int):
            self._cards.append(Card(act))
            self._open = None
            if len(self._cards) == self._most:
                self._put_away()
        else:
            assert act is not None, "an action that is no word of the catalogue is an act"
            self._apply(Action(act))

    def _put_away(self) -> None:
        self._apply(Action(Discard(self._who, tuple(self._cards))))

    def _apply(self, action: Action) -> None:
        self._game.apply_action(action)
        self._dealt += isinstance(action._act, Deal)
        self._cards.clear()
        self._passed.clear()
        self._open = None

    def _look(self) -> dict[int, Act | Card | None]:
        """Return what the player who is asked may do, by its numbers: an act, a card to put away, or a word alone."""
        if self._open is None:
            self._open = {} if self.is_terminal() or self._game.is_chance_node() else self._of_the_one_asked()
        return self._open

    def _of_the_one_asked(self) -> dict[int, Act | Card | None]:
        machine = self._game._machine
        parts = machine.legal_actions.parts
        exchanges = exchanges_in(parts)
        acts = [act for part in parts if part is not exchanges for act in part]
        turn = machine.table.turn
        for seat in ring(turn, machine.table.players)[1:]:
            own = [act for act in acts if player_of(act) == seat]
            if own and seat not in self._passed and not self._cards:
                self._who = seat
                return {self._catalogue.number(PASS): None, **self._by_number(own)}
        self._who = turn
        if exchanges is None:
            return self._by_number([act for act in acts if player_of(act) == turn])
        also = [] if self._cards else [act for act in acts if player_of(act) == turn]
        return {**self._exchange(exchanges), **self._by_number(also)}

    def _by_number(self, acts: Sequence[Act]) -> dict[int, Act | Card | None]:
        numbered: dict[int, Act | Card | None] = {}
        for act in in_order(acts):
            numbered.setdefault(self._catalogue._number(act), act)
        return numbered

    def _exchange(self, exchanges: Discards) -> dict[int, Act | Card | None]:
        """Return the next step of an exchange: a card to put away, or its end."""
        left = [card for card in exchanges.hand if card not in self._cards]
        step: dict[int, Act | Card | None] = {self._catalogue.number(f"{PUT_AWAY} {name(card)}"): card for card in left}
        if len(self._cards) in exchanges.sizes:
            step[self._catalogue.number(PUT_NO_MORE)] = None
        return step

    @property
    def _most(self) -> int:
        """How many cards the player may put away."""
        exchanges = exchanges_in(self._game._machine.legal_actions.parts)
        assert exchanges is not None, "cards are put away in an exchange"
        return exchanges.sizes[-1]

    # ---- how it stands

    def returns(self) -> dict[str, int]:
        """Return what each player has won or lost; the sum is 0.

        With `deals`, this is how far a player's score lies above the average, times the number of players; for two
        players that is the difference of their scores. Otherwise it is `Game.returns`. Before the end it is 0.
        """
        if self._deals is None:
            return self._game.returns()
        if not self.is_terminal():
            return dict.fromkeys(self.rules.players, 0)
        scores = self._game.scores()
        return {seat: len(scores) * points - sum(scores.values()) for seat, points in scores.items()}

    @property
    def planes(self) -> tuple[Plane, ...]:
        """The names and lengths of the parts of an observation as numbers, in order."""
        return planes_of(self.rules)

    def observation(self, seat: str) -> list[int]:
        """Return what the player in a seat sees, as the numbers of all `planes`; it depends on nothing else.

        Cards that the player has put away in an exchange that is not over are among them. Raises UnknownNameError if
        nobody sits there.
        """
        who = self._game._seat(seat)
        return array_of(self.rules, who, seen_fields(self._game._machine.table, who), self._away(who))

    def observation_text(self, seat: str) -> str:
        """Return what the player in a seat sees, as one line of JSON, and the cards put away so far."""
        return self._with_cards(str(self._game.observation(seat)), self._away(self._game._seat(seat)))

    def information_state(self, seat: str) -> str:
        """Return all that the player in a seat has seen and done, as one line of JSON, and the cards put away so far.

        Raises UnknownNameError if nobody sits there.
        """
        return self._with_cards(str(self._game.information_state(seat)), self._away(self._game._seat(seat)))

    def _away(self, who: Seat) -> Sequence[Card]:
        """Return the cards that a player has put away in an exchange that is not over."""
        self._look()
        return self._cards if who == self._who and not self._game.is_chance_node() else ()

    def __str__(self) -> str:
        """Return the game in the text notation, and the cards that have been put away, cut or dealt since."""
        return self._with_cards(self._game.to_text(), self._cards)

    @staticmethod
    def _with_cards(text: str, cards: Sequence[Card]) -> str:
        """Return a text with cards after it."""
        return " ".join([text, *map(name, cards)])

    def clone(self) -> "NumberedGame":
        """Return the same game, which goes its own way."""
        other = object.__new__(NumberedGame)
        other._game, other._catalogue = self._game.clone(), self._catalogue
        other._deals, other._dealt = self._deals, self._dealt
        other._cards, other._passed = [*self._cards], set(self._passed)
        other._open, other._who = self._open, self._who
        return other

    def determinise(self, seat: str, rng: Random) -> "NumberedGame":
        """Return a game that the player in a seat cannot tell from this one: see `determinise`. The same player is
        asked: others have passed.

        Raises UnknownNameError if nobody sits there.
        """
        other = self.clone()
        other._game = determinise(self._game, seat, rng)
        other._open = None
        if self.current_player() is not None:
            other._passed = {each for each in ring(Seat(0), len(self.rules.players)) if each != self._who}
        return other

    __copy__ = clone

    def __deepcopy__(self, _memo: object) -> "NumberedGame":
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._game, self._deals, self._dealt, tuple(self._cards), frozenset(self._passed))

    def __eq__(self, other: object) -> bool:
        return self.__reduce__() == other.__reduce__() if isinstance(other, NumberedGame) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a game changes


def _again(game: Game, deals: int | None, dealt: int, cards: tuple[Card, ...], passed: frozenset[Seat]) -> NumberedGame:
    """Return a numbered game as it was pickled."""
    made = NumberedGame(game.rules, deals)
    made._game, made._dealt = game, dealt
    made._cards, made._passed = list(cards), set(passed)
    return made
