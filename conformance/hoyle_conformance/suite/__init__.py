"""The content of a spec folder as plain values."""
