"""A game as events: wall and break, seats, claims, phases, ledger. No clock, window, picture or port."""
