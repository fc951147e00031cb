"""Checks: a scenario under a ruleset becomes a request that an adapter can answer. Nothing here starts a process."""
