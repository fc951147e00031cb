"""Positions set up from a scenario: the cards that it leaves out, and the trace of the reference interpreter."""
