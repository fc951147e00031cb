"""Adapter templates, one for each language; each is a program that runs as it is."""
