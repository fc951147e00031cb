"""Served: the pages of the site as an installed Hoyle shows them by itself, with a table that answers at once.

What a browser asks for is let in or turned away (`door`), and answered (`server`) with a page in its frame (`frame`),
a style or script (`assets`), or what the rules say of a position; a draft goes into the reader's folder (`folder`).
"""
