"""Other words: what players call the same thing, and what is near enough to a thing to be what they look for.

Each line is a set of words or phrases, a bar between them, any of which finds the others. Forms that are made with a
regular ending need no place of their own.
"""

from typing import Final

#: Words for the same thing, and irregular forms of one word.
THE_SAME: Final = (
    # the cards
    "knave | jack | j",
    "queen | q",
    "king | k",
    "trump | atout",
    "pack | deck",
    "carte blanche | blank",
    "turn-up | upcard",
    # the places of cards
    "stock | talon | kitty | widow",
    # the players
    "elder | eldest | forehand | non-dealer",
    "opponent | adversary | other player",
    # the deal and the tricks
    "deal | dealt",
    "misdeal | wrong deal | deal afresh | new deal | too many cards",
    "misdeal | misdealt | dealt wrongly",
    "revoke | renege | though able follow suit",
    "lead | led",
    "win | won",
    "take | took | taken",
    "draw | drew | drawn",
    "capot | slam",
    "no card drawn | not draw | forget draw | forgot draw",
    # the combinations
    "meld | combination",
    "marry | marriage | wedding",
    "show | shown",
    "keep | kept",
    "sequence | run | straight",
    # the reckoning
    "game | partie",
    "both pass | both reach | target reached",
    "penalty | forfeit | punishment",
    "error | mistake | wrong",
    "bystander | spectator | onlooker | looker-on",
    # numbers
    "1 | one",
    "2 | two",
    "3 | three",
    "4 | four",
    "5 | five",
    "6 | six",
    "7 | seven",
    "8 | eight",
    "9 | nine",
    "10 | ten",
    "100 | one hundred | hundred",
    "500 | five hundred",
    "1000 | one thousand | thousand",
    "1500 | fifteen hundred",
    "2000 | two thousand",
    "3000 | three thousand",
    "5000 | five thousand",
)

#: Words for things that are near one another.
NEAR: Final = (
    # the cards
    "brisque | ace | ten",
    "trump | royal",
    "carte blanche | no court card",
    # the players
    "younger | dealer",
    "partner | side",
    # the deal
    "misdeal | deal penalty | deal irregularity | pack incorrect",
    "afresh | again",
    # the tricks
    "revoke | follow suit | renounce",
    "renege | follow suit | renounce",
    "revoke | fail follow",
    "renege | fail follow",
    "win | beat | take",
    "must | obliged | forced | compulsory | duty | has to",
    "last | final",
    "discard | exchange | put away",
    "swap | exchange | rob",
    "equal | identical | same | tie | level",
    "capot | every trick | all the tricks",
    # the combinations
    "meld | declaration | declare",
    "combination | declaration | declare",
    "sequence | tierce | quart | quint | sixieme | septieme | huitieme",
    "set | trio | quatorze",
    "again | reuse | once more | second time | twice",
    "show | lay | put down",
    "keep | hold",
    "announce | call",
    # the reckoning
    "score | point | mark",
    "worth | score | point | count | get",
    "pass | reach | target",
    "1000 | target",
    "bonus | settlement | rubicon | pique",
    "settle | settlement | pay",
    # irregularities
    "penalty | irregularity | error",
    "illegal | refused | wrong",
    "correct | put right | set right",
    "expose | shown | face up",
)

#: Words that are in every question and help to find nothing.
IDLE: Final = (
    "a an and any are as at be been but by can could did do does for from had has have he her his how i if in is it "
    "its many may me much my of on or she should so that the their them then there they this to was we were what "
    "when where which who whom whose why will with would you your s t doesn don isn"
)
