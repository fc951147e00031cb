"""The rule book, a module or package for each chapter: what its acts need, what follows, and what may be asked."""
