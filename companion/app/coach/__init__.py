"""The coach: advice next to the running game, for a hand alone, and about hands that are replayed."""
