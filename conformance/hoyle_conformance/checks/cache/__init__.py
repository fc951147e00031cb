"""The compiled suite, cached as plain data under a digest of everything from which it was made."""
