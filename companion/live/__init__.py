"""A running game and what observes it: the kept game, devices, cameras, one clock. No Kivy.

`game.py` is its one owner, `deciding.py` the pure decision what a proposal becomes.
"""
