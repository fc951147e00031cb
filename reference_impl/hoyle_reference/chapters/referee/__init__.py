"""The referee: what a table says of irregularities, and how they are claimed, ruled on, and made good."""
