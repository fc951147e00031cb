"""Searching: what the suite holds, found by words, by their forms, and by the other words that players use."""
