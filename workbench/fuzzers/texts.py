"""Texts that people write: cards, positions and games in the notation, and links. Each survives being written."""

from collections.abc import Callable
from functools import partial
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
    readers: dict[str, Callable[[str], object]] = {
        "cards": card_meant,
        "position": _read_position,
        "game": partial(_read_game, Game.from_text),
        "json": partial(_read_game, Game.from_json),
        "link": _read_link,
    }

    def read(given: Input) -> None:
        readers.get(given.variant, card_meant)(given.content.decode("utf-8", "replace"))

    return read


def _read_position(text: str) -> None:
    try:
        position = Position.from_text(text)
    except HoyleError:
        return
    assert Position.from_text(position.to_text()) == position
    assert Position.from_json(position.to_json(), position.rules) == position


def _read_game(read: Callable[[str], Game], text: str) -> None:
    try:
        game = read(text)
    except HoyleError:
        return
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
