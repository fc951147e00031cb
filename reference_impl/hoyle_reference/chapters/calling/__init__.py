"""The classes of combinations, the calling between the players, and the bonuses for being first to a
number of points."""
