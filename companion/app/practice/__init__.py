"""A practice game in the window: one person plays with three built-in players, without tiles."""
