"""Printed texts: read as they come, taken apart into sections and paragraphs, and made into ledgers to begin with."""
