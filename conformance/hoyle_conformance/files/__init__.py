"""Strict YAML and JSON, JSON Schema, and diagnostics with their place and remedy."""
