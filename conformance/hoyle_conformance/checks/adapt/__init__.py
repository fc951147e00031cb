"""Adapting a request to an adapter that does not claim everything, or plays in a way of its own."""
