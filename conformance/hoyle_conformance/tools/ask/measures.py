"""The numerical parameters for understanding and answering questions; the site's script takes them from here."""

from typing import Final

# ---- words

#: The similarity to the name of a game or book that a word needs to be taken for it, by its number of letters.
NAME_LIKENESS: Final = 0.84
NAME_LETTERS: Final = 5
#: The similarity to a known word that a word needs to be taken for it, by its number of letters, ...
LIKENESS: Final = 0.8
LETTERS: Final = 5
#: ... and the maximum difference in length, in letters.
MORE_LETTERS: Final = 2

# ---- likelihood of a subject

#: The maximum weight of a word.
RARE: Final = 4
#: The weights of a near word relative to the word itself, and of a word in the text relative to one in a name.
NEAR: Final = 0.5
TEXT: Final = 0.75
#: The number of the best names, and the weights of these, and of all words.
NAMES: Final = 3
NAME: Final = 0.6
WORDS: Final = 0.4
#: The weight of a clause relative to a rule that cites it.
CITED: Final = 0.8
#: The weights of an irregularity if the question asks for a penalty, and if not.
PENALTY: Final = 1.1
NO_PENALTY: Final = 0.9
#: The weight of a rule of the kind that the question asks for.
OF_THE_KIND: Final = 1.12
#: The decimal places to which a likelihood is rounded, so that it is equal on every machine.
PLACES: Final = 6

#: An uncited clause belongs to the rulesets that cite at least this share of the maximum for the same part.
AT_HOME: Final = 0.95

# ---- certainty of the answer

#: The likelihood of a subject that is surely the one asked about, and of one about which even vague words ask.
SURE: Final = 0.65
VERY: Final = 0.8
#: The lead over the next subject below which several fit equally well, and the lead at which one is clear.
MARGIN: Final = 0.12
CLEAR: Final = 0.25
#: The share of the words that rules have at which a question with one such word is too vague.
VAGUE: Final = 0.5
#: The weights of the lead, and of the share of the words that rules have, next to the likelihood; and the least sums
#: for a probable and for a certain answer.
LEAD: Final = 2
KNOWN: Final = 0.5
PROBABLE: Final = 1.36
CERTAIN: Final = 1.65
#: The least likelihood of a subject to be offered.
LEAST: Final = 0.2
#: The least likelihood of a result of the site's search.
LISTED: Final = 0.5
#: The maximum number of subjects to offer.
OFFERED: Final = 3
#: The number of words that must name the topic of a question that names no game, and of the first of two questions.
NAMING: Final = 2
#: The maximum gap in likelihood to the best subject for one that is stated with it.
BESIDE: Final = 0.25
#: The lead in likelihood that an irregularity outside the books in scope needs over their rules.
SILENT_BY: Final = 0.12
#: The lead in likelihood that a subject needs over one of another game.
NEARER: Final = 0.1
#: The least value of the higher of two final scores.
LEAST_SCORE: Final = 100


def measures() -> dict[str, float]:
    """Return every measure by its name."""
    return {name: value for name, value in globals().items() if name.isupper()}
