"""Acts, questions and positions as plain mappings, as in files and messages."""
