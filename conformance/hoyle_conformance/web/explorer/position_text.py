"""Positions as text: read cards, a line of the notation, a scenario or a link, and write a layout as a line.

Cards are read as people type or paste them: ``KS QS``, ``K♠ Q♠``, ``♠KQ ♦J``, ``10h``, ``king of spades``.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hoyle._errors import HoyleError
from hoyle._game import Game
from hoyle._notation import Reader
from hoyle._positions import Position, position_of
from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.files.read import read_json
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.books import layout_for_books
from hoyle_conformance.web.explorer.game_state import PREFIX, GameState, States
from hoyle_conformance.web.explorer.layout import (
    HOUSE,
    VERSION,
    Answered,
    Layout,
    Request,
    Wrong,
    open_link,
    read_layout,
    shortened,
    written_layout,
)
from hoyle_conformance.web.explorer.walk import TableWalk
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.events import cards_named
from hoyle_conformance.wording.text import sentence
from hoyle_reference.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS

_LONGEST: Final = 60_000
_LINK: Final = re.compile(r"#(g=)?\d+\.[\w-]+$|^(g=)?\d+\.[\w-]{8,}$", re.ASCII)
_NOTATION: Final = re.compile(r"([a-z][a-z0-9-]*(?:\+[a-z0-9-]+)*)(?=\{|;| [a-z_]+:)")
_YAML: Final = re.compile(r"^(?:# |given:|id:|title:|steps:)", re.MULTILINE)
_REMEDY: Final = "Paste cards, a line of the notation, a scenario, or a link."


def parse(suite: Suite, states: States, request: Request) -> Answered:
    """Return the content of a text: `cards`, a `layout` or a `game`; or the first mistake in it, with its place."""
    text = request.get("text")
    if not isinstance(text, str):
        raise Wrong("There is no text to read.", _REMEDY)
    if len(text) > _LONGEST:
        raise Wrong("The text is too long.", "Paste one position.")
    layout = read_layout(request.get("layout"))
    whole = text.strip()
    try:
        return _read(suite, states, whole, layout) or _cards(states, layout, request, whole)
    except TextFault as fault:
        before = len(text) - len(text.lstrip())
        at = [_utf16(text, before + each) for each in (fault.start, fault.end)]
        return {"error": {"says": fault.says, "remedy": fault.remedy, "at": at}}


def _utf16(text: str, at: int) -> int:
    """Return a place in a text as a browser counts it, in UTF-16 units."""
    return sum(2 if each > "\uffff" else 1 for each in text[:at])


def _read(suite: Suite, states: States, text: str, layout: Layout) -> Answered | None:
    """Return the content of a text that is more than cards; None if it is only cards."""
    if _LINK.search(text):
        found = opened(states, text)
        return {key: found[key] for key in ("game", "layout") if key in found}
    if text.startswith("{"):
        return _of_data(suite, _json(text), layout)
    if (named := _NOTATION.match(text)) and (" " in text or ";" in text):
        return _noted(suite, states, text, named[1])
    if _YAML.search(text):
        return _of_data(suite, _yaml(text), layout)
    return None


def _cards(states: States, layout: Layout, request: Request, text: str) -> Answered:
    """Return the cards of a text; cards in the layout are taken, except those of the place being filled (`free`)."""
    packs = _state(states, layout).asked.rules.packs
    free = request.get("free", [])
    if not isinstance(free, list):
        raise Wrong("The cards that are free must be a list.", "Type the cards again.")
    taken = cards_named(layout.given) - {card for card in free if isinstance(card, str)}
    cards = read_cards(text, packs, taken)
    if not cards or cards == [REST]:
        raise Wrong("The text names no card.", _REMEDY)
    return {"cards": cards}


def _state(states: States, layout: Layout) -> GameState:
    """Return a game by the rules of the drawn table."""
    own, house = layout.drawn_by, layout.house
    value = {"v": VERSION, "ruleset": own, "readings": dict(layout.readings.get(own, {})), "seed": 0}
    if own == HOUSE and house:
        value["house"] = {"extends": house.extends, "rules": dict(house.rules)}
    return states.read(value)


def opened(states: States, link: Any) -> Answered:
    """Return the `game` or the `layout` of a link, and the step shown (`at`) if it is not the last; raise Wrong if
    there is none."""
    if not isinstance(link, str):
        raise Wrong("There is no link.", "Copy the whole link again.")
    end = link.strip().rpartition("#")[2]
    if end.startswith(PREFIX):
        return {"game": states.opened(end).written}
    layout = open_link(end)
    shown = {"at": layout.pop("at")} if "at" in layout else {}
    return {"layout": layout, **shown}


def _json(text: str) -> Any:
    try:
        return read_json(text)
    except ValueError as error:
        why = error.__cause__
        at = why.pos if isinstance(why, json.JSONDecodeError) else 0
        raise TextFault("This is not valid JSON.", "Correct it here.", at, min(at + 1, len(text))) from None


def _yaml(text: str) -> Any:
    """Return the data of a scenario file; raise Wrong if this Python has no YAML, as in a browser."""
    try:
        from hoyle_conformance.files.diagnostics import Invalid  # noqa: PLC0415 -- as the next
        from hoyle_conformance.files.strict_yaml import load  # noqa: PLC0415 -- the table in a browser has no YAML
    except ImportError:
        says = "This page cannot read YAML by itself."
        raise Wrong(says, "Open the table with 'hoyle table', or paste a line of the notation.") from None
    try:
        return load(text, "this").data
    except Invalid as invalid:
        first = invalid.diagnostics[0]
        start = sum(len(line) + 1 for line in text.split("\n")[: first.line - 1]) + first.column - 1
        raise TextFault(sentence(first.message), str(first.remedy) or "Correct it here.", start, start + 1) from None


def _of_data(suite: Suite, data: Any, layout: Layout) -> Answered:
    """Return the layout of a scenario, or of a part of one; its default rulesets are those of `layout`."""
    if not isinstance(data, dict) or not isinstance(data.get("given"), dict):
        raise Wrong("The text has no position under 'given'.", _REMEDY)
    rulesets = data.get("rulesets") or _of_outcomes(data) or list(layout.rulesets)
    title = {"title": data["title"]} if isinstance(data.get("title"), str) else {}
    made = written_layout({"rulesets": rulesets, "given": data["given"], "steps": data.get("steps", []), **title})
    unknown = [each for each in read_layout(made).rulesets if not suite.rules.knows(each)]
    if unknown and not data.keys() & {"rulesets", "outcomes", "proposals"}:
        return {"layout": made}
    if unknown:
        raise Wrong("The text names rules that the table does not have.", "Correct the names of the rulesets.")
    return {"layout": made}


def _of_outcomes(data: Mapping[str, Any]) -> list[Any]:
    """Return the rulesets with outcomes in a scenario."""
    outcomes = data.get("outcomes") or data.get("proposals")
    some = [each.get("rulesets") for each in outcomes if isinstance(each, dict)] if isinstance(outcomes, list) else []
    return list(dict.fromkeys(one for each in some if isinstance(each, list) for one in each if isinstance(one, str)))


def _noted(suite: Suite, states: States, text: str, name: str) -> Answered:
    """Return the layout of a position or a game in the notation."""
    try:
        reader = Reader(text)
        reader.need(name)
        readings = reader.value() if reader.comes("{") else {}
        state = states.read({"v": VERSION, "ruleset": name, "readings": readings, "seed": 0})
        game = _game(text, state)
    except HoyleError as error:
        found = re.search(r"character (\d+)", error.place)
        start = int(found[1]) - 1 if found else 0
        remedy = "Correct it here; the page on the text notation has the grammar."
        raise TextFault(sentence(error.message), remedy, start, min(start + 1, len(text))) from None
    return {"layout": layout_for_books(suite, state, game, None)}


def _game(text: str, state: GameState) -> Game:
    if ";" in text:
        return Game.from_text(text, state.rules)
    return Game(state.rules, Position.from_text(text, state.rules))


def as_text(states: States, walk: TableWalk, layout: Layout) -> Answered:
    """Return the position at the end of a layout as a line of text; raise Wrong if there is none."""
    if walk.table is None or walk.problem:
        says = walk.problem.says if walk.problem else "There is no position."
        raise Wrong(says, walk.problem.remedy if walk.problem else "Lay some cards.")
    state = _state(states, layout)
    return {"text": str(position_of(state.rules, walk.table))}


# ---- cards


_SYMBOLS: Final = {
    **{symbol: suit for suit, symbol in printed.SYMBOLS.items()},
    **dict(zip("♧♢♡♤", SUITS, strict=True)),
}
_MARKS: Final = "¹²³⁴⁵⁶⁷⁸"
_RANK_WORDS: Final = {**dict(zip(RANK_NAMES, RANKS, strict=True)), "jack": "J"}
_SUIT_WORDS: Final = {word: SUITS[at] for at, name in enumerate(SUIT_NAMES) for word in (name, name.removesuffix("s"))}
_RANK: Final = rf"10|[{RANKS}]"
_COPY: Final = rf"#[1-8]|[{_MARKS}]"
_ANY_SUIT: Final = "".join(_SYMBOLS)
#: Separators between cards.
_BETWEEN: Final = re.compile(r"(?:[\s,;·|/()\[\]\ufe0e\ufe0f-]|\.(?!\.))+|and\b", re.IGNORECASE)
_DOTS: Final = re.compile(r"\.\.\.|…")
_IN_WORDS: Final = re.compile(
    rf"({'|'.join(_RANK_WORDS)})\s+(?:of\s+)?({'|'.join(sorted(_SUIT_WORDS, key=len, reverse=True))})\b", re.IGNORECASE
)
_RANK_FIRST: Final = re.compile(rf"({_RANK})([CDHS{_ANY_SUIT}])({_COPY})?(?!\w)", re.IGNORECASE)
_SUIT: Final = re.compile(rf"([{_ANY_SUIT}])|([CDHS]):", re.IGNORECASE)
_RANK_ALONE: Final = re.compile(rf"({_RANK})({_COPY})?", re.IGNORECASE)
_WORD: Final = re.compile(r"\S+")


class TextFault(Exception):
    """Text that cannot be read: the problem, the remedy, and the start and end in the text."""

    def __init__(self, says: str, remedy: str, start: int, end: int) -> None:
        super().__init__(says)
        self.says, self.remedy, self.start, self.end = says, remedy, start, end


@dataclass(frozen=True, slots=True)
class TypedCard:
    """A card as typed: its face, the number of its copy if given, and its place in the text."""

    face: str
    copy: int
    start: int
    end: int


_HOW: Final = "Write cards like KS, K♠, 10h, ♠KQ or king of spades."


def read_cards(text: str, packs: int, taken: Iterable[str] = ()) -> list[str]:
    """Return the cards of a text; a card without a copy number gets the first free copy. Raise TextFault for the first
    mistake."""
    typed = list(_typed(text))
    used = {*taken, *(_name(each.face, each.copy) for each in typed if each.copy)}
    found: list[str] = []
    for each in typed:
        if each.face == REST:
            found += [] if REST in found else [REST]
            continue
        said = _name(each.face, each.copy) if each.copy else ""
        free = [name for copy in range(1, packs + 1) if (name := _name(each.face, copy)) not in used]
        if each.copy > packs or said in found or said in set(taken) or not (said or free):
            raise TextFault(_too_many(each.face, packs), "Remove this card.", each.start, each.end)
        used.add(said or free[0])
        found.append(said or free[0])
    return found


def _too_many(face: str, packs: int) -> str:
    count = "one" if packs == 1 else str(packs)
    return f"There {'is' if packs == 1 else 'are'} only {count} {printed.card(face)}, and it is placed already."


def _name(face: str, copy: int) -> str:
    return face if copy == 1 else f"{face}#{copy}"


def _typed(text: str) -> Iterator[TypedCard]:
    """Yield the cards of a text. If a suit comes first, the ranks after it belong to that suit."""
    at, suit = 0, ""
    while at < len(text):
        if dots := _DOTS.match(text, at):
            yield TypedCard(REST, 0, *dots.span())
            at = dots.end()
        elif between := _BETWEEN.match(text, at):
            at = between.end()
        elif found := _IN_WORDS.match(text, at):
            yield TypedCard(_RANK_WORDS[found[1].lower()] + _SUIT_WORDS[found[2].lower()], 0, *found.span())
            at = found.end()
        elif not suit and (found := _RANK_FIRST.match(text, at)):
            yield TypedCard(_rank(found[1]) + _suit(found[2]), _copy(found[3]), *found.span())
            at = found.end()
        elif found := _SUIT.match(text, at):
            suit, at = _suit(found[1] or found[2]), found.end()
        elif suit and (found := _RANK_ALONE.match(text, at)):
            yield TypedCard(_rank(found[1]) + suit, _copy(found[2]), *found.span())
            at = found.end()
        else:
            word = _WORD.match(text, at)
            assert word is not None, "what is no space is a word"
            raise TextFault(f"'{shortened(word[0])}' is not a card.", _HOW, *word.span())


def _rank(text: str) -> str:
    return "T" if text == "10" else text.upper()


def _suit(text: str) -> str:
    return _SYMBOLS.get(text, text.upper())


def _copy(text: str | None) -> int:
    if not text:
        return 0
    return _MARKS.index(text) + 1 if text in _MARKS else int(text.removeprefix("#"))
