"""Proving the files of the suite: each scenario is played, and what it says compared with what comes of it."""
