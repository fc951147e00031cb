"""Whole programs built on the runner; each is independent of the others except where the import contract allows it."""
