"""The census: whole games from decks that anybody can make, compared act by act."""
