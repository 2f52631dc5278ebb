"""Mahjong companion: reads real mahjong tiles from pictures and scores the hand by regional Chinese rules.

Nothing is imported here, so that a part of the package costs only what that part needs.
"""

__version__ = "0.2.0"
PYTHONS = ((3, 11), (3, 13))
"""The oldest and the newest Python that it is made for, as in pyproject.toml."""
