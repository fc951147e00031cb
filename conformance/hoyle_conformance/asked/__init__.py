"""Asked: how a check is put to an implementation that does not claim everything, or does some things in its own way."""
