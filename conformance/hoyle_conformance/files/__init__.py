"""Strict YAML and JSON, JSON Schema, and diagnostics with places and remedies."""
