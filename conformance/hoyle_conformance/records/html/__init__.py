"""Records as pages that stand alone."""

from .run import html

__all__ = ["html"]
