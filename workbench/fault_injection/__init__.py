"""Fault injection: the n-th open, read, write, rename, fork or allocation of a command fails, for every n."""
