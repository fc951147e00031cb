"""Printed texts, split into sections, paragraphs and sentences for a new ledger.

A new ledger points into the text and does not hold it: a sentence that stood beside the place for our own words would
be edited until it looks different, and would still be that sentence.
"""
