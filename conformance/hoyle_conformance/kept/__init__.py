"""Keeping: a suite that was found sound, compiled to plain data, under an address made of all that it was made of."""
