"""The rulesets that a question is about, by the words that name a game, a book or a form of a game.

``scopes.yaml`` has the spellings of the `games`, the `words` that decide the game, the `books`, the words that
`compare` two of them, the `forms` (for rulesets, or for those whose ids have one of the `parts`), the words of an
`entry` next to them, and those around *bézique* that indicate the `combination`, not the game.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from hoyle_conformance.files.diagnostics import nearest
from hoyle_conformance.files.stemming import stem, words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask import measures as measure
from hoyle_conformance.tools.ask.words import read_data

#: The file of the words that name games, books and forms.
SCOPES: Final = "scopes.yaml"


@dataclass(frozen=True, slots=True)
class AskedScope:
    """The scope of a question: the games and rulesets that its words allow, and its remaining words.

    Flags record whether the words name a game, and a book or a form; whether *bézique* is among the remaining words;
    whether nothing else is asked; whether the book named lacks the form named; and whether books are compared.
    """

    games: tuple[str, ...]
    rulesets: tuple[str, ...]
    names_game: bool = False
    narrowed: bool = False
    left: tuple[str, ...] = ()
    combination: bool = False
    entry: bool = False
    missing: bool = False
    compared: bool = False


@cache
def scope_data() -> Mapping[str, Any]:
    """Return the words that name games, books and forms."""
    data: Mapping[str, Any] = read_data(SCOPES)
    return data


def find_scope(suite: Suite, text: str, ruleset: str = "") -> AskedScope:
    """Return the rulesets that a question is about, or the given one."""
    written = _spelled(words(text))
    data = scope_data()
    struck: set[int] = set()
    games = [game for game, forms in data["games"].items() if _strike(written, forms, struck)]
    named = bool(games)
    books = [book for book in data["books"] if _strike(written, book["words"], struck)]
    given = suite.rulesets[ruleset.partition("+")[0]].game if ruleset else ""
    games = [given] if given else games or _games_by_book(suite, books) or _games_by_words(written)
    among = [each.id for game in games for each in suite.rulesets.values() if each.game == game]
    kept, missing = _narrow(suite, written, among, books, struck)
    compared = len(books) > 1 and _strike(written, data["compare"], struck)
    left = tuple(word for number, word in enumerate(written) if number not in struck)
    bezique = data["games"]["Bézique"]
    combination = any(_is_combination(written, number) for number, word in enumerate(written) if word in bezique)
    entry = entry_words().issuperset(map(stem, left))
    own = (ruleset,) if ruleset else tuple(kept)
    narrowed = bool(books) or len(kept) < len(among)
    return AskedScope(tuple(games), own, named, narrowed, left, combination, entry, missing, compared)


def _spelled(written: Sequence[str]) -> list[str]:
    """Return words, with misspelled names corrected."""
    names = _names()
    known = names | own_words()
    is_right = {word: len(word) < measure.NAME_LETTERS or word in known for word in written}
    return [word if is_right[word] else nearest(word, names, cutoff=measure.NAME_LIKENESS) or word for word in written]


@cache
def own_words() -> frozenset[str]:
    """Return the words that decide the game, so that *pique* is not corrected to *piquet*."""
    tiers = scope_data()["words"]
    return frozenset(word for tier in tiers for own in tier.values() for each in own for word in words(each))


@cache
def _names() -> frozenset[str]:
    data = scope_data()
    every = [*data["games"].values(), *(each["words"] for each in data["books"])]
    return frozenset({word for forms in every for word in forms if " " not in word} | {"rubicon"})


def _strike(written: Sequence[str], forms: Iterable[str], struck: set[int]) -> bool:
    """Add the places of the words that match one of the forms; return whether there are any."""
    found = False
    for form in forms:
        parts = words(form)
        for at in range(len(written) - len(parts) + 1):
            if list(written[at : at + len(parts)]) == parts:
                struck.update(range(at, at + len(parts)))
                found = True
    return found


def _narrow(
    suite: Suite, written: Sequence[str], among: Sequence[str], named: Sequence[Mapping[str, Any]], struck: set[int]
) -> tuple[list[str], bool]:
    """Return the rulesets of the books named and the forms, and whether only other books have the form; add the places
    of the words of forms."""
    sources = {source for book in named for source in book["sources"]}
    books = {name for name in among if sources.intersection(suite.rulesets[name].sources)}
    kept, missing = [name for name in among if name in books or not books], bool(named and not books)
    for form in scope_data()["forms"]:
        places, own = set[int](), _by_form(form, kept)
        if own and _strike(written, form["words"], places) and not places <= struck:
            kept = [name for name in kept if name in own]
            struck |= set() if form.get("keep") else places
        elif form.get("lacking") and books and not own and _by_form(form, among):
            missing |= _strike(written, form["words"], places) and not places <= struck
    return kept, missing


def _by_form(form: Mapping[str, Any], among: Iterable[str]) -> set[str]:
    own, parts = form.get("rulesets", ()), form.get("parts", ())
    return {name for name in among if name in own or any(part in name for part in parts)}


def _games_by_book(suite: Suite, named: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the game of the books named, if only one game is in all of them."""
    games = dict.fromkeys(each.game for each in suite.rulesets.values())
    having = {
        game: {source for each in suite.rulesets.values() if each.game == game for source in each.sources}
        for game in games
    }
    found = [game for game in games if all(having[game] & set(book["sources"]) for book in named)]
    return found if len(found) == 1 else []


def _games_by_words(written: Sequence[str]) -> list[str]:
    """Return the game with the most deciding words, by the first on which games differ; otherwise every game."""
    said = stems_of(written)
    games = list(scope_data()["games"])
    for tier in scope_data()["words"]:
        counts = {game: sum(stems_of(words(each)) in said for each in tier[game]) for game in games}
        games = [game for game in games if counts[game] == max(counts.values())]
    return games


def stems_of(written: Iterable[str]) -> str:
    """Return the stems of words as a text in which whole phrases can be found."""
    return f" {' '.join(map(stem, written))} "


def _is_combination(written: Sequence[str], at: int) -> bool:
    before = written[at - 1] if at else ""
    after = written[at + 1] if at + 1 < len(written) else ""
    shown = scope_data()["combination"]
    near = nearest(before, shown["multiples"], cutoff=measure.NAME_LIKENESS)
    before_it = before in shown["before"] and after not in shown["never_after"]
    return after in shown["after"] or bool(near) or before_it


@cache
def entry_words() -> frozenset[str]:
    """Return the words that ask for a game, a book or a form itself."""
    return frozenset(stem(word) for phrase in scope_data()["entry"] for word in words(phrase))
