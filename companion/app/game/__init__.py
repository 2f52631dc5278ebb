"""A game at the table, followed with one camera."""
