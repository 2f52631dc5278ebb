"""A photographed hand on its way to a score: what was read, what a person made of it, and the win.

Shared by the command line and the window.
"""
