"""Records of runs, read again: what is made of them needs no suite."""
