"""Built-in players, and whole hands played by them."""
