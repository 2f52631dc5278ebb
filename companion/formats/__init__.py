"""Games in formats of other programs: pure functions over the events of a game."""
