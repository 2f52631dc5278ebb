"""Trains the networks from nothing: `python -m models.training --help`. Needs the package's `train`
extra."""
