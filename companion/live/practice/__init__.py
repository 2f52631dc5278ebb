"""A practice game: one person plays with three built-in players, at a table that is not there.

It is a kept game like any other. Its log says what that person could see; walls and hidden tiles follow from
the number with which the game began, so that the table can be built again from the log (`truth.py`).
"""
