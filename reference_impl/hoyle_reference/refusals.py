"""The reasons why an act is not allowed.

Malformed, illegal and irregular are three different things. An act that names a card the pack does not hold is
*malformed* and raises. An act that breaks a rule is *illegal*: its answer is a `Refusal`, a value that can be compared.
A refused act that is carried out all the same is *irregular*, and the referee chapter rules on it.
"""

from typing import Final

from .frozen import frozen

#: Paths of the table's cells: the grounds of an event, an answer or a refusal.
Grounds = tuple[str, ...]

MESSAGES: Final = {
    "not-now": "this act is not possible at this point of the game",
    "not-your-turn": "it is another player's turn",
    "not-a-choice": "that is not among the choices offered",
    "card-not-held": "the player does not hold that card, or may not use it",
    "draw-first": "the players must draw before the next card is led",
    "must-follow-suit": "the player holds a card of the suit led and must play one",
    "must-win": "the player holds a card of the suit led that wins the trick and must play one",
    "must-trump": "the player cannot follow suit, holds a trump and must play one",
    "must-overtrump": "the player cannot follow suit, holds a trump that wins the trick and must play one",
    "only-after-winning-a-trick": "this is done only after winning a trick, and before drawing",
    "stock-is-gone": "nothing is declared once the stock is gone",
    "not-a-combination": "these cards are not that combination",
    "too-late-to-declare": "each player has only one card left to draw, and that is too late to declare",
    "too-few-tricks-won": "the player must win more tricks before declaring",
    "one-score-a-trick": "a combination has already been scored after this trick",
    "shares-a-card": "a card of it has scored in another combination after this same trick",
    "used-in-this-kind": "a card of it has already scored in a combination of the same kind",
    "used-in-a-higher-combination": "a card of it has already scored in a combination superior to this one",
    "used-with-other-cards": (
        "a card of it has already scored in a combination inferior to this one, with a card that is not in it"
    ),
    "no-unused-card": "too few of its cards are new",
    "score-one-first": "a combination is kept to score only together with one that is scored after the same trick",
    "nothing-is-kept": "no combination may be kept to score",
    "kept-already": "this combination is kept to score already",
    "not-shown-yet": "only cards that are already on the table may be kept to score",
    "not-the-seven": "only the seven of trumps does this",
    "seven-has-scored": "this seven has already scored",
    "not-to-exchange": "this seven may not be exchanged for the turn-up",
    "no-turn-up": "there is no turn-up to exchange it for",
    "not-to-show": "this seven must be exchanged, not only shown",
    "not-in-such-packets": "the hands may not be dealt in packets of that size",
    "packets-were-chosen": "the size of the packets has been chosen, and may not change",
    "too-few-to-exchange": "the player must exchange more cards",
    "too-many-to-exchange": "the player may not exchange so many cards",
    "nothing-to-peep-at": "there are no cards that the player may look at",
    "suit-was-named": "the suit that was named is to be led",
    "not-a-blank": "the hand holds a card that a carte blanche does not have",
    "blank-was-announced": "this carte blanche has been announced already",
    "blank-not-announced": "no carte blanche has been announced that could be shown",
    "blank-not-shown": "the carte blanche that was announced must be shown first",
    "not-this-class": "another class of combinations is to be called now",
    "not-what-is-asked": "the announcement must give something else now",
    "not-held": "the player holds no such combination",
    "nothing-better-held": "the player holds nothing better than what is announced",
    "nothing-equal-held": "the player holds nothing equal to what is announced",
    "not-to-be-asked": "there is nothing of this kind to ask now",
    "class-not-won": "the combinations of this class are not the player's to score",
    "class-is-closed": "it is too late to score combinations of this class",
    "only-after-the-lead": "younger scores combinations only after elder's first lead",
    "one-of-the-class": "only one combination of this class is scored",
    "in-another-of-its-class": "its cards have scored in another combination of this class",
    "higher-than-announced": "it is better than what the player has announced",
    "better-one-first": "the combination that is better than what was announced comes first",
    "announced-one-first": "the combination that was announced comes first",
    "same-cards-again": "these very cards have already scored this combination",
    "too-late-for-carte-blanche": "carte blanche is declared before playing a card",
    "nothing-new-to-show": "no card has been drawn that would score carte blanche again",
    "too-few-drawn": "the player must draw more cards",
    "too-many-drawn": "the player may not draw so many cards",
    "nothing-irregular": "this act is not irregular",
    "another-irregularity": "this act is not irregular in that way",
    "nothing-to-claim": "there is no such irregularity that has not been ruled on",
    "too-late-to-claim": "it is too late to claim this",
    "not-yours-to-claim": "only the other side may claim this",
}


@frozen
class Refusal:
    """The rule that an act breaks: a stable code, and the cells of the table that forbid it (none if it is impossible
    under any rules)."""

    code: str
    grounds: Grounds = ()

    @property
    def message(self) -> str:
        """The reason in words."""
        return MESSAGES[self.code]


class Refused(Exception):
    """The error of carrying out an act that is refused; nothing has changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code}: {refusal.message}")
        self.refusal = refusal


class Malformed(Exception):
    """A table, position or act that is invalid under any rules: an unknown card, seat or word."""

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.message = message
        self.where = where
