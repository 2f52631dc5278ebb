"""Players that follow advice, and the strengths of the opponents in practice."""
