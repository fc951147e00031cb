"""Reports: what a person is shown, in the terminal and on the site, in words of the game."""
