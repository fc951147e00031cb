"""Texts that people paste: cards, positions and games in the notation, and links. Each survives being written."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hoyle import Game, HoyleError, Position
from hoyle_conformance.files.schema_errors import card_meant
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.engine import Engine
from hoyle_conformance.web.explorer.layout import Wrong, link_of, open_link
from hoyle_conformance.web.explorer.position_text import TextFault, read_cards

from .properties import assert_printable
from .target import Input, Read

_EMPTY: Final = {"v": 1, "rulesets": ["bezique-hoyle"], "given": {}, "steps": []}
#: Cards of two packs; a position, a game and a game in JSON; the link of a layout; and whatever is pasted at the table.
VARIANTS: Final = ("cards", "position", "game", "json", "link", "pasted")
_PACKS: Final = 2


def prepare(suite: Suite, _folder: Path) -> Read:
    """Return the function that reads such a text, writes what it read and reads it again."""
    engine = Engine(suite)
    readers = {
        "cards": _read_cards,
        "position": _read_position,
        "game": _read_game,
        "json": _read_json,
        "link": _read_link,
        "pasted": lambda text: _paste(engine, text),
    }

    def read(given: Input) -> None:
        readers.get(given.variant, _read_cards)(given.content.decode("utf-8", "replace"))

    return read


def _read_cards(text: str) -> None:
    card_meant(text)
    try:
        cards = read_cards(text, _PACKS)
    except TextFault as fault:
        _check_fault(fault, text)
        return
    assert read_cards(" ".join(cards), _PACKS) == cards


def _check_fault(fault: TextFault, text: str) -> None:
    """Check that a mistake has a place in the text."""
    assert 0 <= fault.start < fault.end <= len(text)
    assert_printable(fault.says)


def _read_position(text: str) -> None:
    try:
        position = Position.from_text(text)
    except HoyleError:
        return
    assert Position.from_text(str(position)) == position
    assert Position.from_json(position.to_json(), position.rules) == position


def _read_game(text: str) -> None:
    try:
        game = Game.from_text(text)
    except HoyleError:
        return
    _check_game(game)


def _read_json(text: str) -> None:
    try:
        game = Game.from_json(text)
    except HoyleError:
        return
    _check_game(game)


def _check_game(game: Game) -> None:
    assert Game.from_text(str(game)) == game
    assert Game.from_json(game.to_json()) == game


def _read_link(text: str) -> None:
    try:
        layout = open_link(text)
    except Wrong as wrong:
        assert_printable(wrong.says)
        return
    without_empty = open_link(link_of(layout))
    assert open_link(link_of(without_empty)) == without_empty


def _paste(engine: Engine, text: str) -> None:
    answer = engine.ask({"ask": "parse", "text": text, "layout": _EMPTY})
    assert "failed" not in answer, answer
    json.dumps(answer, allow_nan=False)
    if "layout" in answer:
        _check_layout(engine, answer["layout"])
    at = answer.get("error", {}).get("at")
    if at:
        assert 0 <= at[0] <= at[1] <= len(text.encode("utf-16-le", "surrogatepass")) // 2, answer


def _check_layout(engine: Engine, layout: Mapping[str, Any]) -> None:
    """Check that the table answers a layout that it made of a text."""
    answer = engine.ask({"ask": "answer", "layout": layout})
    assert "failed" not in answer, answer
