"""Rule books for people: the rules of a table in paragraphs."""
