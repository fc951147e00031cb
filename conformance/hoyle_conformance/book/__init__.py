"""Rule books as a person reads them: several rules of a table in one paragraph, in words written for the game."""
