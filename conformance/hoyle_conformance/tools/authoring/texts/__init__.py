"""Printed texts, split into sections, paragraphs and sentences for a new ledger."""
