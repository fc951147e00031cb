"""The chapter on declarations: which combinations there are, when they are declared, and what cards may score again."""
