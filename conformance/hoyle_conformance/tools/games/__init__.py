"""Random games and games of the census: play them on the reference and on another engine, compare the
two, and report."""
