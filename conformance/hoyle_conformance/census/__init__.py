"""The census: whole games from decks that anybody can make, played where nothing disputed decides, act by act."""
