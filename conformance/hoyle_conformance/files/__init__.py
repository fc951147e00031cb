"""Reading files: strict YAML, JSON Schema, and mistakes reported once, with their place and the remedy."""
