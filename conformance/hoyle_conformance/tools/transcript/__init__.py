"""Transcripts: games that an engine has written down, read in two forms, and judged act by act."""
