"""Preludes: legal acts from a deal to the positions of scenarios, found and written into spec/preludes."""
