"""The classes of combinations, how they are called against each other, and the bonuses for reaching so many points
first."""
