"""The local server: the pages of the site, and an interactive table."""
