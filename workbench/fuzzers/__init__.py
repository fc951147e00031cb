"""Coverage-guided fuzzers of everything that Hoyle reads from others."""
