"""One camera over a table: its pictures become sights, with tiles in mm and how certain they are.

No window, no port, no thread.
"""
