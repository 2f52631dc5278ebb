"""The window: `shell` over one folder for each feature, over `widgets`, which holds what several of them use.

`feature` is the only interface between the shell and the features. One direction: a widget calls a step, the
step returns a new state and its effects, the shell runs these and shows the state.
"""
