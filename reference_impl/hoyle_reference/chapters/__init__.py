"""The rule book, a module or package for each chapter: the acts it allows, their consequences, and its questions."""
