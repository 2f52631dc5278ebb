"""Plays whole evenings through the real window, and measures it: what tests and `companion bench` share."""
