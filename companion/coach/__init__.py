"""Advice from the rules and from what a player can see, and players built of it. As pure as the rules."""
