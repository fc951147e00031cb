"""Linting: faults found by looking at a suite. Nothing is read here, and nothing changed."""
