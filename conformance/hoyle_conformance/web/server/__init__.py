"""The local server: the pages of the site, and a table that answers at once."""
