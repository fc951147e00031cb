"""Transcripts: games that an engine recorded as JSON lines, replayed and judged act by act."""
