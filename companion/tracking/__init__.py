"""What is noticed at a table becomes events of the game."""
