"""The protocol: the conversation with an adapter, and everything that can go wrong in it."""
