"""What runs while people play: devices, cameras, the followed table, practice, the announcer. No Kivy.

`running.py` is the running game with devices and cameras; its owner, which decides and keeps, is
game/owner.py.
"""
