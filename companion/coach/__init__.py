"""Advice from the rules and from what a player can see, reviews of played hands, and built-in players.

Pure except for NumPy: `value` is what a choice is worth, `words` explains it, `play` plays.
"""
