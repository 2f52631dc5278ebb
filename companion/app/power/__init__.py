"""Turning the machine off, where the window has it to itself."""
