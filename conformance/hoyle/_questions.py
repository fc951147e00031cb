"""The questions that engines are asked, as methods of rules and of games, and their answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from hoyle._errors import NotationError
from hoyle._notation import A_CARD, read_json
from hoyle_reference import Malformed, Table, read_question, rules_of, write_answer
from hoyle_reference.questions import answer
from hoyle_reference.seats import SEATS

T_co = TypeVar("T_co", covariant=True)

#: The trumps of the position.
_NOW: Final = "present"

#: Cards: a list of them, or a text with spaces between them, ``"KS QS#2"``.
Cards = str | Sequence[str]
#: A suit, or None if there are no trumps.
Trumps = str | None
#: A player's hand, or None for that of the position.
Hand = Cards | None


@dataclass(frozen=True)
class Answer(Generic[T_co]):
    """The answer to a question: its `value`, and the ids of the `clauses` that it rests on."""

    value: T_co
    clauses: tuple[str, ...]


class Combination(NamedTuple):
    """A combination that may be declared: the name that the rules give it, and its cards."""

    meld: str
    cards: tuple[str, ...]


class Worth(NamedTuple):
    """The score of cards: the name of their combination, and its points."""

    meld: str
    points: int


class Settlement(NamedTuple):
    """How a game is settled: the `winner`, who is None if nobody wins, and the points, None if it is won alone."""

    winner: str | None
    points: int | None


class Ruling(NamedTuple):
    """How an irregularity is ruled on: who `chooses` (a player, ``both``, or None), the `choices`, and `until` when it
    may be claimed."""

    chooses: str | None
    choices: tuple[str, ...]
    until: str


class Questions:
    """The questions that engines are asked, as methods of rules and of games.

    Rules answer for the position before the cut; a game answers for its present position. Answers to questions that
    give all the cards are the same in both. `by` is a player, and the player who is to act if it is left out. `trumps`
    is a suit (C, D, H or S), None if there are no trumps, and that of the position if it is left out.
    """

    __slots__ = ()

    @property
    def _table_asked(self) -> Table:
        """The table that the questions are about."""
        raise NotImplementedError

    def ask(self, question: Mapping[str, Any]) -> Answer[Any]:
        """Return the answer to a question in the words of the protocol, as plain data: ``{"ask": "counted", "cards":
        ["AS"]}``.

        Raises NotationError for anything that is no question of this game.
        """
        table, spelt = self._table_asked, read_json(question, "the question")
        rules = rules_of(table)
        try:
            read = read_question(rules, spelt if isinstance(spelt, dict) else {})
            found = answer(table, read)
        except Malformed as malformed:
            raise NotationError("bad-question", str(malformed), rules.id, A_CARD) from malformed
        return Answer(write_answer(read, found), tuple(sorted(rules.cells.clauses(found.grounds))))

    def winner(self, cards: Cards, *, trumps: Trumps = _NOW, drawing: bool | None = None, by: str = "") -> Answer[str]:
        """Return who wins a trick of these cards, in the order played, the first of them by `by`; `drawing` is whether
        cards are still drawn after it."""
        return self._answer("winner", by=by, cards=cards, trumps=trumps, drawing=drawing)

    def playable(
        self, hand: Hand = None, led: Cards = (), *, trumps: Trumps = _NOW, drawing: bool | None = None, by: str = ""
    ) -> Answer[tuple[str, ...]]:
        """Return the cards that a player may play now; or, of this `hand`, to a trick with the cards `led`."""
        played = None if hand is None else led
        return self._answer("playable", by=by, hand=hand, led=played, trumps=trumps, drawing=drawing)

    def worth(self, cards: Cards, meld: str | None = None, *, trumps: Trumps = _NOW) -> Answer[Worth | None]:
        """Return what cards score as the combination `meld`, or as the best one that they make; the value is None if
        there is none."""
        found = self._answer("worth", cards=cards, meld=meld, trumps=trumps)
        return Answer(Worth(meld, found.value), found.clauses) if meld and isinstance(found.value, int) else found

    def declarable(self, hand: Hand = None, *, trumps: Trumps = _NOW, by: str = "") -> Answer[tuple[Combination, ...]]:
        """Return the combinations that a player may score now; or those in this `hand`, of which no card has scored."""
        return self._answer("declarable", by=by, hand=hand, trumps=trumps)

    def counted(self, cards: Cards) -> Answer[int]:
        """Return what cards won in tricks count for their player."""
        return self._answer("counted", cards=cards)

    def class_winner(
        self, class_: str, elder: Cards | Mapping[str, Any], younger: Cards | Mapping[str, Any]
    ) -> Answer[str | None]:
        """Return whose point, sequence or set is good: A is elder, B is younger.

        Each has a hand, whose best combination is called; or both have a call, ``{"count": 4, "top": "K"}``.
        """
        calls = isinstance(elder, Mapping)
        each = {"A": elder, "B": younger}
        return self._answer("class-winner", by="A", **{"class": class_, "calls" if calls else "hands": each})

    def reckoning(self, elder: Cards, younger: Cards, *, blanks: Sequence[str] = ()) -> Answer[dict[str, int]]:
        """Return what each player scores for these hands before the play: A is elder, B is younger. The players in
        `blanks` have shown a blank."""
        return self._answer("reckoning", by="A", hands={"A": elder, "B": younger}, blanks=blanks)

    def trick_points(self, cards: Cards, *, by: str = "") -> Answer[dict[str, int]]:
        """Return what each player scores for tricks of these cards, in the order played, the first of them by `by`. All
        the cards of a deal include the scores at its end."""
        return self._answer("trick-points", by=by, cards=cards)

    def settlement(self, scores: Mapping[str, int], *, brisques: Mapping[str, int] | None = None) -> Answer[Settlement]:
        """Return who wins a game that ends with these scores, and for how many points. `brisques` are the points for
        brisques in each side's tricks, where they can decide it."""
        return self._answer("settlement", score=scores, brisques=brisques)

    def partie(self, single: Mapping[str, int], double: Mapping[str, int]) -> Answer[str | None]:
        """Return who has won a partie of several games, if each side has won so many of them as single and as double
        games; the value is None if nobody has."""
        return self._answer("partie", single=single, double=double)

    def ruling(self, irregularity: str, *, count: int | None = None, by: str = "") -> Answer[Ruling | None]:
        """Return how an irregularity of a player is ruled on, with this many cards where the number matters."""
        return self._answer("ruling", by=by, irregularity=irregularity, count=count)

    def _answer(self, word: str, **given: Any) -> Answer[Any]:
        """Return the answer to a question with these keys, as a value; keys that are None are left out, except for
        trumps."""
        is_told = {key: each not in (None, _NOW) or (key, each) == ("trumps", None) for key, each in given.items()}
        told = {key: _listed(key, each) for key, each in given.items() if is_told[key]}
        if told.get("by") == "":
            told["by"] = SEATS[self._table_asked.turn]
        found = self.ask({"ask": word, **told})
        return Answer(_valued(found.value, _VALUES.get(word)), found.clauses)


#: The questions whose answers have values of their own.
_VALUES: Final = {"worth": Worth, "declarable": Combination, "settlement": Settlement, "ruling": Ruling}


def _listed(key: str, value: Any) -> Any:
    """Return cards as a list; other values unchanged."""
    if key == "hands":
        return {seat: _listed("hand", hand) for seat, hand in value.items()}
    return value.split() if key in {"cards", "hand", "led"} and isinstance(value, str) else value


def _valued(data: Any, kind: type | None) -> Any:
    """Return plain data as a value: lists as tuples, and mappings as a named tuple of this kind, if there is one."""
    if isinstance(data, list):
        return tuple(_valued(each, kind) for each in data)
    if kind and isinstance(data, dict):
        return kind(**{key: _valued(each, None) for key, each in data.items()})
    return data
