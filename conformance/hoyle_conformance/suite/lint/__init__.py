"""Lint of a suite: faults in its values. Nothing here reads or changes files."""
