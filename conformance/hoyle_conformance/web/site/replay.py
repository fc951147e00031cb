"""A replay: every step of a position as an ordered list, with the table after it in words; a script makes one table of
them. The list is the data that the script shows: there is no other, and it is all there without the script.

JSON beside the list would say the same twice. Rulesets that walk alike share a replay, and are compared only in what
the position and the steps name, so they part only where the books do.
"""

import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache

from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.book_links import brief
from hoyle_conformance.web.site.links import linked
from hoyle_conformance.web.site.links import place as where
from hoyle_conformance.web.site.page import anchor, href
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.html import Markup, tag, text
from hoyle_conformance.wording.position import ANY, CardPlace, ShownTable
from hoyle_conformance.wording.walkthrough import Track, WalkStep, tracks, walk

#: A card whose face is left open, as it is written in a row.
BACK = "▯"
#: How clauses are named, alone and after one that is told in words.
_AND = ("By", "Also")


def replay(suite: Suite, checks: Check | Sequence[Check], here: str) -> Markup:
    """Return the replay of a check, or of several of one position, those together that go alike."""
    some = [checks] if isinstance(checks, Check) else checks
    return of_tracks(suite, tracks(suite, [walk(suite, check) for check in some]), here)


def of_tracks(suite: Suite, found: Sequence[Track], here: str) -> Markup:
    """Return the replay of tracks: the first is open, the others are folded."""
    shown = [_track(suite, track, here, folded=number > 0) for number, track in enumerate(found)]
    return tag("hoyle-replay", *shown)


def _track(suite: Suite, track: Track, here: str, *, folded: bool) -> Markup:
    rulesets = [check.ruleset for check in track.checks]
    name = brief(suite, rulesets)
    steps = Markup("".join(_steps(suite, track, here)))
    body = tag("ol", steps, class_="steps", start="0")
    inside = [tag("summary", name), body]
    return tag("details", *inside, class_="track", open=not folded, data_rulesets=" ".join(rulesets))


def _steps(suite: Suite, track: Track, here: str) -> Iterator[str]:
    given = "".join(f"<li>{text(line)}</li>" for line in track.given)
    yield f'<li id="{text(track.name)}-0" value="0"><p class="said">The position.</p><ul class="follows">{given}</ul>'
    yield f"{table(track.table)}</li>"
    told: set[str] = set()
    for step in track.steps:
        yield _step(suite, track.name, step, here, told)


def _step(suite: Suite, name: str, step: WalkStep, here: str, told: set[str]) -> str:
    """Return one step; a clause that has been quoted before is only named."""
    kind = " ".join(word for word, holds in (("refused", step.refused), ("parts", step.parts)) if holds)
    follows = "".join(f"<li>{text(each)}</li>" for each in step.follows)
    must = f'<p class="must">Must show: {text(" ".join(step.expected))}</p>' if step.expected else ""
    parts = '<p class="parting">Here the books part.</p>' if step.parts else ""
    return (
        f'<li id="{text(name)}-{step.number}" value="{step.number}" class="{kind}">'
        f'<p class="said">{text(step.said)}</p>'
        f'{follows and f"""<ul class="follows">{follows}</ul>"""}'
        f"{parts}{must}{_by(suite, step.clauses, here, told)}{table(step.table)}</li>"
    )


def _by(suite: Suite, clauses: Sequence[str], here: str, told: set[str]) -> str:
    """Return the clauses that decide a step: the first in words, the others by their places."""
    if not clauses:
        return ""
    new = next((clause for clause in clauses if clause not in told), "")
    told.add(new)
    places = {where(suite, suite.clauses[clause]): clause for clause in reversed(clauses)}
    if new:
        places.pop(where(suite, suite.clauses[new]))
    others = ", ".join(clause_link(suite, clause, here) for clause in reversed(places.values()))
    words = f"<li>{_in_words(suite, new, here)} {clause_link(suite, new, here)}</li>" if new else ""
    return f'<ul class="by">{words}{others and f"<li>{_AND[bool(new)]} {others}</li>"}</ul>'


