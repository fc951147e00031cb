"""The pages of the site, as values made from the suite by pure functions."""
