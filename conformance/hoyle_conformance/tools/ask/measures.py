"""The numbers by which a question is understood and answered; the site's script has them from here."""

from typing import Final

# ---- words

#: So like a name of a game or a book must a word of so many letters be to be taken for it.
NAME_LIKENESS: Final = 0.84
NAME_LETTERS: Final = 5
#: So like a known word must a word of so many letters be to be taken for it, ...
LIKENESS: Final = 0.8
LETTERS: Final = 5
#: ... and so many letters more or less may it have.
MORE_LETTERS: Final = 2
#: How much a word that nobody knows counts beside the rarest known one.
UNKNOWN_WEIGHT: Final = 0.5

# ---- how likely a subject is meant

#: How much a near word counts, beside the word itself, and a word of the text beside one of a name.
NEAR: Final = 0.5
TEXT: Final = 0.75
#: How much the best name, all words, and the best clause count.
NAME: Final = 0.5
WORDS: Final = 0.3
CLAUSE: Final = 0.2
#: How much the words and the best name of something that stands alone count.
ALONE_WORDS: Final = 0.6
ALONE_NAME: Final = 0.4
#: How much a clause counts beside a rule that may cite it, and one that no rule cites.
CITED: Final = 0.72
UNCITED: Final = 0.86
#: How much an irregularity counts if a penalty is asked for, and if not.
PENALTY: Final = 1.1
NO_PENALTY: Final = 0.9
#: How much a rule counts that is of the kind that is asked for.
OF_THE_KIND: Final = 1.12
#: Places after the point to which a likelihood is rounded, so that it is the same wherever it is computed.
PLACES: Final = 6

#: A clause that no ruleset cites is of those that cite at least this share of what any cites of the same part.
AT_HOME: Final = 0.95

# ---- how surely it is answered

#: A subject that is less likely than this is not answered surely, ...
SURE: Final = 0.65
#: (but one that is less likely, if no other is nearly so,)
ENOUGH: Final = 0.42
CLEAR: Final = 0.12
#: ... nor one that is hardly likelier than the next, unless it is very likely.
MARGIN: Final = 0.12
VERY: Final = 0.8
#: Nothing that is less likely is offered.
LEAST: Final = 0.2
#: So many are offered.
OFFERED: Final = 3
#: So nearly must a question be the title of a position to be answered by its outcome, ...
SITUATION: Final = 0.95
#: ... and so many words must name what it is about.
NAMING: Final = 2
#: A subject that is less likely by no more than this is stated with the best.
BESIDE: Final = 0.25
#: By so much must an irregularity on which the books in scope are silent be likelier than what they say.
SILENT_BY: Final = 0.12
#: By so much must a subject be likelier than one of another game.
NEARER: Final = 0.1


def measures() -> dict[str, float]:
    """Return every measure by its name."""
    return {name: value for name, value in globals().items() if name.isupper()}
