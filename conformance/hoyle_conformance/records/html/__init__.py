"""Records as pages that stand alone."""
