"""The combinations there are, when they are declared, and the cards that may score again."""