def _in_words(suite: Suite, clause: str, here: str) -> Markup:
    """Return the words of a clause; if it names another by its id, that is a link."""
    says = suite.clauses[clause].says
    return linked(suite, says, here) if "/" in says else text(says)


def clause_link(suite: Suite, clause: str, here: str) -> Markup:
    """Return a link to a clause by its place; there are many links, and few that are not alike."""
    return _link(clause, where(suite, suite.clauses[clause]), posixpath.dirname(here))


@lru_cache(maxsize=1 << 15)
def _link(clause: str, place: str, folder: str) -> Markup:
    to = href(f"sources/{clause.partition('/')[0]}.html#{anchor(clause)}", f"{folder}/" if folder else "")
    return Markup(f'<a href="{text(to)}">{text(place)}</a>')


def table(laid: ShownTable) -> str:
    """Return a table in words: a row a place, from the seat across to the first; what is new is marked."""
    *others, first = reversed(laid.seats)
    rows = [row for seat in others for row in _seat(laid, seat)]
    rows.append(_middle(laid))
    rows += reversed(list(_seat(laid, first)))
    return f'<details class="lies"><summary>The table</summary><dl>{"".join(filter(None, rows))}</dl></details>'


def _seat(laid: ShownTable, seat: str) -> Iterator[str]:
    """Yield the rows of a seat, that of the hand first."""
    score = CardPlace("score", seat)
    points = f" <b>{_fact(laid, score)}</b>" if score in laid.facts else ""
    yield f"<div><dt>{seat}{points}</dt><dd>{_row(laid, CardPlace('hand', seat)) or _none(laid)}</dd></div>"
    for kind in ("shown", "discards", "seen"):
        place = CardPlace(kind, seat)
        if place in laid.cards:
            yield f"<div><dt>{seat} {place.title}</dt><dd>{_row(laid, place)}</dd></div>"
    aside = [CardPlace(kind, seat) for kind in ("kept", "made", "won") if CardPlace(kind, seat) in laid.facts]
    if aside:
        said = ", ".join(f"{'keeps ' * (place.kind == 'kept')}{_fact(laid, place)}" for place in aside)
        yield f'<div class="aside"><dt>{seat}</dt><dd>{said}</dd></div>'


def _none(laid: ShownTable) -> str:
    return "no cards" if any(place.kind == "hand" for place in laid.cards) else "\N{EN DASH}"


def _row(laid: ShownTable, place: CardPlace) -> str:
    """Return the cards of a place as they are printed; those left open as backs, or counted if there are no others."""
    cards, new = laid.cards.get(place, ()), laid.new_cards.get(place, ())
    backs = cards.count(ANY)
    if backs and backs == len(cards):
        return f"any {backs} cards"
    faces = [
        f"<mark>{printed.card(card)}</mark>" if card in new else printed.card(card) for card in cards if card != ANY
    ]
    return " ".join([*faces, *([BACK * backs] if backs else [])])


def _fact(laid: ShownTable, place: CardPlace) -> str:
    said = text(laid.facts[place])
    return f"<mark>{said}</mark>" if place in laid.new_facts else said


def _middle(laid: ShownTable) -> str:
    """Return the row of what is between the players."""
    lie = [(CardPlace("turn-up"), "turn-up "), (CardPlace("trick"), "in the trick ")]
    shown = [f"{title}{_row(laid, place)}" for place, title in lie if place in laid.cards]
    said = [_fact(laid, CardPlace(kind)) for kind in ("stock", "trumps", "over") if CardPlace(kind) in laid.facts]
    parts = "".join(f"<span>{each}</span> " for each in [*said[:1], *shown[:1], *said[1:], *shown[1:]])
    return f'<div class="middle"><dt>Between them</dt><dd>{parts}</dd></div>' if parts else ""
