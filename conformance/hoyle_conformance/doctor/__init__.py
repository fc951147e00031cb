"""The doctor: what is wrong with an adapter, found in a few short conversations, and what to do about it."""
