"""Irregularities, and how they are claimed, ruled on, and put right."""
