"""Proofs of the files of the suite: each scenario is played, and its outcome compared with the result."""
