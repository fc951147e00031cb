"""Fuzzing: random whole games, played by the reference and by another engine, and compared after every act."""
