"""The words of the games: what players and books call things, and what they mean."""

from .reading import Term, terms

__all__ = ["Term", "terms"]
