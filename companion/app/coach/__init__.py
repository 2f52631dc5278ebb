"""The coach: advice beside the game that is played, for a hand alone, and about hands that are replayed."""
