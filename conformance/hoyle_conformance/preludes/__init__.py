"""Preludes: for a position in the middle of a deal, a legal history that comes to it from the deal.

What a scenario tells of a deal is gathered (`wanted`). Of a game that is drawn for the tricks are found from the last
to the first (`tricks`), and the deal is made so that each card comes in time (`drawn`); of one that begins with an
exchange, the exchange, the calls and the tricks (`exchanged`). A history is played by the reference (`playing`), and
holds if it comes to all that is given and the check's steps come out alike (`proving`, `finding`).
"""
