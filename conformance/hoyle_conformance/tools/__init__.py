"""Whole programs over the runner, each independent of the others but for what the import contract names."""
