"""The score sheet of a game, its hands step by step, corrections, figures, and the kept games."""
