"""A run: checks selected, held against an implementation, judged and recorded."""
