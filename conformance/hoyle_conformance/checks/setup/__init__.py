"""Setting up a position: the cards that a scenario leaves out, and the trace of the reference interpreter."""
