"""Rules: a table compiled once into plain values and functions, so that play never walks the table."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from . import deal, declare, exchange, reuse, score, settle, tricks
from .acts import Play
from .cards import Card, pack
from .cells import Cells, Document, lay_flat
from .seats import Seat


@dataclass(frozen=True, slots=True)
class Rules:
    """One ruleset, ready to be played: the compiled chapters, and the cells they were compiled from."""

    id: str
    cells: Cells
    players: int
    packs: int
    pack: tuple[Card, ...]
    deal: deal.DealRules
    tricks: tricks.TrickRules
    exchange: exchange.ExchangeRules
    declare: declare.DeclareRules
    reuse: reuse.ReuseRules
    score: score.ScoreRules
    settle: settle.SettleRules
    #: Every act of playing a card, by seat and card, made once.
    plays: tuple[tuple[Play, ...], ...]


def compile_rules(document: Document, options: Iterable[str] = (), readings: Mapping[str, str] | None = None) -> Rules:
    """The rules of a table (a document as `ruleset.schema.json` describes it), with options and readings applied.

    Raises Malformed where the table lacks a cell, or has no such option or reading.
    """
    chosen = tuple(options)
    return compile_cells("+".join((document["id"], *chosen)), lay_flat(document, chosen, readings))


def compile_cells(name: str, cells: Cells) -> Rules:
    """The rules that these cells make; raises Malformed where one is lacking."""
    players, packs = cells.number("players.number"), cells.number("cards.packs")
    cards = pack(packs)
    return Rules(
        id=name,
        cells=cells,
        players=players,
        packs=packs,
        pack=cards,
        deal=deal.read(cells),
        tricks=tricks.read(cells),
        exchange=exchange.read(cells),
        declare=declare.read(cells),
        reuse=reuse.read(cells),
        score=score.read(cells),
        settle=settle.read(cells),
        plays=tuple(tuple(Play(Seat(seat), card) for card in cards) for seat in range(players)),
    )
