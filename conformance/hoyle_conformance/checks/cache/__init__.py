"""The compiled suite, cached as plain data under a digest of everything that it was made of."""
