"""Coverage-guided fuzzers of everything that Hoyle reads from others, and the corpus of inputs that they found."""
