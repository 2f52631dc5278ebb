"""mahjong companion: a picture of tiles goes in, the tiles are read, the hand is scored with every line explained.

The floors are app, devices, vision, rules, tiles (and scenes over art); each imports only floors below it,
which the import contract in pyproject.toml keeps so.
"""

__version__ = "0.1.0"
