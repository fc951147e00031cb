"""Texts that people write: cards, positions and games in the notation, and links. Each survives being written."""

from pathlib import Path
from typing import Final

from hoyle import Game, HoyleError, Position
from hoyle_conformance.files.schema_errors import card_meant
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.layout import Wrong, link_of, open_link

from .properties import assert_printable
from .target import Input, Read

#: Cards of two packs; a position, a game and a game in JSON; and the link of a layout.
VARIANTS: Final = ("cards", "position", "game", "json", "link")


def prepare(_suite: Suite, _folder: Path) -> Read:
    """Return the function that reads such a text, writes what it read and reads it again."""
    readers = {
        "cards": _read_cards,
        "position": _read_position,
        "game": _read_game,
        "json": _read_json,
        "link": _read_link,
    }

    def read(given: Input) -> None:
        readers.get(given.variant, _read_cards)(given.content.decode("utf-8", "replace"))

    return read


def _read_cards(text: str) -> None:
    card_meant(text)


def _read_position(text: str) -> None:
    try:
        position = Position.from_text(text)
    except HoyleError:
        return
    assert Position.from_text(position.to_text()) == position
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
    assert Game.from_text(game.to_text()) == game
    assert Game.from_json(game.to_json()) == game


def _read_link(text: str) -> None:
    try:
        layout = open_link(text)
    except Wrong as wrong:
        assert_printable(wrong.says)
        return
    without_empty = open_link(link_of(layout))
    assert open_link(link_of(without_empty)) == without_empty
