"""Dice on the table, read from the pictures of its camera."""
