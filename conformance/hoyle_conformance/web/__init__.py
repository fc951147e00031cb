"""The site and the table: pages, the playable table, and the local server."""
