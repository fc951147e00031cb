"""The protocol: how the harness talks to an implementation, and everything that can go wrong with it."""
