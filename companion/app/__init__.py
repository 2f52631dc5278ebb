"""The window. `hand`, `facts`, `state`, `scoring`, `session`, `text` and `folders` know no Kivy;
the widgets hold no facts.

One direction: a widget sends an intent to the desk, the desk makes a new state, every pane shows it.
"""
