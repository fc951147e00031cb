"""Transcripts: games that an engine has written down as JSON lines, replayed and judged act by act."""
