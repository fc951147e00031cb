"""Links to terms: the page of each, and prose in which the first use of a term leads there."""

import re
from functools import cache

from hoyle_conformance.web.site.links import a
from hoyle_conformance.wording.glossary import terms
from hoyle_conformance.wording.html import Markup, drawn, joined

#: Pieces of HTML: a link with all that is in it, a card, a tag; whatever else there is, is words.
_PIECE = re.compile(r"<a\b.*?</a>|<span class=\"card.*?</span>|<[^>]*>|[^<]+", re.DOTALL)


def term_path(id_: str) -> str:
    """Return the address of a term, which never changes."""
    return f"terms/{id_}.html"


def first_uses(words: str, game: str, here: str, seen: set[str]) -> Markup:
    """Return prose with cards drawn, in which the first use of each term of this game is a link; those that have been
    linked on the page before are in `seen`, to which the new ones are added. Markup is taken as it is: nothing in a
    link of its own is made one."""
    shown = words if isinstance(words, Markup) else drawn(words)
    pattern, ids = _of(game)
    if not ids:
        return shown
    return joined(
        Markup(piece) if piece.startswith("<") else _linked(piece, pattern, ids, here, seen)
        for piece in _PIECE.findall(shown)
    )


def _linked(piece: str, pattern: re.Pattern[str], ids: dict[str, str], here: str, seen: set[str]) -> Markup:
    def put(found: re.Match[str]) -> str:
        term = ids[found[0]]
        if term in seen or here == term_path(term):
            return found[0]
        seen.add(term)
        return a(Markup(found[0]), term_path(term), here, class_="term")

    return Markup(pattern.sub(put, piece))


@cache
def _of(game: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of the terms of a game, the longest first, and the term of each form of words. The name of a
    game is no term, nor is a word that is a part of it (Rubicon Bézique)."""
    games = {name for term in terms() for name in term.says}
    forms = {form: term.id for term in terms() if game in term.says for form in term.linked}
    capital = {form[:1].upper() + form[1:]: id_ for form, id_ in forms.items()}
    ids = {form: id_ for form, id_ in (capital | forms).items() if form not in games}
    longest = "|".join(map(re.escape, sorted(ids, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{longest})(?![\w-])(?! (?:{'|'.join(sorted(games))})\b)"), ids
