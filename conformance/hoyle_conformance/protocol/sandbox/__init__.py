"""The sandbox of an adapter: what it protects, what this system can do, and how a command runs in it."""
