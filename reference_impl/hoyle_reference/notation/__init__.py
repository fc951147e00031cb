"""Acts, questions and positions as plain mappings, the way files and messages spell them."""
