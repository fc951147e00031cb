"""Search: rules, clauses and scenarios found by the words that players use."""
