"""The nouns of the game: cards, seats, acts and refusals, and the table on which everything lies."""
