"""The players: how many, with how many packs, and who score together."""

from dataclasses import dataclass

from ..cells import Cells, Rule, number
from .chapter import Chapter


@dataclass(frozen=True, slots=True)
class PlayerRules:
    """How many players and packs there are; whether those who sit opposite each other are partners, and that these see
    no more of each other's cards than anybody does."""

    number: Rule[int]
    packs: Rule[int]
    partners: Rule[bool]
    partners_see: Rule[bool]


def read(cells: Cells) -> PlayerRules:
    """The rules of this chapter, from the table."""
    return PlayerRules(
        number=cells.rule("players.number", number),
        packs=cells.rule("cards.packs", number),
        partners=cells.rule_if_any("players.partners", bool, otherwise=False),
        partners_see=cells.rule_if_any("players.partners_see", bool, otherwise=False),
    )


CHAPTER = Chapter("players", read, always=True, sight=lambda rules: rules.partners_see.grounds)
