"""The window, one folder a feature; `shell` ties them together, `widgets` holds what several of them use.

One direction: a widget sends an intent, a controller makes a new state, every pane shows it.
"""
