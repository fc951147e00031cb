"""The site: pages as values, made from the suite by pure functions that any generator could use."""
