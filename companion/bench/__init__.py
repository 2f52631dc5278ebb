"""Measuring: random hands of every game, and how fast they are answered."""
