"""Starters: an adapter to begin with, in each of some languages; each lies here as a file that runs as it is."""
