"""Faults found by looking at the values of a suite; nothing is read and nothing is changed here."""
