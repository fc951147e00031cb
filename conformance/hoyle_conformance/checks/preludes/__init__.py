"""Acts that lead from a deal to the position of a scenario."""
