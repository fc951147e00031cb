"""Replays: every step of a position as an ordered list, with the table after it in words. A script turns the list into
one animated table; the list is its only data, and is complete without the script.

Additional JSON would repeat the list. Rulesets with equal walks share a replay. The comparison covers only the cards
and facts that the position and the steps name, so replays differ only if the books do.
"""

import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.links import brief, clause_path, fill, linked
from hoyle_conformance.web.site.page import href
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.citations import place as where
from hoyle_conformance.wording.events import ANY, CardPlace, ShownTable
from hoyle_conformance.wording.html import Markup, joined, tag, text
from hoyle_conformance.wording.walkthrough import Track, WalkStep, tracks, walk

#: A row of a table in words: its kind, if special, its heading, and its content.
TableRow = tuple[str, Markup, Markup]
#: The sign in a row for a card whose face is left open.
BACK = "▯"


def replay(suite: Suite, checks: Check | Sequence[Check], here: str) -> Markup:
    """Return the replay of a check, or of several checks of one position, with equal ones merged."""
    some = [checks] if isinstance(checks, Check) else checks
    return of_tracks(suite, tracks(suite, [walk(suite, check) for check in some]), here)


def of_tracks(suite: Suite, found: Sequence[Track], here: str, *, begins: int = 0) -> Markup:
    """Return the replay of tracks, with the first open and the others folded; `begins` is the step shown at first."""
    tracks = []
    for track in found:
        rulesets = [check.ruleset for check in track.checks]
        tracks.append((track, rulesets, brief(suite, rulesets), partial(_grounds, suite, here, set())))
    return fill("replay", suite, here, tracks=tracks, begins=begins, expected=_expected, rows=table)


# ---- steps


def _expected(step: WalkStep) -> list[str]:
    """Return the expectations of a step that are not among its consequences."""
    seen = {each.removeprefix("Answer: ") for each in step.follows}
    return [each for each in step.expected if each not in seen]


def _grounds(suite: Suite, here: str, quoted: set[str], clauses: Sequence[str]) -> list[Markup]:
    """Return the clauses that decide a step: the first that is not in `quoted`, which it joins, in words and with a
    link; and links to the others."""
    new = next((clause for clause in clauses if clause not in quoted), "")
    places = {where(suite, suite.clauses[clause]): clause for clause in reversed(clauses)}
    lines = []
    if new:
        quoted.add(new)
        places.pop(where(suite, suite.clauses[new]))
        says = suite.clauses[new].says
        lines += [
            joined((linked(suite, says, here) if "/" in says else text(says), " ", clause_link(suite, new, here)))
        ]
    if places:
        others = joined((clause_link(suite, clause, here) for clause in reversed(places.values())), ", ")
        lines += [joined(("Also " if new else "By ", others))]
    return lines


def clause_link(suite: Suite, clause: str, here: str) -> Markup:
    """Return a link to a clause by its place; cached, since many links are equal."""
    return _link(clause_path(suite, clause), where(suite, suite.clauses[clause]), posixpath.dirname(here))


@lru_cache(maxsize=1 << 15)
def _link(path: str, place: str, folder: str) -> Markup:
    to = href(path, f"{folder}/" if folder else "")
    return Markup(f'<a href="{text(to)}">{text(place)}</a>')


# ---- tables in words


def table(shown: ShownTable) -> Sequence[TableRow]:
    """Return the rows of a table, from the seat across to the first, with changes marked."""
    *others, first = reversed(shown.seats)
    rows = [row for seat in others for row in _seat(shown, seat)]
    return (*rows, *_middle(shown), *reversed(list(_seat(shown, first))))


def _seat(shown: ShownTable, seat: str) -> Iterator[TableRow]:
    """Yield the rows of a seat, the hand first."""
    score, hand = CardPlace("score", seat), CardPlace("hand", seat)
    head = joined((seat, " ", tag("b", _fact(shown, score)))) if score in shown.facts else text(seat)
    yield ("", head, _cards(shown, hand) or _no_cards(shown))
    for kind in ("shown", "discards", "seen"):
        place = CardPlace(kind, seat)
        if place in shown.cards:
            yield ("", text(f"{seat} {place.title}"), _cards(shown, place))
    aside = [CardPlace(kind, seat) for kind in ("kept", "made", "won") if CardPlace(kind, seat) in shown.facts]
    if aside:
        said = (joined(("keeps " if place.kind == "kept" else "", _fact(shown, place))) for place in aside)
        yield ("aside", text(seat), joined(said, ", "))


def _no_cards(shown: ShownTable) -> Markup:
    return text("no cards" if any(place.kind == "hand" for place in shown.cards) else "\N{EN DASH}")


def _cards(shown: ShownTable, place: CardPlace) -> Markup:
    """Return the cards of a place as printed; cards left open as backs, or counted if there are no others."""
    cards, new = shown.cards.get(place, ()), shown.new_cards.get(place, ())
    backs = cards.count(ANY)
    if backs and backs == len(cards):
        return text(f"any {backs} cards")
    faces = [tag("mark", printed.card(card)) if card in new else printed.card(card) for card in cards if card != ANY]
    return joined([*faces, *([BACK * backs] if backs else [])], " ")


def _fact(shown: ShownTable, place: CardPlace) -> Markup:
    said = shown.facts[place]
    return tag("mark", said) if place in shown.new_facts else text(said)


def _middle(shown: ShownTable) -> Iterator[TableRow]:
    """Yield the row of the cards between the players, if any."""
    piles = [(CardPlace("turn-up"), "turn-up "), (CardPlace("trick"), "in the trick ")]
    piles += [(place, f"trick to {place.seat} ") for place in shown.cards if place.kind == "taken"]
    cards = [joined((title, _cards(shown, place))) for place, title in piles if place in shown.cards]
    facts = [_fact(shown, CardPlace(kind)) for kind in ("stock", "trumps", "over") if CardPlace(kind) in shown.facts]
    parts = [*facts[:1], *cards[:1], *facts[1:], *cards[1:]]
    if parts:
        yield ("middle", text("Between them"), joined(joined((tag("span", each), " ")) for each in parts))
