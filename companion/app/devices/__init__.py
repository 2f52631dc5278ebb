"""The dice cups and automatic tables that the window listens to."""
