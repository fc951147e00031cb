"""Faults found by looking at the values of a suite; nothing is read from files or changed here."""
