"""The window: `shell` over one folder for each feature, over `widgets`, which holds what several of them use.

`feature` is all that the shell and the features know of each other. One direction: a widget takes a step, the
step gives a new state and its effects, the shell carries these out and shows the state.
"""
