"""Proofs of the files of the suite: play each scenario, and compare its outcome with the result."""
