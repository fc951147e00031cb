"""Requests fitted to adapters that do not claim everything, or that play in a way of their own."""
