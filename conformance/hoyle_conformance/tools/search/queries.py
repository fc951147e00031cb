"""What players ask: for a rule the words by which they look for it, where neither it nor its clauses have them.

Under the path of each rule stand phrases with a bar between them. They count as a title does; what is asked in the very
words of one finds the rule first.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

ASKED: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Bézique
        "cards.rank_while_drawing": "order of the cards | does the ten beat the king",
        "deal.seven_turned_up": "dealer turns up a seven",
        "deal.packets": "how many cards each | how to deal",
        "deal.next_dealer": "whose deal",
        "declare.declared_cards": "play a card from the table",
        "declare.laid": "put cards on the table | face up",
        "declare.melds.common-marriage": "marriage in a plain suit",
        "declare.melds.four-knaves": "four jacks",
        "declare.melds.royal-marriage": "marriage in trumps | trump marriage",
        "declare.new_card": "all the cards have scored already",
        "declare.old_couple": "the very same king and queen again",
        "declare.other_kind": "king from a marriage in four kings | use a queen again in bézique",
        "declare.same_kind": "does a queen marry twice | marry again | second marriage with the same queen",
        "declare.higher_after_lower": "sequence after a marriage | add to a marriage | add to a bézique",
        "declare.lower_after_higher": "marriage out of a sequence | marriage from cards of a sequence",
        "declare.scored_per_trick": "two combinations at once | declare two things after one trick",
        "declare.to_score": "to score | kept to score | keep for a later trick",
        "declare.tricks_won_first": "declare before winning a trick",
        "declare.until": "declare after the stock is gone | last declaration",
        "declare.when": "when may I declare | declare before drawing",
        "draw.turn_up": "who gets the turn-up",
        "draw.first": "who draws first",
        "score.brisques.in_the_last_tricks": "aces and tens in the last eight tricks",
        "score.brisques.when": "count aces and tens | when do tens count",
        "seven.may": "swap the seven | rob the turn-up | take the turn-up",
        "seven.after_being_shown": "exchange a seven already shown",
        "seven.second.points": "two sevens of trumps | other seven of trumps",
        "seven.with_a_declaration": "exchange the seven and declare | seven and a marriage",
        "tricks.identical_cards_won_by": "same card played twice | two equal cards in one trick",
        "tricks.while_drawing.follow_suit": "must I follow suit",
        "tricks.without_drawing.follow_suit": "last eight tricks follow suit",
        "tricks.without_drawing.win": "must I beat the card led | must I win the trick",
        # both games
        "settle.equal_scores": "draw | tie | both have the same score",
        "settle.target": "one thousand | how many points to win | what do we play to",
        "settle.winner": "both pass 1000 | both reach the target in one deal",
        "settle.under_the_rubicon": "beaten below the rubicon | what does a rubiconed loser pay",
        "tricks.first_lead": "who leads first | who plays first",
        "score.last_trick.points": "last trick",
        "score.capot.points": "win all the tricks",
        # Piquet
        "blank.points": "no court cards | hand without court cards | carte blanche at piquet",
        "classes.after_good": "another sequence after good | better one than was called",
        "classes.equal": "equal point | both have the same point | equal tierces | not good and not bad",
        "classes.point.best": "whose point is good",
        "classes.replies": "good, not good, equal | what younger answers",
        "classes.sinking": "hide a combination | not declare a quatorze | sink a card",
        "classes.winner_scores": "second tierce scores too | trio beside a quatorze",
        "classes.younger_scores": "when does younger count",
        "reckoning.order": "which counts first | order of counting",
        "reckoning.pique.by": "younger makes a pique | younger pique | pique by the dealer",
        "reckoning.pique.counts": "thirty in the play",
        "reckoning.repique.at": "thirty before the other scores | thirty in hand",
        "reckoning.repique.barred_by": "younger's repique | equal point and repique | does an equality save",
        "reckoning.repique.points": "sixty before the other scores | sixty extra | ninety",
        "score.cards.for": "cards divided | six tricks each | most tricks",
        "talon.elder.least": "elder takes no cards | must elder exchange",
        "talon.peep": "elder leaves cards | elder takes fewer than five | look at cards left",
        "talon.untaken": "younger leaves cards | cards left in the talon",
        "talon.younger.most": "how many may younger exchange | younger takes more than three",
    }
)


def names(path: str) -> tuple[str, ...]:
    """The phrases by which a rule is asked for."""
    return tuple(phrase.strip() for phrase in ASKED[path].split("|")) if path in ASKED else ()
