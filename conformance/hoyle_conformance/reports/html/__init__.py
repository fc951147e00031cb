"""Records as self-contained HTML pages."""
