"""One kept game: its log and undo, what becomes of proposals, and the thread that owns it.

`deciding.py` decides what a proposal becomes, `owner.py` owns the running game, `game.py` keeps it: one
SQLite file for each game (`file.py`), in which nothing that was entered is ever deleted.
"""
