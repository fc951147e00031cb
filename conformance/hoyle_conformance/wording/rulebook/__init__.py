"""Rule books as people read them: the rules of a table in paragraphs."""
