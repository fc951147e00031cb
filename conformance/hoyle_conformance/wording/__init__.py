"""Values as sentences: cards, events, rules, failures."""
